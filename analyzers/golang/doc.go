// Package golang lowers Go packages to the model, from their syntax and from what the type checker knows about them.
// It knows the language and no library; load finds the packages.
package golang
