package flow

import "slices"

// reliance is what a summary rests on apart from its arguments: contents that outlive entries, and summaries of other functions. As long as these are
// the same, the summary stands, whatever else the program has changed since it was made.
type reliance struct {
	since  int32             // the terms made before the activation; references that it made itself are no concern of others
	first  map[*Term]*object // contents as they were when first read, while the activation is evaluated
	seen   []reading         // the same once it is done
	below  []*Summary
	broken bool // it read contents that changed while it was evaluated

	checked int // the version of the global contents, plus one, for which held was found
	held    bool
}

type reading struct {
	ref *Term
	obj *object // nil: nothing was known
}

// on notes that a summary was used. A nil reliance takes no notes.
func (r *reliance) on(s *Summary) {
	if r != nil && !slices.Contains(r.below, s) {
		r.below = append(r.below, s)
	}
}

// settle ends the notes on an activation.
func (r *reliance) settle() {
	if len(r.first) > 0 {
		r.seen = make([]reading, 0, len(r.first))
		for ref, obj := range r.first {
			r.seen = append(r.seen, reading{ref, obj})
		}
	}
	r.first = nil
}

// outlasting gives the contents that outlive entries of a reference, or nil, and notes that the activation read them.
func (e *engine) outlasting(ref *Term) *object {
	obj := e.heap.global[ref]
	r := e.current
	if r == nil || ref.id > r.since || obj == nil && ref.Site != nil {
		return obj
	}
	if old, known := r.first[ref]; known {
		r.broken = r.broken || old != obj
		return obj
	}
	if r.first == nil {
		r.first = map[*Term]*object{}
	}
	r.first[ref] = obj
	return obj
}

// holds reports whether what a summary rests on is still the same. Linear in the summaries below that were not asked since the contents last changed.
func (e *engine) holds(s *Summary) bool {
	if now := e.heap.version + 1; s.checked != now {
		s.checked = now
		s.held = e.stands(s)
	}
	return s.held
}

func (e *engine) stands(s *Summary) bool {
	if s.broken {
		return false
	}
	for _, r := range s.seen {
		if e.heap.global[r.ref] != r.obj {
			return false
		}
	}
	for _, sub := range s.below {
		if !e.holds(sub) {
			return false
		}
	}
	return true
}
