// Package mcp declares what the stories use of the package of this name.
package mcp

import "net/http"

type ToolAnnotation struct {
	Title                                                        string
	ReadOnlyHint, DestructiveHint, IdempotentHint, OpenWorldHint *bool
}

type Tool struct {
	Name, Description string
	Annotations       ToolAnnotation
}

type (
	ToolOption     func(*Tool)
	PropertyOption func(map[string]any)
)

func NewTool(name string, opts ...ToolOption) Tool { return Tool{Name: name} }

func WithDescription(string) ToolOption               { return nil }
func WithString(string, ...PropertyOption) ToolOption { return nil }
func WithNumber(string, ...PropertyOption) ToolOption { return nil }
func WithReadOnlyHintAnnotation(bool) ToolOption      { return nil }
func WithDestructiveHintAnnotation(bool) ToolOption   { return nil }
func WithIdempotentHintAnnotation(bool) ToolOption    { return nil }
func WithToolAnnotation(ToolAnnotation) ToolOption    { return nil }
func Required() PropertyOption                        { return nil }
func Description(string) PropertyOption               { return nil }
func Pattern(string) PropertyOption                   { return nil }
func MinLength(int) PropertyOption                    { return nil }
func MaxLength(int) PropertyOption                    { return nil }
func ToBoolPtr(b bool) *bool                          { return &b }

type Meta struct{ ProgressToken any }

type CallToolParams struct {
	Meta           *Meta
	Name           string
	Arguments      any
	InputResponses map[string]any
	RequestState   string
}

type CallToolRequest struct {
	Header http.Header
	Params CallToolParams
}

func (CallToolRequest) GetArguments() map[string]any             { return nil }
func (CallToolRequest) BindArguments(any) error                  { return nil }
func (CallToolRequest) GetString(key, fallback string) string    { return fallback }
func (CallToolRequest) RequireString(key string) (string, error) { return "", nil }
func (CallToolRequest) GetInt(key string, fallback int) int      { return fallback }
func (CallToolRequest) RequireInt(key string) (int, error)       { return 0, nil }

type CallToolResult struct{ IsError bool }

func NewToolResultText(string) *CallToolResult                { return &CallToolResult{} }
func NewToolResultError(string) *CallToolResult               { return &CallToolResult{IsError: true} }
func NewToolResultErrorFromErr(string, error) *CallToolResult { return &CallToolResult{IsError: true} }
