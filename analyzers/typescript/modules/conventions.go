package modules

import (
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// convention is a path pattern, relative to a package, of files that a host or
// framework starts by itself.
type convention struct {
	when []string // packages, or files beside the manifest, one of which must be there; none: always
	glob string
	// private says that names with a leading underscore are not served.
	private bool
}

var nextApp = []string{"next", "next.config.js", "next.config.mjs", "next.config.ts"}

var conventions = []convention{
	{glob: "{src/,}app/**/route.{ts,tsx,js,mjs}", when: nextApp, private: true},
	{glob: "{src/,}pages/api/**/*.{ts,tsx,js,mjs}", when: nextApp},
	{glob: "{src/,}{middleware,proxy,instrumentation}.{ts,js,mjs}", when: nextApp},
	{glob: "api/**/*.{ts,js,mjs}", when: []string{"vercel.json", "vercel.ts", "@vercel/node", "mcp-handler", "@vercel/mcp-adapter", "vercel"}, private: true},
	{glob: "netlify/{functions,edge-functions}/**/*.{ts,mts,js,mjs}", when: []string{"netlify.toml", "@netlify/functions"}},
	{glob: "supabase/functions/*/index.{ts,js}"},
	{glob: "src/routes/**/+{server,page.server,layout.server}.{ts,js}", when: []string{"@sveltejs/kit"}},
	{glob: "src/hooks.server.{ts,js}", when: []string{"@sveltejs/kit"}},
	{glob: "app/routes/**/*.{ts,tsx,js,jsx}", when: []string{"@remix-run/node", "@remix-run/cloudflare", "@react-router/node", "@react-router/dev", "@remix-run/react"}},
	{glob: "{server,src/server}/{api,routes,middleware,plugins}/**/*.{ts,js,mjs}", when: []string{"nuxt", "nitropack", "nitro", "h3"}},
	{glob: "src/pages/**/*.{ts,js}", when: []string{"astro"}},
	{glob: "src/main.{ts,js}", when: []string{"@nestjs/core"}},
	{glob: "src/mastra/index.{ts,js}", when: []string{"mastra", "@mastra/core"}},
	{glob: "functions/**/*.{ts,js}", when: []string{"@cloudflare/workers-types", "wrangler"}},
	{glob: "{src/,}index.{ts,js}", when: []string{"firebase-functions", "@google-cloud/functions-framework"}},
	{glob: "src/tools/**/*.{ts,tsx,js}", when: []string{"xmcp"}},
	{glob: "src/index.{ts,js}", when: []string{"smithery.yaml", "@smithery/cli", "@smithery/sdk"}},
}

// conventions adds the listed files that stand where a framework looks. It asks
// for each file in the package it belongs to.
func (e *entryFinder) conventions() {
	for _, name := range e.files {
		if !isSource(name) {
			continue
		}
		m := e.manifestOf(name)
		dir := "."
		if m != nil {
			dir = m.dir
		}
		rel, ok := under(name, dir)
		if !ok {
			continue
		}
		for _, c := range conventions {
			if ok, err := doublestar.Match(c.glob, rel); !ok || err != nil || c.private && hasPrivatePart(rel) || !e.holds(c, m, dir) {
				continue
			}
			at := EntryPoint{Function, c.glob, name, dir, name, 1}
			e.out = append(e.out, at)
			break
		}
	}
}

func hasPrivatePart(rel string) bool {
	return strings.HasPrefix(rel, "_") || strings.Contains(rel, "/_")
}

func (e *entryFinder) holds(c convention, m *manifest, dir string) bool {
	if len(c.when) == 0 {
		return true
	}
	for _, w := range c.when {
		if e.tree.list(dir)[w] == file {
			return true
		}
		if m != nil {
			if _, ok := m.depends(w); ok {
				return true
			}
		}
	}
	return false
}
