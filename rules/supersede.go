package rules

import "slices"

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
		covered := false

		for _, about := range [][]*Finding{over[s], over[subject{wholeTool{}, s.tool}]} {
			for _, g := range about {
				if g != f && slices.Contains(g.Rule.Supersedes, f.Rule.Name) {
					covered = true
					if !slices.Contains(all, g) {
						all = append(all, g)
					}
				}
			}
		}
		if !covered {
			return nil
		}
	}
	return all
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
