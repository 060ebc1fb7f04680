package catalog

import "testing"

func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		if _, err := Load(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	sources, err := files()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := read(sources); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRows looks up what a program asks again and again, and what it asks once.
func BenchmarkRows(b *testing.B) {
	c, err := Load()
	if err != nil {
		b.Fatal(err)
	}
	symbols := []string{"@modelcontextprotocol/sdk/server/mcp.js#McpServer.tool", "js#Array.map", "stripe#default.charges.create", "left-pad#default", "?#db.invoices.create"}
	b.Run("known", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			c.Rows(symbols[i%len(symbols)])
		}
	})
	b.Run("first", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			c.index.find(symbols[i%len(symbols)])
		}
	})
}
