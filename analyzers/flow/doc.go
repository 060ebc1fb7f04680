// Package flow finds what a program does when one of its tools is called: the
// effects that a handler reaches, what is looked up, claimed and checked before
// them, and where every value involved comes from.
//
// It is an abstract interpreter over the model. A function is evaluated with abstract
// arguments (terms), path by path, where paths that nothing of interest tells apart
// are joined; the outcome is a summary that is kept and used again for equal arguments. A
// call of a program's function is the substitution of its summary, whether the callee is a
// name, a method, a callback or an entry of a table, because all of them are values. What
// leaves the program is an external call, known by its symbol and explained by the
// classifier.
//
// The package knows no language, no library and no rule.
package flow
