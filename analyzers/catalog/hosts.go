package catalog

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// hosts finds rows by the endpoint of a request. The expressions are compiled when a request is first asked for.
type hosts struct {
	all     []*model.Row
	users   int // rows that are found before the others
	once    sync.Once
	entries []hostEntry
	asked   sync.Map // the user's rows that spoke of a request
}

type hostEntry struct {
	labels   []string       // nil for any host, also one that is not known
	path     *regexp.Regexp // nil for all
	methods  []string
	row      *model.Row
	user     bool
	literals int
}

func (h *hosts) parse() {
	for order, row := range h.all {
		for _, host := range row.Hosts {
			e := hostEntry{methods: host.Methods, row: row, user: order < h.users}
			if host.Name != model.AnyHost {
				e.labels = strings.Split(host.Name, ".")
			}
			for _, label := range e.labels {
				if label != "*" {
					e.literals++
				}
			}
			if host.Path != "" {
				path, err := anchored(host.Path)
				if err != nil {
					continue // the reader has refused it
				}
				e.path = path
				e.literals++
			}
			h.entries = append(h.entries, e)
		}
	}
	slices.SortStableFunc(h.entries, func(a, b hostEntry) int {
		if a.user != b.user {
			if a.user {
				return -1
			}
			return 1
		}
		return b.literals - a.literals
	})
	h.all = nil
}

func (h *hosts) rows(host, path, method string) []*model.Row {
	h.once.Do(h.parse)
	labels := strings.Split(host, ".")
	var rows []*model.Row
	for _, e := range h.entries {
		if e.match(labels, path, method) && !slices.Contains(rows, e.row) {
			rows = append(rows, e.row)
			if e.user {
				h.asked.Store(e.row, true)
			}
		}
	}
	return rows
}

func (e hostEntry) match(labels []string, path, method string) bool {
	if e.labels != nil && len(labels) != len(e.labels) {
		return false
	}
	for i, label := range e.labels {
		if label != labels[i] && (label != "*" || labels[i] == "") {
			return false
		}
	}
	if len(e.methods) > 0 && method != "" && !slices.Contains(e.methods, method) {
		return false
	}
	return e.path == nil || e.path.MatchString(path)
}
