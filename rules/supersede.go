package rules

import (
	"slices"

	"github.com/retrysafe/retrysafe/analyzers/flow"
	"github.com/retrysafe/retrysafe/analyzers/model"
)

// supersede divides findings into those that are reported and those that give way: one defect is one finding.
//
// A finding gives way when each thing that it is about, an effect, a record or a key parameter of a tool, is also what a
// finding of a stronger rule is about. Whether the stronger one is itself kept does not matter, so the outcome does not depend on
// the order. What gives way becomes a related place of what silenced it.
func supersede(findings []*Finding) (kept, silenced []*Finding) {
	over := map[subject][]*Finding{} // by subject: the findings that are about it
	for _, f := range findings {
		for _, s := range f.covers {
			over[s] = append(over[s], f)
		}
	}
	by := make([][]*Finding, len(findings))
	gives := make([]bool, len(findings))
	for i, f := range findings {
		by[i] = silencers(f, over)
		gives[i] = len(by[i]) > 0
	}
	position := make(map[*Finding]int, len(findings))
	for i, f := range findings {
		position[f] = i
	}
	for i, f := range findings {
		if !gives[i] {
			f.leaveOut(over)
			kept = append(kept, f)
			continue
		}
		silenced = append(silenced, f)
		for _, g := range by[i] {
			if !gives[position[g]] {
				relate(g, f)
			}
		}
	}
	return kept, silenced
}

// silencers gives the stronger findings that together cover all that f is about, or nil.
func silencers(f *Finding, over map[subject][]*Finding) []*Finding {
	var all []*Finding
	for _, s := range f.subjects {
		found := f.strongerAbout(s, over)
		if len(found) == 0 {
			return nil
		}
		for _, g := range found {
			if !slices.Contains(all, g) {
				all = append(all, g)
			}
		}
	}
	return all
}

// strongerAbout gives the findings of stronger rules about one thing.
func (f *Finding) strongerAbout(s subject, over map[subject][]*Finding) []*Finding {
	var out []*Finding
	for _, about := range [][]*Finding{over[s], over[subject{wholeTool{}, s.tool}]} {
		for _, g := range about {
			if g != f && slices.Contains(g.Rule.Supersedes, f.Rule.Name) {
				out = append(out, g)
			}
		}
	}
	return out
}

// leaveOut takes out of a finding about several effects those of which stronger findings speak.
func (f *Finding) leaveOut(over map[subject][]*Finding) {
	if f.restate == nil || len(f.effects) < 2 {
		return
	}
	var left []*flow.Effect
	gone := map[model.Span]bool{}
	for i, e := range f.effects {
		if len(f.strongerAbout(f.subjects[i], over)) == 0 {
			left = append(left, e)
		} else {
			gone[e.Span] = true
		}
	}
	if len(left) == 0 || len(left) == len(f.effects) {
		return
	}
	r := f.restate(left)
	f.Message, f.Severity = r.Message, r.Severity
	f.weaken(r.Confidence)
	f.Effects = f.Effects[:0:0]
	for _, e := range left {
		f.Effects = append(f.Effects, e.Call)
		delete(gone, e.Span)
	}
	f.Related = slices.DeleteFunc(slices.Clone(f.Related), func(rel Related) bool { return gone[rel.Span] })
}

// relate shows a silenced finding beside the one that silenced it, where it stands elsewhere.
func relate(kept, silenced *Finding) {
	if silenced.Primary == kept.Primary {
		return
	}
	for _, r := range kept.Related {
		if r.Span == silenced.Primary {
			return
		}
	}
	kept.Related = append(kept.Related, Related{silenced.Primary, silenced.Message})
}
