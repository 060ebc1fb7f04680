package model_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// sample is a unit in which every declaration, most operations and every end of a block occur.
const sample = `unit "src/tools.ts" typescript
package "app"
file "src/tools.ts"
import "src/db.ts"
note "a decorator with a computed name"
global #0 client const : "stripe".Stripe
global #1 handlers : Map[string, "src/db.ts"::Row]
type #0 class Store abstract extends "src/db.ts"::Base[string] implements Closer, {method close} = ("a-b" | literal "x")
  ctor #2 ; Store
  member method create? #3 : Promise[{field id : string}] ; Store.create
  member static field kind
export * from "src/db.ts"
export create #0 ; client
export ns extern "zod" as *

func #0 ""
b0:
  v0 = external "node:fs"
  v1 = external stripe
  v2 = load v1.default
  v3 = const "key\n"
  v4 = call v2(v3) new
  v5 = storeglobal #0 v4 ; client
  v6 = funcref #1 ; create
  v7 = class #0 _ ; Store
  v8 = decorate "create" #1 v6(v7)
  v9 = closure #4 v3 ; "create.func1"
  return

func #1 create this async generator partial type #0 outer #0 : Promise[string]
  param id decorators(Param, Body) : string
  param "" optional
  param more rest : Array[unknown]
b0:
  v0 = param #0 : string ; id
  v1 = param #2 ; more
  v2 = loadglobal #0 ; client
  v3 = load v2.charges optional
  v4 = object {amount: v0, [v1]: v0, ...v1, get area: v0, "": v0, "a b": v0}
  v5 = array [v0, _, ...v1]
  v6 = alloc total
  v7 = store v6 = v0
  v8 = store v4.amount = v1
  v9 = store v4[v0] = v1
  v10 = load v4[v0]
  v11 = load v6
  v12 = delete v4.amount
  v13 = compare == v10, v11
  if v13 -> b1 b6
b1: <- b0 b2
  range v5 -> b2 b3
b2: <- b1 handler b5
  v14 = element value v5
  v15 = call v3(v14, ...v1) optional
  v16 = await v15
  jump -> b1
b3: <- b1
  v17 = const 12
  v18 = const true
  v19 = const undefined
  v20 = const regexp "/a/g"
  v21 = const number "1e+21"
  v22 = concat v17, v18
  v23 = unary typeof v22
  v24 = binary + v22, v23
  v25 = convert v24 : "src/db.ts"::Row
  v26 = loadglobal "src/db.ts" #0
  return v25
b5x:
`

func TestParseReadsDump(t *testing.T) {
	text := strings.Replace(sample, "b5x:\n", `b4:
  unreachable
b5: catch b2
  v27 = catch
  throw v27
b6: <- b0
  v28 = unknown "with statement"
  return v28

func #2 Store this type #0
b0:
  v0 = this
  return

func #3 Store.create
`, 1)
	text = strings.Replace(text, "func #3 Store.create\n", `func #3 "Store.create" this type #0
b0:
  return

func #4 "create.func1" outer #1
  freevar key
b0:
  v0 = freevar #0 ; key
  return v0
`, 1)
	u, err := model.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	// The order of exports and members is kept, whatever Validate says to it.
	if diff := cmp.Diff(strings.ReplaceAll(text, "; Store.create", `; "Store.create"`), u.String()); diff != "" {
		t.Errorf("Dump (-read +written):\n%s", diff)
	}
	create := u.Funcs[1]
	want := model.Op{Kind: model.Call, Flags: model.Optional, Args: []model.ID{3, 14, 1},
		Parts: []model.Part{{KeyID: model.None}, {KeyID: model.None, Spread: true}}}
	if diff := cmp.Diff(want, create.Ops[15]); diff != "" {
		t.Errorf("v15 (-want +got):\n%s", diff)
	}
	if got := create.Blocks[2]; got.Handler != 5 || got.Term != model.Jump || got.Value != model.None {
		t.Errorf("b2 = %+v", got)
	}
}

func TestParseByHand(t *testing.T) {
	u, err := model.Parse(`
unit "a.go" go ; a comment
global db
type class Client
  member method send #"Client.send"
export X #db
func ""
b0:
  v0 = funcref #charge
  v1 = closure #"charge.func1" v0, v0
  v2 = class #Client _
  return
func charge
  param a
  param b
b0:
  v0 = param #b
  v1 = loadglobal #db
  jump -> b1
b1:
  return
func "charge.func1"
  freevar x
  freevar y
b0:
  v0 = freevar #y
  return v0
func "Client.send"
b0:
  return
`)
	if err != nil {
		t.Fatal(err)
	}
	got := []int{
		int(u.Funcs[0].Ops[0].Ref), int(u.Funcs[0].Ops[1].Ref), int(u.Funcs[0].Ops[2].Ref),
		int(u.Funcs[1].Ops[0].Ref), int(u.Funcs[1].Ops[1].Ref), int(u.Funcs[2].Ops[0].Ref),
		u.Types[0].Members[0].Func, u.Exports[0].Global,
	}
	if diff := cmp.Diff([]int{1, 2, 0, 1, 0, 1, 3, 1}, got); diff != "" {
		t.Errorf("references (-want +got):\n%s", diff)
	}
	if err := model.Validate(u); err != nil {
		t.Error(err)
	}
}

func TestParseErrors(t *testing.T) {
	const head = "unit \"a\" go\nfunc f\n"
	for _, tt := range []struct{ name, text, want string }{
		{"empty", "", "1:1: the text holds 0 units"},
		{"two units", "unit \"a\" go\nunit \"b\" go", "1:1: the text holds 2 units"},
		{"before the unit", "func f", "1:1: expected unit"},
		{"statement", head + "b0:\n wibble", "4:2: expected a statement, found wibble"},
		{"language", "unit \"a\"", "1:9: expected a name"},
		{"rest of line", "unit \"a\" go go", "1:13: expected the end of the line"},
		{"quote", "unit \"a", "1:6: a quoted text does not end"},
		{"character", "unit \"a\" go\n%", "2:1: expected a statement"},
		{"byte", "unit \"a\" go\n é", "2:2: unexpected"},
		{"position", "unit \"a\" go\nfunc #1 f", "2:6: expected #0, found #1"},
		{"operation", head + "b0:\n v0 = wibble", "4:7: expected an operation"},
		{"defined twice", head + "b0:\n v0 = this\n v0 = this", "5:2: v0 is defined twice"},
		{"a value missing", head + "b0:\n v1 = this\n return", `2:1: "f" has 1 values but no v0`},
		{"outside", head + " v0 = this", "v0 stands outside of a block"},
		{"after the end", head + "b0:\n return\n v0 = this", "v0 stands outside of a block"},
		{"no end", head + "b0:\nb1:", "4:3: b0 has no end"},
		{"no end at last", head + "b0:\n v0 = this", `b0 of "f" has no end`},
		{"block number", head + "b1:", "3:3: expected b0, found b1"},
		{"predecessors", head + "b0:\n jump -> b1\nb1: <- b1\n return", "5:1: b1 follows [0]"},
		{"handler", head + "b0: handler", "expected one handler, found 0"},
		{"name", head + "b0:\n v0 = loadglobal #db\n return", `4:18: no global is called "db"`},
		{"name elsewhere", head + "b0:\n v0 = loadglobal \"b\" #db\n return", "referred to by number"},
		{"reference", head + "b0:\n v0 = param #99999999999\n return", "is no index"},
		{"list", head + "b0:\n v0 = array [v0", `expected "]"`},
		{"call", head + "b0:\n v0 = call v0", `expected "("`},
		{"span", head + "b0:\n v0 = this @1:2", "a span is"},
		{"huge span", head + "b0:\n v0 = this @1:2-3:4+5:99999999999", "a span is"},
		{"type", "unit \"a\" go\nglobal x : ]", "2:12: expected a type"},
		{"deep type", "unit \"a\" go\nglobal x : " + strings.Repeat("a[", 100), "nested deeper than"},
		{"unfinished member", "unit \"a\" go\nglobal x : {field", "expected a name"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := model.Parse(tt.text)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error is %v, want %q", err, tt.want)
			}
		})
	}
}

func TestParseAll(t *testing.T) {
	units, err := model.ParseAll("unit \"a\" go\nfunc f\nb0:\n return\nunit \"b\" go\nglobal g\n")
	if err != nil {
		t.Fatal(err)
	}
	if len(units) != 2 || len(units[0].Funcs) != 1 || len(units[1].Globals) != 1 {
		t.Errorf("units %v", units)
	}
}

func TestDumpErrors(t *testing.T) {
	knot := &model.TypeRef{Name: "Array"}
	knot.Args = []*model.TypeRef{knot, knot}
	u := &model.Unit{Path: "a", Language: model.Go, Globals: []*model.Global{{Name: "x", Type: knot}}}
	if err := model.Dump(&bytes.Buffer{}, u); err == nil {
		t.Error("a type that holds itself was dumped")
	}
	if err := model.Validate(u); err == nil {
		t.Error("a type that holds itself is valid")
	}
	broken := errors.New("disk full")
	if err := model.Dump(failing{broken}, u); !errors.Is(err, broken) {
		t.Errorf("error is %v, want that of the writer", err)
	}
}

type failing struct{ err error }

func (w failing) Write([]byte) (int, error) { return 0, w.err }

// TestDumpLosesNothing reads back units with arbitrary contents, most of them nonsense.
func TestDumpLosesNothing(t *testing.T) {
	for seed := range uint64(200) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			u := (&chaos{rand.New(rand.NewPCG(seed, 1))}).unit()
			back := reread(t, u, model.DumpOptions{Spans: true})
			if diff := cmp.Diff(u, back, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("with spans (-before +after):\n%s", diff)
			}
			reread(t, u, model.DumpOptions{})
			_ = model.Validate(u) // must not panic
			_ = model.ValidateProgram([]*model.Unit{u, u})
			for _, f := range u.Funcs {
				f.Dominators()
				f.LoopHeaders()
			}
		})
	}
}

// reread parses a dump and checks that it dumps the same.
func reread(t *testing.T, u *model.Unit, o model.DumpOptions) *model.Unit {
	t.Helper()
	var first, second bytes.Buffer
	if err := o.Dump(&first, u); err != nil {
		t.Fatal(err)
	}
	back, err := model.Parse(first.String())
	if err != nil {
		t.Fatalf("%v\n%s", err, first.String())
	}
	if err := o.Dump(&second, back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(first.String(), second.String()); diff != "" {
		t.Fatalf("dumped again (-first +second):\n%s", diff)
	}
	return back
}

// chaos fills units at random, with values that mean something to the text form.
type chaos struct{ *rand.Rand }

func (c *chaos) name() string {
	names := []string{"", "a", "x.y", "v1", "b0", "_", "get", "static", "const", "new", "nil", "literal", "parts", "#0", "=", "<-",
		"*", "a b", "\n", "\xff", "\u2028", "é", "12", "1.5", "true", "null", "string", ";", "...", "field", "name", `"`}
	return names[c.IntN(len(names))]
}

func (c *chaos) names() []string {
	var list []string
	for range c.IntN(3) {
		list = append(list, c.name())
	}
	return list
}

func (c *chaos) yes() bool { return c.IntN(3) == 0 }

func (c *chaos) small() int { return c.IntN(6) - 1 }

func (c *chaos) id() model.ID { return model.ID(c.IntN(9) - 2) }

func (c *chaos) ids(n int) []model.ID {
	var list []model.ID
	for range c.IntN(n) {
		list = append(list, c.id())
	}
	return list
}

func (c *chaos) span() model.Span {
	n := func() int32 { return int32(c.IntN(12) - 2) }
	switch c.IntN(3) {
	case 0:
		return model.Span{}
	case 1:
		return model.Span{File: c.name(), Line: n(), Col: n(), EndLine: n(), EndCol: n(), Offset: n(), EndOffset: n()}
	}
	return model.Span{File: "a.ts", Line: 1, Col: 2, EndLine: 3, EndCol: 4, Offset: 5, EndOffset: 6}
}

func (c *chaos) typ(depth int) *model.TypeRef {
	if depth == 0 || c.yes() {
		return nil
	}
	t := &model.TypeRef{}
	if c.yes() {
		t.External = c.name()
	}
	if c.yes() {
		t.Unit = c.name()
	}
	if !c.yes() {
		t.Name = c.name()
	}
	for range c.IntN(3) {
		t.Args = append(t.Args, c.typ(depth-1))
	}
	if c.yes() {
		t.Members = c.members(depth - 1)
	}
	if c.yes() {
		t.Union = []*model.TypeRef{c.typ(depth - 1), c.typ(depth - 1)}
	}
	if c.yes() {
		t.Literal = c.name()
	}
	return t
}

func (c *chaos) members(depth int) []model.Member {
	var list []model.Member
	for range c.IntN(3) {
		list = append(list, model.Member{Name: c.name(), Kind: model.MemberKind(c.IntN(6)), Static: c.yes(), Optional: c.yes(),
			Encoded: c.name(), About: c.name(), Inline: c.yes(), Type: c.typ(depth), Func: c.small(), Span: c.span()})
	}
	return list
}

func (c *chaos) unit() *model.Unit {
	u := &model.Unit{Path: c.name(), Language: model.Language(c.name()), Package: c.name(), Imports: c.names()}
	if c.yes() {
		u.Files = append([]string{"a.ts"}, c.names()...)
	}
	for range c.IntN(3) {
		u.Notes = append(u.Notes, model.Note{Span: c.span(), What: c.name()})
		u.Globals = append(u.Globals, &model.Global{Name: c.name(), Span: c.span(), Type: c.typ(3), Const: c.yes()})
		u.Exports = append(u.Exports, model.Export{Name: c.name(), Global: c.small(), From: c.name(), Extern: c.name(), As: c.name()})
		u.Types = append(u.Types, &model.TypeDecl{Name: c.name(), Kind: model.TypeKind(c.IntN(6)), Span: c.span(),
			Extends: []*model.TypeRef{c.typ(2)}, Implements: []*model.TypeRef{c.typ(2), c.typ(2)}, Underlying: c.typ(2),
			Members: c.members(2), Abstract: c.yes(), Ctor: c.small(), FieldInit: c.small(), StaticInit: c.small()})
	}
	for range c.IntN(4) {
		u.Funcs = append(u.Funcs, c.function())
	}
	return u
}

func (c *chaos) function() *model.Func {
	f := &model.Func{Name: c.name(), Index: c.small(), Span: c.span(), FreeVars: c.names(), Outer: c.small(), Result: c.typ(2),
		This: c.yes(), Type: c.small(), Async: c.yes(), Generator: c.yes(), Partial: c.yes()}
	for range c.IntN(3) {
		f.Params = append(f.Params, model.Param{Name: c.name(), Type: c.typ(2), Rest: c.yes(), Optional: c.yes(),
			Span: c.span(), Decorators: c.names()})
	}
	for range c.IntN(12) {
		f.Ops = append(f.Ops, c.op())
	}
	for range c.IntN(4) {
		b := model.Block{Ops: c.ids(5), Term: model.TermKind(c.IntN(9)), Value: c.id(), Handler: model.BlockID(c.small()), Span: c.span()}
		for range c.IntN(3) {
			b.Succs = append(b.Succs, model.BlockID(c.small()))
		}
		f.Blocks = append(f.Blocks, b)
	}
	return f
}

func (c *chaos) op() model.Op {
	op := model.Op{Kind: model.OpKind(c.IntN(36)), Ref: int32(c.small()), Name: c.name(), Args: c.ids(5), Type: c.typ(2), Span: c.span()}
	if c.yes() {
		op.Flags = model.Flag(c.IntN(256))
	}
	if c.yes() {
		op.Const = model.Const{Kind: model.ConstKind(c.IntN(10)), Text: c.name()}
	}
	if !c.yes() {
		return op
	}
	// A part that says nothing is the same as no part, so the first one says something.
	for i := range len(op.Args) + c.IntN(2) {
		p := model.Part{Key: c.name(), KeyID: c.id(), Spread: c.yes(), Getter: c.yes(), Span: c.span()}
		if i == 0 {
			p.Spread = true
		}
		op.Parts = append(op.Parts, p)
	}
	return op
}

func FuzzParse(f *testing.F) {
	f.Add(strings.Replace(sample, "b5x:\n", "", 1))
	f.Add("unit \"a\" go\nfunc f\nb0: handler b1\n v0 = this @1:2-3:4+5:6\n return v0\nb1: catch b0\n v1 = catch\n throw v1\nunplaced:\n v2 = op99 #-1 const bool \"x\" flag224 parts(\"\": _)")
	f.Add("unit \"a\" go\ntype type9 \"\" extends \"a\".\"b\"::c[nil]{static member0 x?}(nil) literal \"\"")
	for seed := range uint64(8) {
		var b bytes.Buffer
		if err := (model.DumpOptions{Spans: true}).Dump(&b, (&chaos{rand.New(rand.NewPCG(seed, 2))}).unit()); err != nil {
			f.Fatal(err)
		}
		f.Add(b.String())
	}
	f.Fuzz(func(t *testing.T, text string) {
		u, err := model.Parse(text)
		if err != nil {
			return
		}
		_ = model.Validate(u)
		reread(t, u, model.DumpOptions{Spans: true})
		reread(t, u, model.DumpOptions{})
	})
}
