// Package server declares what the stories use of the package of this name.
package server

import (
	"context"

	"github.com/mark3labs/mcp-go/mcp"
)

type ToolHandlerFunc func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error)

type ServerTool struct {
	Tool    mcp.Tool
	Handler ToolHandlerFunc
}

type MCPServer struct{}

type ServerOption func(*MCPServer)

func NewMCPServer(name, version string, opts ...ServerOption) *MCPServer { return &MCPServer{} }

func (*MCPServer) AddTool(mcp.Tool, ToolHandlerFunc) {}
func (*MCPServer) AddTools(...ServerTool)            {}

func ServeStdio(*MCPServer) error { return nil }

type StreamableHTTPServer struct{}

func NewStreamableHTTPServer(*MCPServer) *StreamableHTTPServer { return &StreamableHTTPServer{} }

func (*StreamableHTTPServer) Start(addr string) error { return nil }

type ClientSession interface{ SessionID() string }

func ClientSessionFromContext(context.Context) ClientSession { return nil }

type InputRequestBuilder struct{}

func NewInputRequestBuilder() *InputRequestBuilder { return &InputRequestBuilder{} }

func (b *InputRequestBuilder) Elicit(key, message string) *InputRequestBuilder { return b }
func (b *InputRequestBuilder) RequestState(string) *InputRequestBuilder        { return b }
func (*InputRequestBuilder) ToolResult() (*mcp.CallToolResult, error)          { return nil, nil }

func (s *MCPServer) SendNotificationToClient(ctx context.Context, method string, params map[string]any) error {
	return nil
}
