// Package query reads the SQL and GraphQL text that a program passes to a database or an API, and the schema files beside it.
//
// The text comes as literal pieces and holes, for it is mostly built: from template strings, concatenation, tagged templates.
// Dialects are not told apart beforehand: one grammar reads the statement forms of PostgreSQL, MySQL, SQLite and the basics of
// T-SQL, and where a spelling means two things the surrounding tokens decide. What is not understood is skipped up to the next
// clause and marks the statement [Statement.Partial]; the verb and the table survive it. A hole in the place of a verb or
// a table makes that part unknown, never guessed.
//
// [SQL] reads statements, [Schema] and [Catalog] read migrations and Prisma schemas into tables with their unique constraints,
// [GraphQL] reads operations and their root fields.
package query
