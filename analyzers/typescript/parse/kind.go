package parse

// Kind is the kind of a node: a node kind of the grammars, unified, or a token that was worth keeping.
type Kind uint16

// Kinds of named nodes, in alphabetical order after the special ones. The comment-free ones mean what the tree-sitter
// grammars mean by the same name in snake case.
const (
	// KindNone is the kind of NoNode.
	KindNone Kind = iota
	// KindError holds source text that fits no rule; its children are what could still be recognised.
	KindError
	// KindMissing is a node of no width for something the parser had to invent.
	KindMissing
	// KindElision is a hole in an array literal or pattern, `[a, , b]`: a node of no width at the comma.
	KindElision
	KindAbstractClassDeclaration
	KindAbstractMethodSignature
	KindAccessibilityModifier
	KindAddingTypeAnnotation
	KindAmbientDeclaration
	KindArguments
	KindArray
	KindArrayPattern
	KindArrayType
	KindArrowFunction
	KindAsExpression
	KindAsserts
	KindAssertsAnnotation
	KindAssignmentExpression
	KindAssignmentPattern
	KindAugmentedAssignmentExpression
	KindAwaitExpression
	KindBinaryExpression
	KindBreakStatement
	KindCallExpression
	KindCallSignature
	KindCatchClause
	KindClass
	KindClassBody
	KindClassDeclaration
	KindClassHeritage
	KindClassStaticBlock
	KindComment
	KindComputedPropertyName
	KindConditionalType
	KindConstraint
	KindConstructSignature
	KindConstructorType
	KindContinueStatement
	KindDebuggerStatement
	KindDecorator
	KindDefaultType
	KindDoStatement
	KindElseClause
	KindEmptyStatement
	KindEnumAssignment
	KindEnumBody
	KindEnumDeclaration
	KindEscapeSequence
	KindExistentialType
	KindExportClause
	KindExportSpecifier
	KindExportStatement
	KindExpressionStatement
	KindExtendsClause
	KindExtendsTypeClause
	KindFalse
	KindFieldDefinition
	KindFinallyClause
	KindFlowMaybeType
	KindForInStatement
	KindForStatement
	KindFormalParameters
	KindFunctionDeclaration
	KindFunctionExpression
	KindFunctionSignature
	KindFunctionType
	KindGeneratorFunction
	KindGeneratorFunctionDeclaration
	KindGenericType
	KindGlimmerClosingTag
	KindGlimmerOpeningTag
	KindGlimmerTemplate
	KindHashBangLine
	KindHTMLCharacterReference
	KindHTMLComment
	KindIdentifier
	KindIfStatement
	KindImplementsClause
	KindImport
	KindImportAlias
	KindImportAttribute
	KindImportClause
	KindImportRequireClause
	KindImportSpecifier
	KindImportStatement
	KindIndexSignature
	KindIndexTypeQuery
	KindInferType
	KindInstantiationExpression
	KindInterfaceBody
	KindInterfaceDeclaration
	KindInternalModule
	KindIntersectionType
	KindJSXAttribute
	KindJSXClosingElement
	KindJSXElement
	KindJSXExpression
	KindJSXNamespaceName
	KindJSXOpeningElement
	KindJSXSelfClosingElement
	KindJSXText
	KindLabeledStatement
	KindLexicalDeclaration
	KindLiteralType
	KindLookupType
	KindMappedTypeClause
	KindMemberExpression
	KindMetaProperty
	KindMethodDefinition
	KindMethodSignature
	KindModule
	KindNamedImports
	KindNamespaceExport
	KindNamespaceImport
	KindNestedTypeIdentifier
	KindNewExpression
	KindNonNullExpression
	KindNull
	KindNumber
	KindObject
	KindObjectAssignmentPattern
	KindObjectPattern
	KindObjectType
	KindOmittingTypeAnnotation
	KindOptingTypeAnnotation
	KindOptionalChain
	KindOptionalParameter
	KindOptionalType
	KindOverrideModifier
	KindPair
	KindPairPattern
	KindParenthesizedExpression
	KindParenthesizedType
	KindPredefinedType
	KindPrivatePropertyIdentifier
	KindProgram
	KindPropertyIdentifier
	KindPropertySignature
	KindReadonlyType
	KindRegex
	KindRegexFlags
	KindRegexPattern
	KindRequiredParameter
	KindRestPattern
	KindRestType
	KindReturnStatement
	KindSatisfiesExpression
	KindSequenceExpression
	KindShorthandPropertyIdentifier
	KindShorthandPropertyIdentifierPattern
	KindSpreadElement
	KindStatementBlock
	KindStatementIdentifier
	KindString
	KindStringFragment
	KindSubscriptExpression
	KindSuper
	KindSwitchBody
	KindSwitchCase
	KindSwitchDefault
	KindSwitchStatement
	KindTemplateLiteralType
	KindTemplateString
	KindTemplateSubstitution
	KindTemplateType
	KindTernaryExpression
	KindThis
	KindThisType
	KindThrowStatement
	KindTrue
	KindTryStatement
	KindTupleType
	KindTypeAliasDeclaration
	KindTypeAnnotation
	KindTypeArguments
	KindTypeAssertion
	KindTypeIdentifier
	KindTypeParameter
	KindTypeParameters
	KindTypePredicate
	KindTypePredicateAnnotation
	KindTypeQuery
	KindUnaryExpression
	KindUndefined
	KindUnionType
	KindUpdateExpression
	KindVariableDeclaration
	KindVariableDeclarator
	KindWhileStatement
	KindWithStatement
	KindYieldExpression
	endOfNamedKinds
)

// Kinds of kept tokens.
const (
	// TokenOperator is the operator of a binary, unary, update or augmented assignment expression, or `in` and `of` of a
	// for-in statement. It always has FieldOperator, and its text tells which one it is.
	TokenOperator   Kind = iota + endOfNamedKinds + 1
	TokenAbstract        // `abstract` of a member or of a constructor type
	TokenAccessor        // `accessor` of a class field
	TokenAsserts         // `asserts x` in a type predicate
	TokenAsync           // `async` of a function or method
	TokenAwait           // `await` of `for await`
	TokenAwaitUsing      // `await using` of a declaration
	TokenBang            // `!` of a definite assignment or a non-null assertion
	TokenConst           // `const` of a declaration, an enum, a type parameter or `as const`
	TokenDeclare         // `declare` of a class member
	TokenDefault         // `default` of an export
	TokenEquals          // `=` of `export =`
	TokenGet             // `get` of an accessor
	TokenGlobal          // `global` of `declare global`
	TokenLet             // `let`
	TokenNamespace       // `namespace` of `export as namespace`
	TokenNew             // `new` of `new.target`
	TokenPrivate         // `private` inside an accessibility modifier
	TokenProtected       // `protected` inside an accessibility modifier
	TokenPublic          // `public` inside an accessibility modifier
	TokenQuestion        // `?` of an optional member or parameter
	TokenReadonly        // `readonly` of a member or parameter
	TokenSet             // `set` of an accessor
	TokenStar            // `*` of a generator, `yield *`, `export *` or `import *`
	TokenStatic          // `static` of a class member
	TokenType            // `type` of a type-only import or export
	TokenTypeof          // `typeof` of `import typeof`
	TokenUsing           // `using` of a declaration
	TokenVar             // `var`

	endOfKinds
)

// IsToken tells whether the kind is one of the Token constants.
func (k Kind) IsToken() bool { return k > endOfNamedKinds }

// IsComment tells whether the kind is a comment, an HTML-like comment or the `#!` line.
func (k Kind) IsComment() bool {
	return k == KindComment || k == KindHTMLComment || k == KindHashBangLine
}

// String gives the name of the kind: snake case for nodes, the text in quotes for tokens.
func (k Kind) String() string {
	if k >= endOfKinds || kindNames[k] == "" {
		return "none"
	}
	return kindNames[k]
}

var kindNames = [endOfKinds]string{
	KindError:                              "ERROR",
	KindMissing:                            "MISSING",
	KindElision:                            "elision",
	KindAbstractClassDeclaration:           "abstract_class_declaration",
	KindAbstractMethodSignature:            "abstract_method_signature",
	KindAccessibilityModifier:              "accessibility_modifier",
	KindAddingTypeAnnotation:               "adding_type_annotation",
	KindAmbientDeclaration:                 "ambient_declaration",
	KindArguments:                          "arguments",
	KindArray:                              "array",
	KindArrayPattern:                       "array_pattern",
	KindArrayType:                          "array_type",
	KindArrowFunction:                      "arrow_function",
	KindAsExpression:                       "as_expression",
	KindAsserts:                            "asserts",
	KindAssertsAnnotation:                  "asserts_annotation",
	KindAssignmentExpression:               "assignment_expression",
	KindAssignmentPattern:                  "assignment_pattern",
	KindAugmentedAssignmentExpression:      "augmented_assignment_expression",
	KindAwaitExpression:                    "await_expression",
	KindBinaryExpression:                   "binary_expression",
	KindBreakStatement:                     "break_statement",
	KindCallExpression:                     "call_expression",
	KindCallSignature:                      "call_signature",
	KindCatchClause:                        "catch_clause",
	KindClass:                              "class",
	KindClassBody:                          "class_body",
	KindClassDeclaration:                   "class_declaration",
	KindClassHeritage:                      "class_heritage",
	KindClassStaticBlock:                   "class_static_block",
	KindComment:                            "comment",
	KindComputedPropertyName:               "computed_property_name",
	KindConditionalType:                    "conditional_type",
	KindConstraint:                         "constraint",
	KindConstructSignature:                 "construct_signature",
	KindConstructorType:                    "constructor_type",
	KindContinueStatement:                  "continue_statement",
	KindDebuggerStatement:                  "debugger_statement",
	KindDecorator:                          "decorator",
	KindDefaultType:                        "default_type",
	KindDoStatement:                        "do_statement",
	KindElseClause:                         "else_clause",
	KindEmptyStatement:                     "empty_statement",
	KindEnumAssignment:                     "enum_assignment",
	KindEnumBody:                           "enum_body",
	KindEnumDeclaration:                    "enum_declaration",
	KindEscapeSequence:                     "escape_sequence",
	KindExistentialType:                    "existential_type",
	KindExportClause:                       "export_clause",
	KindExportSpecifier:                    "export_specifier",
	KindExportStatement:                    "export_statement",
	KindExpressionStatement:                "expression_statement",
	KindExtendsClause:                      "extends_clause",
	KindExtendsTypeClause:                  "extends_type_clause",
	KindFalse:                              "false",
	KindFieldDefinition:                    "field_definition",
	KindFinallyClause:                      "finally_clause",
	KindFlowMaybeType:                      "flow_maybe_type",
	KindForInStatement:                     "for_in_statement",
	KindForStatement:                       "for_statement",
	KindFormalParameters:                   "formal_parameters",
	KindFunctionDeclaration:                "function_declaration",
	KindFunctionExpression:                 "function_expression",
	KindFunctionSignature:                  "function_signature",
	KindFunctionType:                       "function_type",
	KindGeneratorFunction:                  "generator_function",
	KindGeneratorFunctionDeclaration:       "generator_function_declaration",
	KindGenericType:                        "generic_type",
	KindGlimmerClosingTag:                  "glimmer_closing_tag",
	KindGlimmerOpeningTag:                  "glimmer_opening_tag",
	KindGlimmerTemplate:                    "glimmer_template",
	KindHashBangLine:                       "hash_bang_line",
	KindHTMLCharacterReference:             "html_character_reference",
	KindHTMLComment:                        "html_comment",
	KindIdentifier:                         "identifier",
	KindIfStatement:                        "if_statement",
	KindImplementsClause:                   "implements_clause",
	KindImport:                             "import",
	KindImportAlias:                        "import_alias",
	KindImportAttribute:                    "import_attribute",
	KindImportClause:                       "import_clause",
	KindImportRequireClause:                "import_require_clause",
	KindImportSpecifier:                    "import_specifier",
	KindImportStatement:                    "import_statement",
	KindIndexSignature:                     "index_signature",
	KindIndexTypeQuery:                     "index_type_query",
	KindInferType:                          "infer_type",
	KindInstantiationExpression:            "instantiation_expression",
	KindInterfaceBody:                      "interface_body",
	KindInterfaceDeclaration:               "interface_declaration",
	KindInternalModule:                     "internal_module",
	KindIntersectionType:                   "intersection_type",
	KindJSXAttribute:                       "jsx_attribute",
	KindJSXClosingElement:                  "jsx_closing_element",
	KindJSXElement:                         "jsx_element",
	KindJSXExpression:                      "jsx_expression",
	KindJSXNamespaceName:                   "jsx_namespace_name",
	KindJSXOpeningElement:                  "jsx_opening_element",
	KindJSXSelfClosingElement:              "jsx_self_closing_element",
	KindJSXText:                            "jsx_text",
	KindLabeledStatement:                   "labeled_statement",
	KindLexicalDeclaration:                 "lexical_declaration",
	KindLiteralType:                        "literal_type",
	KindLookupType:                         "lookup_type",
	KindMappedTypeClause:                   "mapped_type_clause",
	KindMemberExpression:                   "member_expression",
	KindMetaProperty:                       "meta_property",
	KindMethodDefinition:                   "method_definition",
	KindMethodSignature:                    "method_signature",
	KindModule:                             "module",
	KindNamedImports:                       "named_imports",
	KindNamespaceExport:                    "namespace_export",
	KindNamespaceImport:                    "namespace_import",
	KindNestedTypeIdentifier:               "nested_type_identifier",
	KindNewExpression:                      "new_expression",
	KindNonNullExpression:                  "non_null_expression",
	KindNull:                               "null",
	KindNumber:                             "number",
	KindObject:                             "object",
	KindObjectAssignmentPattern:            "object_assignment_pattern",
	KindObjectPattern:                      "object_pattern",
	KindObjectType:                         "object_type",
	KindOmittingTypeAnnotation:             "omitting_type_annotation",
	KindOptingTypeAnnotation:               "opting_type_annotation",
	KindOptionalChain:                      "optional_chain",
	KindOptionalParameter:                  "optional_parameter",
	KindOptionalType:                       "optional_type",
	KindOverrideModifier:                   "override_modifier",
	KindPair:                               "pair",
	KindPairPattern:                        "pair_pattern",
	KindParenthesizedExpression:            "parenthesized_expression",
	KindParenthesizedType:                  "parenthesized_type",
	KindPredefinedType:                     "predefined_type",
	KindPrivatePropertyIdentifier:          "private_property_identifier",
	KindProgram:                            "program",
	KindPropertyIdentifier:                 "property_identifier",
	KindPropertySignature:                  "property_signature",
	KindReadonlyType:                       "readonly_type",
	KindRegex:                              "regex",
	KindRegexFlags:                         "regex_flags",
	KindRegexPattern:                       "regex_pattern",
	KindRequiredParameter:                  "required_parameter",
	KindRestPattern:                        "rest_pattern",
	KindRestType:                           "rest_type",
	KindReturnStatement:                    "return_statement",
	KindSatisfiesExpression:                "satisfies_expression",
	KindSequenceExpression:                 "sequence_expression",
	KindShorthandPropertyIdentifier:        "shorthand_property_identifier",
	KindShorthandPropertyIdentifierPattern: "shorthand_property_identifier_pattern",
	KindSpreadElement:                      "spread_element",
	KindStatementBlock:                     "statement_block",
	KindStatementIdentifier:                "statement_identifier",
	KindString:                             "string",
	KindStringFragment:                     "string_fragment",
	KindSubscriptExpression:                "subscript_expression",
	KindSuper:                              "super",
	KindSwitchBody:                         "switch_body",
	KindSwitchCase:                         "switch_case",
	KindSwitchDefault:                      "switch_default",
	KindSwitchStatement:                    "switch_statement",
	KindTemplateLiteralType:                "template_literal_type",
	KindTemplateString:                     "template_string",
	KindTemplateSubstitution:               "template_substitution",
	KindTemplateType:                       "template_type",
	KindTernaryExpression:                  "ternary_expression",
	KindThis:                               "this",
	KindThisType:                           "this_type",
	KindThrowStatement:                     "throw_statement",
	KindTrue:                               "true",
	KindTryStatement:                       "try_statement",
	KindTupleType:                          "tuple_type",
	KindTypeAliasDeclaration:               "type_alias_declaration",
	KindTypeAnnotation:                     "type_annotation",
	KindTypeArguments:                      "type_arguments",
	KindTypeAssertion:                      "type_assertion",
	KindTypeIdentifier:                     "type_identifier",
	KindTypeParameter:                      "type_parameter",
	KindTypeParameters:                     "type_parameters",
	KindTypePredicate:                      "type_predicate",
	KindTypePredicateAnnotation:            "type_predicate_annotation",
	KindTypeQuery:                          "type_query",
	KindUnaryExpression:                    "unary_expression",
	KindUndefined:                          "undefined",
	KindUnionType:                          "union_type",
	KindUpdateExpression:                   "update_expression",
	KindVariableDeclaration:                "variable_declaration",
	KindVariableDeclarator:                 "variable_declarator",
	KindWhileStatement:                     "while_statement",
	KindWithStatement:                      "with_statement",
	KindYieldExpression:                    "yield_expression",
	TokenOperator:                          `"operator"`,
	TokenAbstract:                          `"abstract"`,
	TokenAccessor:                          `"accessor"`,
	TokenAsserts:                           `"asserts"`,
	TokenAsync:                             `"async"`,
	TokenAwait:                             `"await"`,
	TokenAwaitUsing:                        `"await using"`,
	TokenBang:                              `"!"`,
	TokenConst:                             `"const"`,
	TokenDeclare:                           `"declare"`,
	TokenDefault:                           `"default"`,
	TokenEquals:                            `"="`,
	TokenGet:                               `"get"`,
	TokenGlobal:                            `"global"`,
	TokenLet:                               `"let"`,
	TokenNamespace:                         `"namespace"`,
	TokenNew:                               `"new"`,
	TokenPrivate:                           `"private"`,
	TokenProtected:                         `"protected"`,
	TokenPublic:                            `"public"`,
	TokenQuestion:                          `"?"`,
	TokenReadonly:                          `"readonly"`,
	TokenSet:                               `"set"`,
	TokenStar:                              `"*"`,
	TokenStatic:                            `"static"`,
	TokenType:                              `"type"`,
	TokenTypeof:                            `"typeof"`,
	TokenUsing:                             `"using"`,
	TokenVar:                               `"var"`,
}
