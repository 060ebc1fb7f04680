package query

import (
	"strings"
	"testing"
)

// sketch writes a table in one line: name(columns; with type, ! for NOT NULL and the default) pk(…) unique(…).
func (t *TableDef) sketch() string {
	var b strings.Builder
	if t.Schema != "" {
		b.WriteString(t.Schema + ".")
	}
	b.WriteString(t.Name)
	if t.Model != "" && t.Model != t.Name {
		b.WriteString("=" + t.Model)
	}
	var cols []string
	for _, c := range t.Columns {
		s := c.Name
		if c.Field != "" && c.Field != c.Name {
			s += "=" + c.Field
		}
		s += " " + c.Type
		if c.NotNull {
			s += "!"
		}
		if c.Default != NoDefault {
			s += " " + c.Default.String()
		}
		cols = append(cols, s)
	}
	b.WriteString("(" + strings.Join(cols, ", ") + ")")
	if len(t.PrimaryKey) > 0 {
		b.WriteString(" pk(" + strings.Join(t.PrimaryKey, ", ") + ")")
	}
	for _, u := range t.Uniques {
		b.WriteString(" unique")
		if u.Name != "" {
			b.WriteString(" " + u.Name)
		}
		b.WriteString("(" + strings.Join(u.Columns, ", ") + ")")
		if u.Where != "" {
			b.WriteString(" where " + u.Where)
		}
		if u.NullsNotDistinct {
			b.WriteString(" nulls")
		}
		if u.Field != "" {
			b.WriteString(" as " + u.Field)
		}
	}
	if t.Partial {
		b.WriteString(" partial")
	}
	return b.String()
}

func sketchAll(ts []TableDef) string {
	var out []string
	for i := range ts {
		out = append(out, ts[i].sketch())
	}
	return strings.Join(out, " | ")
}

func TestCreateTable(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"postgres", `CREATE TABLE IF NOT EXISTS public."Keys" (
			key varchar(255) NOT NULL, user_id uuid NOT NULL REFERENCES users(id) ON DELETE CASCADE,
			response jsonb DEFAULT '{}'::jsonb, created_at timestamp with time zone DEFAULT now() NOT NULL,
			expires_at timestamptz DEFAULT (now() + interval '24 hours'), seq bigserial, x uuid default gen_random_uuid(),
			n numeric(10, 2) DEFAULT 0 CHECK (n >= 0), tags text[] DEFAULT '{}', dp double precision,
			CONSTRAINT pk PRIMARY KEY (key, user_id), UNIQUE (seq), CHECK (length(key) > 3), EXCLUDE USING gist (r WITH &&),
			CONSTRAINT fk FOREIGN KEY (user_id) REFERENCES users (id) ON UPDATE SET NULL);`,
			"public.Keys(key varchar(255)!, user_id uuid!, response jsonb constant, created_at timestamp with time zone! now, " +
				"expires_at timestamptz now, seq bigserial! serial, x uuid random, n numeric(10,2) constant, tags text[] constant, dp double precision) pk(key, user_id) unique(seq)"},
		{"postgres inline", `create table t (id int generated always as identity primary key, a text unique, b text constraint ub unique nulls not distinct, c int generated always as (id * 2) stored)`,
			"t(id int! serial, a text, b text, c int expression) pk(id) unique(a) unique ub(b) nulls"},
		{"nextval", `create table t (id bigint default nextval('t_id_seq'::regclass) not null)`, "t(id bigint! serial)"},
		{"mysql", "CREATE TABLE `orders` (`id` int(11) unsigned NOT NULL AUTO_INCREMENT, `ref` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL COMMENT 'a, b (c)',\n" +
			"`at` datetime(3) DEFAULT CURRENT_TIMESTAMP(3) ON UPDATE CURRENT_TIMESTAMP(3), `e` enum('a','b') NOT NULL DEFAULT 'a', u char(36) DEFAULT (uuid()),\n" +
			"PRIMARY KEY (`id`), UNIQUE KEY `uk_ref` (`ref`(191)), UNIQUE INDEX uk2 USING BTREE (e, at DESC), KEY `k` (`at`), INDEX (e), FULLTEXT KEY f (ref)) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;",
			"orders(id int(11) unsigned! serial, ref varchar(64), at datetime(3) now, e enum('a','b')! constant, u char(36) random) pk(id) unique uk_ref(ref) unique uk2(e, at)"},
		{"mysql dump", "/*!40101 SET character_set_client = utf8 */;\nCREATE TABLE `t` (\n `a` int\n) /*!50100 PARTITION BY HASH (a) */;", "t(a int)"},
		{"sqlite", `CREATE TABLE ev (id INTEGER PRIMARY KEY AUTOINCREMENT, event_id TEXT UNIQUE ON CONFLICT IGNORE, ts TEXT DEFAULT (datetime('now')), n, unixts INTEGER DEFAULT (unixepoch()), u TEXT DEFAULT (lower(hex(randomblob(16))))) STRICT, WITHOUT ROWID`,
			"ev(id integer! serial, event_id text, ts text now, n , unixts integer now, u text random) pk(id) unique(event_id)"},
		{"sqlite rowid", `create table t (id integer, a text, primary key (id))`, "t(id integer! serial, a text) pk(id)"},
		{"t-sql", `CREATE TABLE [dbo].[Tx] ([Id] UNIQUEIDENTIFIER NOT NULL CONSTRAINT [DF] DEFAULT NEWID(), [N] INT IDENTITY(1,1), [K] NVARCHAR(MAX) NOT NULL, [At] DATETIME2(7) DEFAULT SYSUTCDATETIME(),
			CONSTRAINT [PK_Tx] PRIMARY KEY CLUSTERED ([Id] ASC) WITH (PAD_INDEX = OFF) ON [PRIMARY], CONSTRAINT UQ_k UNIQUE NONCLUSTERED ([K], [N]))
			GO`, "dbo.Tx(Id uniqueidentifier! random, N int serial, K nvarchar(max)!, At datetime2(7) now) pk(Id) unique UQ_k(K, N)"},
		{"columns called like keywords", `create table t (key text primary key, index int, value text, "order" int, type varchar(3), date date, timestamp timestamp, "default" text default 'x', comment text)`,
			"t(key text!, index int, value text, order int, type varchar(3), date date, timestamp timestamp, default text constant, comment text) pk(key)"},
		{"key with a size is a column", `create table t (key varchar(64), index decimal(3, 1))`, "t(key varchar(64), index decimal(3,1))"},
		{"like", `create table a (x int unique); create table b (like a including all, y int)`, "a(x int) unique(x) | b(x int, y int) unique(x)"},
		{"partition of", `create table a (x int primary key); create table b partition of a for values from (1) to (2)`, "a(x int!) pk(x) | b(x int!) pk(x)"},
		{"as select", `create table a as select 1`, "a() partial"},
		{"virtual", `create virtual table f using fts5 (a, b)`, "f() partial"},
		{"temporary", `create temporary table a (x int)`, "a(x int)"},
		{"created once", `create table if not exists a (x int); create table if not exists a (y int)`, "a(x int)"},
		{"unread element", `create table a (x int, ?? what, y int unique)`, "a(x int, y int) unique(y) partial"},
		{"unclosed", `create table a (x int, y int unique`, "a(x int, y int) unique(y) partial"},
		{"comments", "create table a ( -- one, two\n x int, /* unique (x), */ y int)", "a(x int, y int)"},
	} {
		got, _ := Schema("a.sql", []byte(c.text))
		if s := sketchAll(got); s != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.name, s, c.want)
		}
	}
}

func TestIndexesAndAlter(t *testing.T) {
	const base = "create table t (a int, b int, c text unique, d text, constraint u unique (a, b)); "
	for _, c := range []struct{ name, text, want string }{
		{"unique index", `create unique index i on t (d)`, "t(a int, b int, c text, d text) unique(c) unique u(a, b) unique i(d)"},
		{"plain index", `create index i on t (d)`, "t(a int, b int, c text, d text) unique(c) unique u(a, b)"},
		{"partial and concurrent", `CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS i ON ONLY public.t USING btree (lower(d) text_pattern_ops, a DESC NULLS LAST) INCLUDE (c) WHERE (t.b IS NULL AND d <> 'x')`,
			"t(a int, b int, c text, d text) unique(c) unique u(a, b) unique i(lower(d), a) where t.b is null and d<>'x'"},
		{"expression", `create unique index i on t ((lower(d)), coalesce(a, 0))`, "t(a int, b int, c text, d text) unique(c) unique u(a, b) unique i(lower(d), coalesce(a,0))"},
		{"unnamed", `create unique index on t (d) nulls not distinct`, "t(a int, b int, c text, d text) unique(c) unique u(a, b) unique(d) nulls"},
		{"t-sql index", `CREATE UNIQUE NONCLUSTERED INDEX [i] ON [dbo].[t] ([d] ASC) WHERE ([d] IS NOT NULL)`, "t(a int, b int, c text, d text) unique(c) unique u(a, b) unique i(d) where d is not null"},
		{"drop index", `create unique index i on t (d); drop index concurrently if exists i`, "t(a int, b int, c text, d text) unique(c) unique u(a, b)"},
		{"drop index mysql", "create unique index i on t (d); drop index i on t", "t(a int, b int, c text, d text) unique(c) unique u(a, b)"},
		{"index replaced", `create unique index i on t (d); drop index i; create unique index i on t (d, a)`, "t(a int, b int, c text, d text) unique(c) unique u(a, b) unique i(d, a)"},
		{"add unique", `alter table only t add constraint v unique (d)`, "t(a int, b int, c text, d text) unique(c) unique u(a, b) unique v(d)"},
		{"several actions", `ALTER TABLE IF EXISTS t ADD COLUMN e text NOT NULL DEFAULT 'x', ADD UNIQUE (e), DROP COLUMN d, ADD PRIMARY KEY (a)`,
			"t(a int!, b int, c text, e text! constant) pk(a) unique(c) unique u(a, b) unique(e)"},
		{"mysql add", "ALTER TABLE `t` ADD COLUMN `e` int UNIQUE AFTER `a`, ADD UNIQUE KEY `k` (`d`(10)), ADD INDEX `x` (`b`)", "t(a int, b int, c text, d text, e int) unique(c) unique u(a, b) unique(e) unique k(d)"},
		{"t-sql add", `ALTER TABLE t WITH CHECK ADD e int NOT NULL, f int UNIQUE`, "t(a int, b int, c text, d text, e int!, f int) unique(c) unique u(a, b) unique(f)"},
		{"parenthesised add", `ALTER TABLE t ADD (e int, f int)`, "t(a int, b int, c text, d text, e int, f int) unique(c) unique u(a, b)"},
		{"using index", `create unique index i on t (d); alter table t add constraint dd unique using index i`, "t(a int, b int, c text, d text) unique(c) unique u(a, b) unique dd(d)"},
		{"drop constraint", `alter table t drop constraint if exists u cascade`, "t(a int, b int, c text, d text) unique(c)"},
		{"drop unnamed constraint", `alter table t drop constraint t_c_key`, "t(a int, b int, c text, d text) unique u(a, b)"},
		{"drop index of mysql", "alter table t drop index c, drop key u", "t(a int, b int, c text, d text)"},
		{"drop column", `alter table t drop column b`, "t(a int, c text, d text) unique(c)"},
		{"rename column", `alter table t rename column a to aa; alter table t rename c to cc`, "t(aa int, b int, cc text, d text) unique(cc) unique u(aa, b)"},
		{"rename table", `alter table t rename to s; alter table s add unique (d)`, "s(a int, b int, c text, d text) unique(c) unique u(a, b) unique(d)"},
		{"rename tables of mysql", "rename table t to s", "s(a int, b int, c text, d text) unique(c) unique u(a, b)"},
		{"rename constraint", `alter table t rename constraint u to v; alter table t drop constraint v`, "t(a int, b int, c text, d text) unique(c)"},
		{"rename index", `alter index u rename to v; alter table t drop constraint v`, "t(a int, b int, c text, d text) unique(c)"},
		{"change column", "alter table t change column a x bigint not null, modify d varchar(9)", "t(x bigint!, b int, c text, d varchar(9)) unique(c) unique u(x, b)"},
		{"alter column", `alter table t alter column a set default 3, alter b type bigint using b::bigint, alter column d set not null, alter c drop default`,
			"t(a int constant, b bigint, c text, d text!) unique(c) unique u(a, b)"},
		{"t-sql alter column", `alter table t alter column d nvarchar(10) not null`, "t(a int, b int, c text, d nvarchar(10)) unique(c) unique u(a, b)"},
		{"actions on lines", "ALTER TABLE t\n  DROP COLUMN d,\n  ALTER COLUMN a SET NOT NULL,\n  DROP CONSTRAINT u\n", "t(a int!, b int, c text) unique(c)"},
		{"statements on lines", "ALTER TABLE t ADD e int\nALTER TABLE t DROP COLUMN d\nDELETE FROM t", "t(a int, b int, c text, e int) unique(c) unique u(a, b)"},
		{"drop table", `drop table if exists public.t cascade`, ""},
		{"rebuild of sqlite", `create table new_t (a int primary key, c text); insert into new_t select a, c from t; drop table t; alter table new_t rename to t`, "t(a int!, c text) pk(a)"},
		{"unknown table", `drop table t; alter table x add unique (k); create unique index i on y (z)`, "x() unique(k) partial | y() unique i(z) partial"},
		{"unknown table created later", `create unique index i on y (z); drop table t; create table y (z int)`, "y(z int) unique i(z)"},
		{"other statements", `insert into t values (1); select 1; grant all on t to x; comment on table t is 'x; y'; set x = 1`, "t(a int, b int, c text, d text) unique(c) unique u(a, b)"},
		{"routine", `create function f() returns trigger as $$ begin drop table t; end $$ language plpgsql; create trigger g after insert on t begin delete from t; drop table t; end; alter table t drop constraint u`,
			"t(a int, b int, c text, d text) unique(c)"},
	} {
		got, problems := Schema("a.sql", []byte(base+c.text))
		if s := sketchAll(got); s != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.name, s, c.want)
		}
		for _, p := range problems {
			t.Errorf("%s: %v", c.name, p)
		}
	}
}

func TestMigrations(t *testing.T) {
	files := map[string]string{
		"m/10_rename.up.sql":    "ALTER TABLE keys RENAME COLUMN k TO key;",
		"m/2_unique.up.sql":     "CREATE UNIQUE INDEX uq ON keys (k, owner);",
		"m/2_unique.down.sql":   "DROP INDEX uq;",
		"m/1_init.up.sql":       "CREATE TABLE keys (k text, owner int);",
		"m/1_init.down.sql":     "DROP TABLE keys;",
		"m/11_goose.sql":        "-- +goose Up\nALTER TABLE keys ADD COLUMN expires_at timestamptz;\n\n-- +goose Down\nDROP TABLE keys;\n",
		"m/12_dbmate.sql":       "-- migrate:up\nCREATE TABLE a (x int);\n-- migrate:down\nDROP TABLE a;",
		"m/13_dump.sql":         "\\connect x\nCREATE TABLE d (x int, y text);\nCOPY public.d (x, y) FROM stdin;\n1\tit's ; DROP TABLE keys;\n\\.\nALTER TABLE d ADD UNIQUE (x);",
		"m/14_delimiter.sql":    "DELIMITER $$\nCREATE PROCEDURE p() BEGIN DROP TABLE keys; END$$\nDELIMITER ;\nCREATE TABLE e (x int);",
		"m/3_constraint.up.sql": "ALTER TABLE keys ADD CONSTRAINT c UNIQUE (owner); ALTER TABLE keys DROP CONSTRAINT c;",
	}
	var names []string
	for n := range files {
		names = append(names, n)
	}
	MigrationOrder(names)
	var c Catalog
	for _, n := range names {
		for _, p := range c.Apply(n, []byte(files[n])) {
			t.Error(p)
		}
	}
	const want = "keys(key text, owner int, expires_at timestamptz) unique uq(key, owner) | a(x int) | d(x int, y text) unique(x) | e(x int)"
	if got := sketchAll(c.Tables()); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got, ok := c.Table("KEYS"); !ok || got.File != "m/1_init.up.sql" || got.Line != 1 {
		t.Errorf("Table(KEYS) = %s:%d, %v", got.File, got.Line, ok)
	}
	if got, _ := c.Table("d"); got.Line != 2 || got.Uniques[0].Line != 6 {
		t.Errorf("table d at line %d, unique at %d", got.Line, got.Uniques[0].Line)
	}
}

func TestMigrationOrder(t *testing.T) {
	names := []string{"db/10_b.sql", "db/2_a.sql", "db/002_b.sql", "db/V1__x.sql", "db/20240102_x/migration.sql", "db/20240101_z/migration.sql", "a/9.sql"}
	MigrationOrder(names)
	want := "a/9.sql db/2_a.sql db/002_b.sql db/10_b.sql db/20240101_z/migration.sql db/20240102_x/migration.sql db/V1__x.sql"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestApplySQL(t *testing.T) {
	var c Catalog
	problems := c.ApplySQL("store.ts", pieces("CREATE TABLE IF NOT EXISTS ${} (a int);\nCREATE TABLE IF NOT EXISTS keys (\n  k TEXT PRIMARY KEY,\n  expires_at INTEGER DEFAULT ${}\n);"))
	if len(problems) != 0 {
		t.Errorf("problems: %v", problems)
	}
	got, ok := c.Table("keys")
	if !ok || got.Line != 2 || got.Columns[1].Line != 4 || got.sketch() != "keys(k text!, expires_at integer expression) pk(k)" {
		t.Errorf("got %s at line %d", got.sketch(), got.Line)
	}
}

func TestKeys(t *testing.T) {
	ts, _ := Schema("a.sql", []byte("create table t (id int primary key, a int, b int, unique (a, b))"))
	for _, c := range []struct {
		columns      string
		within, over bool
	}{
		{"a b", true, true}, {"B A x", true, false}, {"a", false, false}, {"id", true, true}, {"", false, false},
	} {
		columns := strings.Fields(c.columns)
		if _, got := ts[0].KeyWithin(columns); got != c.within {
			t.Errorf("KeyWithin(%s) = %v", c.columns, got)
		}
		if _, got := ts[0].KeyOver(columns); got != c.over {
			t.Errorf("KeyOver(%s) = %v", c.columns, got)
		}
	}
}

func TestSchemaProblems(t *testing.T) {
	for _, c := range []struct{ file, text, want string }{
		{"a.sql", "select 1;\ncreate table a (x int,\n ?? y);", "a.sql:2: table a: a part of the definition was not understood"},
		{"a.sql", "\n\ncreate unique index i;", "a.sql:3: not understood: CREATE INDEX"},
		{"a.prisma", "model A {\n id Int @id\n x\n}\nmodel B {", "a.prisma:3: a field of model A without a type; a.prisma:5: model B is not closed"},
		{"a.prisma", "model A {\n id Int\n @@unique([])\n}", "a.prisma:3: @@unique of model A without fields"},
		{"a.prisma", "{ }", "a.prisma:1: a block without kind and name"},
	} {
		_, problems := Schema(c.file, []byte(c.text))
		var out []string
		for _, p := range problems {
			out = append(out, p.Error())
		}
		if got := strings.Join(out, "; "); got != c.want {
			t.Errorf("%q\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

const prismaText = `// the datasource
datasource db {
  provider = "postgresql"
  url      = env("DATABASE_URL")
}
generator client { provider = "prisma-client-js" }
enum Role { A B }
/// One record a key.
model IdemKey {
  id        String   @id @default(uuid())
  key       String   @map("idem_key") @db.VarChar(255) // the key {
  user      User     @relation(fields: [userId], references: [id], onDelete: Cascade)
  userId    Int      @map("user_id")
  role      Role     @default(A)
  state     State    @default(open)
  createdAt DateTime @default(now())
  updatedAt DateTime @updatedAt
  expiresAt DateTime?
  n         Int      @default(autoincrement())
  tags      String[] @default(["a", "b"])
  secret    String   @default(dbgenerated("gen_random_uuid()")) @db.Uuid
  note      String   @default("x ) y")
  point     Unsupported("circle")?

  @@unique([key, userId], name: "scope", map: "uq_scope")
  @@unique(fields: [userId, secret(sort: Desc)])
  @@index([createdAt])
  @@map("idem_keys")
  @@schema("app")
}

model User {
  id    Int     @id @default(autoincrement())
  email String  @unique(map: "uq_email")
  keys  IdemKey[]
  posts Post[]
}

model Post {
  authorId Int
  slug     String
  author   User @relation(
    fields: [authorId],
    references: [id]
  )
  @@id([authorId, slug])
}
`

func TestPrisma(t *testing.T) {
	got, problems := Schema("schema.prisma", []byte(prismaText))
	want := "app.idem_keys=IdemKey(id string! random, idem_key=key string!, user_id=userId int!, role role! constant, state state! constant, createdAt datetime! now, " +
		"updatedAt datetime! now, expiresAt datetime, n int! serial, tags string[]! constant, secret string! random, note string! constant, point unsupported) pk(id) " +
		"unique uq_scope(idem_key, user_id) as scope unique(user_id, secret) as userId_secret" +
		" | User(id int! serial, email string!) pk(id) unique uq_email(email) as email | Post(authorId int!, slug string!) pk(authorId, slug)"
	if s := sketchAll(got); s != want {
		t.Errorf("got  %s\nwant %s", s, want)
	}
	if len(problems) != 0 {
		t.Error(problems)
	}
	if got[0].Line != 9 || got[0].Columns[1].Line != 11 {
		t.Errorf("lines %d, %d", got[0].Line, got[0].Columns[1].Line)
	}
}

// A project has both a Prisma schema and the migrations made from it: in either order the table has SQL's constraints and
// the model's names.
func TestPrismaWithMigrations(t *testing.T) {
	model := "model Key {\n id Int @id\n userId Int @map(\"user_id\")\n k String\n @@unique([userId, k])\n @@map(\"keys\")\n}"
	sql := `CREATE TABLE "keys" ("id" SERIAL NOT NULL, "user_id" INTEGER NOT NULL, "k" TEXT NOT NULL, CONSTRAINT "keys_pkey" PRIMARY KEY ("id"));
		CREATE UNIQUE INDEX "keys_user_id_k_key" ON "keys"("user_id", "k");`
	const want = "keys=Key(id serial! serial, user_id=userId integer!, k text!) pk(id) unique keys_user_id_k_key(user_id, k) as userId_k"
	var c Catalog
	c.Apply("m.sql", []byte(sql))
	c.Apply("s.prisma", []byte(model))
	if got := sketchAll(c.Tables()); got != want {
		t.Errorf("SQL first\n got %s\nwant %s", got, want)
	}
	if got, ok := c.Table("Key"); !ok || got.Name != "keys" {
		t.Errorf("Table(Key) = %q, %v", got.Name, ok)
	}
}
