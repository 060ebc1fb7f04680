// Package modules finds what an import specifier of a TypeScript or JavaScript
// file means: a source file of the context, a package outside it, or nothing
// that can be known.
//
// A repository under audit is seldom built and seldom installed. So the package
// looks for sources where Node would look for output: dist/server.js leads back
// to src/server.ts, the exports of a workspace package lead to the files they
// were compiled from, and a bare name that no workspace carries is External
// without a look into node_modules. An alias that no configuration explains is
// tried at the customary places before it is given up.
//
// Everything is read through an [io/fs.FS] rooted at the context; paths are slash
// paths relative to it. Configuration that is broken or missing costs what it
// would have said and is told as a [Problem], with its place; it never fails a
// resolution of another file. A [Resolver] is safe for concurrent use.
package modules
