// Package load finds the Go packages of a context, and type-checks them as far as what is at hand allows.
//
// Modules are read from go.mod, go.work and vendor folders. What they require is taken from vendor folders, from the
// module cache and from the source of the standard library, without function bodies. What is not there is replaced by an
// empty package with a guessed name, so that the rest keeps its types. Nothing of the program runs; the go command is
// asked only where its files are, away from the program, and to download modules where the caller wants that.
//
// The module graph is not asked of the go command: since Go 1.17 a go.mod lists every module that its packages need, with
// the version in use, so that reading it costs no process, works on the blobs of a revision as on a folder, and gives the
// same where the go command is missing or refuses the module.
package load
