package golang

import (
	"go/ast"
	"go/constant"
	"go/token"
)

// localKind says what a local name stands for.
type localKind uint8

const (
	varLocal localKind = iota + 1
	constLocal
	typeLocal
)

// local is a name that is declared in a function.
type local struct {
	kind    localKind
	name    string
	decl    *ast.Ident
	fn      *frame // whose it is
	typ     *typ
	written int  // assignments besides the declaration
	address bool // its address is taken
	shared  bool // a function literal uses it
	result  bool // a named result
	cell    bool // decided when it is declared: it lives in an Alloc cell

	expr ast.Expr // of a constant
	iota int64
	spec *ast.TypeSpec

	constant constant.Value
	folded   bool
}

// frame is what is known of the names of one function body.
type frame struct {
	outer    *frame
	locals   []*local
	captures []*local
	has      map[*local]bool
	jumps    map[string]bool // labels that a goto means
}

// names resolves the identifiers of a function and of the literals in it, by the syntax alone.
type names struct {
	locals  map[*ast.Ident]*local // declarations and uses
	clauses map[*ast.CaseClause]*local
	frames  map[*ast.FuncLit]*frame
	frame   *frame
	blocks  []map[string]*local
	// addressed reports whether a method call takes the address of the variable that it is made on.
	addressed func(*ast.SelectorExpr) bool
	// typeOf reads the declared type of a variable.
	typeOf func(ast.Expr) *typ
}

func newNames() *names {
	return &names{locals: map[*ast.Ident]*local{}, clauses: map[*ast.CaseClause]*local{}, frames: map[*ast.FuncLit]*frame{},
		frame: &frame{}, blocks: []map[string]*local{{}}}
}

func (r *names) in(visit func()) {
	r.blocks = append(r.blocks, nil)
	visit()
	r.blocks = r.blocks[:len(r.blocks)-1]
}

func (r *names) here() map[string]*local { return r.blocks[len(r.blocks)-1] }

func (r *names) declare(id *ast.Ident, kind localKind) *local {
	b := &local{kind: kind, name: id.Name, decl: id, fn: r.frame}
	r.locals[id] = b
	if id.Name == "_" {
		return b
	}
	r.frame.locals = append(r.frame.locals, b)
	if r.here() == nil {
		r.blocks[len(r.blocks)-1] = map[string]*local{}
	}
	r.here()[id.Name] = b
	return b
}

func (r *names) use(id *ast.Ident) *local {
	for i := len(r.blocks) - 1; i >= 0; i-- {
		b := r.blocks[i][id.Name]
		if b == nil {
			continue
		}
		r.locals[id] = b
		if b.kind == varLocal {
			for f := r.frame; f != nil && f != b.fn; f = f.outer {
				b.shared = true
				if !f.has[b] {
					if f.has == nil {
						f.has = map[*local]bool{}
					}
					f.has[b] = true
					f.captures = append(f.captures, b)
				}
			}
		}
		return b
	}
	return nil
}

// signature declares receiver, parameters and results.
func (r *names) signature(recv *ast.FieldList, t *ast.FuncType) {
	if t == nil {
		return
	}
	if t.TypeParams != nil {
		for _, f := range t.TypeParams.List {
			for _, id := range f.Names {
				r.declare(id, typeLocal).typ = unknownType
			}
		}
	}
	for _, list := range []*ast.FieldList{recv, t.Params, t.Results} {
		if list == nil {
			continue
		}
		for _, f := range list.List {
			if list == recv {
				r.receiverParams(f.Type)
			}
			r.expr(f.Type)
		}
	}
	for _, list := range []*ast.FieldList{recv, t.Params, t.Results} {
		if list == nil {
			continue
		}
		for _, f := range list.List {
			for _, id := range f.Names {
				b := r.declare(id, varLocal)
				b.result, b.typ = list == t.Results, r.typeOf(f.Type)
			}
		}
	}
}

func (r *names) receiverParams(e ast.Expr) {
	if p, ok := e.(*ast.StarExpr); ok {
		e = p.X
	}
	var list []ast.Expr
	switch x := e.(type) {
	case *ast.IndexExpr:
		list = []ast.Expr{x.Index}
	case *ast.IndexListExpr:
		list = x.Indices
	}
	for _, i := range list {
		if id, ok := i.(*ast.Ident); ok {
			r.declare(id, typeLocal).typ = unknownType
		}
	}
}

func (r *names) body(b *ast.BlockStmt) {
	if b != nil {
		r.stmts(b.List)
	}
}

func (r *names) stmts(list []ast.Stmt) {
	for _, s := range list {
		r.stmt(s)
	}
}

func (r *names) stmt(s ast.Stmt) {
	switch s := s.(type) {
	case nil:
	case *ast.BlockStmt:
		if s != nil {
			r.in(func() { r.stmts(s.List) })
		}
	case *ast.ExprStmt:
		r.expr(s.X)
	case *ast.SendStmt:
		r.expr(s.Chan)
		r.expr(s.Value)
	case *ast.IncDecStmt:
		r.write(s.X)
	case *ast.AssignStmt:
		r.exprs(s.Rhs)
		for _, e := range s.Lhs {
			id, ok := e.(*ast.Ident)
			switch {
			case s.Tok != token.DEFINE || !ok:
				r.write(e)
			case id.Name != "_" && r.here()[id.Name] != nil && r.here()[id.Name].kind == varLocal:
				r.write(e)
			default:
				r.declare(id, varLocal)
			}
		}
	case *ast.GoStmt:
		r.call(s.Call)
	case *ast.DeferStmt:
		r.call(s.Call)
	case *ast.ReturnStmt:
		r.exprs(s.Results)
	case *ast.BranchStmt:
		if s.Tok == token.GOTO && s.Label != nil {
			if r.frame.jumps == nil {
				r.frame.jumps = map[string]bool{}
			}
			r.frame.jumps[s.Label.Name] = true
		}
	case *ast.IfStmt:
		r.in(func() {
			r.stmt(s.Init)
			r.expr(s.Cond)
			r.stmt(s.Body)
			r.stmt(s.Else)
		})
	case *ast.SwitchStmt:
		r.in(func() {
			r.stmt(s.Init)
			r.expr(s.Tag)
			r.caseClauses(s.Body, nil)
		})
	case *ast.TypeSwitchStmt:
		r.in(func() {
			r.stmt(s.Init)
			var name *ast.Ident
			switch a := s.Assign.(type) {
			case *ast.AssignStmt:
				r.exprs(a.Rhs)
				if len(a.Lhs) == 1 {
					name, _ = a.Lhs[0].(*ast.Ident)
				}
			case *ast.ExprStmt:
				r.expr(a.X)
			}
			r.caseClauses(s.Body, name)
		})
	case *ast.SelectStmt:
		if s.Body == nil {
			return
		}
		for _, c := range s.Body.List {
			if c, ok := c.(*ast.CommClause); ok {
				r.in(func() {
					r.stmt(c.Comm)
					r.stmts(c.Body)
				})
			}
		}
	case *ast.ForStmt:
		r.in(func() {
			r.stmt(s.Init)
			r.expr(s.Cond)
			r.stmt(s.Post)
			r.stmt(s.Body)
		})
	case *ast.RangeStmt:
		r.expr(s.X)
		r.in(func() {
			for _, e := range []ast.Expr{s.Key, s.Value} {
				if id, ok := e.(*ast.Ident); ok && s.Tok == token.DEFINE {
					r.declare(id, varLocal)
				} else if e != nil {
					r.write(e)
				}
			}
			r.stmt(s.Body)
		})
	case *ast.LabeledStmt:
		r.stmt(s.Stmt)
	case *ast.DeclStmt:
		if d, ok := s.Decl.(*ast.GenDecl); ok {
			r.decl(d)
		}
	}
}

func (r *names) caseClauses(b *ast.BlockStmt, name *ast.Ident) {
	if b == nil {
		return
	}
	for _, c := range b.List {
		c, ok := c.(*ast.CaseClause)
		if !ok {
			continue
		}
		r.exprs(c.List)
		r.in(func() {
			if name != nil && name.Name != "_" {
				r.clauses[c] = r.declare(name, varLocal)
			}
			r.stmts(c.Body)
		})
	}
}

func (r *names) decl(d *ast.GenDecl) {
	var repeated *ast.ValueSpec
	for i, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			if spec.Name == nil {
				continue
			}
			b := r.declare(spec.Name, typeLocal)
			b.spec, b.typ = spec, unknownType
			r.in(func() {
				if spec.TypeParams != nil {
					for _, f := range spec.TypeParams.List {
						for _, id := range f.Names {
							r.declare(id, typeLocal).typ = unknownType
						}
					}
				}
				r.expr(spec.Type)
			})
		case *ast.ValueSpec:
			r.expr(spec.Type)
			r.exprs(spec.Values)
			if d.Tok == token.CONST && (len(spec.Values) > 0 || spec.Type != nil) {
				repeated = spec
			}
			for at, id := range spec.Names {
				if d.Tok != token.CONST {
					b := r.declare(id, varLocal)
					if spec.Type != nil {
						b.typ = r.typeOf(spec.Type)
					}
					continue
				}
				b := r.declare(id, constLocal)
				b.iota = int64(i)
				if values := spec.Values; at < len(values) {
					b.expr = values[at]
				} else if len(values) == 0 && repeated != nil && at < len(repeated.Values) {
					b.expr = repeated.Values[at]
				}
			}
		}
	}
}

func (r *names) exprs(list []ast.Expr) {
	for _, e := range list {
		r.expr(e)
	}
}

func (r *names) call(c *ast.CallExpr) {
	if c != nil {
		r.expr(c)
	}
}

// write resolves the target of an assignment.
func (r *names) write(e ast.Expr) {
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		if b := r.use(id); b != nil {
			b.written++
		}
		return
	}
	r.expr(e)
}

// expr resolves the names of an expression or type. Selected names and labels are left out; keys of composite literals are
// taken for names, because what is not one is not asked for.
func (r *names) expr(e ast.Expr) {
	if e == nil {
		return
	}
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			r.use(n)
		case *ast.SelectorExpr:
			if id, ok := ast.Unparen(n.X).(*ast.Ident); ok {
				if b := r.use(id); b != nil && r.addressed(n) {
					b.address = true
				}
				return false
			}
			r.expr(n.X)
			return false
		case *ast.UnaryExpr:
			if id, ok := ast.Unparen(n.X).(*ast.Ident); ok && n.Op == token.AND {
				if b := r.use(id); b != nil {
					b.address = true
				}
				return false
			}
		case *ast.FuncLit:
			r.literal(n)
			return false
		case *ast.StructType:
			r.fields(n.Fields)
			return false
		case *ast.InterfaceType:
			r.fields(n.Methods)
			return false
		case *ast.FuncType:
			r.fields(n.Params)
			r.fields(n.Results)
			return false
		}
		return true
	})
}

func (r *names) fields(list *ast.FieldList) {
	if list == nil {
		return
	}
	for _, f := range list.List {
		r.expr(f.Type)
	}
}

func (r *names) literal(n *ast.FuncLit) {
	f := &frame{outer: r.frame}
	r.frames[n] = f
	r.frame = f
	r.in(func() {
		r.signature(nil, n.Type)
		r.body(n.Body)
	})
	r.frame = f.outer
}
