// Package vet runs the rules as analyzers of golang.org/x/tools/go/analysis, for `go vet -vettool`, golangci-lint, nogo and multichecker.
//
// Each package of the main module is lowered to the model, and its unit is a package fact: what a package above it calls is evaluated in the
// units of the packages below, as in a scan. What lies outside the module is known by the catalog only, and is left before it is type-checked.
//
// A finding is reported where its tool or route is registered: in the package that is analysed. Its place, where that is in a package below,
// stands in the message and is related.
//
// Every finding is one that a scan has too. Three classes of a scan's findings are absent: claims about what is absent from a whole program, what only a
// package above the registration tells (the implementation of an interface, the transport), and what is written in another language.
package vet
