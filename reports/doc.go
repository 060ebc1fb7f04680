// Package reports writes the outcome of scans: one writer a format, from one Report.
//
// A Report holds what was selected and how paths are shown; it decides nothing
// about the program. Formats that other programs read have types of their
// own, with the version in their names, so that a change of the engine is no
// change of the format.
//
// Everything that comes from the scanned program is untrusted text: secrets are
// masked and control characters shown escaped by every writer.
package reports
