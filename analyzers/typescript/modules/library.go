package modules

import "path"

// Library reports whether the package of a file is made for other packages: it is published with an entry that others import, and starts nothing by
// itself. A package that is private, or that installs a command, is a program.
func (r *Resolver) Library(file string) bool {
	for dir := range above(path.Dir(file)) {
		if m := r.manifestAt(dir); m != nil {
			return m.library()
		}
		if d := r.denoAt(dir); d != nil {
			return d.manifest.library()
		}
	}
	return false
}

func (m *manifest) library() bool {
	switch {
	case m.private || m.bin.present():
		return false
	case m.exports.present() || m.module.present() || m.types.present():
		return true
	}
	// what `npm init` writes for every package
	return m.main.present() && !m.scripts.get("start").present()
}
