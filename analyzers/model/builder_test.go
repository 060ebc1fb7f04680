package model_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

func TestBuilder(t *testing.T) {
	u, init := model.NewUnit("src/a.ts", model.TypeScript)
	db := u.AddGlobal(model.Global{Name: "db"})

	inner := model.NewFunc(u, "save.func1")
	row := inner.FreeVar("row")
	inner.Return(row)
	inner.Done()

	save := model.NewFunc(u, "save")
	save.Span(model.Span{File: "src/a.ts", Line: 3, Col: 1, EndLine: 3, EndCol: 9, Offset: 20, EndOffset: 28})
	rows := save.Param("rows", &model.TypeRef{Name: "Array"})
	last := save.Alloc("last")
	handler := save.Block()
	before := save.Handler(handler)
	head, body, after := save.Block(), save.Block(), save.Block()
	save.Jump(head)
	save.Use(head).Range(rows, body, after)
	save.Use(body)
	row = save.Element(rows)
	save.Store(last, row)
	thunk := save.Closure(inner.Ref(), row)
	opts := save.Object(model.Prop("key", row), model.ComputedProp(row, thunk), model.Spread(row), model.GetterProp("lazy", thunk))
	save.Await(save.CallMethod(save.LoadGlobal("", db), "insert", opts))
	save.Jump(head)
	save.Handler(before)
	save.Use(handler).Throw(save.Catch())
	save.Use(after)
	i := save.Phi(after, rows)
	zero := save.Num("0")
	save.Phi(after, zero)
	save.SetArgs(i+2, rows)
	save.Return(save.CallOf(save.Load(last), model.Plain(zero), model.Spread(i)))
	save.Jump(head) // ignored: control has left
	save.Str("dead")
	save.Done()

	store := init.Construct(init.Path(init.External("pg"), "default", "Pool"), init.Object(), model.None)
	init.StoreGlobal("", db, store)
	init.FuncRef("", save.Ref())
	init.Done()

	if err := model.Validate(u); err != nil {
		t.Error(err)
	}
	want := `unit "src/a.ts" typescript
global #0 db

func #0 ""
b0:
  v0 = external pg
  v1 = load v0.default
  v2 = load v1.Pool
  v3 = object {}
  v4 = call v2(v3, _) new
  v5 = storeglobal #0 v4 ; db
  v6 = funcref #2 ; save
  return

func #1 "save.func1"
  freevar row
b0:
  v0 = freevar #0 ; row
  return v0

func #2 save
  param rows : Array
b0:
  v0 = param #0 : Array ; rows
  v1 = alloc last
  jump -> b2
b1: catch b2 b3 b4
  v10 = catch
  throw v10
b2: <- b0 b3 handler b1
  range v0 -> b3 b4
b3: <- b2 handler b1
  v2 = element value v0
  v3 = store v1 = v2
  v4 = closure #1 v2 ; "save.func1"
  v5 = object {key: v2, [v2]: v4, ...v2, get lazy: v4}
  v6 = loadglobal #0 ; db
  v7 = load v6.insert
  v8 = call v7(v5)
  v9 = await v8
  jump -> b2
b4: <- b2 handler b1
  v11 = phi v0
  v13 = phi v0
  v12 = const 0
  v14 = load v1
  v15 = call v14(v12, ...v11)
  return v15
b5:
  v16 = const "dead"
  return
`
	if diff := cmp.Diff(want, u.String()); diff != "" {
		t.Errorf("unit (-want +got):\n%s", diff)
	}
	if got := save.Func().Ops[15].Span; got.Line != 3 {
		t.Errorf("an operation has no place: %+v", got)
	}
}

// TestBuilderOps names every operation that TestBuilder leaves out, each in the line that it gives.
func TestBuilderOps(t *testing.T) {
	u, b := model.NewUnit("a.ts", model.TypeScript)
	class := u.AddType(model.TypeDecl{Name: "C", Kind: model.ClassType})
	str := &model.TypeRef{Name: "string"}
	x := b.This()
	for _, tt := range []struct {
		got  model.ID
		want string
	}{
		{x, "this"},
		{b.Typed(b.Unknown("with", x), str), "unknown with v0 : string"},
		{b.Bool(true), "const true"},
		{b.Bool(false), "const false"},
		{b.Null(), "const null"},
		{b.Undefined(), "const undefined"},
		{b.Const(model.BigInt, "12"), `const bigint "12"`},
		{b.Module("b.ts"), `module "b.ts"`},
		{b.SetField(x, "n", x), "store v0.n = v0"},
		{b.Index(x, x), "load v0[v0]"},
		{b.SetIndex(x, 2, 3), "store v0[v2] = v3"},
		{b.DeleteField(x, "n"), "delete v0.n"},
		{b.DeleteIndex(x, 2), "delete v0[v2]"},
		{b.Array(x, model.None), "array [v0, _]"},
		{b.ArrayOf(model.Spread(x), model.Plain(x)), "array [...v0, v0]"},
		{b.Concat(x, x), "concat v0, v0"},
		{b.Binary("+", x, x), "binary + v0, v0"},
		{b.Compare("in", x, x), "compare in v0, v0"},
		{b.Unary("!", x), "unary ! v0"},
		{b.Convert(x, str), "convert v0 : string"},
		{b.Yield(model.None), "yield _"},
		{b.Class(class, model.None, x), "class #0 _, v0 ; C"},
		{b.Spawn(x), "spawn v0()"},
		{b.Defer(x, x), "defer v0(v0)"},
		{b.Decorate(x, 2, "m"), `decorate "m" v0(v2)`},
	} {
		if line := fmt.Sprintf("\n  v%d = %s\n", tt.got, tt.want); !strings.Contains(u.String(), line) {
			t.Errorf("no line %q in\n%v", line, u)
		}
	}
	if b.Current() != 0 {
		t.Errorf("the open block is b%d", b.Current())
	}
	then, otherwise := b.Block(), b.Block()
	b.If(x, then, otherwise)
	if b.Current() != model.NoBlock {
		t.Errorf("b%d is open after the end", b.Current())
	}
	b.Use(then).Unreachable()
	b.Use(otherwise).Range(x, b.Block(), then)
	b.Use(3).ElementKey(x)
	b.Done()
	if err := model.Validate(u); err != nil {
		t.Error(err)
	}
}
