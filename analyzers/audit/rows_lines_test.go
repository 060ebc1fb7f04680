package audit_test

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// isGo reports whether a row speaks of Go, by the name of its file.
func isGo(row *model.Row) bool {
	file := row.Place[strings.LastIndexByte(row.Place, '/')+1:]
	return strings.HasPrefix(file, "go-")
}

// arguments writes the arguments that the conditions of a row ask for.
func arguments(row *model.Row, round int, write func(*argument) string, literals map[string]string, symbol func(string) string) string {
	usual := literals[[]string{"unknown", "object", "string", "unknown", "number", "array"}[round%6]]
	args := map[int]*argument{}
	last := -1
	at := func(i int) *argument {
		if i < 0 {
			i = 7
		}
		last = max(last, i)
		if args[i] == nil {
			args[i] = &argument{}
		}
		return args[i]
	}
	reach := func(a model.Access) *argument {
		paths, err := model.ParseAccess(a)
		if err != nil || len(paths) == 0 {
			return nil
		}
		path := paths[0]
		if len(path) == 0 || path[0].Kind != model.ArgumentStep {
			return nil
		}
		x := at(path[0].Index)
		for _, s := range path[1:] {
			if s.Kind != model.MemberStep {
				return nil
			}
			x = x.member(s.Name)
		}
		return x
	}
	absent := map[*argument]bool{}
	for _, p := range row.When {
		x := reach(p.At)
		if x == nil {
			continue
		}
		switch {
		case p.Not:
			switch {
			case len(p.Equals) > 0 || p.Matches != "":
				x.text = cmp.Or(literals["string"], `"s"`)
			case slices.Contains(p.Is, "absent"):
				x.text = literals["string"]
			default:
				x.text = literals[[]string{"function", "object", "string", "number"}[round%4]]
			}
		case len(p.Equals) > 0:
			x.text = strconv.Quote(p.Equals[round%len(p.Equals)])
			if v := p.Equals[0]; v == "true" || v == "false" || v == "null" {
				x.text = v
			} else if _, err := strconv.ParseFloat(v, 64); err == nil && round%2 == 1 {
				x.text = v
			}
		case len(p.Only) > 0:
			x.text = strconv.Quote(p.Only[round%len(p.Only)])
		case p.Matches != "":
			x.text = strconv.Quote(sample(p.Matches))
		case len(p.Symbol) > 0:
			x.text = symbol(p.Symbol[0])
		case len(p.Has) > 0 || len(p.HasAny) > 0:
			names := p.Has
			if len(names) == 0 {
				names = p.HasAny[:1]
			}
			for _, n := range names {
				if m := x.member(n); m.text == "" && len(m.members) == 0 {
					m.text = literals["string"]
				}
			}
		case len(p.Lacks) > 0:
			if x.text == "" && len(x.members) == 0 {
				x.text = literals["object"]
			}
		case len(p.Is) > 0:
			word := p.Is[round%len(p.Is)]
			if word == "absent" {
				absent[x] = true
				continue
			}
			if x.text = literals[word]; x.text == "" {
				x.text = literals["unknown"]
			}
		}
	}
	reach("Argument[1]") // there are two at least
	if row.Effect != nil && row.Effect.Selector != "" && len(row.Effect.Natures) > 0 {
		if x := reach(row.Effect.Selector); x != nil && x.text == "" {
			x.text = strconv.Quote(sample(row.Effect.Natures[round%len(row.Effect.Natures)].Matches))
		}
	}
	if row.Query != nil {
		if x := reach(row.Query.Text); x != nil && x.text == "" && row.Query.Language == "sql" {
			x.text = `"DELETE FROM things"`
		}
	}
	var out []string
	for i := 0; i <= last; i++ {
		if i == 7 && len(out) < 7 && args[7] != nil {
			out = append(out, write(args[7]))
			break
		}
		x := args[i]
		switch {
		case i > 1 && i < 7 && x == nil && last == 7:
			continue
		case x == nil:
			out = append(out, usual)
		case absent[x]:
			return strings.Join(out, ", ") // nothing follows what is absent
		case x.text == "" && len(x.members) == 0:
			out = append(out, usual)
		default:
			for _, m := range slices.Clone(x.order) {
				if absent[x.members[m]] {
					delete(x.members, m)
				}
			}
			out = append(out, write(x))
		}
	}
	return strings.Join(out, ", ")
}

// typescriptLines writes TypeScript.
type typescriptLines struct{}

func (typescriptLines) takes(row *model.Row) bool { return !isGo(row) }

var scriptLiterals = map[string]string{
	"string": `"s"`, "number": "1", "boolean": "true", "true": "true", "false": "false", "null": "null", "object": "{}", "array": "[]", "function": "async () => {}",
	"class": "class {}", "schema": `z.object({ x: z.string() })`, "unknown": "a.x", "constant": `"c"`, "present": `"p"`,
}

func writeObject(x *argument) string {
	if x.text != "" && len(x.members) == 0 {
		return x.text
	}
	var parts []string
	for _, name := range x.order {
		if m := x.members[name]; m != nil {
			text := writeObject(m)
			if text == "" {
				text = "a.x"
			}
			parts = append(parts, strconv.Quote(name)+": "+text)
		}
	}
	if len(parts) == 0 {
		return "{}"
	}
	return "{ " + strings.Join(parts, ", ") + " }"
}

var identifier = regexp.MustCompile(`^[A-Za-z_$][\w$]*$`)

func (g typescriptLines) line(row *model.Row, round int) string {
	if len(row.Hosts) > 0 {
		h := row.Hosts[round%len(row.Hosts)]
		host := strings.ReplaceAll(h.Name, "*", "thing")
		if h.Name == model.AnyHost {
			host = "things.example.com"
		}
		method := "POST"
		if len(h.Methods) > 0 {
			method = h.Methods[0]
		}
		path := "/thing"
		if h.Path != "" {
			path = sample(h.Path)
		}
		return fmt.Sprintf("await fetch(%q, { method: %q, body: JSON.stringify(a) });", "https://"+host+path, method)
	}
	s, ok := symbolOf(row, round)
	if !ok {
		return ""
	}
	callee := g.callee(s, round)
	if callee == "" {
		return ""
	}
	args := arguments(row, round, writeObject, scriptLiterals, func(symbol string) string {
		p, err := model.ParsePattern(symbol)
		if err != nil {
			return "a.x"
		}
		other, _ := symbolOf(&model.Row{Symbols: []string{p.Alternatives[0].String()}}, 0)
		text := g.callee(other, 0)
		if text == "" {
			return "a.x"
		}
		return text
	})
	switch last := s.Path; {
	case row.Input != nil && round%2 == 1:
		return fmt.Sprintf("await fetch(%s);", callee)
	case len(last) > 0 && last[len(last)-1].Calls > 0:
		return fmt.Sprintf("await fetch(%s);", callee)
	case round == 3 || row.Returns != "" && round%2 == 1:
		return fmt.Sprintf("await (new %s(%s));", callee, args)
	}
	return fmt.Sprintf("await %s(%s);", callee, args)
}

var builtinReceivers = map[string]string{"Array": "[a.x]", "Map": "kept", "Set": "seen", "Promise": "Promise.resolve(a.x)", "String": `"text"`, "RegExp": "/x/", "Function": "(() => 1)", "Object": "({})"}

// callee writes the access path of a symbol.
func (typescriptLines) callee(s model.Symbol, round int) string {
	var b strings.Builder
	path := s.Path
	switch {
	case s.Package == "js":
		if len(path) == 0 {
			return ""
		}
		first := path[0].Text
		switch {
		case first == "?":
			first = "a.x"
		case builtinReceivers[first] != "" && len(path) > 1 && round%2 == 0:
			first = builtinReceivers[first]
		}
		b.WriteString(first)
		for range path[0].Calls {
			b.WriteString("()")
		}
		path = path[1:]
	case s.Package == "?":
		if len(path) == 0 || !identifier.MatchString(path[0].Text) {
			return ""
		}
		first := path[0].Text
		if len(path) == 1 && path[0].Calls == 0 {
			first = "thing." + first // a function of unknown origin is a member of something
		}
		b.WriteString("§" + first)
		for range path[0].Calls {
			b.WriteString("()")
		}
		path = path[1:]
	case strings.ContainsAny(s.Package, "#") || s.Package == "go" || s.Package == "sql":
		return ""
	default:
		b.WriteString("«" + s.Package + "»")
	}
	for _, n := range path {
		if identifier.MatchString(n.Text) {
			b.WriteString("." + n.Text)
		} else {
			b.WriteString("[" + strconv.Quote(n.Text) + "]")
		}
		for range n.Calls {
			b.WriteString("()")
		}
	}
	return b.String()
}

// unknownOrigin marks the name of a value about which nothing is known: a parameter of a function that nobody is seen to call.
var unknownOrigin = regexp.MustCompile(`§(\w+)`)

var quoted = regexp.MustCompile(`«([^»]*)»`)

func (typescriptLines) files(lines map[string]string) (files, where map[string]string) {
	files, where = map[string]string{"package.json": `{"name": "rows", "type": "module"}`}, map[string]string{}
	for i, id := range slices.Sorted(maps.Keys(lines)) {
		imports, known := "", map[string]string{}
		body := quoted.ReplaceAllStringFunc(lines[id], func(m string) string {
			pkg := quoted.FindStringSubmatch(m)[1]
			if known[pkg] == "" {
				known[pkg] = fmt.Sprintf("p%d", len(known))
				imports += fmt.Sprintf("import * as %s from %q;\n", known[pkg], pkg)
			}
			return known[pkg]
		})
		head, tail := "{", "}"
		if m := unknownOrigin.FindStringSubmatch(body); m != nil {
			head = "export function add(" + m[1] + ": any) {"
			body = unknownOrigin.ReplaceAllString(body, "$1")
		}
		name := fmt.Sprintf("r%04d.ts", i)
		where[id] = name
		files[name] = `import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
` + imports + fmt.Sprintf("const kept = new Map(), seen = new Set();\n%s\nnew McpServer({ name: \"rows\", version: \"1.0.0\" }).registerTool(%q, { inputSchema: { x: z.string() } }, async (a) => {\n  %s\n});\n%s\n", head, id, body, tail)
	}
	return files, where
}

// goLines writes Go.
type goLines struct{}

func (goLines) takes(row *model.Row) bool { return isGo(row) }

var goLiterals = map[string]string{
	"string": `"s"`, "number": "1", "boolean": "true", "true": "true", "false": "false", "null": "nil", "object": "map[string]any{}", "array": "[]any{}", "function": "func() {}",
	"unknown": "a", "constant": `"c"`, "present": `"p"`,
}

func writeGo(x *argument) string {
	if x.text != "" && len(x.members) == 0 {
		return x.text
	}
	var parts []string
	for _, name := range x.order {
		if m := x.members[name]; m != nil {
			text := writeGo(m)
			if text == "" {
				text = "a"
			}
			parts = append(parts, strconv.Quote(name)+": "+text)
		}
	}
	return "map[string]any{" + strings.Join(parts, ", ") + "}"
}

func (g goLines) line(row *model.Row, round int) string {
	s, ok := symbolOf(row, round)
	if !ok || s.Package == "go" || s.Package == "?" || s.Package == "js" || s.Package == "sql" || len(s.Path) == 0 {
		return ""
	}
	args := arguments(row, round, writeGo, goLiterals, func(string) string { return "a" })
	var b strings.Builder
	path := s.Path
	for _, n := range path {
		if !identifier.MatchString(n.Text) || strings.ContainsRune(n.Text, '$') {
			return ""
		}
	}
	if len(path) > 1 && path[0].Calls == 0 {
		b.WriteString("‹" + s.Package + "›" + path[0].Text + "‡")
	} else {
		b.WriteString("«" + s.Package + "»." + path[0].Text)
		for range path[0].Calls {
			b.WriteString("()")
		}
	}
	for _, n := range path[1:] {
		b.WriteString("." + n.Text)
		for range n.Calls {
			b.WriteString("()")
		}
	}
	if path[len(path)-1].Calls == 0 {
		b.WriteString("(" + args + ")")
	}
	return b.String()
}

var received = regexp.MustCompile(`‹([^›]*)›(\w+)‡`)

func (goLines) files(lines map[string]string) (files, where map[string]string) {
	files, where = map[string]string{"go.mod": "module example.com/rows\n\ngo 1.24\n"}, map[string]string{}
	for i, id := range slices.Sorted(maps.Keys(lines)) {
		imports, known, params := "", map[string]string{}, ""
		name := func(pkg string) string {
			if known[pkg] == "" {
				known[pkg] = fmt.Sprintf("p%d", len(known))
				imports += fmt.Sprintf("\t%s %q\n", known[pkg], pkg)
			}
			return known[pkg]
		}
		body := quoted.ReplaceAllStringFunc(lines[id], func(m string) string { return name(quoted.FindStringSubmatch(m)[1]) })
		body = received.ReplaceAllStringFunc(body, func(m string) string {
			part := received.FindStringSubmatch(m)
			params = fmt.Sprintf(", v *%s.%s", name(part[1]), part[2])
			return "v"
		})
		file := fmt.Sprintf("r%04d.go", i)
		where[id] = file
		files[file] = fmt.Sprintf("package rows\n\nimport (\n\t\"context\"\n\n\t\"github.com/mark3labs/mcp-go/mcp\"\n\t\"github.com/mark3labs/mcp-go/server\"\n%s)\n\nfunc Add%d(s *server.MCPServer%s) {\n\ts.AddTool(mcp.NewTool(%q), func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {\n\t\ta := req.GetString(\"x\", \"\")\n\t\t_ = a\n\t\t%s\n\t\treturn nil, nil\n\t})\n}\n",
			imports, i, params, id, body)
	}
	return files, where
}
