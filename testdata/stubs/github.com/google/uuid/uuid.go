// Package uuid declares what the stories use of the package of this name.
package uuid

type UUID [16]byte

func (UUID) String() string { return "" }

var NameSpaceURL UUID

func New() UUID                            { return UUID{} }
func NewString() string                    { return "" }
func Parse(string) (UUID, error)           { return UUID{}, nil }
func Validate(string) error                { return nil }
func NewSHA1(space UUID, data []byte) UUID { return UUID{} }

func NewUUID() (UUID, error) { return UUID{}, nil }
func NewV7() (UUID, error)   { return UUID{}, nil }
