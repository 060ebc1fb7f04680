package reports

import (
	"bytes"
	"testing"
)

func TestPage(t *testing.T) {
	const page = "# a-rule\n\n**Title** · HIGH\n\nSee [other](other.md).\n\n```ts\npay(); // <- a-rule\n\nx[0](1) ** 2 ** 3\n```\n"
	const want = "a-rule\n\nTitle · HIGH\n\nSee other.\n\n    pay(); // <- a-rule\n\n    x[0](1) ** 2 ** 3\n"
	var b bytes.Buffer
	if err := Page(&b, page, Plain()); err != nil {
		t.Fatal(err)
	}
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}
