package reports

// The types of this file are the format "retrysafe/v1". Members may be added; none is renamed, removed or given another
// meaning without a new version.

// SchemaV1 names the format.
const SchemaV1 = "retrysafe/v1"

type reportV1 struct {
	Schema   string      `json:"schema"`
	Version  string      `json:"version"` // of the program
	Base     string      `json:"base"`    // the folder that all files are relative to, as seen from where the scan was started; "" where they begin with the name of their repository
	Summary  summaryV1   `json:"summary"`
	Tools    []toolV1    `json:"tools"`
	Findings []findingV1 `json:"findings"`
	Coverage coverageV1  `json:"coverage"`
	Told     []toldV1    `json:"told"` // rows about libraries that did not come with the auditor
}

type summaryV1 struct {
	Tools      int      `json:"tools"` // routes and webhooks included
	Routes     int      `json:"routes"`
	Webhooks   int      `json:"webhooks"`
	Exported   int      `json:"exported,omitempty"` // functions that a library offers
	Writes     int      `json:"writes"`
	Unjudged   int      `json:"unjudged"`   // not known to write, and not followed to the end
	Findings   countsV1 `json:"findings"`   // not suppressed; notes are not counted
	Suppressed int      `json:"suppressed"` // listed, but not counted above
	Grade      *string  `json:"grade"`      // A to F; null where no tool was found, or too few were judged
}

type countsV1 struct {
	High   int `json:"HIGH"`
	Medium int `json:"MEDIUM"`
	Low    int `json:"LOW"`
}

// placeV1 is a place in a file. Lines and columns start at 1, columns count bytes.
type placeV1 struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

type toolV1 struct {
	ID          string         `json:"id"`
	Name        string         `json:"name"`
	Kind        string         `json:"kind"` // mcp, agent, http, webhook
	Framework   string         `json:"framework"`
	Language    string         `json:"language"`
	File        string         `json:"file"` // of the registration
	Line        int            `json:"line"`
	Column      int            `json:"column"`
	Handler     *placeV1       `json:"handler"` // null where it was not found
	Nature      string         `json:"nature"`  // a lower bound where partial is true
	Effects     []effectV1     `json:"effects"`
	Annotations map[string]any `json:"annotations"` // true, false or text; null where computed
	Key         string         `json:"key"`         // none, param, header, derived, vendor, constraint
	Unresolved  []callV1       `json:"unresolved"`
	Partial     bool           `json:"partial"` // something that the handler calls was not followed, listed above or not
	Grade       *string        `json:"grade"`   // null where it was not judged
	Confidence  string         `json:"confidence"`
	Findings    []string       `json:"findings"` // fingerprints
}

type effectV1 struct {
	Kind       string    `json:"kind"`
	Nature     string    `json:"nature"`
	Callee     string    `json:"callee"`
	File       string    `json:"file"`
	Line       int       `json:"line"`
	Method     string    `json:"method"`    // of an HTTP request, "" if unknown
	URL        string    `json:"url"`       // host and path as far as known, "…" for what is computed
	Statement  string    `json:"statement"` // of a query: INSERT, UPDATE, …
	Table      string    `json:"table"`
	Protection string    `json:"protection"` // none, weak, full
	By         []guardV1 `json:"by"`
}

type guardV1 struct {
	Kind string `json:"kind"`
	File string `json:"file"`
	Line int    `json:"line"`
	Why  string `json:"why"`
}

type callV1 struct {
	Callee string `json:"callee"`
	File   string `json:"file"`
	Line   int    `json:"line"`
}

type findingV1 struct {
	Rule        string         `json:"rule"`
	Severity    string         `json:"severity"`
	Confidence  string         `json:"confidence"`
	Message     string         `json:"message"`
	Tool        string         `json:"tool"`  // the name of the first of tools, "" where no tool reaches the place
	Tools       []string       `json:"tools"` // names
	File        string         `json:"file"`
	Line        int            `json:"line"`
	Column      int            `json:"column"`
	EndLine     int            `json:"endLine"`
	EndColumn   int            `json:"endColumn"` // the first column after the place
	Related     []relatedV1    `json:"related"`
	Fix         string         `json:"fix"`
	CWE         int            `json:"cwe"`
	Fingerprint string         `json:"fingerprint"`
	Suppressed  *suppressionV1 `json:"suppressed"`
}

type relatedV1 struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
}

type suppressionV1 struct {
	Kind   string `json:"kind"` // ignore
	Reason string `json:"reason"`
	File   string `json:"file"`
	Line   int    `json:"line"`
}

type coverageV1 struct {
	Files       int             `json:"files"`
	Bytes       int64           `json:"bytes"`
	Skipped     []skippedV1     `json:"skipped"`
	Degraded    []degradedV1    `json:"degraded"`
	Unresolved  []unresolvedV1  `json:"unresolved"`
	Unsupported []unsupportedV1 `json:"unsupported"`
	Complete    bool            `json:"complete"`
	Incomplete  []unresolvedV1  `json:"incomplete"` // what cut the scan short; no file where it was no place
}

type skippedV1 struct {
	File   string `json:"file"`
	Reason string `json:"reason"`
}

type degradedV1 struct {
	Package string `json:"package"` // or file
	Reason  string `json:"reason"`
}

type unresolvedV1 struct {
	File string `json:"file"`
	Line int    `json:"line"`
	What string `json:"what"`
}

type unsupportedV1 struct {
	File     string `json:"file"`
	Language string `json:"language"`
}
