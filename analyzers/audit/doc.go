// Package audit is the standalone driver: it finds the sources below a path, loads
// them, lets flow evaluate them and rules judge what it found, and says what
// was not read or not understood.
package audit
