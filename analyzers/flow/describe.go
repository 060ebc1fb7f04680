package flow

import (
	"cmp"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/model"
	"github.com/retrysafe/retrysafe/analyzers/query"
)

// describe takes from the rows what is known about a call: for each section the first row that has it.
func (e *engine) describe(c *Call, rows []*model.Row) {
	use := func(r *model.Row) {
		conf := r.Confidence
		if conf == 0 {
			conf = model.Certain
		}
		if conf < c.Confidence {
			c.Confidence = conf
		}
	}
	for _, r := range rows {
		if r.Refines {
			continue
		}
		// what the call does is said once: as an effect, as a query, or as harmless
		if r.Effect != nil && c.EffectRow == nil && c.QueryRow == nil && !c.Safe {
			c.EffectRow = r
			use(r)
		}
		if r.Record != nil && c.RecordRow == nil {
			c.RecordRow = r
			use(r)
		}
		if r.Query != nil && c.QueryRow == nil && c.EffectRow == nil && !c.Safe {
			c.QueryRow = r
			use(r)
		}
		if r.Origin != nil && c.OriginRow == nil {
			c.OriginRow = r
		}
		if r.Check != nil && c.CheckRow == nil {
			c.CheckRow = r
		}
		if r.Retry != nil && c.RetryRow == nil {
			c.RetryRow = r
		}
		if r.Restarts && c.CheckRow == nil {
			restart := *r
			restart.Check = &model.Check{Kind: "restart"}
			c.CheckRow = &restart
		}
		if r.Hangup && !c.Hangup {
			c.Hangup = true
			e.hangups[siteKey{c.Site.Fn, c.Site.Op}] = true
		}
		c.unclear = c.unclear || r.Unclear && c.EffectRow == nil && !c.Safe
		c.logs = c.logs || r.Logs
		c.Safe = c.Safe || r.Safe || r.Logs || r.Exits || r.Tool != nil || r.Route != nil || r.Transport != nil || r.Primitive != nil
		if r.Input != nil && c.InputRow == nil {
			c.InputRow = r
		}
	}
	if c.QueryRow != nil {
		e.readQuery(c)
	}
}

// refineEarlier lets the later calls of a builder chain correct what the earlier one was taken for.
func (e *engine) refineEarlier(c *Call, rows []*model.Row) {
	for _, r := range rows {
		if !r.Refines {
			continue
		}
		for cur, i := c.Recv, 0; cur != nil && i < 32; i++ {
			if cur.Kind != TCall {
				if cur.Kind == TMember || cur.Kind == TCast {
					cur = cur.Args[0]
					continue
				}
				break
			}
			earlier := e.begun[cur]
			if earlier != nil && (r.Effect != nil && earlier.EffectRow != nil || r.Record != nil && earlier.RecordRow != nil) {
				earlier.settle(c.Result)
				if earlier.later == nil {
					earlier.later = map[part]*Call{}
				}
				for _, a := range accessesOf(r) {
					earlier.later[a] = c
				}
				if r.Effect != nil && earlier.EffectRow != nil {
					merged := *earlier.EffectRow
					spec := *earlier.EffectRow.Effect
					mergeEffect(&spec, r.Effect)
					merged.Effect = &spec
					earlier.EffectRow = &merged
				}
				if r.Record != nil && earlier.RecordRow != nil {
					merged := *earlier.RecordRow
					spec := *earlier.RecordRow.Record
					mergeRecord(&spec, r.Record)
					merged.Record = &spec
					earlier.RecordRow = &merged
				}
				break
			}
			cur = cur.Args[0]
		}
	}
}

// part is what an access path of a row tells of a call: the same path may stand for the key of one call of a chain and for the value of another.
type part struct {
	what role
	at   model.Access
}

type role uint8

const (
	vendorKey role = iota
	bodyPart
	recordKey
	recordValue
	recordTTL
	recordStore
	recordConflict
)

// accessesOf lists the access paths by which a refining row completes an earlier call: they are read over the call that the row matched.
func accessesOf(r *model.Row) []part {
	var out []part
	if x := r.Effect; x != nil {
		out = append(out, part{vendorKey, x.Key}, part{bodyPart, x.Body})
	}
	if x := r.Record; x != nil {
		out = append(out, part{recordKey, x.Key}, part{recordValue, x.Value}, part{recordTTL, x.TTL}, part{recordStore, x.Store}, part{recordConflict, x.Conflict})
	}
	return out
}

// over gives an accessor for an access path of a call's rows: over the call itself, or over the later call of the chain that brought the path.
func (e *engine) over(c *Call, what role, a model.Access) *accessor {
	if later := c.later[part{what, a}]; later != nil && a != "" {
		return e.recorded(later)
	}
	return e.recorded(c)
}

func mergeEffect(to, from *model.Effect) {
	to.Kind = cmp.Or(from.Kind, to.Kind)
	to.Nature = cmp.Or(from.Nature, to.Nature)
	to.Object = cmp.Or(from.Object, to.Object)
	to.Key = cmp.Or(from.Key, to.Key)
	to.Enforced = to.Enforced || from.Enforced
	to.Quiet = to.Quiet || from.Quiet
}

func mergeRecord(to, from *model.Record) {
	to.Op = cmp.Or(from.Op, to.Op)
	to.Key = cmp.Or(from.Key, to.Key)
	to.Value = cmp.Or(from.Value, to.Value)
	to.Conflict = cmp.Or(from.Conflict, to.Conflict)
	if from.TTL != "" {
		to.TTL, to.Unit = from.TTL, from.Unit // a lifetime goes with its unit
	}
	to.Fails = cmp.Or(from.Fails, to.Fails)
	to.Miss = cmp.Or(from.Miss, to.Miss)
	to.Filter = to.Filter || from.Filter
	to.Atomic = to.Atomic || from.Atomic
}

// interesting reports whether rules may ask about the call.
func (c *Call) interesting() bool {
	return c.EffectRow != nil && !c.EffectRow.Effect.Reply || c.RecordRow != nil || c.QueryRow != nil || c.CheckRow != nil && c.CheckRow.Check.Kind != "order"
}

// readQuery reads the text of a query and binds its placeholders.
func (e *engine) readQuery(c *Call) {
	acc := e.recorded(c)
	spec := c.QueryRow.Query
	text := acc.first(spec.Text)
	if text == nil {
		return
	}
	if spec.Language != "sql" {
		return
	}
	args := acc.first(spec.Args)
	worst := -1
	for way, n := (&spelling{}), 0; n < maxSpellings; n++ {
		var holes []*Term
		var pieces []query.Piece
		if text.Kind == TArray && text.Keys == nil && len(c.Args) > 0 && c.Args[0] == text {
			// a tagged template: the texts, then the values between them
			pieces = e.tagged(text, c.Args[1:], &holes)
		} else {
			pieces = e.pieces(text, &holes, way)
		}
		if stmts, err := query.SQL(pieces); len(pieces) > 0 && err == nil {
			if harm := harmOf(stmts); harm > worst {
				worst = harm
				c.Statements = nil
				for i := range stmts {
					c.Statements = append(c.Statements, Statement{Statement: stmts[i], Bind: e.binder(args, holes)})
				}
			}
		}
		if !way.next() {
			return
		}
	}
}

// pieces splits a text into literal pieces and holes. A tagged template's array of texts alternates with the values.
func (e *engine) pieces(t *Term, holes *[]*Term, way *spelling) []query.Piece {
	hole := func(v *Term) query.Piece {
		*holes = append(*holes, v)
		return query.Value(len(*holes) - 1)
	}
	switch t.Kind {
	case TConst:
		return []query.Piece{query.Text(t.Const.Text)}
	case TConcat:
		var out []query.Piece
		for _, p := range t.Args {
			out = append(out, e.pieces(p, holes, way)...)
		}
		return out
	case TUnion:
		var texts []*Term
		for _, alt := range t.Args {
			if alt.Kind == TConst && alt.Const.Kind == model.String || alt.Kind == TConcat {
				texts = append(texts, alt)
			}
		}
		if len(texts) > 0 {
			return e.pieces(texts[way.choose(len(texts))], holes, way)
		}
	case TCast:
		return e.pieces(t.Args[0], holes, way)
	case TObject:
		if v, _ := t.Field("text"); v != nil {
			return e.pieces(v, holes, way)
		}
		if v, _ := t.Field("sql"); v != nil {
			return e.pieces(v, holes, way)
		}
	case TCall:
		// a tagged template: sql`…`
		if len(t.Args) > 1 && t.Args[1].Kind == TArray && t.Args[1].Keys == nil {
			return e.tagged(t.Args[1], t.Args[2:], holes)
		}
		// text helpers keep the text: trim(), dedent()
		if len(t.Args) > 0 && (t.Name == "trim" || t.Name == "replace") && t.Args[0].Kind != TConst {
			return e.pieces(t.Args[0], holes, way)
		}
	case TArray:
		if t.Keys == nil && len(t.Args) > 0 {
			var out []query.Piece
			for i, text := range t.Args {
				s, ok := text.Text()
				if !ok {
					return nil
				}
				out = append(out, query.Text(s))
				if i < len(t.Args)-1 {
					out = append(out, hole(e.unknown("hole", nil)))
				}
			}
			return out
		}
	}
	return []query.Piece{hole(t)}
}

// tagged joins the texts of a tagged template with the values between them; a value that is such a template itself is spelled out.
func (e *engine) tagged(texts *Term, vals []*Term, holes *[]*Term) []query.Piece {
	var out []query.Piece
	for i, text := range texts.Args {
		s, ok := text.Text()
		if !ok {
			return nil
		}
		if s != "" {
			out = append(out, query.Text(s))
		}
		if i == len(texts.Args)-1 {
			break
		}
		v := e.undefined
		if i < len(vals) {
			v = vals[i]
		}
		if v.Kind == TCall && len(v.Args) > 1 && v.Args[1].Kind == TArray && v.Args[1].Keys == nil {
			out = append(out, e.tagged(v.Args[1], v.Args[2:], holes)...)
			continue
		}
		*holes = append(*holes, v)
		out = append(out, query.Value(len(*holes)-1))
	}
	return out
}

// binder gives the values of operands.
func (e *engine) binder(args *Term, holes []*Term) func(query.Operand) *Term {
	var bind func(o query.Operand) *Term
	bind = func(o query.Operand) *Term {
		switch o.Kind {
		case query.Placeholder:
			if args == nil {
				return nil
			}
			if o.Name != "" {
				name := strings.TrimLeft(o.Name, ":@$")
				for _, alt := range args.Alternatives() {
					objs := []*Term{alt}
					if alt.Kind == TArray && len(alt.Args) > 0 {
						objs = append(objs, alt.Args[0])
					}
					for _, obj := range objs {
						if obj.Kind == TObject {
							if v, _ := obj.Field(name); v != nil {
								return v
							}
						}
					}
				}
				return nil
			}
			for _, alt := range args.Alternatives() {
				list := alt
				if list.Kind == TArray && len(list.Args) == 1 && list.Keys == nil && list.Args[0].Kind == TArray {
					list = list.Args[0]
				}
				if list.Kind == TArray && o.Index >= 0 && o.Index < len(list.Args) {
					if list.Keys == nil || list.Keys[o.Index] != "..." {
						return list.Args[o.Index]
					}
				}
			}
			return e.intern(Term{Kind: TElement, Name: "value", Args: []*Term{args}})
		case query.Hole:
			if o.Index >= 0 && o.Index < len(holes) {
				return holes[o.Index]
			}
		case query.Literal:
			return e.text(o.Text)
		case query.Now:
			return e.symbol("sql#now")
		case query.Expression:
			var parts []*Term
			for _, in := range o.Inputs {
				if v := bind(in); v != nil {
					parts = append(parts, v)
				}
			}
			if len(parts) > 0 {
				return e.intern(Term{Kind: TOp, Name: "sql", Args: parts})
			}
		}
		return nil
	}
	return bind
}
