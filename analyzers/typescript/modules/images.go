package modules

import (
	"bufio"
	"bytes"
	"path"
	"strings"
)

// images adds the programs that container files and Procfiles of a directory start.
func (e *entryFinder) images(dir string) {
	entries := e.tree.list(dir)
	for _, base := range sortedKeys(entries) {
		var read func([]byte) []startedBy
		switch {
		case base == "Procfile":
			read = procfile
		case base == "Dockerfile", base == "Containerfile", strings.HasPrefix(base, "Dockerfile."), strings.HasSuffix(base, ".Dockerfile"):
			read = dockerfile
		}
		if read == nil || entries[base] != file {
			continue
		}
		name := path.Join(dir, base)
		text, err := e.tree.read(name)
		if err != nil {
			e.problem(Broken, name, 1, "cannot be read: not a regular file, or larger than 1 MiB")
			continue
		}
		for _, s := range read(text) {
			e.start(dir, name, s)
		}
	}
}

// startedBy is a command line of a container file or Procfile.
type startedBy struct {
	name    string // of the process, or the instruction
	line    int
	words   []string
	workdir string // absolute directory inside the image, "" when unknown
}

func (e *entryFinder) start(dir, name string, s startedBy) {
	target, worker, ok := started(s.words)
	if !ok {
		return
	}
	// What the image holds is a copy of the directory the file stands in, or of
	// the context root, under the working directory.
	rel := target
	if path.IsAbs(target) {
		rest, inside := strings.CutPrefix(path.Clean(target), strings.TrimSuffix(s.workdir, "/")+"/")
		if !inside {
			return
		}
		rel = rest
	}
	for _, base := range []string{dir, "."} {
		p, ok := join(base, rel)
		if !ok {
			continue
		}
		res, ok := e.target(p)
		if !ok {
			if m := e.manifestOf(p); m != nil {
				if found, made := e.scriptsOf(m).bundled(p); made {
					res, ok = Resolution{Kind: Unit, File: found}, true
				}
			}
		}
		if ok && res.Kind == Unit {
			kind := Script
			if worker {
				kind = Worker
			}
			pkg := dir
			if m := e.manifestOf(res.File); m != nil {
				pkg = m.dir
			}
			e.out = append(e.out, EntryPoint{kind, s.name, res.File, pkg, name, s.line})
			return
		}
	}
	if isSource(target) {
		e.problem(NoSource, name, s.line, s.name+" runs "+quote(target)+", which has no source here")
	}
}

func procfile(text []byte) []startedBy {
	var out []startedBy
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, maxConfig+1)
	for n := 1; lines.Scan(); n++ {
		name, command, ok := strings.Cut(lines.Text(), ":")
		if !ok || strings.HasPrefix(name, "#") {
			continue
		}
		for _, words := range splitCommands(command) {
			out = append(out, startedBy{name: strings.TrimSpace(name), line: n, words: words})
		}
	}
	return out
}

// dockerfile reads CMD and ENTRYPOINT in both forms, and WORKDIR. The two are
// joined when the entry point is a runner and the command its argument.
func dockerfile(text []byte) []startedBy {
	var out []startedBy
	var entry []string
	workdir := ""
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, maxConfig+1)
	for n := 1; lines.Scan(); n++ {
		first, line := n, strings.TrimSpace(lines.Text())
		for strings.HasSuffix(line, `\`) && len(line) < maxCommandLength && lines.Scan() {
			n++
			line = strings.TrimSuffix(line, `\`) + " " + strings.TrimSpace(lines.Text())
		}
		instruction, rest, _ := strings.Cut(line, " ")
		rest = strings.TrimSpace(rest)
		switch instruction = strings.ToUpper(instruction); instruction {
		case "FROM":
			workdir, entry = "", nil
		case "WORKDIR":
			if path.IsAbs(rest) {
				workdir = path.Clean(rest)
			} else if workdir != "" {
				workdir = path.Join(workdir, rest)
			}
		case "CMD", "ENTRYPOINT":
			for _, words := range commandForms(rest) {
				if _, _, ok := started(words); !ok && instruction == "CMD" && len(entry) > 0 {
					words = append(append([]string{}, entry...), words...)
				}
				out = append(out, startedBy{instruction, first, words, workdir})
				if _, _, ok := started(words); instruction == "ENTRYPOINT" && !ok {
					entry = words
				}
			}
		}
	}
	return out
}

func commandForms(text string) [][]string {
	if strings.HasPrefix(text, "[") {
		if v, _, err := parseJSON([]byte(text)); err == nil && v.kind == '[' {
			var words []string
			for _, s := range v.strings() {
				words = append(words, s.text)
			}
			if len(words) == 3 && strings.HasSuffix(words[0], "sh") && words[1] == "-c" {
				return splitCommands(words[2])
			}
			return [][]string{words}
		}
	}
	return splitCommands(text)
}
