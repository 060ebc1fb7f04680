package reports

import (
	"github.com/fatih/color"

	"github.com/retrysafe/retrysafe/rules"
)

// Palette colours text. It carries its own decision and looks at no terminal and no environment.
type Palette struct {
	high, medium, low, note *color.Color
	good, weak, bad         *color.Color
	strong, faint, frame    *color.Color
}

// Plain gives a palette without colours.
func Plain() *Palette { return palette((*color.Color).DisableColor) }

// Coloured gives a palette with the colours that terminals have had for long.
func Coloured() *Palette { return palette((*color.Color).EnableColor) }

func palette(set func(*color.Color)) *Palette {
	make := func(attributes ...color.Attribute) *color.Color {
		c := color.New(attributes...)
		set(c)
		return c
	}
	return &Palette{
		high: make(color.FgRed, color.Bold), medium: make(color.FgYellow, color.Bold), low: make(color.FgCyan, color.Bold), note: make(color.FgGreen, color.Bold),
		good: make(color.FgGreen), weak: make(color.FgYellow), bad: make(color.FgRed),
		strong: make(color.Bold), faint: make(color.Faint), frame: make(color.FgBlue, color.Bold),
	}
}

func (p *Palette) severity(s rules.Severity) *color.Color {
	switch s {
	case rules.High:
		return p.high
	case rules.Medium:
		return p.medium
	case rules.Low:
		return p.low
	}
	return p.note
}
