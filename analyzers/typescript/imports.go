package typescript

import (
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/model"
	"github.com/retrysafe/retrysafe/analyzers/typescript/parse"
)

// imported is what an import binds a name to.
type imported struct {
	specifier string
	name      string // "*" for the namespace object
	used      bool   // its value is, not only its type
}

// specifier is the text of the `from` part of a statement.
func specifier(t *parse.Tree, n parse.Node) string {
	raw := t.Text(n)
	if len(raw) >= 2 {
		raw = raw[1 : len(raw)-1]
	}
	return unescape(raw)
}

// declareImports declares the names of an import statement.
func (s *scanner) declareImports(n parse.Node) {
	t := s.t
	s.esModule = true
	source := t.Child(n, parse.FieldSource)
	add := func(id parse.Node, from, name string) {
		b := s.declare(id, declaration{kind: importBinding, into: s.cur, region: n, defined: t.Last(n)})
		b.kind, b.imp = importBinding, &imported{specifier: from, name: name}
		s.imports[n] = append(s.imports[n], b.imp)
	}
	for c := range t.Children(n) {
		switch t.Kind(c) {
		case parse.KindImportRequireClause:
			from := specifier(t, t.Child(c, parse.FieldSource))
			if id := t.ChildOf(c, parse.KindIdentifier); id != parse.NoNode {
				add(id, from, "*")
			}
		case parse.KindImportClause:
			from := specifier(t, source)
			for d := range t.Children(c) {
				switch t.Kind(d) {
				case parse.KindIdentifier:
					add(d, from, "default")
				case parse.KindNamespaceImport:
					if id := t.ChildOf(d, parse.KindIdentifier); id != parse.NoNode {
						add(id, from, "*")
					}
				case parse.KindNamedImports:
					for e := range t.Children(d) {
						name, alias := t.Child(e, parse.FieldName), t.Child(e, parse.FieldAlias)
						if t.Kind(e) != parse.KindImportSpecifier || name == parse.NoNode {
							continue
						}
						id := name
						if alias != parse.NoNode {
							id = alias
						}
						if t.Kind(id) == parse.KindIdentifier {
							add(id, from, exportName(t, name))
						}
					}
				}
			}
		}
	}
}

// exportName reads a name in an import or export clause, which may be a string.
func exportName(t *parse.Tree, n parse.Node) string {
	if t.Kind(n) == parse.KindString {
		return specifier(t, n)
	}
	return unescape(t.Text(n))
}

// declareAlias declares the name of `import A = B.C`.
func (s *scanner) declareAlias(n parse.Node) {
	if id := s.t.Nth(n, 0); s.t.Kind(id) == parse.KindIdentifier {
		s.declare(id, declaration{kind: letBinding, into: s.cur, region: s.statementRegion(n), defined: s.t.Last(n), value: s.t.Nth(n, 1)})
	}
}

func (b *body) importAlias(n parse.Node) {
	id, value := b.t.Nth(n, 0), b.t.Nth(n, 1)
	if bd := b.sc.bound[id]; bd != nil {
		b.store(bd, b.expr(value), id)
	}
}

// importStatement notes that another unit is initialised first. The names are spelled out where they are used.
func (b *body) importStatement(n parse.Node) {
	t := b.t
	if t.Has(n, parse.TokenType) || b.unit.Language == model.TypeScript && b.sc.erased(n) {
		return
	}
	source := t.Child(n, parse.FieldSource)
	if source == parse.NoNode {
		source = t.Child(t.ChildOf(n, parse.KindImportRequireClause), parse.FieldSource)
	}
	if source != parse.NoNode {
		b.initialises(specifier(t, source))
	}
}

// erased reports whether an import statement names nothing but types, as far as the file uses the names: the TypeScript compiler leaves it out, so
// that modules which only need each other's types do not import each other when they run.
func (a *scopes) erased(n parse.Node) bool {
	names := a.imports[n]
	return len(names) > 0 && !slices.ContainsFunc(names, func(imp *imported) bool { return imp.used })
}

// imported is the value of an imported name.
func (b *body) imported(imp *imported, n parse.Node) model.ID {
	ns := b.namespaceOf(imp.specifier, n)
	if imp.name == "*" {
		return ns
	}
	return b.emitNamed(n, model.Load, imp.name, ns)
}

// namespaceOf is the namespace object of a module.
func (b *body) namespaceOf(specifier string, n parse.Node) model.ID {
	switch t := b.target(specifier); {
	case t.Unit != "":
		return b.emitNamed(n, model.Module, t.Unit)
	case t.External != "":
		return b.emitNamed(n, model.External, t.External)
	case t.Asset != "":
		return b.unknown(n, "asset "+t.Asset)
	}
	if !b.missing[specifier] {
		b.missing[specifier] = true
		b.note(n, "module not found: "+specifier)
	}
	return b.unknown(n, "module "+specifier)
}

// dynamicImport is the namespace object of `import("literal")`.
func (b *body) dynamicImport(n parse.Node) (model.ID, bool) {
	t := b.t
	if t.Kind(n) != parse.KindCallExpression || t.Kind(t.Child(n, parse.FieldFunction)) != parse.KindImport {
		return model.None, false
	}
	arg := t.Nth(t.Child(n, parse.FieldArguments), 0)
	name, ok := b.constantKey(arg)
	if !ok || t.Kind(arg) == parse.KindNumber {
		return model.None, false
	}
	return b.namespaceOf(name, n), true
}
