package modules

import (
	"path"
	"slices"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/lazyregexp"
)

const (
	maxCommandLength = 8 << 10 // bytes of one script that are read
	maxWords         = 500
)

// scripts is what the commands and bundler settings of a package tell: the
// programs that are run, and which source a bundle is made from.
type scripts struct {
	dir     string
	runs    []run
	bundles map[string]string // output path -> source
	inputs  []string          // sources that bundlers start from, sorted
}

// run is a program that a script starts.
type run struct {
	script string
	line   int
	target string // as written
	unit   string // "" when its source was not found
	worker bool
}

// made returns the source of an output that a command names.
func (s *scripts) made(output string) (string, bool) {
	if stem, ok := emittedStem(output); ok {
		output = stem
	}
	source, ok := s.bundles[output]
	return source, ok
}

// bundled guesses the source of a file in an output folder from the inputs of
// the bundlers: the one of the same name, or the only one.
func (s *scripts) bundled(output string) (string, bool) {
	rel, ok := under(output, s.dir)
	if first, _, deep := strings.Cut(rel, "/"); !ok || !deep || !outputFolder(first) {
		return "", false
	}
	stem, _ := emittedStem(path.Base(output))
	for _, in := range s.inputs {
		if strings.TrimSuffix(path.Base(in), path.Ext(in)) == stem {
			return in, true
		}
	}
	if len(s.inputs) == 1 {
		return s.inputs[0], true
	}
	return "", false
}

func (r *Resolver) scriptsOf(m *manifest) *scripts {
	return r.scripts.get(m.file, func() *scripts {
		s := &scripts{dir: m.dir, bundles: map[string]string{}}
		type owned struct {
			script string
			line   int
			words  []string
		}
		var all []owned
		for _, e := range m.scripts.members {
			text := e.value.text
			if !e.value.isString() {
				text = e.value.get("command").text // the long form of a Deno task
			}
			for _, words := range splitCommands(text) {
				all = append(all, owned{e.key, e.line, words})
			}
		}
		for _, c := range all {
			r.readBundle(m, c.words, s)
		}
		r.readBundlerSettings(m, s)
		slices.Sort(s.inputs)
		s.inputs = slices.Compact(s.inputs)
		for _, c := range all {
			if target, worker, ok := started(c.words); ok {
				s.runs = append(s.runs, r.newRun(m, s, c.script, c.line, target, worker))
			}
		}
		return s
	})
}

func (r *Resolver) newRun(m *manifest, s *scripts, script string, line int, target string, worker bool) run {
	out := run{script: script, line: line, target: target, worker: worker}
	p, ok := join(m.dir, target)
	if !ok {
		return out
	}
	if made, ok := s.made(p); ok {
		out.unit = made
	} else if res, ok := r.plainTarget(p); ok {
		out.unit = res
	} else if found, ok := s.bundled(p); ok {
		out.unit = found
	}
	return out
}

// splitCommands parts a script into its commands and each into words. It knows
// quotes and the operators of a shell and expands nothing.
func splitCommands(text string) [][]string {
	if len(text) > maxCommandLength {
		text = text[:maxCommandLength]
	}
	var commands [][]string
	var words []string
	var word strings.Builder
	has := false
	endWord := func() {
		if has {
			words = append(words, word.String())
			word.Reset()
			has = false
		}
	}
	endCommand := func() {
		endWord()
		if len(words) > 0 && len(words) < maxWords {
			commands = append(commands, words)
		}
		words = nil
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case ' ', '\t', '\n':
			endWord()
		case '&', '|', ';', '(', ')':
			endCommand()
		case '"', '\'':
			end := strings.IndexByte(text[i+1:], c)
			if end < 0 {
				end = len(text) - i - 1
			}
			inner := text[i+1 : i+1+end]
			if !has && strings.ContainsAny(inner, " ") {
				// A command handed to another, as concurrently takes them.
				commands = append(commands, splitCommands(inner)...)
			}
			word.WriteString(inner)
			has = true
			i += end + 1
		case '\\':
			// "\"" inside a JSON string has become \" only when it was escaped twice.
			if i++; i < len(text) {
				word.WriteByte(text[i])
				has = true
			}
		default:
			word.WriteByte(c)
			has = true
		}
	}
	endCommand()
	return commands
}

// runner says whether a program runs the source or output file that follows it.
func runner(word string) (ok, worker bool) {
	switch strings.TrimSuffix(path.Base(word), ".cmd") {
	case "node", "nodejs", "tsx", "ts-node", "ts-node-esm", "ts-node-dev", "tsnd", "bun", "deno", "nodemon", "pm2", "pm2-runtime",
		"vite-node", "babel-node", "esno", "esmo", "jiti", "swc-node", "electron", "fastmcp", "mcp-inspector", "inspector",
		"esbuild-register", "dotenvx", "bunx", "@dotenvx/dotenvx", "tsimp", "nodemon-ts", "sucrase-node":
		return true, false
	case "wrangler":
		return true, true
	}
	return false, false
}

// flagsWithValue take the next word.
var flagsWithValue = map[string]bool{
	"-r": true, "--require": true, "--import": true, "--loader": true, "--experimental-loader": true, "-e": true, "--exec": true,
	"--ext": true, "-w": true, "--watch-path": true, "--project": true, "-P": true, "--tsconfig": true, "-c": true, "--config": true,
	"--env": true, "-f": true, "--name": true, "-n": true, "-i": true, "--port": true, "--cwd": true, "--conditions": true, "-C": true,
}

// started returns the file that a command runs.
func started(words []string) (target string, worker, ok bool) {
	at := -1
	for i, w := range words {
		if is, work := runner(w); is {
			at, worker = i, work
			break
		}
		if i > 8 || strings.HasSuffix(w, ".ts") || strings.HasSuffix(w, ".js") {
			return "", false, false // another program with files
		}
	}
	if at < 0 {
		return "", false, false
	}
	for i := at + 1; i < len(words); i++ {
		w := words[i]
		switch {
		case w == "--test", w == "test", w == "build", w == "-p", w == "--print", w == "--eval", w == "install", w == "x":
			return "", false, false
		case strings.HasPrefix(w, "-"):
			if flagsWithValue[w] {
				i++
			}
		default:
			if is, _ := runner(w); is { // nodemon … tsx src/a.ts
				continue
			}
			if looksLikeFile(w) {
				return w, worker, true
			}
		}
	}
	return "", false, false
}

func looksLikeFile(word string) bool {
	if strings.ContainsAny(word, "*$<>{}=:`") {
		return false
	}
	if isSource(word) {
		return true
	}
	// "node ." and "node dist/server"
	return word == "." || path.Ext(word) == "" && strings.Contains(strings.TrimPrefix(word, "./"), "/")
}

// readBundle learns from a bundler's command which source an output is made from.
func (r *Resolver) readBundle(m *manifest, words []string, s *scripts) {
	start := slices.IndexFunc(words, func(w string) bool {
		switch path.Base(w) {
		case "esbuild", "tsup", "tsdown", "ncc", "rollup", "microbundle", "bunchee", "pkgroll", "parcel", "rolldown":
			return true
		}
		return false
	})
	if start < 0 {
		start = slices.Index(words, "bun")
		if start < 0 || start+1 >= len(words) || words[start+1] != "build" {
			return
		}
	}
	out, dir := "", "dist"
	var inputs []string
	for i := start + 1; i < len(words); i++ {
		flag, text, hasValue := strings.Cut(words[i], "=")
		value := func() string {
			if !hasValue && i+1 < len(words) {
				i++
				return words[i]
			}
			return text
		}
		switch flag {
		case "--outfile", "--file":
			out = value()
		case "-o":
			if text := value(); isSource(text) {
				out = text
			} else {
				dir = text
			}
		case "--outdir", "-d", "--out-dir", "--dir", "--out", "--dist-dir":
			dir = value()
		default:
			if !strings.HasPrefix(flag, "-") && isSource(flag) {
				if p, ok := join(m.dir, flag); ok {
					if found, ok := r.plain(p); ok {
						inputs = append(inputs, found)
					}
				}
			}
		}
	}
	s.inputs = append(s.inputs, inputs...)
	if out != "" && len(inputs) == 1 {
		if p, ok := join(m.dir, out); ok {
			stem, _ := emittedStem(p)
			s.bundles[stem] = inputs[0]
		}
		return
	}
	for _, in := range inputs {
		base := strings.TrimSuffix(path.Base(in), path.Ext(in))
		if p, ok := join(m.dir, dir, base); ok {
			s.bundles[p] = in
		}
	}
}

var quotedSource = lazyregexp.New("[\"'`](?:\\./)?([\\w@./-]{1,200}\\.(?:ts|mts|cts|tsx|js|mjs))[\"'`]")

// readBundlerSettings takes the sources that the configuration of a bundler
// names as its inputs. The configuration is a program; only its literals are read.
func (r *Resolver) readBundlerSettings(m *manifest, s *scripts) {
	for _, name := range sortedKeys(r.tree.list(m.dir)) {
		stem := strings.TrimSuffix(name, path.Ext(name))
		switch stem {
		case "tsup.config", "tsdown.config", "rollup.config", "rolldown.config", "esbuild.config", "esbuild", "build.config", "vite.config", "webpack.config", "build":
		default:
			continue
		}
		if !isSource(name) || r.tree.list(m.dir)[name] != file {
			continue
		}
		text, err := r.tree.read(path.Join(m.dir, name))
		if err != nil {
			continue // listed by discovery where it is source
		}
		for _, found := range quotedSource.FindAllSubmatch(text, maxWords) {
			if p, ok := join(m.dir, string(found[1])); ok {
				if unit, ok := r.plain(p); ok && path.Base(unit) != name {
					s.inputs = append(s.inputs, unit)
				}
			}
		}
	}
}

// plain finds a source by its path, without leading output back to it.
func (r *Resolver) plain(name string) (string, bool) {
	if found, ok := r.probe(name, true); ok {
		return found, true
	}
	return r.probe(name, false)
}

// plainTarget is target without the bundles of the package, which are still
// being read.
func (r *Resolver) plainTarget(name string) (string, bool) {
	if found, ok := r.probe(name, true); ok {
		return found, true
	}
	if found, ok := r.compiledFrom(name); ok {
		return found, true
	}
	return r.probe(name, false)
}
