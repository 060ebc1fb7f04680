package rules_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/retrysafe/retrysafe/analyzers/audit"
	"github.com/retrysafe/retrysafe/rules"
)

// TestWrittenElsewhere checks that a finding shows the text of a statement where it is written, not only the call that runs it.
func TestWrittenElsewhere(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
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
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	report, err := audit.Scan(context.Background(), audit.Options{Path: dir, Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer report.Close()
	for _, f := range rules.Run(report.Result, report.Source, rules.Options{Units: report.Units}) {
		if f.Rule.Name != "readonly-lie" {
			continue
		}
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
