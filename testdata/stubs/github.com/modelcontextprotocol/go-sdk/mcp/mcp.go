// Package mcp declares what the stories use of the package of this name.
package mcp

import (
	"context"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/auth"
)

type Implementation struct{ Name, Version string }

type ServerOptions struct{}

type Server struct{}

func NewServer(*Implementation, *ServerOptions) *Server { return &Server{} }

func (*Server) Run(context.Context, Transport) error { return nil }

type ToolAnnotations struct {
	DestructiveHint, OpenWorldHint *bool
	IdempotentHint, ReadOnlyHint   bool
	Title                          string
}

type Tool struct {
	Name, Description string
	InputSchema       any
	Annotations       *ToolAnnotations
}

type RequestExtra struct {
	TokenInfo *auth.TokenInfo
	Header    http.Header
}

type CallToolParams struct {
	Name      string
	Arguments any
}

type ServerSession struct{}

type LoggingMessageParams struct{ Data any }

func (*ServerSession) Log(ctx context.Context, params *LoggingMessageParams) error { return nil }

type CallToolRequest struct {
	Session *ServerSession
	Params  *CallToolParams
	Extra   *RequestExtra
}

type Content interface{ content() }

type TextContent struct{ Text string }

func (*TextContent) content() {}

type CallToolResult struct {
	Content []Content
	IsError bool
}

func AddTool[In, Out any](s *Server, t *Tool, h func(context.Context, *CallToolRequest, In) (*CallToolResult, Out, error)) {
}

type Transport interface{ Connect(context.Context) error }

type StdioTransport struct{}

func (*StdioTransport) Connect(context.Context) error { return nil }

type StreamableHTTPOptions struct{}

type StreamableHTTPHandler struct{}

func (*StreamableHTTPHandler) ServeHTTP(http.ResponseWriter, *http.Request) {}

func NewStreamableHTTPHandler(func(*http.Request) *Server, *StreamableHTTPOptions) *StreamableHTTPHandler {
	return &StreamableHTTPHandler{}
}
