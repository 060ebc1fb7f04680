package discover

import (
	"bytes"
	"io"
	"io/fs"
	"strings"
)

const (
	// longLine is the length from which a line of JavaScript was written by a
	// machine, in bytes.
	longLine = 50 << 10
	// bundleHead is how far into a file the opening of a bundle is looked for.
	bundleHead = 8 << 10
)

// bundleMarks open the files that bundlers write.
var bundleMarks = [][]byte{
	[]byte("webpackBootstrap"),
	[]byte("__webpack_require__"),
	[]byte("__webpack_modules__"),
	[]byte("var __commonJS = (cb, mod)"),
	[]byte("var __getOwnPropNames = Object.getOwnPropertyNames;\nvar __commonJS"),
	[]byte("(function(){function r(e,n,t){function o(i,f)"),
	[]byte("$parcel$"),
}

// machineMade says whether a JavaScript file was written by a minifier or a
// bundler. Files shorter than one long line are judged by name alone: reading
// every small file here would cost as much as parsing it later.
//
// TypeScript is never minified; a long line there is data inside a source.
func machineMade(view fs.FS, name string, size int64) (Reason, bool) {
	stem := strings.ToLower(name[strings.LastIndexByte(name, '/')+1:])
	switch {
	case strings.Contains(stem, ".min."), strings.Contains(stem, "-min."):
		return Minified, true
	case strings.Contains(stem, ".bundle."), strings.Contains(stem, ".chunk."):
		return Bundle, true
	case size <= longLine:
		return "", false
	}
	text, err := readBounded(view, name, size)
	if err != nil {
		return Unreadable, true
	}
	for line := range bytes.Lines(text) {
		if len(line) > longLine {
			return Minified, true
		}
	}
	head := text[:min(len(text), bundleHead)]
	for _, mark := range bundleMarks {
		if bytes.Contains(head, mark) {
			return Bundle, true
		}
	}
	return "", false
}

// readBounded reads a regular file of at most limit bytes.
func readBounded(view fs.FS, name string, limit int64) ([]byte, error) {
	f, err := view.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read", Path: name, Err: errNotRegular}
	}
	if info.Size() > limit {
		return nil, &fs.PathError{Op: "read", Path: name, Err: fs.ErrInvalid}
	}
	return readHead(f, limit)
}

// readHead reads at most limit bytes.
func readHead(r io.Reader, limit int64) ([]byte, error) {
	return io.ReadAll(io.LimitReader(r, limit))
}
