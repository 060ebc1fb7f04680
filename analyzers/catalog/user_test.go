package catalog

import (
	"strings"
	"testing"
)

// TestUserRowsStandForThemselves reads rows of a user without id, source and date, and asks what becomes of them.
func TestUserRowsStandForThemselves(t *testing.T) {
	c, err := Load(Source{Name: "conf/.retrysafe.yaml", Section: "catalog", Base: "conf", Data: []byte(`
other: setting
catalog:
  - {symbols: ["@acme/pay#charge"], effect: {kind: payment, nature: additive}}
  - {symbols: ["./src/once#once"], record: {op: claim, key: "Argument[0]"}}
  - {symbols: ["js#Array.map"], safe: true}
  - {symbols: ["stripe#Stripe.charges.create"], effect: {kind: payment, nature: read}}
  - {hosts: [{name: api.stripe.com}], safe: true}
  - {symbols: ["@acme/pay#charge"], safe: true}
  - {symbols: ["@acme/pay#charge"], when: [{at: "Argument[0]", is: [string]}], effect: {kind: payment, nature: read}}
`)})
	if err != nil {
		t.Fatal(err)
	}
	rows := c.UserRows()
	if len(rows) != 7 {
		t.Fatalf("%d rows, want 7", len(rows))
	}
	if rows[0].Source != "conf/.retrysafe.yaml" || rows[0].ID == "" || rows[0].Trusted || rows[0].Place != "conf/.retrysafe.yaml:4" {
		t.Errorf("the first row is %+v", rows[0].Row)
	}
	if rows[1].Symbols[0] != "./conf/src/once#once" {
		t.Errorf("a file is called %s", rows[1].Symbols[0])
	}
	for i, want := range []string{"", "", "", "", "", "conf/.retrysafe.yaml:4", "conf/.retrysafe.yaml:4"} {
		if got := rows[i].Idle; got != want && (want == "" || !strings.Contains(got, want)) {
			t.Errorf("row %d is idle for %q, want %q", i, got, want)
		}
	}
	for i, want := range []string{"", "", "", "stripe.charge", "host.stripe", "", ""} {
		var names []string
		for _, other := range rows[i].Shadows {
			names = append(names, other.ID)
		}
		if got := strings.Join(names, " "); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("row %d stands in the place of %q, want %q", i, got, want)
		}
	}
	if c.Asked(rows[0].Row) || c.Asked(rows[4].Row) {
		t.Error("a row is asked before anything was looked up")
	}
	c.Rows("@acme/pay#charge")
	c.HostRows("api.stripe.com", "/v1/charges", "POST")
	if !c.Asked(rows[0].Row) || !c.Asked(rows[4].Row) || c.Asked(rows[3].Row) {
		t.Error("what was looked up is not what is asked")
	}
	if !c.Told("./conf/src/once#once") || c.Told("./src/once#once") || c.Told("stripe#Stripe.refunds.create") {
		t.Error("Told does not hold for what the user's rows name")
	}
	if builtinCatalog(t).Told("stripe#Stripe.charges.create") {
		t.Error("a built-in row is told by nobody")
	}
}
