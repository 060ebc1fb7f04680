// Package analyzers holds the pipeline from source to what rules judge. It has no code of its own; this is the map.
//
//	source ─► golang ─────┐
//	                      ├─► model ─► flow ─► rules ─► findings ─► reports
//	source ─► typescript ─┘     ▲
//	                         catalog
//
//	model       the shared picture of a program, the vocabulary of knowledge, access paths and symbol patterns
//	catalog     what is known about libraries, as rows of data
//	golang      Go syntax with types to the model; load finds modules and packages and type-checks them as far as they go
//	typescript  parse (the only importer of tree-sitter), modules (resolution), scopes and lowering to the model
//	query       SQL and GraphQL text with holes, and schema files
//	flow        evaluates the model: effects, guards and provenance of every tool and route
//	audit       the standalone driver, on top of all of them and of the rules; discover finds the files
//
// Everything points one way: the front ends never meet, flow knows neither a language nor a library, nothing below rules
// knows a rule. TestImports keeps it so.
package analyzers
