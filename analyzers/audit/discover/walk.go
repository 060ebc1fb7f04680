package discover

import (
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

type walk struct {
	view  fs.FS
	opts  Options
	start string // where the walk began

	out      Result
	entries  int
	searched int64 // bytes of other languages

	scripts  map[string]int // package directory -> its listed TypeScript and JavaScript, settings apart
	sources  int            // listed sources of every language, settings apart
	outputs  []place        // build folders, to be looked at when the sources are known
	examples []place
}

// place is a directory on the way down, with what its ancestors decided.
type place struct {
	dir         string
	owner       string // nearest directory with a manifest, or where the walk began
	depth       int
	repo        *repository // nil outside repositories: nothing is ignored there
	rules       []rule
	onlyTracked bool // inside an ignored directory that holds tracked files
	inOutput    bool // inside build output
	takeScripts bool // JavaScript in build output counts as source
}

func (w *walk) skip(name string, why Reason) {
	w.out.Skipped = append(w.out.Skipped, Skipped{File: name, Reason: why})
}

// rulesAbove gathers the repository and the ignore rules that hold for the content of rel. A
// directory that is itself ignored was named by the user, so that what stands
// above it no longer speaks about what lies below.
func (w *walk) rulesAbove(rel string) (at *repository, rules []rule, wasIgnored bool) {
	dir := "."
	parts := strings.Split(rel, "/")
	if rel == "." {
		parts = nil
	}
	for i := 0; ; i++ {
		if repo := openRepository(w.view, dir); repo != nil {
			at, rules, wasIgnored = repo, repo.exclude, false
		}
		if i == len(parts) {
			return at, rules, wasIgnored
		}
		if at != nil {
			rules = append(slices.Clip(rules), w.rulesOf(dir)...)
		}
		dir = join(dir, parts[i])
		if ignored(rules, dir, true) {
			rules, wasIgnored = nil, true
		}
	}
}

func (w *walk) rulesOf(dir string) []rule {
	text, err := readBounded(w.view, join(dir, ".gitignore"), ignoreFile)
	if err != nil {
		return nil
	}
	return parseIgnore(text, dir)
}

func (w *walk) directory(p place) {
	entries, err := fs.ReadDir(w.view, p.dir)
	if err != nil {
		w.skip(p.dir+"/", Unreadable)
		return
	}
	if w.entries += len(entries); w.entries > maxEntries {
		w.out.Limit = "directory entries"
		return
	}
	if p.repo == nil && slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == ".git" }) {
		if p.repo = openRepository(w.view, p.dir); p.repo != nil {
			p.rules = p.repo.exclude
		}
	}
	if p.repo != nil {
		p.rules = append(slices.Clip(p.rules), w.rulesOf(p.dir)...)
	}
	root := p.dir == w.start
	for _, e := range entries {
		if isManifest(e.Name()) {
			root = true
			if e.Name() != "tsconfig.json" {
				p.owner = p.dir
			}
		}
	}
	for _, e := range entries {
		if w.out.Limit != "" {
			return
		}
		switch name := join(p.dir, e.Name()); {
		case e.Type()&fs.ModeSymlink != 0:
			w.link(name, p)
		case e.IsDir():
			w.folder(name, e.Name(), root, p)
		case e.Type().IsRegular():
			w.file(name, e, p)
		}
	}
}

// link reports a link that would have brought source. Git stores links and
// does not follow them; what one points to inside the context has its own path.
func (w *walk) link(name string, p place) {
	if folderOf(path.Base(name)) == dependency || ignored(p.rules, name, false) || ignored(p.rules, name, true) {
		return
	}
	info, err := fs.Stat(w.view, name)
	if LanguageOf(name) != "" || err == nil && info.IsDir() {
		w.skip(name, Link)
	}
}

func (w *walk) folder(name, base string, atRoot bool, p place) {
	below := p
	below.dir, below.depth = name, p.depth+1
	kind := folderOf(base)
	switch kind {
	case metadata:
		return
	case dependency:
		w.skip(name+"/", Dependency)
		return
	case tooling:
		w.skip(name+"/", BuildOutput)
		return
	case vendorWord:
		if atRoot || w.isFile(join(name, "modules.txt")) {
			w.skip(name+"/", Vendored)
			return
		}
	}
	if p.onlyTracked || ignored(p.rules, name, true) {
		if !p.repo.below(name) {
			if !p.onlyTracked {
				w.skip(name+"/", Ignored)
			}
			return
		}
		below.onlyTracked = true
	}
	if p.repo != nil && w.exists(join(name, ".git")) {
		w.skip(name+"/", NestedRepo)
		return
	}
	if below.depth > w.opts.MaxDepth {
		w.skip(name+"/", TooDeep)
		return
	}
	switch kind {
	case test:
		if !w.opts.IncludeTests {
			w.skip(name+"/", Test)
			return
		}
	case example:
		if !w.opts.IncludeTests {
			w.examples = append(w.examples, below)
			return
		}
	case output, outputAtRoot:
		if !p.inOutput && (kind == output || atRoot) {
			below.inOutput = true
			w.outputs = append(w.outputs, below)
			return
		}
	}
	w.directory(below)
}

func (w *walk) file(name string, e fs.DirEntry, p place) {
	lang := LanguageOf(name)
	if lang == "" {
		w.other(name, p)
		return
	}
	isTracked := p.repo.tracks(name)
	switch {
	case p.onlyTracked && !isTracked:
		return
	case !isTracked && ignored(p.rules, name, false):
		w.skip(name, Ignored)
		return
	case p.inOutput && lang == JavaScript && !p.takeScripts:
		return
	case p.inOutput && p.repo.known() && !isTracked:
		return
	case isDeclaration(name):
		if !p.inOutput {
			w.skip(name, Declaration)
		}
		return
	case !w.opts.IncludeTests && isTestFile(name, lang):
		w.skip(name, Test)
		return
	}
	info, err := e.Info()
	if err != nil {
		w.skip(name, Unreadable)
		return
	}
	w.take(name, info.Size(), lang, p.owner)
}

func (w *walk) take(name string, size int64, lang Language, owner string) {
	if size > w.opts.MaxFileSize {
		w.skip(name, TooLarge)
		return
	}
	if lang == JavaScript {
		if why, yes := machineMade(w.view, name, size); yes {
			w.skip(name, why)
			return
		}
	}
	if len(w.out.Files) >= w.opts.MaxFiles {
		w.out.Limit = "files"
		return
	}
	w.out.Files = append(w.out.Files, File{Path: name, Size: size, Language: lang})
	if isSetting(path.Base(name)) {
		return
	}
	w.sources++
	if lang != Go {
		w.scripts[owner]++
	}
}

// other looks whether a file of another language registers tools.
func (w *walk) other(name string, p place) {
	l := foreignOf(name)
	if l == nil || w.searched > foreignTotal || p.inOutput || !p.repo.tracks(name) && (p.onlyTracked || ignored(p.rules, name, false)) {
		return
	}
	found, read := l.registers(w.view, name)
	w.searched += read
	if found {
		w.out.Unsupported = append(w.out.Unsupported, Unsupported{File: name, Language: l.language})
	}
}

// single lists the one file that was named, tests and ignored files included.
func (w *walk) single(name string, info fs.FileInfo) {
	lang := LanguageOf(name)
	switch {
	case !info.Mode().IsRegular():
		w.skip(name, NotSource)
	case lang == "":
		before := len(w.out.Unsupported)
		w.other(name, place{})
		if len(w.out.Unsupported) == before {
			w.skip(name, NotSource)
		}
	case info.Size() > w.opts.MaxFileSize:
		w.skip(name, TooLarge)
	default:
		w.out.Files = append(w.out.Files, File{Path: name, Size: info.Size(), Language: lang})
	}
}

// secondLook decides about the folders that depend on what else there is:
// build output of a package without other source, and examples where they are all.
func (w *walk) secondLook() {
	before := maps.Clone(w.scripts)
	for _, p := range w.outputs {
		listed, skipped := len(w.out.Files), len(w.out.Skipped)
		p.takeScripts = before[p.owner] == 0
		w.directory(p)
		if len(w.out.Files) == listed {
			w.out.Skipped = w.out.Skipped[:skipped]
			w.skip(p.dir+"/", BuildOutput)
		}
	}
	w.outputs = nil
	examples, elsewhere := w.examples, w.sources
	w.examples = nil
	for _, p := range examples {
		if elsewhere > 0 {
			w.skip(p.dir+"/", Example)
			continue
		}
		w.directory(p)
	}
	if len(w.examples)+len(w.outputs) > 0 {
		w.secondLook()
	}
}

func (w *walk) exists(name string) bool {
	_, err := fs.Stat(w.view, name)
	return err == nil
}

func (w *walk) isFile(name string) bool {
	info, err := fs.Stat(w.view, name)
	return err == nil && info.Mode().IsRegular()
}
