package load

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/build"
	"go/build/constraint"
	"go/parser"
	"go/scanner"
	"go/token"
	"io"
	"runtime"
	"strconv"
	"strings"
)

// platform decides which files belong to the build.
type platform struct {
	goos, goarch string
	cgo          bool
	tags         []string // of releases
}

func newPlatform(goos, goarch string) *platform {
	os, arch := host()
	if goos == "" {
		goos = os
	}
	if goarch == "" {
		goarch = arch
	}
	return &platform{goos: goos, goarch: goarch, tags: releases(runtime.Version())}
}

// releases lists the tags go1.1 up to the release that we were built with: newer syntax could not be read anyway.
func releases(version string) []string {
	minor := 0
	if _, rest, ok := strings.Cut(version, "go1."); ok {
		end := strings.IndexFunc(rest, func(r rune) bool { return r < '0' || r > '9' })
		if end < 0 {
			end = len(rest)
		}
		minor, _ = strconv.Atoi(rest[:end])
	}
	if minor == 0 {
		return build.Default.ReleaseTags
	}
	out := make([]string, minor)
	for i := range out {
		out[i] = "go1." + strconv.Itoa(i+1)
	}
	return out
}

// builds reports whether a file belongs to the build, by its name and its constraint.
func (p *platform) builds(name string, source []byte) bool {
	ctxt := build.Context{
		GOOS: p.goos, GOARCH: p.goarch, Compiler: "gc", CgoEnabled: p.cgo, ReleaseTags: p.tags,
		JoinPath: func(elem ...string) string { return strings.Join(elem, "/") },
		OpenFile: func(string) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(source)), nil },
	}
	ok, err := ctxt.MatchFile("", name)
	return ok || err != nil // a constraint that cannot be read excludes nothing
}

// constraintOf gives the constraint of a file as text, its name's where it has no line; "" where neither says anything.
func constraintOf(name string, source []byte) string {
	for line := range bytes.Lines(source) {
		text := strings.TrimSpace(string(line))
		if strings.HasPrefix(text, "package ") {
			break
		}
		if constraint.IsGoBuild(text) || constraint.IsPlusBuild(text) {
			if x, err := constraint.Parse(text); err == nil {
				return x.String()
			}
		}
	}
	stem := strings.TrimSuffix(name, ".go")
	if i := strings.IndexByte(stem, '_'); i >= 0 {
		return stem[i+1:]
	}
	return ""
}

// file is a Go file that was read.
type file struct {
	name   string // in its tree
	source []byte
	syntax *ast.File
	// imports are those that matter for what is known of the package.
	imports []string
	// errors counts the syntax errors; first is the first, with file:line:col.
	errors int
	first  string
	// excluded is the constraint that keeps the file out of the build, "" for none.
	excluded string
	test     bool
	// uses is what the file takes of packages, of a dependency what is known so far; fresh is what was found last.
	uses, fresh uses
	// follows tells the imports of a dependency's file that matter.
	follows map[*ast.ImportSpec]bool
}

// parse reads the syntax of a source as far as it goes; what fails entirely is an error with file:line:col.
func parse(fset *token.FileSet, shown string, source []byte, mode parser.Mode) (f *ast.File, errors int, first string, err error) {
	defer func() {
		if e := recover(); e != nil {
			f, err = nil, fmt.Errorf("%s: internal error of the parser: %v", shown, e)
		}
	}()
	f, parseErr := parser.ParseFile(fset, shown, source, mode|parser.SkipObjectResolution)
	if parseErr != nil {
		errors, first = 1, parseErr.Error()
		if list, ok := parseErr.(scanner.ErrorList); ok && len(list) > 0 {
			errors, first = len(list), fmt.Sprintf("%s:%s: %s", shown, lineOf(source, list[0].Pos.Offset), list[0].Msg)
		}
	}
	if f == nil || f.Name == nil || f.Name.Name == "" || f.Name.Name == "_" {
		if first == "" {
			first = shown + ":1:1: no package clause"
		}
		return nil, errors, first, fmt.Errorf("%s", first)
	}
	f.GoVersion = "" // a file may ask for a newer release than ours: what is known of it is read all the same
	return f, errors, first, nil
}

// lineOf gives line:col of an offset; the position in an error of the parser is what a line directive makes of it.
func lineOf(source []byte, offset int) string {
	before := source[:min(max(offset, 0), len(source))]
	return fmt.Sprintf("%d:%d", bytes.Count(before, []byte{'\n'})+1, len(before)-bytes.LastIndexByte(before, '\n'))
}

// strip removes from a dependency what nobody outside can see: bodies, and the values of variables with a declared type.
func strip(f *ast.File) {
	f.Comments = nil
	decls := f.Decls[:0]
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			d.Body = nil
			if d.Recv == nil && (d.Name.Name == "init" || d.Name.Name == "_") {
				continue
			}
		case *ast.GenDecl:
			if d.Tok == token.VAR {
				specs := d.Specs[:0]
				for _, s := range d.Specs {
					v, ok := s.(*ast.ValueSpec)
					if !ok || blank(v.Names) {
						continue
					}
					if v.Type != nil {
						v.Values = nil
					}
					for _, x := range v.Values {
						emptyLiterals(x)
					}
					specs = append(specs, v)
				}
				d.Specs = specs
				if len(specs) == 0 {
					continue // a declaration of nothing has no end that the type checker could ask for
				}
			}
		}
		decls = append(decls, d)
	}
	f.Decls = decls
}

func blank(names []*ast.Ident) bool {
	for _, n := range names {
		if n.Name != "_" {
			return false
		}
	}
	return true
}

// emptyLiterals empties the bodies of function literals.
func emptyLiterals(x ast.Expr) {
	ast.Inspect(x, func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok {
			lit.Body = &ast.BlockStmt{Lbrace: lit.Body.Pos(), Rbrace: lit.Body.End() - 1}
			return false
		}
		return true
	})
}
