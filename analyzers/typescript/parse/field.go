package parse

// Field is the role a node plays for its parent, or NoField.
type Field uint8

// Roles, as the grammars name them.
const (
	// NoField is the role of a node that the grammar gives no name, and of NoNode.
	NoField Field = iota
	FieldAlias
	FieldAlternative
	FieldArgument
	FieldArguments
	FieldAttribute
	FieldBody
	FieldCloseTag
	FieldCondition
	FieldConsequence
	FieldConstraint
	FieldConstructor
	FieldContent
	FieldDeclaration
	FieldDecorator
	FieldFinalizer
	FieldFlags
	FieldFunction
	FieldHandler
	FieldIncrement
	FieldIndex
	FieldIndexType
	FieldInitializer
	FieldKey
	FieldKind
	FieldLabel
	FieldLeft
	FieldModule
	FieldName
	FieldObject
	FieldOpenTag
	FieldOperator
	FieldOptionalChain
	FieldParameter
	FieldParameters
	FieldPattern
	FieldProperty
	FieldReturnType
	FieldRight
	FieldSign
	FieldSource
	FieldTemplate
	FieldType
	FieldTypeArguments
	FieldTypeParameters
	FieldValue

	endOfFields
)

// String gives the grammar's name of the field, or the empty string for NoField.
func (f Field) String() string {
	if f >= endOfFields {
		return ""
	}
	return fieldNames[f]
}

var fieldNames = [endOfFields]string{
	FieldAlias:          "alias",
	FieldAlternative:    "alternative",
	FieldArgument:       "argument",
	FieldArguments:      "arguments",
	FieldAttribute:      "attribute",
	FieldBody:           "body",
	FieldCloseTag:       "close_tag",
	FieldCondition:      "condition",
	FieldConsequence:    "consequence",
	FieldConstraint:     "constraint",
	FieldConstructor:    "constructor",
	FieldContent:        "content",
	FieldDeclaration:    "declaration",
	FieldDecorator:      "decorator",
	FieldFinalizer:      "finalizer",
	FieldFlags:          "flags",
	FieldFunction:       "function",
	FieldHandler:        "handler",
	FieldIncrement:      "increment",
	FieldIndex:          "index",
	FieldIndexType:      "index_type",
	FieldInitializer:    "initializer",
	FieldKey:            "key",
	FieldKind:           "kind",
	FieldLabel:          "label",
	FieldLeft:           "left",
	FieldModule:         "module",
	FieldName:           "name",
	FieldObject:         "object",
	FieldOpenTag:        "open_tag",
	FieldOperator:       "operator",
	FieldOptionalChain:  "optional_chain",
	FieldParameter:      "parameter",
	FieldParameters:     "parameters",
	FieldPattern:        "pattern",
	FieldProperty:       "property",
	FieldReturnType:     "return_type",
	FieldRight:          "right",
	FieldSign:           "sign",
	FieldSource:         "source",
	FieldTemplate:       "template",
	FieldType:           "type",
	FieldTypeArguments:  "type_arguments",
	FieldTypeParameters: "type_parameters",
	FieldValue:          "value",
}
