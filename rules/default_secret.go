package rules

import (
	"fmt"
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

var defaultSecret = &Rule{
	Name: "default-secret", Title: "A signing secret is, or falls back to, a text of the program",
	Severity: High, CWE: 798, Family: EnvelopeFamily, Since: "0.1.0", NeedsProgram: true,
	Text: `The secret that signatures, tokens or callers are verified with is a literal, or falls back to one where the environment does not set it. Whoever reads the source can sign
requests of their own; and a deployment that forgot the variable works as if nothing were wrong.

It is fine where the program refuses to start with the placeholder, and where the literal is used outside production only.`,
	Fix:   "Refuse to start without the secret.",
	Check: checkDefaultSecret,
}

func checkDefaultSecret(p *Pass) {
	for _, t := range p.Tools {
		for _, ev := range t.Events {
			if key := p.SigningKey(ev.Call); key != nil {
				p.literalSecret(t, key, ev.Span, Report{Event: ev, Related: []Related{{ev.Span, "used here"}}})
			}
		}
		for _, c := range t.Comparisons {
			for _, side := range []*flow.Term{c.X, c.Y} {
				if kind, _ := p.Secret(side); kind == flow.ConfiguredSecret {
					p.literalSecret(t, side, c.Span, Report{Tool: t, Related: []Related{{c.Span, "compared here"}}})
				}
			}
		}
	}
}

// literalSecret reports the literals that a secret may be.
func (p *Pass) literalSecret(t *flow.Tool, secret *flow.Term, used model.Span, rep Report) {
	_, name := p.Secret(secret)
	for _, text := range p.Literals(secret) {
		from := p.literal(text, used)
		if from == nil || from.refused {
			continue
		}
		rep.At, rep.Confidence = from.at, model.Certain
		if name != "" {
			rep.Message = fmt.Sprintf("%s verifies with a text of the program where %s is not set", quote(t.Name), quote(name))
		} else {
			rep.Message = fmt.Sprintf("%s verifies with a secret that is a text of the program", quote(t.Name))
		}
		p.Report(rep)
	}
}

// written is where the program writes a text.
type written struct {
	at      model.Span
	refused bool // it is compared with, or stands beside a question for the environment in which the program runs
}

// environments are the names that programs compare their environment with.
var environments = []string{"production", "prod", "development", "dev", "test", "local", "staging"}

// literal finds where a text is written: where it is an alternative to something else, otherwise in the file in which it is used, otherwise anywhere.
func (p *Pass) literal(text string, used model.Span) *written {
	var best *written
	rank := 0
	for _, u := range p.Options.Units {
		for _, f := range u.Funcs {
			var at []model.ID
			compared, asks := false, false
			for i := range f.Ops {
				switch op := &f.Ops[i]; op.Kind {
				case model.Constant:
					if op.Const.Kind == model.String && op.Const.Text == text {
						at = append(at, model.ID(i))
					}
				case model.Compare:
					for _, arg := range op.Args {
						if arg >= 0 && f.Ops[arg].Kind == model.Constant {
							compared = compared || f.Ops[arg].Const.Text == text
							asks = asks || slices.Contains(environments, f.Ops[arg].Const.Text)
						}
					}
				}
			}
			if compared {
				return &written{refused: true}
			}
			for _, id := range at {
				w := &written{at: f.Ops[id].Span, refused: asks}
				n := 1
				if w.at.File == used.File {
					n = 2
				}
				if slices.ContainsFunc(f.Ops, func(op model.Op) bool { return op.Kind == model.Phi && slices.Contains(op.Args, id) }) {
					n = 3
				}
				if n > rank && w.at.IsValid() {
					best, rank = w, n
				}
			}
		}
	}
	return best
}
