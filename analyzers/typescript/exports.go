package typescript

import (
	"slices"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/model"
	"github.com/retrysafe/retrysafe/analyzers/typescript/parse"
)

// export adds an export. The first of a name wins; stars may repeat.
func (l *lowering) export(e model.Export) {
	if e.Name != "*" {
		if l.exports[e.Name] {
			return
		}
		l.exports[e.Name] = true
	}
	l.unit.Exports = append(l.unit.Exports, e)
}

// passOn exports something of another module.
func (l *lowering) passOn(name, specifier, as string) {
	e := model.Export{Name: name, As: as}
	switch t := l.target(specifier); {
	case t.Unit != "":
		e.From = t.Unit
	case t.External != "":
		e.Extern = t.External
	default:
		return
	}
	l.export(e)
}

// exportBinding exports a variable of the module.
func (l *lowering) exportBinding(name string, bd *binding) {
	if bd.kind == importBinding {
		l.initialises(bd.imp.specifier)
		l.passOn(name, bd.imp.specifier, bd.imp.name)
		return
	}
	l.export(model.Export{Name: name, Global: bd.global + 1})
	if name != bd.name {
		l.aliases = append(l.aliases, alias{name, bd.name})
	}
}

// alias is a second name of a type.
type alias struct{ name, of string }

// finishExports sorts the exports and gives the second names of types.
func (l *lowering) finishExports() {
	for _, a := range l.aliases {
		if l.types[a.of] && !l.types[a.name] {
			l.types[a.name], l.added[a.name] = true, true
			l.unit.Types = append(l.unit.Types, &model.TypeDecl{Name: a.name, Kind: model.AliasType,
				Underlying: &model.TypeRef{Unit: l.unit.Path, Name: a.of}})
		}
	}
	slices.SortStableFunc(l.unit.Exports, func(x, y model.Export) int {
		switch {
		case (x.Name == "*") != (y.Name == "*"):
			if y.Name == "*" {
				return -1
			}
			return 1
		default:
			return strings.Compare(x.Name, y.Name)
		}
	})
}

func (b *body) exportStatement(n parse.Node) {
	t := b.t
	source := t.Child(n, parse.FieldSource)
	if source != parse.NoNode {
		b.reexport(n, specifier(t, source))
		return
	}
	if clause := t.ChildOf(n, parse.KindExportClause); clause != parse.NoNode {
		b.exportClause(clause)
		return
	}
	if t.Has(n, parse.TokenEquals) {
		for c := range t.Children(n) {
			b.exportWhole(c, b.named(c, "default"))
			return
		}
	}
	decl := t.Child(n, parse.FieldDeclaration)
	if decl == parse.NoNode {
		decl = t.ChildOf(n, parse.KindImportAlias)
	}
	if t.Has(n, parse.TokenDefault) {
		b.exportDefault(n, decl)
		return
	}
	if decl == parse.NoNode {
		for c := range t.Children(n) {
			if k := t.Kind(c); k != parse.KindDecorator && k != parse.KindIdentifier && k != parse.KindError && k != parse.KindMissing {
				b.statement(c)
			}
		}
		return
	}
	b.statement(decl)
	if b.cur == model.NoBlock {
		return
	}
	if k := t.Kind(decl); (k == parse.KindInternalModule || k == parse.KindModule) && len(b.spaces) == 0 {
		if bd := b.sc.bound[b.namespaceRoot(decl)]; bd != nil && bd.scope == b.sc.module {
			b.exportBinding(bd.name, bd)
		}
	}
	for _, id := range b.declaredNames(decl) {
		b.exportName(id)
	}
}

// exportName exports a name that the statement has just declared.
func (b *body) exportName(id parse.Node) {
	bd := b.sc.bound[id]
	if bd == nil {
		return
	}
	if len(b.spaces) > 0 {
		b.emitNamed(id, model.Store, bd.name, b.spaces[len(b.spaces)-1].object, b.load(bd, id))
		return
	}
	if bd.scope == b.sc.module {
		b.exportBinding(bd.name, bd)
	}
}

// declaredNames lists the identifiers that a declaration declares.
func (b *body) declaredNames(decl parse.Node) []parse.Node {
	t := b.t
	switch t.Kind(decl) {
	case parse.KindLexicalDeclaration, parse.KindVariableDeclaration:
		var out []parse.Node
		for d := range t.Children(decl) {
			pattern := t.Child(d, parse.FieldName)
			for c := range t.Descendants(pattern) {
				if b.sc.marks[c]&named != 0 {
					out = append(out, c)
				}
			}
		}
		return out
	case parse.KindInternalModule, parse.KindModule:
		return nil // stored by its own lowering
	case parse.KindImportAlias:
		return []parse.Node{t.Nth(decl, 0)}
	}
	if name := t.Child(decl, parse.FieldName); name != parse.NoNode && b.sc.marks[name]&named != 0 {
		return []parse.Node{name}
	}
	return nil
}

func (b *body) exportDefault(n, decl parse.Node) {
	t := b.t
	value := decl
	if value == parse.NoNode {
		value = t.Child(n, parse.FieldValue)
	}
	switch t.Kind(value) {
	case parse.KindFunctionSignature:
		return // an overload
	case parse.KindInterfaceDeclaration, parse.KindTypeAliasDeclaration:
		b.aliases = append(b.aliases, alias{"default", t.Text(t.Child(value, parse.FieldName))})
		return
	case parse.KindIdentifier:
		if bd := b.sc.bound[value]; bd != nil && bd.scope == b.sc.module {
			b.exportBinding("default", bd)
			return
		}
		if name := t.Text(value); b.types[name] {
			b.aliases = append(b.aliases, alias{"default", name})
			return
		}
	case parse.KindNone:
		return
	}
	if names := b.declaredNames(value); len(names) == 1 && t.Kind(value) != parse.KindFunctionExpression && t.Kind(value) != parse.KindClass {
		b.statement(value)
		if bd := b.sc.bound[names[0]]; bd != nil && bd.scope == b.sc.module {
			b.exportBinding("default", bd)
		}
		return
	}
	v := b.named(value, "default")
	g := b.newGlobal("default", value)
	b.op(model.Op{Kind: model.StoreGlobal, Ref: int32(g), Args: []model.ID{v}, Span: b.span(n)})
	b.export(model.Export{Name: "default", Global: g + 1})
}

// defaultFunction exports a function declaration without a name, which only a default export has.
func (b *body) defaultFunction(n parse.Node, v model.ID) {
	g := b.newGlobal("default", n)
	b.op(model.Op{Kind: model.StoreGlobal, Ref: int32(g), Args: []model.ID{v}, Span: b.span(n)})
	b.export(model.Export{Name: "default", Global: g + 1})
}

// exportClause lowers `export { a, b as c }`.
func (b *body) exportClause(clause parse.Node) {
	t := b.t
	for c := range t.Children(clause) {
		name := t.Child(c, parse.FieldName)
		if name == parse.NoNode {
			continue
		}
		local, as := exportName(t, name), exportName(t, name)
		if alias := t.Child(c, parse.FieldAlias); alias != parse.NoNode {
			as = exportName(t, alias)
		}
		switch bd := b.sc.module.names[local]; {
		case len(b.spaces) > 0:
			// A namespace may only list its own names.
			if bd := b.scopeOf(clause).lookup(local); bd != nil {
				b.emitNamed(c, model.Store, as, b.spaces[len(b.spaces)-1].object, b.load(bd, name))
			}
		case bd != nil:
			b.exportBinding(as, bd)
		case local != as:
			b.aliases = append(b.aliases, alias{as, local})
		}
	}
}

// scopeOf is the innermost scope around a node.
func (b *body) scopeOf(n parse.Node) *scope {
	for ; n != parse.NoNode; n = b.t.Parent(n) {
		if sc := b.sc.at[n]; sc != nil {
			return sc
		}
	}
	return b.sc.module
}

// reexport lowers `export … from`.
func (b *body) reexport(n parse.Node, from string) {
	t := b.t
	if !t.Has(n, parse.TokenType) {
		b.initialises(from)
	}
	if tg := b.target(from); tg == (Target{}) {
		b.note(n, "module not found: "+from)
		return
	}
	if ns := t.ChildOf(n, parse.KindNamespaceExport); ns != parse.NoNode {
		b.passOn(exportName(t, t.Nth(ns, 0)), from, "*")
		return
	}
	clause := t.ChildOf(n, parse.KindExportClause)
	if clause == parse.NoNode {
		b.passOn("*", from, "")
		return
	}
	for c := range t.Children(clause) {
		name := t.Child(c, parse.FieldName)
		if name == parse.NoNode {
			continue
		}
		as := name
		if alias := t.Child(c, parse.FieldAlias); alias != parse.NoNode {
			as = alias
		}
		b.passOn(exportName(t, as), from, exportName(t, name))
	}
}
