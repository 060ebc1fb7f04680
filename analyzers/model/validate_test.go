package model_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

const unitHead = "unit \"a.ts\" typescript\nfunc \"\"\nb0:\n return\n"

func TestValidateAccepts(t *testing.T) {
	for _, tt := range []struct{ name, text string }{
		{"the least", ""},
		{"out of reach", "func f\nb0:\n return\nb1:\n v0 = await v1\n v1 = const 1\n return v0"},
		{"phi at the head of a loop", `func f
b0:
  v0 = const 1
  jump -> b1
b1: <- b0 b1
  v1 = phi v0, v2
  v2 = binary + v1, v0
  if v2 -> b1 b2
b2: <- b1
  return v1`},
		{"phi of both ways", "func f\nb0:\n v0 = const 1\n v1 = const 2\n if v0 -> b1 b1\nb1:\n v2 = phi v0, v1\n return v2"},
		{"phi from out of reach", "func f\nb0:\n v0 = const 1\n jump -> b2\nb1:\n v1 = const 2\n jump -> b2\nb2:\n v2 = phi v0, v1\n return v2"},
		{"what came before a try, in its handler", `func f
b0:
  v0 = const 1
  jump -> b1
b1: handler b2
  v1 = call v0()
  return v1
b2:
  v2 = catch
  v3 = call v0(v2)
  return v3`},
		{"the first block of a try, in a handler of the second", `func f
b0:
  v0 = const 1
  jump -> b1
b1: handler b2
  return v0
b2:
  return v0`},
		{"handler without catch", "func f\nb0: handler b1\n return\nb1:\n return"},
		{"element in the handler of a range's body", `func f
b0:
  v0 = array []
  jump -> b1
b1:
  range v0 -> b2 b4
b2: handler b3
  v1 = element value v0
  jump -> b1
b3:
  v2 = element key v0
  jump -> b1
b4:
  return`},
		{"class with captures", `type class C
  ctor #C
  member method m #"C.m"
func C this type #C
  freevar x
b0:
  v0 = freevar #x
  v1 = this
  return
func "C.m" this type #C
  freevar x
b0:
  return
func f
b0:
  v0 = const 1
  v1 = class #C _, v0
  return v1`},
		{"holes", "func f\nb0:\n v0 = array [_, _]\n v1 = call v0(_, v0)\n v2 = yield _\n return"},
		{"exports", "global g\nexport a #g\nexport b from \"x\" as b\nexport ns extern \"y\" as *\nexport * from \"x\"\nexport * extern \"a\""},
		{"places", "file \"b.ts\"\nfile \"c.ts\"\nglobal g @1:2-1:2+1:1\nglobal h @\"c.ts\":1:2-2:1+1:9"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			u, err := model.Parse(unitHead + tt.text)
			if err != nil {
				t.Fatal(err)
			}
			if err := model.Validate(u); err != nil {
				t.Errorf("%v\n%v", err, u)
			}
		})
	}
}

func TestValidateRejects(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		// Edges.
		{"no blocks", "func f", `func "f": no blocks`},
		{"no such end", "func f\nb0:\n term9", "b0: the block has no end"},
		{"successors", "func f\nb0:\n jump -> b0 b0", "b0: jump has 2 successors, not 1"},
		{"no such successor", "func f\nb0:\n jump -> b7", "b0: successor b7 does not exist"},
		{"no such handler", "func f\nb0: handler b7\n return", "b0: handler b7 does not exist"},
		{"own handler", "func f\nb0:\n jump -> b1\nb1: handler b1\n return", "b1: the block handles its own exceptions"},
		{"entry again", "func f\nb0:\n jump -> b0", "b0: the entry has predecessors"},
		{"entry as handler", "func f\nb0:\n jump -> b1\nb1: handler b0\n return", "b0: the entry has predecessors or handles"},
		{"no condition", "func f\nb0:\n if -> b1 b1\nb1:\n return", "b0: if needs a value"},
		{"value of a jump", "func f\nb0:\n v0 = this\n jump v0 -> b1\nb1:\n return", "b0: jump has no value, yet v0"},
		{"no such value", "func f\nb0:\n return v3", "b0: return: v3 does not exist"},
		{"empty range", "func f\nb0:\n v0 = array []\n range v0 -> b1 b1\nb1:\n return", "the body of the range is what follows it"},

		// Placement.
		{"in no block", "func f\nb0:\n return\nunplaced:\n v0 = array []", "v0: the operation is in no block"},
		{"in two blocks", "func f\nb0:\n v0 = array []\n jump -> b1\nb1:\n v0\n return", "b1, v0: the operation is in b0 too"},
		{"twice in a block", "func f\nb0:\n v0 = array []\n v0\n return", "b0, v0: the operation is in b0 too"},
		{"no such operation", "func f\nb0:\n v4\n return", "b0, v4: the operation does not exist"},
		{"late phi", "func f\nb0:\n v0 = array []\n jump -> b1\nb1:\n v1 = array []\n v2 = phi v0\n return", "b1, v2: a phi follows another operation"},
		{"short phi", "func f\nb0:\n v0 = array []\n if v0 -> b1 b1\nb1:\n v1 = phi v0\n return", "v1: the phi has 1 values for 2 edges"},
		{"phi of the entry", "func f\nb0:\n v0 = phi v0\n return", "v0: the phi has 1 values for 0 edges"},
		{"phi of a handler", "func f\nb0: handler b1\n return\nb1:\n v0 = phi\n return", "v0: a handler has a phi"},
		{"catch elsewhere", "func f\nb0:\n v0 = catch\n return", "v0: a catch is the first operation"},
		{"late catch", "func f\nb0: handler b1\n return\nb1:\n v0 = array []\n v1 = catch\n return", "v1: a catch is the first operation"},
		{"catch after a jump", "func f\nb0: handler b1\n jump -> b1\nb1:\n v0 = catch\n return", "v0: a catch is the first operation"},

		// Order.
		{"later in the block", "func f\nb0:\n v0 = await v1\n v1 = array []\n return", "v0: v1 is used before it is defined"},
		{"of itself", "func f\nb0:\n v0 = await v0\n return", "v0: v0 is used before it is defined"},
		{"one way only", "func f\nb0:\n v0 = array []\n if v0 -> b1 b2\nb1:\n v1 = array []\n jump -> b2\nb2:\n return v1", "b2: v1 of b1 is not defined on every path"},
		{"of a block out of reach", "func f\nb0:\n return v0\nb1:\n v0 = array []\n return", "b0: v0 of b1 is not defined on every path"},
		{"of the try, in its handler", "func f\nb0: handler b1\n v0 = array []\n return\nb1:\n return v0", "b1: v0 of b0 is not defined on every path"},
		{"of the try, after both", "func f\nb0:\n jump -> b1\nb1: handler b2\n v0 = array []\n jump -> b3\nb2:\n jump -> b3\nb3:\n return v0", "b3: v0 of b1 is not defined"},
		{"computed key", "func f\nb0:\n v0 = array []\n v1 = object {[v2]: v0}\n v2 = array []\n return", "v1: v2 is used before it is defined"},
		{"phi of the other edge", "func f\nb0:\n v0 = array []\n if v0 -> b1 b2\nb1:\n v1 = array []\n jump -> b3\nb2:\n jump -> b3\nb3:\n v2 = phi v0, v1\n return", "v2: v1 of b1 is not defined at the end of b2"},
		{"element outside", "func f\nb0:\n v0 = array []\n jump -> b1\nb1:\n range v0 -> b2 b3\nb2:\n jump -> b1\nb3:\n v1 = element value v0\n return", "v1: no range over v0 is around the element"},
		{"element of another", "func f\nb0:\n v0 = array []\n v2 = array []\n jump -> b1\nb1:\n range v0 -> b2 b3\nb2:\n v1 = element value v2\n jump -> b1\nb3:\n return", "v1: no range over v2"},

		// Operations.
		{"kind", "func f\nb0:\n v0 = op77\n return", "v0: op77 is no operation"},
		{"invalid", "func f\nb0:\n v0 = invalid\n return", "v0: invalid is no operation"},
		{"arguments", "func f\nb0:\n v0 = array []\n v1 = await v0, v0\n return", "v1: await has 2 arguments"},
		{"no callee", "func f\nb0:\n v0 = call\n return", "v0: call has 0 arguments"},
		{"no such argument", "func f\nb0:\n v0 = await v5\n return", "v0: argument 0: v5 does not exist"},
		{"negative argument", "func f\nb0:\n v0 = await v-5\n return", "v0: argument 0: v-5 does not exist"},
		{"absent callee", "func f\nb0:\n v0 = call _()\n return", "v0: argument 0 is absent"},
		{"absent operand", "func f\nb0:\n v0 = await _\n return", "v0: argument 0 is absent"},
		{"parts", "func f\nb0:\n v0 = array [] parts(...v0)\n return", "v0: array has 1 parts for 0 arguments"},
		{"no parts", "func f\nb0:\n v0 = array []\n v1 = object {v0}\n return", "v1: an object needs a part"},
		{"key in a call", "func f\nb0:\n v0 = array []\n v1 = call v0([v0]: ...v0)\n return", "v1: part 0: only the properties of an object have keys"},
		{"two keys", "func f\nb0:\n v0 = array []\n v1 = object {[v0]: a: v0}\n return", "part 0 has a constant and a computed key"},
		{"spread key", "func f\nb0:\n v0 = array []\n v1 = object {a: ...v0}\n return", "part 0 is spread and has a key"},
		{"no such key", "func f\nb0:\n v0 = array []\n v1 = object {[v9]: v0}\n return", "part 0: key v9 does not exist"},
		{"flags", "func f\nb0:\n v0 = array [] new\n return", "v0: array has flags new"},
		{"load flags", "func f\nb0:\n v0 = array []\n v1 = load v0.a optional tagged\n return", "v1: load has flags tagged"},
		{"unknown flags", "func f\nb0:\n v0 = array []\n v1 = call v0() flag128\n return", "v1: call has flags flag128"},
		{"constant", "func f\nb0:\n v0 = const\n return", "v0: const: a constant is exactly what const has"},
		{"constant elsewhere", "func f\nb0:\n v0 = array [] const 1\n return", "v0: array: a constant is exactly"},
		{"truth value", "func f\nb0:\n v0 = const bool \"maybe\"\n return", `v0: "maybe" is no truth value`},
		{"null with text", "func f\nb0:\n v0 = const null \"x\"\n return", "v0: null has the text"},
		{"number without text", "func f\nb0:\n v0 = const number \"\"\n return", "v0: number has no text"},
		{"kind of constant", "func f\nb0:\n v0 = const literal77 \"\"\n return", "v0: literal77 is no constant"},
		{"name", "func f\nb0:\n v0 = array []\n v1 = await \"x\" v0\n return", `v1: await has the name "x"`},
		{"no name", "func f\nb0:\n v0 = external \"\"\n return", "v0: external needs a name"},
		{"comparison", "func f\nb0:\n v0 = array []\n v1 = compare <=> v0, v0\n return", `v1: "<=>" compares nothing`},
		{"unary", "func f\nb0:\n v0 = array []\n v1 = unary ++ v0\n return", `v1: "++" is no operator of one value`},
		{"element", "func f\nb0:\n v0 = array []\n v1 = element \"\" v0\n return", "v1: an element is a key or a value"},
		{"conversion", "func f\nb0:\n v0 = array []\n v1 = convert \"as\" v0\n return", `v1: "as" is no conversion`},
		{"two member names", "func f\nb0:\n v0 = array []\n v1 = load v0.a[v0]\n return", "v1: load has a constant and a computed key"},
		{"two names to store", "func f\nb0:\n v0 = array []\n v1 = store v0.a[v0] = v0\n return", "v1: store has a constant and a computed key"},
		{"nothing to delete", "func f\nb0:\n v0 = array []\n v1 = delete v0\n return", "v1: delete needs a key"},
		{"this", "func f\nb0:\n v0 = this\n return", "v0: the function has no receiver of its own"},

		// References.
		{"parameter", "func f\nb0:\n v0 = param #0\n return", "v0: param: parameter 0 does not exist"},
		{"free variable", "func f\nb0:\n v0 = freevar #0\n return", "v0: freevar: free variable 0 does not exist"},
		{"function", "func f\nb0:\n v0 = funcref #7\n return", "v0: funcref: function 7 does not exist"},
		{"negative", "func f\nb0:\n v0 = funcref \"b.ts\" #-1\n return", "v0: funcref: function -1 does not exist"},
		{"global", "func f\nb0:\n v0 = loadglobal #0\n return", "v0: loadglobal: global 0 does not exist"},
		{"class", "func f\nb0:\n v0 = class #0 _\n return", "v0: class: type 0 does not exist"},
		{"class of an interface", "type interface I\nfunc f\nb0:\n v0 = class #I _\n return", `v0: type "I" is no class`},
		{"decorated parameter", "func f\nb0:\n v0 = array []\n v1 = decorate #-2 v0(v0)\n return", "v1: decorate: parameter -3 does not exist"},
		{"needless reference", "func f\nb0:\n v0 = array #1 []\n return", "v0: array has the reference 1"},
		{"unbound", "func f\n freevar x\nb0:\n return\nfunc g\nb0:\n v0 = funcref #f\n return", `v0: function "f" captures variables`},
		{"bindings", "func f\n freevar x\nb0:\n return\nfunc g\nb0:\n v0 = closure #f\n return", `v0: the closure binds 0 values to the 1 variables that "f" captures`},
		{"class bindings", "type class C\n ctor #C\nfunc C\n freevar x\nb0:\n return\nfunc g\nb0:\n v0 = class #C _\n return", `v0: the class binds 0 values to the 1 variables`},
		{"methods", "type class C\n ctor #C\n member method m #f\nfunc C\n freevar x\nb0:\n return\nfunc f\nb0:\n return", `methods of type "C" capture different variables`},

		// Declarations.
		{"language", "unit \"b\" cobol\nfunc \"\"\nb0:\n return", `language "cobol" does not exist`},
		{"path", "unit \"\" go\nfunc \"\"\nb0:\n return", "a unit needs a path"},
		{"no initialiser", "unit \"b\" go", "a unit needs an initialiser"},
		{"named initialiser", "unit \"b\" go\nfunc init\nb0:\n return", "the initialiser has a name"},
		{"index", "func f index #4\nb0:\n return", `func "f": index is 4 at position 1`},
		{"name twice", "func f\nb0:\n return\nfunc f\nb0:\n return", `func "f": the name is there twice`},
		{"outer", "func f outer #9\nb0:\n return", "outer function 9 does not exist"},
		{"within itself", "func f outer #g\nb0:\n return\nfunc g outer #f\nb0:\n return", "the function lies within itself"},
		{"method of nothing", "func f type #3\nb0:\n return", "type 3 does not exist"},
		{"rest in front", "func f\n param a rest\n param b\nb0:\n return", `parameter "a" collects the rest, but is not the last`},
		{"files", "file \"b\"\nfile \"a\"", "files are not sorted"},
		{"notes", "note \"x\" @\"a\":2:1-2:1+0:0\nnote \"y\" @\"a\":1:1-1:1+0:0", "notes are not sorted"},
		{"kind of type", "type type9 X", `type "X" is of no kind`},
		{"type twice", "type class X\ntype enum X", `type "X" is there twice`},
		{"underlying", "type class X = string", "is no alias"},
		{"constructor", "type class X\n ctor #9", `type "X": function 9 does not exist`},
		{"method", "type class X\n member method m #9", `member "m": function 9 does not exist`},
		{"kind of member", "type class X\n member member9 m", `member "m" is of no kind`},
		{"members", "type class X\n member field b\n member field a", `members are not sorted: "a"`},
		{"two types in one", "global g : \"x\".\"y\"::Z", "a type is more than one of"},
		{"name and shape", "global g : Z{field a}", "a type is more than one of"},
		{"type without a name", "global g : \"x\".\"\"", `a type of "x" has no name`},
		{"nil alternative", "global g : (a | nil)", "a nil argument or alternative"},

		// Exports.
		{"no target", "export a", `export "a" has 0 targets`},
		{"two targets", "global g\nexport a #g from \"x\"", `export "a" has 2 targets`},
		{"no such global", "export a #4", `export "a": global 4 does not exist`},
		{"two names of a variable", "global g\nexport a #g as b", "a variable is exported under one name"},
		{"re-export of nothing", "export a from \"x\"", "does not say what it re-exports"},
		{"no name to export", "global g\nexport \"\" #g", "an export has no name"},
		{"export twice", "global g\nexport a #g\nexport a #g", `export "a" is there twice`},
		{"exports", "global g\nexport b #g\nexport a #g", `exports are not sorted: "a" after "b"`},
		{"star first", "global g\nexport * from \"x\"\nexport a #g", `exports are not sorted: "a" after "*"`},

		// Places.
		{"half a span", "global g @\"a\":0:0-0:0+0:1", "global g: a line, column or offset is too small"},
		{"backwards", "global g @\"a\":2:5-2:4+0:1", "global g: the span ends before it begins"},
		{"backward offsets", "global g @\"a\":2:5-2:6+3:1", "global g: the span ends before it begins"},
		{"no file", "global g @\"\":2:5-2:6+3:4", `global g: "" is no relative path`},
		{"absolute", "global g @\"/etc/x\":2:5-2:6+3:4", `"/etc/x" is no relative path`},
		{"outside", "global g @\"../x\":2:5-2:6+3:4", `"../x" is no relative path`},
		{"another file", "file \"x\"\nglobal g @\"y\":2:5-2:6+3:4", `"y" is none of the unit's files`},
		{"of an operation", "func f\nb0:\n v0 = array [] @\"a\":0:1-1:1+0:0\n return", "v0: array: a line, column or offset"},
		{"of a part", "func f\nb0:\n v0 = array []\n v1 = object {a: v0 @\"a\":0:1-1:1+0:0}\n return", "v1: part: a line, column or offset"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := unitHead + tt.text
			if strings.HasPrefix(tt.text, "unit ") {
				text = tt.text
			}
			u, err := model.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			err = model.Validate(u)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error is %v, want %q\n%v", err, tt.want, u)
			}
		})
	}
}

func TestDefect(t *testing.T) {
	u, err := model.Parse(unitHead + "func f\nb0:\n v0 = await _ @\"a.ts\":7:3-7:9+50:56\n return")
	if err != nil {
		t.Fatal(err)
	}
	err = model.Validate(u)
	var d *model.Defect
	if !errors.As(err, &d) || d.Func != "f" || d.Block != 0 || d.Op != 0 {
		t.Fatalf("defect %+v", d)
	}
	if want := `a.ts:7:3: unit "a.ts", func "f", b0, v0: argument 0 is absent`; err.Error() != want {
		t.Errorf("error is %q, want %q", err, want)
	}
}

func TestValidateHoles(t *testing.T) {
	u := &model.Unit{Path: "a", Language: model.Go, Funcs: []*model.Func{nil}, Globals: []*model.Global{nil}, Types: []*model.TypeDecl{nil}}
	err := model.Validate(u)
	for _, want := range []string{"function 0 is nil", "global 0 is nil", "type 0 is nil"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error is %v, want %q", err, want)
		}
	}
	_ = u.String() // must not panic
}

func TestValidateProgram(t *testing.T) {
	const lib = "unit \"lib.ts\" typescript\nglobal g\nfunc \"\"\nb0:\n return\nfunc f\n freevar x\nb0:\n return\n"
	for _, tt := range []struct{ name, text, want string }{
		{"sound", "import \"lib.ts\"\nexport * from \"lib.ts\"\nfunc f\nb0:\n v0 = module \"lib.ts\"\n v1 = funcref \"lib.ts\" #0\n v2 = loadglobal \"lib.ts\" #0\n return", ""},
		{"import", "import \"x.ts\"", `import "x.ts" is no unit`},
		{"export", "export * from \"x.ts\"", `"x.ts" is no unit`},
		{"module", "func f\nb0:\n v0 = module \"x.ts\"\n return", `v0: "x.ts" is no unit`},
		{"function", "func f\nb0:\n v0 = funcref \"lib.ts\" #5\n return", `v0: function 5 of "lib.ts" does not exist`},
		{"closure", "func f\nb0:\n v0 = funcref \"lib.ts\" #1\n return", `v0: function 1 of "lib.ts" captures variables`},
		{"global", "func f\nb0:\n v0 = loadglobal \"lib.ts\" #1\n return", `v0: global 1 of "lib.ts" does not exist`},
		{"path twice", "unit \"lib.ts\" typescript\nfunc \"\"\nb0:\n return", "another unit has the same path"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			units, err := model.ParseAll(lib + unitHead + tt.text)
			if err != nil {
				t.Fatal(err)
			}
			err = model.ValidateProgram(units)
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("error is %v, want %q", err, tt.want)
			}
		})
	}
}
