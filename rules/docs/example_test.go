package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"testing/fstest"

	"github.com/retrysafe/retrysafe/rules"
)

const story = `A story.

-- ts/server.ts --
import x from "x";

// pays, and pays again
server.tool("pay", shape, async ({ amount }) => {
  // want +1 a-rule "pays"
  await pay(amount);

  return done; // want b-rule "x \"y\"" a-rule "z"
});

server.tool("pay_once", shape, async ({ amount, key }) => {
  if (await claim(key)) await pay(amount);
  return done;
});

server.tool("look", shape, async () => found);
-- ts/notes.md --
server.tool("pay", shape, async ({ amount }) => pay(amount)); // want a-rule "short"
-- go/main.go --
package main

func pay() { // want b-rule "x"
	charge()
}
`

func TestExamples(t *testing.T) {
	stories := fstest.MapFS{"a-rule/one.txtar": {Data: []byte(story)}, "b-rule/one.txtar": {Data: []byte(story)}, "b-rule/notes": {Data: []byte(story)}}
	got, err := findExamples(stories, "a-rule")
	if err != nil {
		t.Fatal(err)
	}
	want := example{language: "ts", before: `// pays, and pays again
server.tool("pay", shape, async ({ amount }) => {
  await pay(amount); // <- a-rule

  return done; // <- a-rule
});
`, after: `server.tool("pay_once", shape, async ({ amount, key }) => {
  if (await claim(key)) await pay(amount);
  return done;
});
`}
	if len(got) != 1 || got[0] != want {
		t.Errorf("got %+v", got)
	}

	got, err = findExamples(stories, "b-rule")
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || got[1] != (example{"go", "func pay() { // <- b-rule\n\tcharge()\n}\n", ""}) {
		t.Errorf("got %+v", got)
	}

	if got, err := findExamples(stories, "no-stories"); err != nil || len(got) != 0 {
		t.Errorf("got %+v, %v", got, err)
	}
}

// TestNamesOfRules makes sure that a page names no rule that does not exist: what looks like the name of one, between backticks or as a link to a
// page, is one.
func TestNamesOfRules(t *testing.T) {
	name := regexp.MustCompile("`([a-z]+(?:-[a-z]+)+)`|\\[([a-z]+(?:-[a-z]+)+)\\]\\(")
	files, err := filepath.Glob("*.md")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range append(files, filepath.Join("..", "..", "README.md")) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range name.FindAllStringSubmatch(string(text), -1) {
			if n := m[1] + m[2]; rules.Find(n) == nil {
				t.Errorf("%s names %s, which is no rule", file, n)
			}
		}
	}
}
