// Package typescript lowers TypeScript, TSX and JavaScript files to the shared model.
//
// It knows the language and nothing else: no library, no framework. A file becomes one
// model.Unit; scope analysis decides first where each variable lives, and lowering then
// spells out what is executed, in the order in which it is executed.
//
// # Variables
//
// A variable of a module is a global. A local that is defined once, before every use and
// every closure over it, is a value. Every other local is a cell. A function declaration
// that captures nothing is a FuncRef wherever it is mentioned. An imported name is spelled
// out at each use, as the Load of a member of a Module or External. A name that nothing
// declares is a member of the External "js".
//
// # Modules
//
// `import` and `require` give the namespace object of a unit (Module) or of a package
// (External). There is one rule for what a Module stands for, whichever way the unit was written:
//
//   - Load of an exported name gives that export; Load of "default" gives the default export.
//   - Load of another name gives that member of the default export, if there is a default export.
//   - Calling, constructing or extending the Module itself uses its default export.
//
// So `const f = require("./f")` over `module.exports = function () {}` is a call of the default
// export, and `require("./f").a` over `module.exports = build()` is a member of it. The
// assignments `module.exports = X` and `export = X` make the export "default"; where X is an
// object literal, its properties are exports as well. `exports` itself, used as a value, is the
// Module of the unit's own path. The same holds for an External, whose exports are not known here.
//
// The initialisers of a program run in the order of Unit.Imports.
//
// # Types
//
// A TypeRef with a Unit names a type by the name it is imported under. A unit that exports a type
// under a second name has an alias of that name among its Types; a type that it passes on from another
// module is an Export with From or Extern.
//
// # Classes
//
// The Class operation evaluates a class: its base, then its StaticInit with the class as receiver.
// `new` runs FieldInit and then Ctor, or the base class's construction where Ctor is 0. All members of a class have the
// same FreeVars. A DecoratorCall names the class by its value, also where a member is decorated.
//
// # Spans of terminators
//
// The Span of a block that ends with If is the condition, of one that ends with Range the
// iterable; otherwise it is the statement.
package typescript
