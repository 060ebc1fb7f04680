package rules

import (
	"fmt"
	"strings"

	"github.com/retrysafe/retrysafe/analyzers/flow"
)

var weakArgsHash = &Rule{
	Name: "weak-args-hash", Title: "A hash that can be made to collide tells calls apart",
	Severity: Low, CWE: 328, Family: QualityFamily, Since: "0.1.0", Experimental: true,
	Text: `Two calls are taken for one where the hashes of their arguments agree. For md5 and sha1 two sets of arguments with one hash can be made, for crc, xxHash, FNV and hashes made by hand it is
easy: a caller who may choose both sends the first one to be approved and gets the answer, or the effect, of the other.

It is fine for a name-based UUID, a MAC, an ETag, and where nothing but a cache rests on it.`,
	Fix:   "Hash the arguments with SHA-256.",
	Check: checkWeakArgsHash,
}

// collides reports whether two inputs with one hash can be made on purpose.
func collides(algorithm string) bool {
	switch algorithm {
	case "md5", "sha1", "noncryptographic", "handmade", "md4", "crc32":
		return true
	}
	return strings.HasPrefix(algorithm, "xx") || strings.HasPrefix(algorithm, "murmur") || strings.HasPrefix(algorithm, "fnv")
}

func checkWeakArgsHash(p *Pass) {
	p.eachRecogniser(func(t *flow.Tool, k *recogniser) {
		for _, h := range p.argumentHashes(k) {
			if h.Keyed || !collides(h.Algorithm) || h.Call.OriginRow.Origin.Kind == "uuid-name" {
				continue
			}
			at, fn := k.place(h.Call.Result)
			p.Report(k.about(Report{
				At: at, Fn: fn, Related: []Related{{k.event.Span, k.use()}},
				Message: fmt.Sprintf("%s tells calls apart by %s of their arguments, for which equal hashes of different arguments can be made",
					quote(t.Name), hashText(h)),
			}))
			break
		}
	})
}

// argumentHashes lists the hashes of something that the caller sends within what recognises a repeat.
func (p *Pass) argumentHashes(k *recogniser) []flow.Hashing {
	var out []flow.Hashing
	for _, v := range k.values {
		p.Follow(v, func(t *flow.Term) bool {
			if h, ok := p.Hashed(t); ok && p.anyOrigin(h.Inputs, isSupplied) {
				out = append(out, h)
			}
			return true
		})
	}
	return out
}

// hashText names a hash.
func hashText(h flow.Hashing) string {
	switch h.Algorithm {
	case "handmade":
		return "a hash made by hand"
	case "", "hash", "noncryptographic":
		return "a hash that is not cryptographic"
	}
	return h.Algorithm
}
