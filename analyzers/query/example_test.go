package query_test

import (
	"fmt"

	"github.com/retrysafe/retrysafe/analyzers/query"
)

// A claim of an idempotency key, as a tagged template passes it.
func ExampleSQL() {
	sts, err := query.SQL([]query.Piece{
		query.Text("INSERT INTO idempotency_keys (key, owner, expires_at) VALUES ("), query.Value(0),
		query.Text(", "), query.Value(1), query.Text(", now() + interval '24 hours') ON CONFLICT (owner, key) DO NOTHING"),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	st := sts[0]
	table, _ := st.Target()
	key, _ := st.Value("key")
	fmt.Println(st.Verb, table.Name, st.OnConflict.Kind, st.OnConflict.Columns)
	fmt.Println(key.Kind, key.Index)
	fmt.Println(st.Intervals[0].Column, st.Intervals[0].Seconds)
	// Output:
	// insert idempotency_keys do nothing [owner key]
	// hole 0
	// expires_at 86400
}

func ExampleCatalog() {
	var c query.Catalog
	c.Apply("1_keys.up.sql", []byte("CREATE TABLE keys (key text, owner int, PRIMARY KEY (owner, key));"))
	c.Apply("2_tag.up.sql", []byte("ALTER TABLE keys ADD COLUMN tag text UNIQUE;"))
	keys, _ := c.Table("keys")
	for _, k := range keys.Keys() {
		fmt.Println(k.Primary, k.Columns)
	}
	// Output:
	// true [owner key]
	// false [tag]
}

func ExampleGraphQL() {
	doc, err := query.GraphQL([]query.Piece{query.Text(`mutation { issueCreate(input: {id: "`), query.Value(0), query.Text(`", title: $title}) { success } }`)})
	if err != nil {
		fmt.Println(err)
		return
	}
	id, _ := doc.Operations[0].Fields[0].Argument("input", "id")
	fmt.Println(doc.Mutates(), id.Operand.Kind, id.Operand.Index)
	// Output:
	// true hole 0
}
