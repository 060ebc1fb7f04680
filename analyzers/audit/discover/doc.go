// Package discover lists the source files of a path the way git would see
// them, and says why each other one was left out.
//
// It knows file names, ignore files and a few byte patterns; it parses no
// language and runs nothing, git included. Everything is read through an
// [io/fs.FS] rooted at the context (the enclosing repository or workspace), so
// that a directory on disk and the blobs of a revision are walked by the same
// code. [Open] gives such a view of a directory; links that lead out of it
// cannot be followed.
//
// # What is left out
//
//   - in a repository, ignored files: nested .gitignore and .git/info/exclude. A
//     file that the index tracks is not ignored, as in git. Outside a repository
//     ignore files say nothing: an archive of a revision holds tracked files only.
//   - installed and copied dependencies: node_modules and its kin anywhere,
//     vendor beside a manifest or with a modules.txt in it.
//   - build output. Folders that only a tool makes (.next, .turbo, …) always;
//     dist anywhere, and build, out, coverage, … beside a package manifest or at
//     the top. Inside them TypeScript and Go are source all the same (compilers
//     write JavaScript), unless an index says that they are not tracked; and
//     JavaScript there is source when its package has nothing else.
//   - minified files, bundles and declaration files.
//   - tests and examples, unless asked for. Examples are listed when the path
//     holds no other source.
//
// Only the parts of a name below the scanned path are judged: scanning
// examples/shop lists examples/shop/server.ts.
package discover
