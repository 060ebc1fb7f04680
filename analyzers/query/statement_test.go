package query

import (
	"fmt"
	"strings"
	"testing"
)

// sketch writes what a test compares of a statement: the verb, the tables, then clause by clause what is there.
func (s *Statement) sketch() string {
	var b strings.Builder
	add := func(format string, args ...any) { fmt.Fprintf(&b, format, args...) }
	add("%s", s.Verb)
	for _, t := range s.Tables {
		add(" %s", t.sketch())
	}
	if len(s.Columns) > 0 && s.Verb != Select {
		add(" (%s)", strings.Join(s.Columns, " "))
	}
	if len(s.Selected) > 0 {
		add(" select(%s)", sketchOutputs(s.Selected))
	}
	if len(s.Values) > 0 {
		add(" values(%s)", sketchOperands(s.Values))
	}
	if s.Rows > 1 || s.Rows < 0 && s.Verb == Insert {
		add(" rows=%d", s.Rows)
	}
	if len(s.Alternatives) > 0 {
		add("%s", sketchWhere(" maybe", s.Alternatives, false))
	}
	if len(s.Set) > 0 {
		add(" set(%s)", sketchSet(s.Set))
	}
	add("%s", sketchWhere(" on", s.Joins, false))
	add("%s", sketchWhere(" where", s.Where, s.WhereComplex))
	if c := s.OnConflict; c.Kind != ConflictNone {
		add(" conflict(%s)", strings.Join(c.Columns, " "))
		if c.Constraint != "" {
			add(" constraint %s", c.Constraint)
		}
		if c.TargetWhere != "" {
			add(" target{%s}", c.TargetWhere)
		}
		add(" %s", c.Kind)
		if len(c.Set) > 0 && s.Verb != Merge {
			add("(%s)", sketchSet(c.Set))
		}
		add("%s", sketchWhere(" if", c.Where, c.WhereComplex))
	}
	if s.Returning {
		add(" returning(%s)", sketchOutputs(s.Returned))
	}
	if len(s.OrderBy) > 0 {
		add(" order(%s)", strings.Join(s.OrderBy, " "))
	}
	if s.Limit.Kind != NoOperand {
		add(" limit %s", s.Limit.sketch())
	}
	for name, on := range map[string]bool{"for update": s.ForUpdate} {
		if on {
			add(" %s", name)
		}
	}
	if s.SkipLocked {
		add(" skip locked")
	}
	if s.NoWait {
		add(" nowait")
	}
	for _, i := range s.Intervals {
		add(" <%s%s%g>", i.Column, i.Op, i.Seconds)
	}
	if s.UsesNow {
		add(" now")
	}
	if len(s.Functions) > 0 {
		add(" calls(%s)", strings.Join(s.Functions, " "))
	}
	if s.Isolation != "" {
		add(" %s", strings.ToLower(s.Isolation))
	}
	for _, c := range s.With {
		add(" with %s{%s}", c.Name, c.Statement.sketch())
	}
	for _, sub := range s.Subs {
		add(" {%s}", sub.sketch())
	}
	if s.Conditional {
		add(" conditional")
	}
	if s.Partial {
		add(" partial")
	}
	if s.Executed.Kind != NoOperand {
		add(" executes %s", s.Executed.sketch())
	}
	return b.String()
}

func (t Table) sketch() string {
	s := t.Name
	if t.Schema != "" {
		s = t.Schema + "." + s
	}
	if t.Hole >= 0 {
		s += fmt.Sprintf("%s#%d", t.Prefix, t.Hole)
	}
	if t.Alias != "" {
		s += "=" + t.Alias
	}
	if s == "" {
		return "?"
	}
	return s
}

func sketchOutputs(outs []Output) string {
	var s []string
	for _, o := range outs {
		text := o.Operand.sketch()
		if o.Name == "*" {
			text = "*"
		} else if o.Name != text && o.Name != "" {
			text = o.Name + "=" + text
		}
		s = append(s, text)
	}
	return strings.Join(s, " ")
}

func sketchOperands(ops []Operand) string {
	var s []string
	for _, o := range ops {
		s = append(s, o.sketch())
	}
	return strings.Join(s, " ")
}

func sketchSet(set []Assignment) string {
	var s []string
	for _, a := range set {
		op := "="
		if a.Increment {
			op = "+="
		}
		s = append(s, a.Column+op+a.Operand.sketch())
	}
	return strings.Join(s, " ")
}

func sketchWhere(word string, conds []Condition, complex bool) string {
	if len(conds) == 0 && !complex {
		return ""
	}
	var s []string
	for _, c := range conds {
		text := c.Column
		if c.Table != "" {
			text = c.Table + "." + text
		}
		if strings.HasPrefix(c.Op, "IS ") {
			s = append(s, text+" "+strings.ToLower(c.Op))
			continue
		}
		op := c.Op
		if strings.ContainsAny(op, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") {
			op = " " + strings.ToLower(op) + " "
		}
		value := c.Operand.sketch()
		if c.Values != nil {
			value = "(" + sketchOperands(c.Values) + ")"
		}
		s = append(s, text+op+value)
	}
	if complex {
		s = append(s, "…")
	}
	return word + "(" + strings.Join(s, ", ") + ")"
}

type sqlCase struct{ text, want string }

func checkSQL(t *testing.T, cases []sqlCase) {
	t.Helper()
	for _, c := range cases {
		sts, err := SQL(pieces(c.text))
		var out []string
		for i := range sts {
			out = append(out, sts[i].sketch())
		}
		got := strings.Join(out, " | ")
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

func TestPostgres(t *testing.T) {
	checkSQL(t, []sqlCase{
		{`INSERT INTO keys (key, user_id, response, expires_at) VALUES ($1, $2, $3::jsonb, now() + interval '24 hours') ON CONFLICT (key, user_id) DO NOTHING RETURNING id, created_at AS "at"`,
			`insert keys (key user_id response expires_at) values($0 $1 $2::jsonb [now]) conflict(key user_id) do nothing returning(id at=created_at) <expires_at=86400> now calls(now)`},
		{`INSERT INTO t AS x (a, n) VALUES ($1, 1), ($2, 1) ON CONFLICT ON CONSTRAINT uq DO UPDATE SET n = x.n + EXCLUDED.n, b = excluded.b WHERE x.c < excluded.c OR x.d`,
			`insert t=x (a n) values($0 1) rows=2 conflict() constraint uq do update(n+=[x.n excluded.n] b=excluded.b) if(…)`},
		{`INSERT INTO t (a) VALUES ($1) ON CONFLICT (lower(a)) WHERE deleted_at IS NULL DO UPDATE SET a = EXCLUDED.a WHERE t.locked_until < now() RETURNING (xmax = 0) AS inserted`,
			`insert t (a) values($0) conflict(lower(a)) target{deleted_at is null} do update(a=excluded.a) if(t.locked_until<now) returning(inserted=[xmax]) now calls(lower now)`},
		{`INSERT INTO t DEFAULT VALUES`, `insert t`},
		{`INSERT INTO t (a, b) OVERRIDING SYSTEM VALUE VALUES (DEFAULT, NULL)`, `insert t (a b) values(default NULL)`},
		{`INSERT INTO t (a, b) SELECT $1, $2 WHERE NOT EXISTS (SELECT 1 FROM t WHERE a = $1)`,
			`insert t (a b) values($0 $1) rows=-1 {select select($0 $1) where(…) {select t select(1) where(a=$0)}}`},
		{`INSERT INTO t (a) SELECT a FROM s ON CONFLICT DO NOTHING`, `insert t (a) values(a) rows=-1 conflict() do nothing {select s select(a)}`},
		{`INSERT INTO t (a) (SELECT a FROM s) RETURNING *`, `insert t (a) values(a) rows=-1 returning(*) {select s select(a)}`},
		{`INSERT INTO t (a, b) SELECT * FROM unnest($1::text[], $2::int[])`, `insert t (a b) rows=-1 {select select(*) calls(unnest)} partial`},
		{`WITH claimed AS (INSERT INTO t (a) VALUES ($1) ON CONFLICT DO NOTHING RETURNING a) SELECT a FROM claimed UNION ALL SELECT a FROM t WHERE a = $1`,
			`select select(a) with claimed{insert t (a) values($0) conflict() do nothing returning(a)} {select t select(a) where(a=$0)}`},
		{`WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) DELETE FROM t USING r WHERE t.n = r.n`,
			`delete t where(t.n=r.n) with r{select select(1) {select select([n])}}`},
		{`WITH a AS MATERIALIZED (SELECT 1), b AS NOT MATERIALIZED (SELECT 2) UPDATE t SET x = b.x FROM b`,
			`update t set(x=b.x) with a{select select(1)} with b{select select(2)}`},
		{`UPDATE jobs SET status = 'running', attempts = attempts + 1, locked_at = NOW() WHERE id = (SELECT id FROM jobs WHERE status = 'queued' ORDER BY created_at FOR UPDATE SKIP LOCKED LIMIT 1) RETURNING *`,
			`update jobs set(status='running' attempts+=[attempts] locked_at=now) where(…) returning(*) now calls(now) {select jobs select(id) where(status='queued') order(created_at) limit 1 for update skip locked}`},
		{`UPDATE ONLY public.t AS x SET (a, b) = ($1, x.b || 'y'), c = CASE WHEN d THEN c + 1 ELSE c END FROM s WHERE x.id = s.id AND x.v = $2::int RETURNING x.*`,
			`update public.t=x s set(a=$0 b+=[x.b] c+=[c c]) where(x.id=s.id, x.v=$1::int) returning(*)`},
		{`UPDATE t SET data = data || $1::jsonb, tags = array_append(tags, $2), log = log || '\n', flags = flags | 4, act = NOT act, b = GREATEST(b, $3), c = COALESCE(c, 0) + 1, d = jsonb_set(d, '{a}', $4)`,
			`update t set(data=[data $0::jsonb] tags+=[tags $1] log+=[log] flags=[flags] act+=[act] b=[b $2] c+=[c] d=[d $3]) calls(array_append coalesce greatest jsonb_set)`},
		{`DELETE FROM t WHERE created_at < now() - interval '7 days' OR expires_at <= CURRENT_TIMESTAMP`, `delete t maybe(created_at<[now], expires_at<=now) where(…) <created_at<-604800> now calls(now)`},
		{`DELETE FROM only_t t USING s WHERE t.id = s.id AND s.x IS NOT NULL RETURNING t.id`, `delete only_t=t s where(t.id=s.id, s.x is not null) returning(id=t.id)`},
		{`SELECT pg_advisory_xact_lock(hashtext($1)), nextval('s'::regclass)`, `select select(pg_advisory_xact_lock=[$0] nextval=[]) calls(hashtext nextval pg_advisory_xact_lock)`},
		{`SELECT DISTINCT ON (a) a, t.b, count(*) FILTER (WHERE c) OVER (PARTITION BY a) AS n, x.* FROM s.t AS t LEFT JOIN x ON x.a = t.a AND x.b > 3 CROSS JOIN LATERAL (SELECT 1) q WHERE t.a = $1 FOR NO KEY UPDATE OF t NOWAIT`,
			`select s.t=t x select(a b=t.b n=[] *) on(x.a=t.a, x.b>3) where(t.a=$0) for update nowait calls(count) {select select(1)}`},
		{`SELECT * FROM t WHERE lower(email) = lower($1) AND data->>'k' = $2 AND data #>> '{a,b}' = 'x' AND id = ANY($3::uuid[]) AND $4 = owner AND 5 < n AND s ~* 'x' AND r @> $5 AND d ? 'k' AND active AND NOT deleted AND 1 = 1`,
			`select t select(*) where(lower(email)=[$0], data->>'k'=$1, data#>>'{a,b}'='x', id in $2::uuid[], owner=$3, n>5, s~*'x', r@>$4, d?'k', active=TRUE, deleted=FALSE) calls(lower)`},
		{`SELECT * FROM t WHERE a BETWEEN $1 AND $2 AND b IN ('x', $3) AND c NOT IN (1) AND d IS NOT DISTINCT FROM $4 AND (e, f) = ($5, $6) AND g LIKE $7 ESCAPE '\' AND h IS TRUE AND i <> ALL ($8)`,
			`select t select(*) where(a>=$0, a<=$1, b in ('x' $2), c<>1, d=$3, e=$4, f=$5, g like $6, h=TRUE, i <> all $7)`},
		{`SELECT * FROM a, b NATURAL JOIN c JOIN d USING (x) WHERE a.x IN (SELECT x FROM e) GROUP BY 1 HAVING count(*) > 1 ORDER BY a.x DESC NULLS LAST, lower(b.y) OFFSET 3 ROWS FETCH NEXT 5 ROWS ONLY`,
			`select a b c d select(*) where(…) order(x lower(y)) limit 5 calls(count lower) {select e select(x)}`},
		{`(SELECT a FROM t) UNION (SELECT b FROM s) ORDER BY 1 LIMIT 3`, `select t select(a) order(1) limit 3 {select s select(b)}`},
		{`SELECT E'it\'s', 'it''s', $tag$ $1 ' $tag$, U&'x', "a""b", 1e-3, .5, -1, ARRAY[1, $1], '{}'::text[], t.a[1:2], (t.r).f, INTERVAL '1' DAY FROM t`,
			`select t select('it's' 'it's' ' $1 ' ' 'x' a"b 1e-3 .5 -1 [$0] '{}'::text[] [t.a] [t.r] []) <86400>`},
		{`SELECT x AT TIME ZONE 'utc', EXTRACT(epoch FROM now() - y), CAST(z AS numeric(3, 1)), q::timestamp with time zone FROM t`,
			`select t select(x extract=[now y] z=z::numeric(3,1) q=q::timestamp with time zone) now calls(extract now)`},
		{`COPY t (a, b) FROM STDIN`, `insert t (a b) rows=-1`},
		{`TABLE t LIMIT 1`, `select t limit 1`},
		{`VALUES (1, $1), (2, $2)`, `select`},
		{`UPDATE t SET s = 'done' WHERE id = $1 AND s IN ('open', 'held') AND (expires_at IS NULL OR expires_at > now() - interval '5 minutes') AND NOT (a = 1 AND b)`,
			`update t maybe(expires_at is null, expires_at>[now], a=1, b=TRUE) set(s='done') where(id=$0, s in ('open' 'held'), …) <expires_at>-300> now calls(now)`},
		{`SELECT count(*) FILTER (WHERE at >= NOW() - INTERVAL '30 days')::int AS n FROM t`, `select t select(n=[]::int) <at>=-2.592e+06> now calls(count now)`},
		{`SELECT data->'a' ? 'k', data ? $1, a ?| $2 FROM t`, `select t select([data] [data $0] [a $1])`},
		{`UPDATE t SET v = v.x FROM (VALUES ($1::uuid, $2)) AS v (id, x) WHERE t.id = v.id`, `update t set(v=v.x) where(t.id=v.id) {select}`},
		{`SELECT t.x FROM (VALUES ${}) AS t (x)`, `select select(x=t.x) {select partial}`},
		{`LOCK TABLE t IN EXCLUSIVE MODE`, `other t`},
		{`SELECT 1; -- c; c
		/* a; b */ DELETE FROM t;;`, `select select(1) | delete t`},
		{`TRUNCATE a, b RESTART IDENTITY CASCADE`, `truncate a b`},
	})
}

func TestMySQL(t *testing.T) {
	checkSQL(t, []sqlCase{
		{"INSERT IGNORE INTO `db`.`keys` (`key`, `at`) VALUES (?, NOW()), (?, NOW())", "insert db.keys (key at) values($0 now) rows=2 conflict() do nothing now calls(now)"},
		{"INSERT INTO t (a, n, s) VALUES (?, 1, \"x\") ON DUPLICATE KEY UPDATE n = n + VALUES(n), s = VALUES(s), u = ?",
			"insert t (a n s) values($0 1 'x') conflict() do update(n+=[n excluded.n] s=excluded.s u=$1)"},
		{"INSERT INTO t (a) VALUES (?) ON DUPLICATE KEY UPDATE a = a", "insert t (a) values($0) conflict() do nothing(a=a)"},
		{"INSERT INTO t (a) VALUES (?) AS new ON DUPLICATE KEY UPDATE a = new.a", "insert t (a) values($0) conflict() do update(a=excluded.a)"},
		{"INSERT INTO t SET a = ?, b = DEFAULT, c = UUID()", "insert t (a b c) values($0 default []) calls(uuid)"},
		{"INSERT INTO t SET ?", "insert t values($0) rows=-1 partial"},
		{"INSERT INTO ?? (a) VALUES ?", "insert ? (a) values($1) rows=-1 partial"},
		{"INSERT INTO t VALUES (?, 'it\\'s', 'a''b', '\\\\')", "insert t values($0 'it's' 'a'b' '\\')"},
		{"REPLACE INTO t (a) VALUES (?)", "replace t (a) values($0) conflict() do update"},
		{"UPDATE `t` SET `n` = `n` - 1, s = \"x\" WHERE `id` = ? AND `n` > 0 ORDER BY `id` LIMIT 1", "update t set(n+=[n] s='x') where(id=$0, n>0) order(id) limit 1"},
		{"UPDATE a JOIN b ON a.id = b.id SET a.x = b.x, a.y = ? WHERE b.z <=> NULL", "update a b set(x=b.x y=$0) on(a.id=b.id) where(b.z=NULL)"},
		{"UPDATE t SET ? WHERE id = ?", "update t where(id=$1) partial"},
		{"DELETE t1 FROM a t1 INNER JOIN b t2 ON t1.x = t2.x AND t1.id > t2.id WHERE t2.y = \"z\"", "delete a=t1 b=t2 on(t1.x=t2.x, t1.id>t2.id) where(t2.y=z)"},
		{"DELETE b FROM a JOIN b ON a.x = b.x", "delete b a on(a.x=b.x)"},
		{"DELETE LOW_PRIORITY FROM t WHERE at < DATE_SUB(NOW(), INTERVAL 1 HOUR) LIMIT 1000", "delete t where(at<[now]) limit 1000 <at<-3600> now calls(date_sub now)"},
		{"SELECT SQL_CALC_FOUND_ROWS a FROM t USE INDEX (x) WHERE at > NOW() - INTERVAL 30 MINUTE AND b = 'x' LIMIT 10, 20 FOR UPDATE SKIP LOCKED",
			"select t select(a) where(at>[now], b='x') limit 20 for update skip locked <at>-1800> now calls(now)"},
		{"SELECT a FROM t WHERE TIMESTAMPDIFF(SECOND, at, NOW()) < 300 AND UNIX_TIMESTAMP() - ts < 60 LOCK IN SHARE MODE",
			"select t select(a) where(…) <at>-300> <ts>-60> now calls(now timestampdiff unix_timestamp)"},
		{"SELECT a FROM t WHERE at BETWEEN CURDATE() - INTERVAL 7 DAY AND CURDATE()", "select t select(a) where(at>=[now], at<=now) <at>=-604800> now calls(curdate)"},
		{"SELECT `a b`, t.`c` FROM t # a comment; it's\nWHERE a = 1", "select t select(a b c=t.c) where(a=1)"},
		{"SELECT 1 FROM DUAL WHERE GET_LOCK(?, 10) = 1", "select select(1) where(…) calls(get_lock)"},
		{"CALL charge(?, @out)", "call values($0 :out) calls(charge)"},
		{"SET @x = 1; START TRANSACTION; SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ", "set | begin | set repeatable read"},
		{"SELECT LAST_INSERT_ID() INTO @id", "select select(last_insert_id=[]) calls(last_insert_id)"},
	})
}

func TestSQLite(t *testing.T) {
	checkSQL(t, []sqlCase{
		{"INSERT OR IGNORE INTO t (a, b) VALUES (?1, :name)", "insert t (a b) values($0 :name) conflict() do nothing"},
		{"INSERT OR REPLACE INTO t VALUES (?, ?)", "replace t values($0 $1) conflict() do update"},
		{"INSERT OR ABORT INTO t (a) VALUES ($a)", "insert t (a) values(:a)"},
		{"INSERT INTO t (a, expires) VALUES (@a, datetime('now', '+1 day'))", "insert t (a expires) values(:a [now]) <expires=86400> now calls(datetime)"},
		{"INSERT INTO t (a, e) VALUES (?, strftime('%s','now') + 3600), (?, unixepoch())", "insert t (a e) values($0 [now]) rows=2 <e=3600> now calls(strftime)"},
		{"UPDATE OR IGNORE t SET a = a + 1 WHERE rowid = ?", "update t set(a+=[a]) where(rowid=$0) conflict() do nothing"},
		{"DELETE FROM t WHERE created_at < datetime('now', '-24 hours', 'utc')", "delete t where(created_at<[now]) <created_at<-86400> now calls(datetime)"},
		{"DELETE FROM t WHERE ts < unixepoch('now', '-1 day') * 1000", "delete t where(ts<[now]) <ts<-86400> now calls(unixepoch)"},
		{"DELETE FROM t WHERE ts < (strftime('%s', 'now') * 1000) - 60000", "delete t where(ts<[now]) <ts<-60> now calls(strftime)"},
		{"DELETE FROM t WHERE julianday('now') - julianday(at) > 7", "delete t where(…) <at<-604800> now calls(julianday)"},
		{"DELETE FROM t WHERE datetime(at, '+30 days') < datetime('now')", "delete t where(datetime(at,'+30 days')<now) <at<-2.592e+06> now calls(datetime)"},
		{"SELECT a FROM t INDEXED BY i WHERE b IS ? AND c IS NOT 'x' AND d GLOB 'a*'", "select t select(a) where(b=$0, c<>'x', d glob 'a*')"},
		{"BEGIN IMMEDIATE; COMMIT; END TRANSACTION; ROLLBACK", "begin immediate | commit | commit | rollback"},
		{"PRAGMA journal_mode = WAL", "set"},
		{"SELECT value FROM json_each(?) WHERE value = \"x\"", "select select(value) where(value='x') calls(json_each)"},
		{"CREATE TRIGGER g AFTER INSERT ON t BEGIN DELETE FROM s WHERE CASE WHEN 1 THEN 2 END; INSERT INTO u VALUES (1); END; SELECT 1", "create | select select(1)"},
	})
}

func TestTSQL(t *testing.T) {
	checkSQL(t, []sqlCase{
		{"SELECT TOP (1) [Id], o.[Total] AS Sum FROM [dbo].[Orders] o WITH (UPDLOCK, READPAST) WHERE o.[Key] = @key AND [At] > DATEADD(hour, -24, SYSUTCDATETIME())",
			"select dbo.Orders=o select(Id Sum=o.Total) where(o.Key=:key, At>[hour now]) limit 1 for update skip locked <At>-86400> now calls(dateadd sysutcdatetime)"},
		{"SELECT x = a, b FROM t WITH (NOLOCK) AS y WHERE DATEDIFF(minute, b, GETDATE()) <= 5 OPTION (RECOMPILE)",
			"select t=y select(x=a b) where(…) <b>=-300> now calls(datediff getdate)"},
		{"INSERT INTO dbo.t (a, b) OUTPUT inserted.id, INSERTED.a INTO @ids VALUES (@p1, N'x')", "insert dbo.t (a b) values(:p1 'x') returning(id=inserted.id a=INSERTED.a)"},
		{"UPDATE TOP (1) q SET status = 'x', n += 1 OUTPUT deleted.* FROM jobs q WHERE q.status = 'new'", "update jobs=q set(status='x' n+=[n]) where(q.status='new') returning(*) limit 1"},
		{"DELETE TOP (5) FROM t OUTPUT deleted.id WHERE a = @a", "delete t where(a=:a) returning(id=deleted.id) limit 5"},
		{"MERGE INTO t WITH (HOLDLOCK) AS x USING (VALUES (@a, @b)) AS s (a, b) ON x.a = s.a WHEN MATCHED AND x.b < 3 THEN UPDATE SET n = x.n + 1, b = s.b WHEN NOT MATCHED BY TARGET THEN INSERT (a, b) VALUES (s.a, s.b) OUTPUT $action, inserted.id;",
			"merge t=x (a b) values(s.a s.b) set(n+=[x.n] b=s.b) where(x.a=s.a, …) conflict(a) do update returning(:action id=inserted.id) {select}"},
		{"MERGE t USING s ON t.a = s.a WHEN NOT MATCHED THEN INSERT (a) VALUES (s.a);", "merge t s (a) values(s.a) where(t.a=s.a) conflict(a) do nothing"},
		{"IF NOT EXISTS (SELECT 1 FROM k WITH (UPDLOCK) WHERE a = @a) BEGIN INSERT INTO k (a) VALUES (@a); END ELSE BEGIN UPDATE k SET n = n + 1 WHERE a = @a END",
			"select k select(1) where(a=:a) for update | insert k (a) values(:a) conditional | update k set(n+=[n]) where(a=:a) conditional"},
		{"BEGIN TRAN\nUPDATE t SET a = 1 WHERE b = 2\nINSERT INTO s (a) VALUES (1)\nCOMMIT TRAN", "begin | update t set(a=1) where(b=2) | insert s (a) values(1) | commit"},
		{"DECLARE @x int = 5\nSET NOCOUNT ON\nEXEC dbo.charge @amount = @x, @key = 'k' OUTPUT\nSELECT @@ROWCOUNT", "set | set | call values(:x 'k') calls(charge) | select select(:ROWCOUNT)"},
		{"EXEC sp_getapplock @Resource = @r, @LockMode = 'Exclusive'", "call values(:r 'Exclusive') calls(sp_getapplock)"},
		{"EXEC (@sql)", "call partial"},
		{"SELECT a INTO #tmp FROM t; SELECT * FROM #tmp", "create table #tmp t (a) select(a) | select #tmp select(*)"},
		{"SET TRANSACTION ISOLATION LEVEL SERIALIZABLE", "set serializable"},
	})
}

func TestHoles(t *testing.T) {
	checkSQL(t, []sqlCase{
		{"SELECT * FROM ${} WHERE id = ${}", "select #0 select(*) where(id=#1)"},
		{"SELECT * FROM ${}.orders", "select orders select(*)"},
		{"SELECT * FROM app.${}", "select app.#0 select(*)"},
		{"SELECT * FROM logs_${}_${} l", "select logs_#0=l select(*)"},
		{"SELECT * FROM \"${}\"", "select #0 select(*)"},
		{"SELECT * FROM `p_${}` WHERE a = '${}' AND b = 'x-${}' AND c = ${}::uuid", "select p_#0 select(*) where(a='#1', b=[#2], c=#3::uuid)"},
		{"INSERT INTO ${} (a) VALUES (${})", "insert #0 (a) values(#1)"},
		{"INSERT INTO t (${}) VALUES (${})", "insert t values(#1) partial"},
		{"INSERT INTO t (a, ${}) VALUES ($1, ${})", "insert t values($0 #1) partial"},
		{"INSERT INTO t (a, b) VALUES (${}, ${}), (${}, ${})", "insert t (a b) values(#0 #1) rows=2"},
		{"INSERT INTO t (a, b) VALUES ${}", "insert t (a b) values(#0) rows=-1 partial"},
		{"INSERT INTO t (a, b) VALUES ${} ON CONFLICT (a) DO NOTHING", "insert t (a b) values(#0) rows=-1 conflict(a) do nothing partial"},
		{"INSERT INTO t ${} ON CONFLICT (a) ${}", "insert t values(#0) rows=-1 partial"},
		{"INSERT INTO t (a) VALUES ($1) ${} RETURNING id", "insert t (a) values($0) rows=-1 returning(id) partial"},
		{"INSERT INTO t (a) VALUES (${}) ON CONFLICT (${}) DO UPDATE SET ${}", "insert t (a) values(#0) conflict(${1}) do update partial"},
		{"UPDATE t SET ${} WHERE id = ${}", "update t where(id=#1) partial"},
		{"UPDATE t SET a = ${}, ${} WHERE id = $1", "update t set(a=#0) where(id=$0) partial"},
		{"UPDATE t SET ${} = ${} WHERE id = $1", "update t where(id=$0) partial"},
		{"UPDATE t SET a = ${} ${}", "update t set(a=#0) partial"},
		{"UPDATE ${} SET a = 1", "update #0 set(a=1)"},
		{"DELETE FROM t WHERE a = ${} AND ${}", "delete t where(a=#0, …)"},
		{"DELETE FROM t ${}", "delete t where(…) partial"},
		{"DELETE FROM t WHERE ${}", "delete t where(…)"},
		{"SELECT * FROM t WHERE a = $1 ${} AND b = $2", "select t select(*) where(a=$0, b=$1, …) partial"},
		{"SELECT * FROM t WHERE a = $1${}", "select t select(*) where(a=$0, …) partial"},
		{"SELECT * FROM t WHERE a = $1 ${} ORDER BY x LIMIT ${}", "select t select(*) where(a=$0, …) order(x) limit #1 partial"},
		{"SELECT * FROM t ${} ${} LIMIT 3", "select t select(*) where(…) limit 3 partial"},
		{"SELECT ${} AS a, b FROM t", "select t select(a=#0 b)"},
		{"SELECT a, ${} b.c AS d FROM t", "select t select(a #0 d=b.c) partial"},
		{"SELECT ${} FROM t", "select t select(#0) partial"},
		{"SELECT a, ${} FROM t", "select t select(a #0) partial"},
		{"SELECT a${} FROM t", "select t select([#0])"},
		{"SELECT * FROM t WHERE a IN (${})", "select t select(*) where(a in (#0))"},
		{"SELECT * FROM t WHERE a IN ${}", "select t select(*) where(a in #0)"},
		{"SELECT * FROM t WHERE a IN (${}, ${})", "select t select(*) where(a in (#0 #1))"},
		{"SELECT * FROM t WHERE ${} = $1", "select t select(*) where(…)"},
		{"SELECT * FROM t WHERE a ${} $1", "select t select(*) where(a=TRUE, …) partial"},
		{"SELECT * FROM t WHERE at > now() - interval '${} hours' AND b > now() - ${} * interval '1 hour'", "select t select(*) where(at>[now #0], b>[now #1]) now calls(now)"},
		{"SELECT * FROM t LIMIT $${} OFFSET $${}", "select t select(*) limit :#0"},
		{"SELECT * FROM t -- ${}\nWHERE a = /* ${} */ ${}", "select t select(*) where(a=#2)"},
		{"${} INTO t", "unknown partial"},
		{"${}", "unknown partial"},
		{"${} SELECT 1", "unknown partial"},
		{"INSERT${}INTO t (a) VALUES (1)", "insert t (a) values(1) partial"},
		{"SELECT 1; ${}; DELETE FROM t", "select select(1) | unknown partial | delete t"},
		{"WITH x AS (${}) SELECT * FROM x", "select select(*) with x{unknown partial}"},
		{"WITH ${} SELECT * FROM x", "select x select(*) partial"},
		{"CALL ${}(1)", "call values(1) partial"},
		{"CREATE TABLE ${} (a int)", "create table #0 (a)"},
		{"DROP TABLE IF EXISTS ${}", "drop #0"},
		{"ALTER TABLE ${} ADD COLUMN a int", "alter #0"},
		{"TRUNCATE ${}", "truncate #0"},
		{"SELECT * FROM t JOIN ${} ON t.a = ${}.a WHERE t.b = 1", "select t #0 select(*) on(t.a=a) where(t.b=1)"},
	})
}

// Text cut off or odd costs its clause; the verb and the table survive it.
func TestOddText(t *testing.T) {
	checkSQL(t, []sqlCase{
		{"SELECT * FROM t WHERE", "select t select(*) where(…) partial"},
		{"SELECT * FROM t WHERE a =", "select t select(*) where(…) partial"},
		{"SELECT * FROM t WHERE a = 1 AND", "select t select(*) where(a=1, …) partial"},
		{"SELECT FROM t", "select t"},
		{"SELECT", "select"},
		{"INSERT INTO t", "insert t rows=-1 partial"},
		{"INSERT INTO t (a, b", "insert t (a b) rows=-1 partial"},
		{"INSERT INTO t (a) VALUES (1", "insert t (a) values(1) partial"},
		{"INSERT INTO t (a) VALUES (1) ON CONFLICT", "insert t (a) values(1) partial"},
		{"INSERT INTO", "insert rows=-1 partial"},
		{"UPDATE t", "update t partial"},
		{"UPDATE t SET a = ", "update t set(a=[]) partial"},
		{"DELETE FROM", "delete partial"},
		{"SELECT 'unclosed FROM t", "select select('unclosed FROM t')"},
		{"SELECT * FROM t WHERE (a = 1", "select t select(*) where(…) partial"},
		{"SELECT * FROM t WHERE a = 1)", "select t select(*) where(a=1) partial"},
		{"SELECT * FROM t WHERE a FROBNICATE b LIMIT 1", "select t select(*) where(a=TRUE) limit 1 partial"},
		{"MERGE INTO t USING s ON", "merge t s where(…) partial"},
		{"WITH x AS", "unknown partial"},
		{"DO $$ BEGIN DELETE FROM t; END $$", "other"},
		{"EXPLAIN SELECT 1", "other"},
		{"EXPLAIN DELETE FROM t", "other"},
		{"EXPLAIN ${}", "other"},
		{"EXPLAIN (FORMAT JSON, COSTS) DELETE FROM t", "other"},
		{"EXPLAIN (ANALYZE FALSE) DELETE FROM t", "other"},
		{"EXPLAIN QUERY PLAN DELETE FROM t", "other"},
		{"EXPLAIN ANALYZE SELECT 1", "select select(1)"},
		{"EXPLAIN ANALYZE VERBOSE DELETE FROM t", "delete t"},
		{"EXPLAIN (ANALYZE, FORMAT JSON) DELETE FROM t; SELECT 1", "delete t | select select(1)"},
		{"EXPLAIN (FORMAT JSON, ANALYZE TRUE) INSERT INTO t (a) VALUES (1)", "insert t (a) values(1)"},
		{"EXPLAIN ANALYZE FORMAT=JSON DELETE FROM t", "delete t"},
		{"EXPLAIN (${}) DELETE FROM t", "delete t"},
		{"EXPLAIN ${} DELETE FROM t", "delete t"},
		{"EXPLAIN ANALYZE ${}", "unknown partial executes #0"},
		{"EXPLAIN (ANALYZE, FORMAT JSON) ${}", "unknown partial executes #0"},
		{"EXPLAIN (${}) ${}", "unknown partial executes #1"},
		{"GRANT SELECT ON t TO u", "other"},
		{"", "no SQL statement"},
		{" ; -- nothing\n;", "no SQL statement"},
		{"123", "no SQL statement"},
		{"(hello)", "no SQL statement"},
		{"say ${} things", "unknown partial"},
		{"hello world", "no SQL statement"},
		{"WHERE a = 1", "no SQL statement"},
	})
}
