package discover

import (
	"bytes"
	"io/fs"
	"path"
)

const (
	// foreignHead is how much of a file in another language is searched, in bytes.
	foreignHead = 512 << 10
	// foreignTotal bounds the search over all files, in bytes.
	foreignTotal = 256 << 20
)

// foreign is a language that is not analysed, with the texts that a file
// registering tools in it contains.
type foreign struct {
	language string
	marks    [][]byte
}

func foreignOf(name string) *foreign {
	switch path.Ext(name) {
	case ".py":
		return &foreignPython
	case ".rb":
		return &foreignRuby
	case ".rs":
		return &foreignRust
	case ".java":
		return &foreignJava
	case ".kt", ".kts":
		return &foreignKotlin
	case ".cs":
		return &foreignCSharp
	case ".php":
		return &foreignPHP
	case ".swift":
		return &foreignSwift
	case ".ex", ".exs":
		return &foreignElixir
	}
	return nil
}

var (
	foreignPython = foreign{"python", words("FastMCP(", "@mcp.tool", "@server.call_tool", "@app.call_tool", ".call_tool()",
		"mcp.server", "@function_tool", "@beta_tool")}
	foreignRuby   = foreign{"ruby", words("MCP::Server", "MCP::Tool", "FastMcp::", "ActionMCP::")}
	foreignRust   = foreign{"rust", words("#[tool", "rmcp::", "rust_mcp_sdk", "ServerHandler for")}
	foreignJava   = foreign{"java", words("io.modelcontextprotocol", "McpServer.", "@McpTool", "org.springframework.ai.tool.annotation")}
	foreignKotlin = foreign{"kotlin", words("io.modelcontextprotocol", "@McpTool", "org.springframework.ai.tool.annotation")}
	foreignCSharp = foreign{"csharp", words("McpServerTool", "ModelContextProtocol.Server", "WithToolsFromAssembly")}
	foreignPHP    = foreign{"php", words("#[McpTool", `PhpMcp\`, `Mcp\Server`, `Laravel\Mcp`)}
	foreignSwift  = foreign{"swift", words("import MCP\n", "CallTool.self")}
	foreignElixir = foreign{"elixir", words("Hermes.Server", "Anubis.Server", "MCPServer")}
)

func words(texts ...string) [][]byte {
	var out [][]byte
	for _, t := range texts {
		out = append(out, []byte(t))
	}
	return out
}

// registers says whether the file holds one of the marks in its first part, and
// how many bytes were read for it.
func (l *foreign) registers(view fs.FS, name string) (found bool, read int64) {
	f, err := view.Open(name)
	if err != nil {
		return false, 0
	}
	defer f.Close()
	head, _ := readHead(f, foreignHead)
	for _, mark := range l.marks {
		if bytes.Contains(head, mark) {
			return true, int64(len(head))
		}
	}
	return false, int64(len(head))
}
