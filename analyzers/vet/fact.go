package vet

import (
	"bytes"
	"compress/flate"
	"fmt"
	"io"

	"github.com/retrysafe/retrysafe/analyzers/model"
)

// UnitFact is what is kept of a package: its unit as model.Dump writes it with places, compressed. The text has one form for one unit, so equal packages
// give equal facts.
//
// The units of the packages below it come along: the go command hands a package the facts of those that it imports itself, and no others.
type UnitFact struct {
	Data  []byte
	Below []Part // sorted by path
}

// Part is the unit of a package below.
type Part struct {
	Path string // the import path
	Data []byte
}

// AFact marks the type as a fact.
func (*UnitFact) AFact() {}

// String says how large the fact is.
func (f *UnitFact) String() string { return fmt.Sprintf("unit of %d bytes", len(f.Data)) }

func newFact(u *model.Unit) (*UnitFact, error) {
	var buf bytes.Buffer
	w, err := flate.NewWriter(&buf, flate.BestSpeed)
	if err != nil {
		return nil, err
	}
	if err := (model.DumpOptions{Spans: true}).Dump(w, u); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return &UnitFact{Data: buf.Bytes()}, nil
}

// maxFact bounds the text of one fact, in bytes: facts come from files that others may have written.
const maxFact = 256 << 20

// unit reads the package's own unit back.
func (f *UnitFact) unit() (*model.Unit, error) { return readUnit(f.Data) }

func readUnit(data []byte) (*model.Unit, error) {
	text, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(data)), maxFact))
	if err != nil {
		return nil, err
	}
	return model.Parse(string(text))
}
