package flow_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/retrysafe/retrysafe/analyzers/audit"
	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

// scanText scans one file of the given text.
func scanText(t *testing.T, text string) *audit.Report {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.ts"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	rep, err := audit.Scan(context.Background(), audit.Options{Path: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rep.Close() })
	return rep
}

// TestManyRegistrations keeps the tools of a long table apart as far as the bound goes, and says that the others are missing.
func TestManyRegistrations(t *testing.T) {
	for _, loop := range []string{
		"for (const r of rows) server.registerTool(r.name, {}, r.run);",
		"rows.forEach((r) => server.registerTool(r.name, {}, r.run));",
	} {
		var b strings.Builder
		b.WriteString("import { McpServer } from \"@modelcontextprotocol/sdk/server/mcp.js\";\nimport { promises as fs } from \"node:fs\";\n" +
			"const server = new McpServer({ name: \"a\", version: \"1\" });\nconst rows = [\n")
		for i := range 450 {
			fmt.Fprintf(&b, "{ name: \"t%d\", run: async () => fs.unlink(\"/f%d\") },\n", i, i)
		}
		b.WriteString("];\n" + loop + "\n")
		rep := scanText(t, b.String())
		if n := len(rep.Result.Tools); n != 400 {
			t.Errorf("%s: %d tools, want 400", loop, n)
		}
		for _, tool := range rep.Result.Tools {
			if len(tool.Effects) != 1 {
				t.Errorf("%s: %s has %d effects, want its own", loop, tool.Name, len(tool.Effects))
				break
			}
		}
		if rep.Coverage.Complete || len(rep.Coverage.Notes) == 0 {
			t.Errorf("%s: complete %v, notes %v, want an incomplete scan that says so", loop, rep.Coverage.Complete, rep.Coverage.Notes)
		}
	}
}

// TestLongConstantList walks a list in a handler, which registers nothing: the elements beyond the bound count together.
func TestLongConstantList(t *testing.T) {
	rep := scanText(t, "import { McpServer } from \"@modelcontextprotocol/sdk/server/mcp.js\";\nimport { promises as fs } from \"node:fs\";\n"+
		"const server = new McpServer({ name: \"a\", version: \"1\" });\nconst rows = ["+strings.Repeat("\"x\", ", 450)+"];\n"+
		"server.registerTool(\"t\", {}, async () => { for (const r of rows) if (r === \"y\") await fs.unlink(r); await fs.rmdir(\"/a\"); });\n")
	if !rep.Coverage.Complete {
		t.Errorf("incomplete: %v", rep.Coverage.Notes)
	}
	if len(rep.Result.Tools) != 1 || len(rep.Result.Tools[0].Effects) == 0 {
		t.Errorf("tools: %v", rep.Result.Tools)
	}
}

// TestManyCalls says where the calls of a handler were too many to be listed.
func TestManyCalls(t *testing.T) {
	rep := scanText(t, "import { McpServer } from \"@modelcontextprotocol/sdk/server/mcp.js\";\nimport { promises as fs } from \"node:fs\";\n"+
		"const server = new McpServer({ name: \"a\", version: \"1\" });\nserver.registerTool(\"t\", {}, async () => {\n"+
		strings.Repeat("await fs.unlink(\"/a\");\n", 4100)+"});\n")
	if rep.Coverage.Complete || len(rep.Coverage.Notes) == 0 {
		t.Errorf("complete %v, notes %v, want an incomplete scan that says so", rep.Coverage.Complete, rep.Coverage.Notes)
	}
}

// TestLongBodies holds the cost of a handler to about its length: what is kept of each step must not hold all steps before it.
func TestLongBodies(t *testing.T) {
	var arms strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&arms, "case %d: await fs.unlink(\"/f%d\"); break;\n", i, i)
	}
	for name, body := range map[string]string{
		"chain":  "const y: any = {}; y" + strings.Repeat(".a()", 6000) + ";",
		"text":   "const s = \"0\"" + strings.Repeat(" + \"1\"", 12000) + ";",
		"switch": "switch (n) {\n" + arms.String() + "}",
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		scanText(t, "import { McpServer } from \"@modelcontextprotocol/sdk/server/mcp.js\";\nimport { promises as fs } from \"node:fs\";\n"+
			"const server = new McpServer({ name: \"a\", version: \"1\" });\nserver.registerTool(\"t\", {}, async ({ n }) => {\n"+body+"\nawait fs.rmdir(\"/a\");\n});\n")
		runtime.ReadMemStats(&after)
		if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; mb > 400 {
			t.Errorf("%s: %d MB allocated, want a few hundred at most", name, mb)
		} else {
			t.Logf("%s: %d MB", name, mb)
		}
	}
}

// TestEntriesHaveTheirShare registers handlers that are longer, taken together, than a program may be: each is followed for its share, so that
// the last one shows what it does first as the first one does.
func TestEntriesHaveTheirShare(t *testing.T) {
	var b strings.Builder
	b.WriteString("import { McpServer } from \"@modelcontextprotocol/sdk/server/mcp.js\";\nimport { promises as fs } from \"node:fs\";\n" +
		"const server = new McpServer({ name: \"a\", version: \"1\" });\nconst rows = [" + strings.Repeat("\"x\", ", 390) + "];\n")
	body := strings.Repeat("n += r.length; ", 24)
	const tools = 300
	for i := range tools {
		fmt.Fprintf(&b, "server.registerTool(\"t%d\", {}, async ({ path }) => { await fs.unlink(path); let n = 0; for (const r of rows) { %s } return n; });\n", i, body)
	}
	rep := scanText(t, b.String())
	if len(rep.Result.Tools) != tools {
		t.Errorf("%d tools, want %d", len(rep.Result.Tools), tools)
	}
	for _, tool := range rep.Result.Tools {
		if len(tool.Effects) == 0 {
			t.Fatalf("%s shows no effect (gaps %v)", tool.Name, tool.Gaps)
		}
	}
	if rep.Coverage.Complete {
		t.Error("complete, though the handlers are longer than the bound")
	}
}

// TestMethodOfManyRequests sends more requests through one long function than it is told apart for: they keep their method.
func TestMethodOfManyRequests(t *testing.T) {
	var b strings.Builder
	b.WriteString("import { McpServer } from \"@modelcontextprotocol/sdk/server/mcp.js\";\n" +
		"const server = new McpServer({ name: \"a\", version: \"1\" });\nasync function send(method: string, path: string) {\n  let n = 0;\n" +
		strings.Repeat("  n += path.length;\n", 300) + "  return fetch(process.env.URL + path, { method, headers: { n: String(n) } });\n}\n" +
		"server.registerTool(\"look\", {}, async () => {\n")
	for i := range 40 {
		fmt.Fprintf(&b, "  await send(\"GET\", \"/p%d\");\n", i)
	}
	b.WriteString("});\n")
	rep := scanText(t, b.String())
	if len(rep.Result.Tools) != 1 || rep.Result.Tools[0].Nature != model.Read {
		t.Errorf("want one tool that reads: %+v", rep.Result.Tools)
	}
}

// TestSharedHelperIsEvaluatedOnce has each of many tools change something that lasts and call one long helper that does not look at it: the helper
// counts once, so that the program is followed to its end. One that looks is evaluated anew, and sees what changed.
func TestSharedHelperIsEvaluatedOnce(t *testing.T) {
	var b strings.Builder
	b.WriteString("import { McpServer } from \"@modelcontextprotocol/sdk/server/mcp.js\";\nimport { promises as fs } from \"node:fs\";\n" +
		"const server = new McpServer({ name: \"a\", version: \"1\" });\nconst rows = [" + strings.Repeat("\"x\", ", 390) + "];\nlet file = \"\";\n" +
		"function total() { let n = 0; for (const r of rows) { " + strings.Repeat("n += r.length; ", 12) + " } return n; }\n" +
		"async function drop() { await fs.unlink(file); }\n")
	const tools = 300
	for i := range tools {
		fmt.Fprintf(&b, "server.registerTool(\"t%d\", {}, async () => { file = \"/f%d\"; await drop(); return total(); });\n", i, i)
	}
	rep := scanText(t, b.String())
	if !rep.Coverage.Complete {
		t.Errorf("incomplete: %v", rep.Coverage.Notes)
	}
	if len(rep.Result.Tools) != tools {
		t.Fatalf("%d tools, want %d", len(rep.Result.Tools), tools)
	}
	for _, tool := range []int{0, 5, 299} {
		if tool := rep.Result.Tools[tool]; len(tool.Effects) != 1 || tool.Gaps != 0 {
			t.Errorf("%s: %d effects, gaps %v", tool.Name, len(tool.Effects), tool.Gaps)
		}
	}
}

// TestWorkForNothing has each of many tools clean many texts with one long function, and rebuild a tree with functions that call each other with another
// list in every branch. Nothing of that reaches the outside: it takes no more than a part of what there is for each, and what comes after it is followed.
func TestWorkForNothing(t *testing.T) {
	var b strings.Builder
	b.WriteString("import { McpServer } from \"@modelcontextprotocol/sdk/server/mcp.js\";\nimport { promises as fs } from \"node:fs\";\n" +
		"const server = new McpServer({ name: \"a\", version: \"1\" });\nfunction clean(text: string) {\n  let n = 0;\n" +
		strings.Repeat("  n += text.length;\n", 300) + "  return text.trim() + n;\n}\n" +
		"function all(nodes: any[], into: any, marks: any[]) { for (const n of nodes) piece(n, into, marks); }\n" +
		"function piece(n: any, into: any, marks: any[]) {\n  switch (n.kind) {\n")
	for i := range 8 {
		fmt.Fprintf(&b, "    case \"k%d\": { const more = [...marks, { kind: \"m%d\" }]; into.out.push({ marks: more }); all(n.under, into, more); break; }\n", i, i)
	}
	b.WriteString("    default: into.out.push({ text: n.text, marks: [...marks] });\n  }\n}\n")
	const tools = 350
	for i := range tools {
		fmt.Fprintf(&b, "server.registerTool(\"t%d\", {}, async ({ nodes }) => {\n  all(nodes, { out: [] }, []);\n", i)
		for j := range 30 {
			fmt.Fprintf(&b, "  clean(\"a%d_%d\");\n", i, j)
		}
		fmt.Fprintf(&b, "  await fs.unlink(\"/f%d\");\n});\n", i)
	}
	rep := scanText(t, b.String())
	if !rep.Coverage.Complete {
		t.Errorf("incomplete: %v", rep.Coverage.Notes)
	}
	if len(rep.Result.Tools) != tools {
		t.Fatalf("%d tools, want %d", len(rep.Result.Tools), tools)
	}
	for _, tool := range rep.Result.Tools {
		if len(tool.Effects) != 1 {
			t.Errorf("%s: %d effects, want one", tool.Name, len(tool.Effects))
		}
	}
}

// TestRecursion follows a function that calls itself as far as it does anything new: a retry reads as often as it likes, and what the fifth round does
// is seen as well as what the first one does. No such round makes a scan incomplete.
func TestRecursion(t *testing.T) {
	rep := scanText(t, `import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { promises as fs } from "node:fs";
const server = new McpServer({ name: "a", version: "1" });
async function read(path: string, attempt = 0): Promise<string> {
  const res = await fetch("https://a.example/" + path);
  if (res.status === 429 && attempt < 3) return read(path, attempt + 1);
  return res.text();
}
async function climb(path: string, level: number) {
  if (level === 5) return fs.unlink(path);
  return climb(path + "/..", level + 1);
}
function later(run: () => Promise<void>): Promise<void> {
  return later(async () => { await run(); });
}
async function api(method: string, options: { attempt?: number } = {}): Promise<unknown> {
  const { attempt = 0 } = options;
  const res = await fetch(`+"`https://slack.com/api/${method}`"+`, { method: "POST" });
  if (res.status === 429 && attempt < 3) return api(method, { ...options, attempt: attempt + 1 });
  return res.json();
}
server.registerTool("read", {}, async ({ path }) => read(path));
server.registerTool("list", {}, async () => api("conversations.list"));
server.registerTool("climb", {}, async ({ path }) => climb(path, 0));
server.registerTool("later", {}, async ({ path }) => later(() => fs.unlink(path)));
`)
	if !rep.Coverage.Complete {
		t.Errorf("incomplete: %v", rep.Coverage.Notes)
	}
	want := map[string]struct {
		effects int
		gaps    flow.Gap
	}{"read": {0, 0}, "list": {0, 0}, "climb": {1, 0}, "later": {0, flow.RecursionGap}}
	for _, tool := range rep.Result.Tools {
		if w := want[tool.Name]; len(tool.Effects) != w.effects || tool.Gaps != w.gaps {
			t.Errorf("%s: %d effects, gaps %q, want %d and %q", tool.Name, len(tool.Effects), tool.Gaps, w.effects, w.gaps)
		}
	}
}

// TestBoundsAreNamed says where a bound was reached that may hide an effect, in the notes of the scan and with the tool.
func TestBoundsAreNamed(t *testing.T) {
	deep := "async function f60() { await fs.unlink(\"/a\"); }\n"
	for i := range 60 {
		deep += fmt.Sprintf("async function f%d() { await f%d(); }\n", i, i+1)
	}
	for name, test := range map[string]struct {
		source string
		gap    flow.Gap
		what   string
	}{
		"depth":  {deep + "const run = f0;", flow.DepthGap, "more than 48 calls within each other"},
		"work":   {"const rows = [" + strings.Repeat("\"x\", ", 390) + "];\nasync function run() { let n = 0; for (const r of rows) { " + strings.Repeat("n += r.length; ", 200) + " } }", flow.WorkGap, "more work than the limit"},
		"events": {"async function run() {\n" + strings.Repeat("await fs.unlink(\"/a\");\n", 4100) + "}", flow.EventsGap, "more than 4000 external calls"},
	} {
		rep := scanText(t, "import { McpServer } from \"@modelcontextprotocol/sdk/server/mcp.js\";\nimport { promises as fs } from \"node:fs\";\n"+
			"const server = new McpServer({ name: \"a\", version: \"1\" });\n"+test.source+"\nserver.registerTool(\"t\", {}, run);\n")
		if rep.Coverage.Complete || len(rep.Result.Tools) != 1 || rep.Result.Tools[0].Gaps != test.gap {
			t.Errorf("%s: complete %v, tools %v, want an incomplete scan, and one tool with the gap %q", name, rep.Coverage.Complete, rep.Result.Tools, test.gap)
		}
		said := false
		for _, n := range rep.Coverage.Notes {
			said = said || n.Cut && n.Span.IsValid() && strings.Contains(n.What, test.what)
		}
		if !said {
			t.Errorf("%s: notes %v, want one with a place that says %q", name, rep.Coverage.Notes, test.what)
		}
	}
}

// TestDeepValues knows the client that a cache gives back however deeply the values are nested that it was opened with.
func TestDeepValues(t *testing.T) {
	var b strings.Builder
	b.WriteString("import { McpServer } from \"@modelcontextprotocol/sdk/server/mcp.js\";\nimport { google } from \"googleapis\";\nimport { z } from \"zod\";\n" +
		"const server = new McpServer({ name: \"a\", version: \"1\" });\n")
	for i := range 30 {
		fmt.Fprintf(&b, `server.registerTool("t%d", { inputSchema: { token: z.string() } }, async ({ token }) => {
  const opened = new Map();
  let client = opened.get(token);
  if (!client) {
    client = google.calendar({ version: "v3", auth: token%s });
    opened.set(token, client);
  }
  await client.events.insert({ calendarId: "a" });
});
`, i, strings.Repeat(".trim()", i))
	}
	rep := scanText(t, b.String())
	if n := len(rep.Result.Tools); n != 30 {
		t.Fatalf("%d tools, want 30", n)
	}
	for _, tool := range rep.Result.Tools {
		if tool.Nature != model.Additive {
			t.Errorf("%s: %s, want additive", tool.Name, tool.Nature)
		}
	}
}

// TestSharedParts looks for the origins of a key of which each part is used three times in the next: a search that enters every use does not end.
func TestSharedParts(t *testing.T) {
	rep := scanText(t, "import { McpServer } from \"@modelcontextprotocol/sdk/server/mcp.js\";\nimport Stripe from \"stripe\";\n"+
		"const server = new McpServer({ name: \"a\", version: \"1\" });\nconst stripe = new Stripe(process.env.KEY!);\n"+
		"server.registerTool(\"t\", {}, async ({ id }) => {\n  const a0 = id;\n"+func() string {
		var b strings.Builder
		for i := range 22 {
			fmt.Fprintf(&b, "  const a%d = other(a%d, a%d, a%d);\n", i+1, i, i, i)
		}
		return b.String()
	}()+"  await stripe.refunds.create({ charge: id }, { idempotencyKey: String(a22) });\n});\n")
	if len(rep.Result.Tools) != 1 || len(rep.Result.Tools[0].Effects) != 1 {
		t.Fatalf("tools: %v", rep.Result.Tools)
	}
	if n := len(rep.Result.Origins(rep.Result.Tools[0].Effects[0].Key)); n == 0 || n > 60 {
		t.Errorf("%d origins, want those of each part", n)
	}
}
