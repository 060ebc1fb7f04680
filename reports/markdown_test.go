package reports

import (
	"bytes"
	"testing"

	"github.com/retrysafe/retrysafe/analyzers/model"
	"github.com/retrysafe/retrysafe/rules"
)

func TestMarkdown(t *testing.T) {
	r := program(t, "charge(1)\n", &rules.Finding{Rule: someRule, Severity: rules.High, Confidence: model.Certain,
		Message: "`a|b` calls <img> for @team and [x](y)", Fix: "Do *not*.", Primary: at(1, 1, 1, 10), Fingerprint: "1"})
	const want = "## retrysafe: 1 finding, grade D\n\n" +
		"| severity | rule | place | finding |\n|---|---|---|---|\n" +
		"| HIGH | some-rule | `a.ts:1` | `a\\|b` calls &lt;img&gt; for &#64;team and \\[x\\](y)<br>*Do \\*not\\*.* |\n\n" +
		"0 tools, of which 0 change something; 1 file read.\n"
	var b bytes.Buffer
	if err := Markdown(&b, r); err != nil {
		t.Fatal(err)
	}
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}
