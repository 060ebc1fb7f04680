// Package parse turns the bytes of a TypeScript or JavaScript file into a flat concrete syntax tree.
//
// It is the only package that imports tree-sitter, and no tree-sitter type crosses it: callers see Tree, Node, Kind and
// Field. The three grammars (JavaScript with JSX, TypeScript, TSX) are unified, so that one spelling has one Kind and one
// Field in all of them.
//
// # What a tree holds
//
// Every named node of the grammar, in pre-order, plus the few anonymous tokens that carry meaning and that a Kind alone
// does not tell: operators (TokenOperator, with FieldOperator) and keywords or marks such as TokenAsync, TokenStatic,
// TokenConst, TokenUsing, TokenType, TokenStar, TokenQuestion. Brackets, commas, semicolons and the keyword that the Kind
// itself implies (`return`, `if`, `new` of a new expression, `await` of an await expression) are dropped. A hole in an
// array literal or pattern is a KindElision node of no width, so that positions count.
//
// FirstChild and NextSibling visit everything that is kept; Children skips tokens and comments, which is what a lowering
// wants. Has and Token ask for a token; Operator gives an operator's text.
//
// # What differs from the grammars
//
//   - field_definition (JavaScript) and public_field_definition (TypeScript) are KindFieldDefinition with FieldName.
//   - a dotted name (nested_identifier, in a JSX tag, an import alias or a type) is KindMemberExpression.
//   - the name of a class is KindIdentifier, not a type identifier: it stands for a value.
//   - `?.` is a KindOptionalChain node with FieldOptionalChain, in calls too.
//   - `using x = f()` and `await using x = f()` are KindLexicalDeclaration with the token TokenUsing, or TokenAwaitUsing.
//   - spellings that the grammars do not know and that Repair lists are parsed as a neighbouring spelling of the same
//     length; Text still gives the original text, and an import type is one KindTypeIdentifier.
//
// # What still differs between the grammars
//
//   - a parameter is wrapped in KindRequiredParameter or KindOptionalParameter (FieldPattern, FieldValue) in TypeScript, and
//     is the pattern itself, or KindAssignmentPattern, in JavaScript.
//   - the superclass stands in a KindExtendsClause (FieldValue) below KindClassHeritage in TypeScript, and in the heritage
//     itself in JavaScript.
//   - the decorators of a method stand before it in TypeScript; use Decorators.
//   - `export = x` has TokenEquals, `export as namespace x` has TokenNamespace, and the expression has no field.
//
// # Errors
//
// Broken source still gives a tree: KindError nodes hold what could not be placed and KindMissing nodes (of no width)
// stand for what the parser had to invent. Errors lists both.
package parse
