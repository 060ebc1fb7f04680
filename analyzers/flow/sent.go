package flow

// SentHeader gives the first header of a request whose name is wanted, as far as its headers are known, and its value; nil where there is none.
func (r *Result) SentHeader(x *Effect, wanted func(name string) bool) (name string, value *Term) {
	if x.Spec == nil || x.Spec.Headers == "" {
		return "", nil
	}
	return r.engine.header(r.engine.recorded(x.Call).first(x.Spec.Headers), wanted)
}

// header finds a header by its name among those that are written out or were set one by one.
func (e *engine) header(headers *Term, wanted func(name string) bool) (name string, value *Term) {
	if headers == nil {
		return "", nil
	}
	for _, alt := range headers.Alternatives() {
		keys, vals := alt.Keys, alt.Args
		if alt.Kind != TObject {
			known := e.settings[alt]
			if known == nil {
				continue
			}
			keys, vals = known.keys, known.vals
		}
		for i, k := range keys {
			if wanted(k) && !vals[i].IsNullish() {
				return k, vals[i]
			}
		}
	}
	return "", nil
}

// MadeAt lists where a value comes into being: the call that gave it, on each way.
func (r *Result) MadeAt(t *Term) []*Site {
	var out []*Site
	for _, alt := range t.Alternatives() {
		for alt != nil {
			if alt.Kind == TCall && alt.Site != nil {
				out = append(out, alt.Site)
				break
			}
			if alt.Kind != TMember && alt.Kind != TCast && alt.Kind != TIndex {
				break
			}
			alt = alt.Args[0]
		}
	}
	return out
}
