// Package golang lowers Go packages to the model, from their syntax and from what the type checker knows about them.
// It knows the language and no library; load finds the packages.
//
// A pointer to a struct is the struct itself, and a struct that is assigned to another variable stays the same one. A pointer to any other
// variable is its cell; one to a field or an element is a cell whose value goes back to its place after the call that it was given to.
// What a channel does is a call of the language's own: channel, send, offer (a send that a select with a default may leave), receive, drain (for range).
// Which case of a type switch or select is taken is not told. A panic ends its function; that a deferred function recovers it is not followed.
package golang
