package catalog

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

var loadOnce = sync.OnceValues(func() (*Catalog, error) { return Load() })

// builtinCatalog loads what comes with the program.
func builtinCatalog(t testing.TB) *Catalog {
	t.Helper()
	c, err := loadOnce()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func fileOf(row *model.Row) string {
	file, _, _ := strings.Cut(row.Place, ":")
	return file
}

// TestFiles lists the rows of each file (with -v) and looks for files without any.
func TestFiles(t *testing.T) {
	c := builtinCatalog(t)
	rows := map[string][]string{}
	for _, row := range c.All() {
		rows[fileOf(row)] = append(rows[fileOf(row)], row.ID)
	}
	sources, err := files()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sources {
		if len(rows[s.Name]) == 0 {
			t.Errorf("%s has no rows", s.Name)
		}
		t.Logf("%s: %d rows: %s", s.Name, len(rows[s.Name]), strings.Join(rows[s.Name], " "))
	}
	all := ids(c.All())
	slices.Sort(all)
	if len(slices.Compact(all)) != len(c.All()) {
		t.Error("ids are not unique")
	}
}

// exclusive groups sections of which only the first row counts.
func exclusive(section string) string {
	switch section {
	case "query", "safe":
		return "effect"
	}
	return section
}

// TestReachable looks for rows that can never be the first to hold: a row before them, found wherever they are and
// without conditions, says the same kind of thing.
func TestReachable(t *testing.T) {
	c := builtinCatalog(t)
	type alternative struct {
		pattern model.SimplePattern
		row     *model.Row
		order   int
	}
	bySection := map[string][]alternative{} // of rows without conditions
	var all []alternative
	for order, row := range c.All() {
		for _, text := range row.Symbols {
			p, err := model.ParsePattern(text)
			if err != nil {
				t.Fatal(err)
			}
			for _, simple := range p.Alternatives {
				a := alternative{simple, row, order}
				all = append(all, a)
				if len(row.When) > 0 || row.Versions != "" || len(row.Files) > 0 || row.Refines {
					continue
				}
				for _, s := range sections(row) {
					key := exclusive(s) + " " + simple.LiteralLast()
					bySection[key] = append(bySection[key], a)
				}
			}
		}
	}
	for _, b := range all {
		if b.row.Refines {
			continue
		}
		for _, s := range sections(b.row) {
			for _, a := range bySection[exclusive(s)+" "+b.pattern.LiteralLast()] {
				if s == "safe" && a.row.Safe {
					continue // both say the same
				}
				if a.row != b.row && a.order < b.order && a.pattern.Literals() >= b.pattern.Literals() && a.pattern.String() == b.pattern.String() {
					t.Errorf("%s: %s of %s is never reached: row %q (%s) holds before", b.row.Place, s, b.pattern, a.row.ID, a.row.Place)
				}
			}
		}
	}
}

// TestKnown asks what is known about symbols as programs give them: the id of the first row with that section.
func TestKnown(t *testing.T) {
	c := builtinCatalog(t)
	for _, test := range []struct{ symbol, section, id string }{
		{"@modelcontextprotocol/sdk/server/mcp.js#McpServer.tool", "tool", "mcp.sdk.tool.description.shape.annotations"},
		{"@modelcontextprotocol/sdk/server/mcp#McpServer.registerTool", "tool", "mcp.sdk.registerTool.bare"},
		{"@modelcontextprotocol/sdk/server/index.js#Server.setRequestHandler", "tool", "mcp.sdk.callTool"},
		{"@modelcontextprotocol/sdk/server/mcp.js#McpServer.server.setRequestHandler", "tool", "mcp.sdk.callTool"},
		{"@modelcontextprotocol/sdk/dist/esm/server/mcp.js#McpServer.experimental.tasks.registerToolTask", "tool", "mcp.sdk.registerToolTask"},
		{"@modelcontextprotocol/server#McpServer.registerTool", "tool", "mcp.v2.registerTool.bare"},
		{"@modelcontextprotocol/server#inputRequired", "restarts", "mcp.v2.inputRequired"},
		{"fastmcp#FastMCP.addTool", "tool", "fastmcp.addTool"},
		{"ai#tool", "tool", "ai.tool"},
		{"@openai/agents#tool", "tool", "openai.agents.tool"},
		{"openai#default.chat.completions.runTools", "tool", "openai.runTools"},
		{"openai#default.beta.chat.completions.runTools", "tool", "openai.runTools"},
		{"@anthropic-ai/claude-agent-sdk#tool", "tool", "claudeAgent.tool"},
		{"@langchain/core/tools#tool", "tool", "langchain.tool"},
		{"@langchain/core/tools#DynamicStructuredTool", "tool", "langchain.dynamicTool"},
		{"@mastra/core/tools#createTool", "tool", "mastra.createTool.v1"},
		{"genkit/beta#genkit", "returns", "genkit.create"},
		{"genkit#Genkit.defineTool", "tool", "genkit.defineTool"},
		{"mcp-use/server#MCPServer.tool", "tool", "mcpUse.tool"},
		{"tmcp#McpServer.tool", "tool", "tmcp.tool"},
		{"@rekog/mcp-nest#Tool", "tool", "mcpNest.tool.v1"},
		{"@stripe/agent-toolkit/modelcontextprotocol#registerPaidTool", "tool", "stripe.registerPaidTool"},
		{"?#server.registerTool", "tool", "convention.registerTool.bare"},
		{"?#ctx.server.tool", "tool", "convention.tool.description.shape.annotations"},
		{"?#server.tool", "tool", "convention.tool.description.shape.annotations"},
		{"@modelcontextprotocol/sdk/server/stdio.js#StdioServerTransport", "transport", "transport.mcp.stdio"},

		{"express#default", "returns", "express.create"},
		{"express#", "returns", "express.create"},
		{"express#default.Router", "returns", "express.router"},
		{"express#Router", "returns", "express.router"},
		{"express#Application.post", "route", "express.verb"},
		{"express#Router.use", "route", "express.use.path"},
		{"express#IRoute.post", "route", "express.route.verb"},
		{"express#Response.json", "effect", "express.reply"},
		{"express#Response.status", "returns", "express.reply.chain"},
		{"express#Request.body", "input", "express.request.arguments"},
		{"express#Request.get", "input", "express.request.header"},
		{"hono#Hono.post", "route", "hono.verb"},
		{"hono/tiny#Hono.use", "route", "hono.use.path"},
		{"hono#Context.req.header", "input", "hono.request.header"},
		{"fastify#default", "returns", "fastify.create"},
		{"fastify#FastifyInstance.post", "route", "fastify.verb.options"},
		{"export#POST", "route", "next.route"},
		{"export#default.fetch", "route", "workers.fetch"},
		{"@nestjs/common#Post", "route", "nest.verb"},
		{"@trpc/server#initTRPC.context().create().procedure.input().mutation", "route", "trpc.mutation"},
		{"?#router.post", "route", "express.convention"},

		{"stripe#default.webhooks.constructEvent", "check", "webhook.stripe"},
		{"jsonwebtoken#default.verify", "input", "jwt.verify"},
		{"@modelcontextprotocol/sdk/server/auth/types.js#AuthInfo.clientId", "input", "mcp.authInfo.client"},
		{"@modelcontextprotocol/sdk/server/auth/types.js#AuthInfo.extra.userId", "input", "mcp.authInfo.caller"},

		{"js#Array.map", "primitive", "js.array.map"},
		{"js#?.map", "primitive", "js.any.map"},
		{"js#Map.get", "primitive", "js.map.get"},
		{"js#Map.get", "record", "memory.map.get"},
		{"js#JSON.stringify", "primitive", "js.json.stringify.names"},
		{"js#Promise.all", "primitive", "js.promise.all"},
		{"js#Date.now", "origin", "clock.now"},
		{"js#Date", "origin", "clock.date"},
		{"js#Math.random", "origin", "random.weak"},
		{"js#crypto.randomUUID", "origin", "uuid.random"},
		{"crypto#randomUUID", "origin", "uuid.random"},
		{"crypto#default.randomUUID", "origin", "uuid.random"},
		{"uuid#v4", "origin", "uuid.random"},
		{"uuid/v4#default", "origin", "uuid.random"},
		{"uuid#v7", "origin", "uuid.time.v7"},
		{"uuid#v5", "origin", "uuid.name"},
		{"nanoid#nanoid", "origin", "nanoid.strong"},
		{"node:crypto#createHash", "origin", "hash.node.create"},
		{"node:crypto#Hash.digest", "origin", "hash.node.digest"},
		{"js#crypto.subtle.digest", "origin", "hash.web"},
		{"object-hash#default", "origin", "hash.object"},
		{"fast-json-stable-stringify#default", "origin", "canonical.stringify"},
		{"fast-json-stable-stringify#", "origin", "canonical.stringify"},
		{"crypto#timingSafeEqual", "check", "compare.constant"},
		{"js#process.env.STRIPE_KEY", "origin", "environment"},
		{"js#console.error", "safe", "log.console"},
		{"pino#default().child().info", "safe", "log.packages"},
		{"?#this.logger.info", "safe", "log.convention"},
		{"?#logger.info", "safe", "log.convention"},
		{"zod#z.string().uuid", "check", "zod.uuid"},
		{"zod#z.object().parse", "check", "zod.parse"},
		{"zod/v4#z.object", "safe", "zod.builders"},
		{"validator#default.isUUID", "check", "validator.uuid"},
		{"js#RegExp.test", "check", "js.regexp.test"},
	} {
		rows := c.Rows(test.symbol)
		i := slices.IndexFunc(rows, func(r *model.Row) bool { return slices.Contains(sections(r), test.section) })
		if i < 0 {
			t.Errorf("%s: no %s among %v", test.symbol, test.section, ids(rows))
		} else if rows[i].ID != test.id {
			t.Errorf("%s: the %s is of row %q, want %q (all: %v)", test.symbol, test.section, rows[i].ID, test.id, ids(rows))
		}
	}
}

// TestUnknown asks for what must not be known.
func TestUnknown(t *testing.T) {
	c := builtinCatalog(t)
	for _, symbol := range []string{
		"left-pad#default", "@acme/payments#charge", "js#?.send", "js#?.delete", "?#orders.place", "express#Application.locals.x", "?#server.close",
		"@modelcontextprotocol/sdkx/server/mcp#McpServer.tool",
	} {
		if rows := c.Rows(symbol); len(rows) > 0 {
			t.Errorf("%s is known by %v", symbol, ids(rows))
		}
	}
}

// TestConventions checks that whatever rests on names alone says so.
func TestConventions(t *testing.T) {
	for _, row := range builtinCatalog(t).All() {
		for _, text := range row.Symbols {
			if within(text, "?") && row.Confidence == model.Certain {
				t.Errorf("%s: %s is a convention and cannot be certain", row.Place, row.ID)
			}
		}
	}
}

func ExampleCatalog_Rows() {
	c, err := Load()
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, row := range c.Rows("node:crypto#randomUUID") {
		fmt.Println(row.ID, row.Origin.Kind, row.Origin.Bits)
	}
	// Output: uuid.random uuid-random 122
}
