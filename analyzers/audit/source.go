package audit

import (
	"io/fs"
	"strings"
	"sync"
)

// Source gives the lines of the files of a context. It is safe for concurrent use.
type Source struct {
	view  fs.FS
	mu    sync.Mutex
	files map[string][]string
}

func newSource(view fs.FS) *Source { return &Source{view: view, files: map[string][]string{}} }

// Lines gives the lines of a file without their ends, nil if it cannot be read.
func (s *Source) Lines(file string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if lines, ok := s.files[file]; ok {
		return lines
	}
	var lines []string
	if data, err := fs.ReadFile(s.view, file); err == nil {
		lines = strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n")
	}
	s.files[file] = lines
	return lines
}

// Line gives line n of a file, counted from 1.
func (s *Source) Line(file string, n int) (string, bool) {
	lines := s.Lines(file)
	if n < 1 || n > len(lines) {
		return "", false
	}
	return lines[n-1], true
}
