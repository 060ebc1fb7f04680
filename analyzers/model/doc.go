// Package model is the shared picture of a program: the small intermediate form
// to which both front ends lower, and over which everything else reasons.
//
// A program is a set of units (a TypeScript or JavaScript file, a Go package).
// A unit holds functions of basic blocks. A block is a list of operations; an
// operation defines at most one value and is named by its index in the
// function, so values need no names and a function is one flat slice. Values are
// in SSA form: an operation is executed before the operations that use it on every
// path, and variables that are assigned more than once are either Phi values (Go) or
// cells, explicit memory made by Alloc and read and written by Load and Store (TypeScript).
// Both forms may meet in one function.
//
// The form knows no library: what a callee is, is found by package flow. It
// also knows no language: `await` and a goroutine are operations like any
// other. What a front end cannot express becomes an Unknown operation, a value that
// every reader must face, never a guess.
//
// The package depends on the standard library only.
package model
