package discover

import (
	"path"
	"strings"
)

// Language of a source file, by its extension.
type Language string

const (
	TypeScript Language = "typescript" // .ts .tsx .mts .cts
	JavaScript Language = "javascript" // .js .jsx .mjs .cjs
	Go         Language = "go"         // .go
)

// LanguageOf returns the language of a file name, "" when it is none that is analysed.
func LanguageOf(name string) Language {
	switch path.Ext(name) {
	case ".ts", ".tsx", ".mts", ".cts":
		return TypeScript
	case ".js", ".jsx", ".mjs", ".cjs":
		return JavaScript
	case ".go":
		return Go
	}
	return ""
}

// Reason says why a file or directory is not among the files.
type Reason string

const (
	Ignored     Reason = "ignored by git"
	Dependency  Reason = "installed dependency"
	Vendored    Reason = "vendored dependency"
	BuildOutput Reason = "build output"
	Minified    Reason = "minified"
	Bundle      Reason = "generated bundle"
	Declaration Reason = "declaration file"
	Test        Reason = "test; --include-tests reads it"
	Example     Reason = "example; --include-tests reads it"
	TooLarge    Reason = "larger than the size limit"
	TooDeep     Reason = "deeper than the depth limit"
	Link        Reason = "symbolic link"
	NestedRepo  Reason = "another git repository"
	Unreadable  Reason = "cannot be read"
	NotSource   Reason = "not a source file"
)

// folder is what the name of a directory says about its content.
type folder int

const (
	plain folder = iota
	metadata
	dependency
	vendored
	tooling // written by a tool that nobody names a source folder after
	output
	outputAtRoot // output beside a manifest, a plain word elsewhere
	vendorWord
	test
	example
)

func folderOf(name string) folder {
	switch name {
	case ".git", ".hg", ".svn", ".jj", ".bzr":
		return metadata
	case "node_modules", "bower_components", "jspm_packages", ".yarn", ".pnpm-store", ".pnp", "site-packages", ".venv", "__pycache__":
		return dependency
	case ".next", ".nuxt", ".output", ".svelte-kit", ".turbo", ".vercel", ".netlify", ".wrangler", ".serverless", ".cache",
		".parcel-cache", ".angular", ".astro", ".docusaurus", ".vinxi", ".nitro", ".expo", ".nx", ".sst", ".nyc_output", ".vite",
		".aws-sam", ".react-router", ".open-next", ".mastra", "cdk.out", "storybook-static":
		return tooling
	case "dist":
		return output
	case "build", "out", "coverage", "target":
		return outputAtRoot
	case "vendor":
		return vendorWord
	case "test", "tests", "__tests__", "__test__", "__mocks__", "__fixtures__", "__snapshots__", "e2e", "fixtures", "testdata", "cypress":
		return test
	case "example", "examples":
		return example
	}
	return plain
}

// manifests mark the root of a package.
func isManifest(name string) bool {
	switch name {
	case "package.json", "go.mod", "deno.json", "deno.jsonc", "tsconfig.json", "Cargo.toml":
		return true
	}
	return false
}

func isDeclaration(name string) bool {
	if !strings.HasSuffix(name, ".ts") && !strings.HasSuffix(name, ".mts") && !strings.HasSuffix(name, ".cts") {
		return false
	}
	stem := strings.TrimSuffix(name, path.Ext(name))
	// x.d.ts, and x.d.json.ts of --allowArbitraryExtensions.
	return strings.HasSuffix(stem, ".d") || strings.Contains(stem, ".d.")
}

func isTestFile(name string, lang Language) bool {
	stem := strings.TrimSuffix(name, path.Ext(name))
	if lang == Go {
		return strings.HasSuffix(stem, "_test")
	}
	switch path.Ext(stem) {
	case ".test", ".spec", ".test-d", ".spec-d", ".e2e", ".e2e-spec", ".e2e-test", ".bench", ".cy":
		return true
	}
	return false
}

// isSetting is true of the sources that configure tools: a package that has
// only these has no source of its own.
func isSetting(name string) bool {
	stem := strings.TrimSuffix(name, path.Ext(name))
	return strings.HasPrefix(name, ".") || strings.HasSuffix(stem, ".config") || strings.HasSuffix(stem, ".setup") ||
		stem == "gulpfile" || stem == "Gruntfile"
}
