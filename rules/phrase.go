package rules

import (
	"fmt"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

// phrase says in plain English what an effect does: "sends an email", "adds a row to `invoices`".
func phrase(e *flow.Effect) string {
	switch e.Kind {
	case model.Payment:
		if e.Money && e.Object != "" {
			return fmt.Sprintf("makes %s with %s", article(e.Object), quote(e.Callee))
		}
	case model.Email:
		if e.Nature == model.Additive {
			return "sends an email"
		}
	case model.Message:
		if e.Nature == model.Additive {
			return "sends a message"
		}
	case model.Database:
		if e.Table != "" {
			return databasePhrase(e)
		}
		if e.Object == "statement" {
			return "runs a statement that the caller writes with " + quote(e.Callee)
		}
		if e.Verb != "" {
			return "runs " + quote(strings.TrimSpace(e.Verb+" "+e.Object))
		}
	}
	switch {
	case e.Kind == model.Handler:
		return "runs the handler that comes after it"
	case e.Method != "" && e.URL != "":
		return "sends " + quote(e.Method+" "+e.URL)
	case e.Method != "":
		return "sends a " + quote(e.Method) + " request with " + quote(e.Callee)
	}
	return "calls " + quote(e.Callee)
}

func databasePhrase(e *flow.Effect) string {
	switch e.Verb {
	case "DROP":
		return "drops " + quote(e.Table)
	case "TRUNCATE":
		return "empties " + quote(e.Table)
	}
	switch e.Nature {
	case model.Additive:
		return "adds to " + quote(e.Table)
	case model.Destructive:
		return "deletes from " + quote(e.Table)
	}
	return "changes " + quote(e.Table)
}

// article puts "a" or "an" before a noun.
func article(noun string) string {
	if noun != "" && strings.ContainsRune("aeiouAEIOU", rune(noun[0])) {
		return "an " + noun
	}
	return "a " + noun
}

// list joins words: a, b and c. Of many it gives the first three and the number of the others.
func list(words []string) string {
	switch n := len(words); {
	case n == 0:
		return ""
	case n == 1:
		return words[0]
	case n <= 4:
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	default:
		return fmt.Sprintf("%s and %d more", strings.Join(words[:3], ", "), n-3)
	}
}

// phrases says what several effects do, each said once.
func phrases(effects []*flow.Effect) string {
	var words []string
	seen := map[string]bool{}
	for _, e := range effects {
		if s := phrase(e); !seen[s] {
			seen[s] = true
			words = append(words, s)
		}
	}
	return list(words)
}
