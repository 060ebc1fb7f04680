package flow

import (
	"slices"
	"strings"
)

// maxMounts bounds the ways to a router that are followed, and how many routers hang on each other.
const maxMounts = 6

// mountWays lists the ways to the router of a route: the mounts along each, its own first. A router that is mounted behind a guard at one place and without it at
// another serves its routes in two ways. Ways on which the same stands before the route are one, and the first of them gives its path.
func (e *engine) mountWays(reg *registration) [][]*registration {
	all := e.waysTo(reg, 0)
	if len(all) == 1 {
		return all
	}
	var ways [][]*registration
	var before [][]*Term
	for _, way := range all {
		var stands []*Term
		seen := map[*Term]bool{}
		for _, m := range e.mountsBefore(reg, way) {
			stands = append(stands, unseen(m.handlers, seen)...)
		}
		if !slices.ContainsFunc(before, func(b []*Term) bool { return slices.Equal(b, stands) }) {
			ways, before = append(ways, way), append(before, stands)
		}
	}
	return ways
}

func (e *engine) waysTo(reg *registration, depth int) [][]*registration {
	var ways [][]*registration
	if depth < maxMounts && reg.recv != nil {
		for _, parent := range e.routes {
			if !parent.mount || parent.recv == reg.recv || !slices.Contains(parent.chain, reg.recv) {
				continue
			}
			for _, above := range e.waysTo(parent, depth+1) {
				if len(ways) < maxMounts {
					ways = append(ways, append([]*registration{parent}, above...))
				}
			}
		}
	}
	if ways == nil {
		return [][]*registration{nil}
	}
	return ways
}

// unseen gives the handlers that were not met before: on a router that hangs on another one by two ways, a request passes what stands above both once.
func unseen(handlers []*Term, seen map[*Term]bool) (out []*Term) {
	for _, h := range handlers {
		if !seen[h] {
			seen[h] = true
			out = append(out, h)
		}
	}
	return out
}

// isHandler reports whether a mounted function is an entry by itself: it does not call what comes after it, or nothing does, and it stands before no router.
func (e *engine) isHandler(reg *registration) bool {
	last := len(reg.chain) - 1
	for _, other := range e.routes {
		if other.recv == reg.recv && !other.mount || last >= 0 && other.recv == reg.chain[last] {
			return false
		}
	}
	return true
}

// prefixOf gives the path under which a way of mounts leads to a router, without a slash at its end; "" for the root.
func prefixOf(way []*registration) string {
	prefix := ""
	for _, mount := range way {
		own := strings.TrimSuffix(strings.TrimSuffix(mount.path, "*"), "/")
		if own != "" && own[0] != '/' {
			own = "/" + own
		}
		prefix = own + prefix
	}
	return prefix
}

// mountsBefore gives the middleware chains that run before a route: those mounted earlier on the same app or router, and on the routers that it hangs on by a
// way of mounts.
func (e *engine) mountsBefore(reg *registration, way []*registration) []mounted {
	var out []mounted
	if reg.recv == nil {
		return nil
	}
	if len(way) > 0 {
		parent := way[0]
		out = e.mountsBefore(parent, way[1:])
		out = append(out, mounted{parent.chain[:slices.Index(parent.chain, reg.recv)], parent.row.Route.Wraps})
	}
	for _, m := range e.routes {
		if m == reg || !m.mount || m.recv != reg.recv || m.gives != nil || m.order >= reg.order && !m.row.Route.Always {
			continue
		}
		if m.path != "" && m.path != "/" && m.path != "*" && !strings.HasPrefix(reg.path, strings.TrimSuffix(m.path, "/*")) {
			continue
		}
		out = append(out, mounted{m.chain, m.row.Route.Wraps})
	}
	return out
}
