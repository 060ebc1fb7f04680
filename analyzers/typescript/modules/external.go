package modules

import (
	"net/url"
	"strings"
)

// builtin returns the canonical name of a Node module: "fs" and "node:fs" are
// both "node:fs". Modules that exist under the prefix only are left to the
// caller when written without it, since npm carries packages of these names.
func builtin(spec string) (string, bool) {
	if strings.HasPrefix(spec, "node:") && len(spec) > len("node:") {
		return strings.TrimSuffix(spec, "/"), true
	}
	switch spec {
	case "assert", "assert/strict", "async_hooks", "buffer", "child_process", "cluster", "console", "constants", "crypto",
		"dgram", "diagnostics_channel", "dns", "dns/promises", "domain", "events", "fs", "fs/promises", "http", "http2", "https",
		"inspector", "inspector/promises", "module", "net", "os", "path", "path/posix", "path/win32", "perf_hooks", "process",
		"punycode", "querystring", "readline", "readline/promises", "repl", "stream", "stream/consumers", "stream/promises",
		"stream/web", "string_decoder", "sys", "timers", "timers/promises", "tls", "trace_events", "tty", "url", "util",
		"util/types", "v8", "vm", "wasi", "worker_threads", "zlib":
		return "node:" + spec, true
	}
	return "", false
}

// schemed reads specifiers with a scheme.
func schemed(spec string) (Resolution, bool) {
	scheme, rest, ok := strings.Cut(spec, ":")
	if !ok || scheme == "" || strings.ContainsAny(scheme, "/.@#") {
		return Resolution{}, false
	}
	switch scheme {
	case "node":
		name, ok := builtin(spec)
		return Resolution{Kind: External, Package: name}, ok
	case "npm", "jsr":
		name, version, sub := splitVersion(strings.TrimPrefix(rest, "/"))
		if !isPackageName(name) {
			return Resolution{Kind: Unresolved, Reason: "not a package name: " + quote(spec)}, true
		}
		out := Resolution{Kind: External, Package: name, Subpath: sub, Version: version}
		if scheme == "jsr" {
			out.Registry = "jsr"
		}
		return out, true
	case "http", "https":
		return address(spec), true
	case "data", "file", "blob":
		return Resolution{Kind: Unresolved, Reason: "an import by " + scheme + ": address"}, true
	case "virtual":
		return Resolution{Kind: Unresolved, Reason: "a module that a bundler makes up"}, true
	}
	// bun:sqlite, cloudflare:workers, astro:content, …: modules of a runtime.
	if strings.Trim(scheme, "abcdefghijklmnopqrstuvwxyz0123456789-") == "" {
		return Resolution{Kind: External, Package: spec}, true
	}
	return Resolution{}, false
}

// address reads an import by URL. The servers that hand out npm and JSR
// packages are seen through; for others the address without its version is the
// package.
func address(spec string) Resolution {
	u, err := url.Parse(spec)
	if err != nil || u.Host == "" {
		return Resolution{Kind: Unresolved, Reason: "not an address: " + quote(spec)}
	}
	rest := strings.Trim(u.Path, "/")
	npm := func(spec string) Resolution {
		name, version, sub := splitVersion(strings.TrimPrefix(spec, "*"))
		if !isPackageName(name) {
			return byURL(u)
		}
		return Resolution{Kind: External, Package: name, Subpath: sub, Version: version}
	}
	switch u.Hostname() {
	case "esm.sh", "cdn.esm.sh":
		first, more, ok := strings.Cut(rest, "/")
		if ok && (first == "stable" || isBuildNumber(first)) {
			rest, first = more, strings.SplitN(more, "/", 2)[0]
		}
		switch first {
		case "gh", "pr":
			return byURL(u)
		case "jsr":
			out := npm(strings.TrimPrefix(rest, "jsr/"))
			out.Registry = "jsr"
			return out
		}
		return npm(rest)
	case "unpkg.com", "cdn.skypack.dev", "esm.run", "esm.unpkg.com":
		return npm(rest)
	case "cdn.jsdelivr.net":
		if rest, ok := strings.CutPrefix(rest, "npm/"); ok {
			return npm(strings.TrimSuffix(rest, "/+esm"))
		}
	case "ga.jspm.io", "jspm.dev":
		if rest, ok := strings.CutPrefix(rest, "npm:"); ok || u.Hostname() == "jspm.dev" {
			return npm(rest)
		}
	case "jsr.io":
		out := npm(rest)
		out.Registry = "jsr"
		return out
	case "deno.land":
		parts := strings.SplitN(rest, "/", 3)
		if parts[0] == "x" && len(parts) > 1 {
			name, version, _ := strings.Cut(parts[1], "@")
			out := Resolution{Kind: External, Package: "https://deno.land/x/" + name, Version: version, Registry: "url"}
			if len(parts) > 2 {
				out.Subpath = parts[2]
			}
			return out
		}
		name, version, _ := strings.Cut(parts[0], "@")
		_, sub, _ := strings.Cut(rest, "/")
		return Resolution{Kind: External, Package: "https://deno.land/" + name, Version: version, Subpath: sub, Registry: "url"}
	}
	return byURL(u)
}

func byURL(u *url.URL) Resolution {
	return Resolution{Kind: External, Package: u.Scheme + "://" + u.Host + strings.TrimSuffix(u.EscapedPath(), "/"), Registry: "url"}
}

// isBuildNumber recognises the "v135" that esm.sh puts before a package.
func isBuildNumber(part string) bool {
	digits, ok := strings.CutPrefix(part, "v")
	return ok && digits != "" && strings.Trim(digits, "0123456789") == ""
}
