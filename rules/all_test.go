package rules

import (
	"regexp"
	"strings"
	"testing"
)

var ruleName = regexp.MustCompile(`^[a-z]+(-[a-z]+)+$`)

// TestAll holds every rule to what reports and help pages rely on.
func TestAll(t *testing.T) {
	seen := map[string]bool{}
	family := CommentFamily
	for _, r := range All() {
		if !ruleName.MatchString(r.Name) || seen[r.Name] {
			t.Errorf("%s: a name is two or more words with hyphens, used once", r.Name)
		}
		seen[r.Name] = true
		if r.Family < family {
			t.Errorf("%s stands after a later family", r.Name)
		}
		family = r.Family
		if r.Title == "" || strings.HasSuffix(r.Title, ".") {
			t.Errorf("%s: title %q", r.Name, r.Title)
		}
		if len(r.Text) < 80 || r.Severity == 0 || r.CWE == 0 || r.Since == "" {
			t.Errorf("%s lacks text, severity, CWE or version", r.Name)
		}
		if !strings.HasSuffix(r.Fix, ".") || strings.Count(r.Fix, "\n") > 0 {
			t.Errorf("%s: fix %q is not one sentence", r.Name, r.Fix)
		}
		if (r.Check == nil) != (r.Family == CommentFamily) {
			t.Errorf("%s has no check", r.Name)
		}
	}
}

// TestNoCircles makes sure that two rules never silence each other.
func TestNoCircles(t *testing.T) {
	for _, r := range All() {
		for _, name := range r.Supersedes {
			if name == r.Name {
				t.Errorf("%s supersedes itself", name)
			}
			weaker := Find(name)
			if weaker == nil {
				t.Errorf("%s supersedes %s, which is no rule", r.Name, name)
				continue
			}
			for _, back := range weaker.Supersedes {
				if back == r.Name {
					t.Errorf("%s and %s supersede each other", r.Name, name)
				}
			}
		}
	}
}
