package rules_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/retrysafe/retrysafe/analyzers/audit"
	"github.com/retrysafe/retrysafe/rules"
)

// findings scans a program and gives what one rule finds in it.
func findings(t *testing.T, rule string, files map[string]string) []*rules.Finding {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	report, err := audit.Scan(context.Background(), audit.Options{Path: dir, Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { report.Close() })
	return slices.DeleteFunc(rules.Run(report.Result, report.Source, rules.Options{Units: report.Units}), func(f *rules.Finding) bool { return f.Rule.Name != rule })
}

// TestWrittenElsewhere checks that a finding shows the text of a statement where it is written, not only the call that runs it.
func TestWrittenElsewhere(t *testing.T) {
	for _, f := range findings(t, "readonly-lie", map[string]string{
		"package.json": `{"name": "reports", "type": "module", "dependencies": {"@modelcontextprotocol/sdk": "^1.20.0", "pg": "^8.11.0"}}`,
		"setup.ts": `export const setup = ` + "`" + `
  CREATE OR REPLACE FUNCTION month_report() RETURNS int AS $$ SELECT 1 $$ LANGUAGE sql
` + "`" + `;
`,
		"server.ts": `import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { Pool } from "pg";
import { setup } from "./setup.js";
const db = new Pool();
const run = (text: string) => db.query(text);
const server = new McpServer({ name: "reports", version: "1.0.0" });
server.registerTool("report", { inputSchema: {}, annotations: { readOnlyHint: true } }, async () => {
  await run(setup);
  return { content: [] };
});
`,
	}) {
		if !strings.Contains(f.Message, "runs `CREATE FUNCTION month_report`") {
			t.Errorf("the message does not name the statement: %s", f.Message)
		}
		for _, r := range f.Related {
			if r.Span.File == "setup.ts" && r.Span.Line == 1 {
				return
			}
		}
		t.Fatalf("no related place in setup.ts: %v", f.Related)
	}
	t.Fatal("no readonly-lie")
}

// TestWayOfOneServer checks that the way to an effect of a tool that two servers register leads through one of them, from the registration that is shown.
func TestWayOfOneServer(t *testing.T) {
	server := func(name, key string) string {
		return `import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { shelves } from "./client.js";
import { definitions, handlers } from "./tools.js";
export function ` + name + `(key: string) {
  const client = shelves(key, "` + key + `");
  const server = new McpServer({ name: "shelves", version: "1.0.0" });
  for (const tool of definitions) {
    const handler = handlers[tool.name];
    server.registerTool(tool.name, { inputSchema: {} }, async (args) => {
      return await handler(args, client);
    });
  }
  return server;
}
` + name + `(process.env.KEY!);
`
	}
	found := findings(t, "missing-key", map[string]string{
		"package.json": `{"name": "shelves", "type": "module", "dependencies": {"@modelcontextprotocol/sdk": "^1.20.0"}}`,
		"client.ts": `export function shelves(key: string, from: string) {
  return {
    async add(book: string) {
      return await fetch("https://shelves.example.com/books", { method: "POST", headers: { key, from }, body: JSON.stringify({ book }) });
    },
  };
}
`,
		"tools.ts": `export const definitions = [{ name: "add_book" as const }];
export const handlers = {
  add_book: async ({ book }: { book: string }, client: any) => ({ content: [{ type: "text", text: String((await client.add(book)).status) }] }),
};
`,
		"remote.ts": server("remote", "remote"),
		"stdio.ts":  server("local", "local"),
	})
	for _, f := range found {
		files := map[string]bool{}
		for _, r := range f.Related {
			files[r.Span.File] = true
		}
		if files["remote.ts"] && files["stdio.ts"] || !files["client.ts"] {
			t.Errorf("the way mixes two servers or does not lead to the call: %v", f.Related)
		}
	}
	if len(found) == 0 {
		t.Fatal("no missing-key")
	}
}
