package parse

import (
	"bytes"
	"errors"
	"slices"
	"time"
)

// Parser parses one file after another. It must not be used by two goroutines at once: make one for each worker, and
// Close it, because it holds memory that the garbage collector does not see.
type Parser struct {
	// Limits may be changed between calls of Parse. Zero values mean the defaults.
	Limits Limits

	engine engine
	closed bool
}

// engine is one way of getting records out of tree-sitter. There are two, which must agree.
type engine interface {
	// parse gives the records of text. The text is not kept. After an error the engine can be used again.
	parse(text []byte, d Dialect, limits Limits) ([]record, error)
	close()
}

// New makes a parser with the default limits.
func New() *Parser { return &Parser{Limits: DefaultLimits(), engine: newEngine()} }

// Close frees the parser's memory. Trees stay valid. A second Close does nothing.
func (p *Parser) Close() {
	if p.closed {
		return
	}
	p.closed = true
	p.engine.close()
}

// Parse gives the tree of a file. The path is used in errors only. The source must not be changed as long as the tree is
// used. Every error is an *Error; source with syntax errors is not one.
//
// A file that has syntax errors is parsed again with its Repairs, if there are any, and by the grammar of TSX, and the best
// tree is given.
func (p *Parser) Parse(path string, source []byte, d Dialect) (*Tree, error) {
	tree, err := p.parse(source, d)
	if err != nil {
		return nil, &Error{Path: path, Err: err}
	}
	tree.path = path
	return tree, nil
}

func (p *Parser) parse(source []byte, d Dialect) (*Tree, error) {
	if p.closed {
		return nil, ErrClosed
	}
	if d > TSX {
		return nil, ErrUnsupported
	}
	limits := p.Limits.bounded()
	if len(source) > limits.Bytes {
		return nil, limits.tooLarge(len(source))
	}
	source, err := decode(source)
	if err != nil {
		return nil, err
	}
	text := readable(source)
	start := time.Now()
	nodes, err := p.engine.parse(text, d, limits)
	if err != nil {
		return nil, err
	}
	again := func(text []byte, d Dialect) ([]record, error) {
		rest := limits
		rest.Time -= time.Since(start)
		if rest.Time < time.Millisecond {
			return nil, ErrTimeout
		}
		return p.engine.parse(text, d, rest)
	}
	tree := &Tree{dialect: d, source: source, nodes: nodes, errors: findErrors(nodes), lines: newLineTable(source)}
	if len(tree.errors) > 0 || bytes.Contains(text, usingWord) {
		if err := repair(tree, text, again); err != nil {
			return nil, err
		}
	}
	if len(tree.errors) > 0 && d != TSX {
		if err := widen(tree, text, again); err != nil {
			return nil, err
		}
	}
	return tree, nil
}

// attempt parses within what is left of the file's time.
type attempt func(text []byte, d Dialect) ([]record, error)

// repair replaces the tree's nodes by those of the repaired text, if that is better.
func repair(tree *Tree, text []byte, again attempt) error {
	repairs := findRepairs(tree, text)
	if done, err := tryRepairs(tree, text, again, repairs, len(tree.errors)); done || err != nil {
		return err
	}
	// Whatever else is wrong with the file, `using` declares.
	repairs = slices.DeleteFunc(repairs, func(r Repair) bool { return r.What != usingDeclaration })
	_, err := tryRepairs(tree, text, again, repairs, len(tree.errors)+1)
	return err
}

// widen reads a file that its own grammar does not understand by the widest one: types in a JavaScript file, as Flow has
// them, and JSX in a TypeScript file. It must clear up most of the errors, for what is only broken is best read as it is
// meant.
func widen(tree *Tree, text []byte, again attempt) error {
	nodes, err := again(text, TSX)
	if errors.Is(err, ErrTimeout) || errors.Is(err, ErrTooManyNodes) {
		return nil
	}
	if err != nil {
		return err
	}
	if found := findErrors(nodes); len(found)*2 < len(tree.errors) || len(found) == 0 {
		tree.nodes, tree.errors, tree.repairs, tree.dialect = nodes, found, nil, TSX
	}
	return nil
}

// tryRepairs is true if the repaired text has fewer errors than the bound, or none, and the tree was replaced. A limit that
// strikes here leaves the first tree.
func tryRepairs(tree *Tree, text []byte, again attempt, repairs []Repair, bound int) (bool, error) {
	if len(repairs) == 0 {
		return false, nil
	}
	nodes, err := again(applyRepairs(text, repairs), tree.dialect)
	if errors.Is(err, ErrTimeout) || errors.Is(err, ErrTooManyNodes) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	found := findErrors(nodes)
	if len(found) >= bound && len(found) > 0 {
		return false, nil
	}
	tree.nodes, tree.errors, tree.repairs = nodes, found, repairs
	restoreTokens(tree)
	return true, nil
}

func findErrors(nodes []record) []Node {
	var found []Node
	for i := range nodes {
		if k := nodes[i].kind; k == KindError || k == KindMissing {
			found = append(found, Node(i))
		}
	}
	return found
}
