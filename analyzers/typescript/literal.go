package typescript

import (
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/retrysafe/retrysafe/analyzers/model"
	"github.com/retrysafe/retrysafe/analyzers/typescript/parse"
)

// numberValue reads a numeric literal, with a sign or without, and writes it in its shortest decimal form.
func numberValue(text string) (model.ConstKind, string) {
	s := strings.ReplaceAll(text, "_", "")
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "-", s[1:]
	}
	if digits, ok := strings.CutSuffix(s, "n"); ok && !strings.HasPrefix(s, "0x") {
		s = digits
		if i, ok := integer(s); ok {
			return model.BigInt, sign + i.String()
		}
		return model.BigInt, sign + s
	}
	if digits, ok := strings.CutSuffix(s, "n"); ok {
		if i, ok := integer(digits); ok {
			return model.BigInt, sign + i.String()
		}
	}
	if i, ok := integer(s); ok {
		if f, exact := new(big.Float).SetInt(i).Float64(); exact == big.Exact || f != 0 {
			return model.Number, sign + shortest(f)
		}
		return model.Number, sign + i.String()
	}
	if f, err := strconv.ParseFloat(s, 64); err == nil {
		return model.Number, sign + shortest(f)
	}
	return model.Number, sign + s
}

// integer reads a literal without fraction and exponent.
func integer(s string) (*big.Int, bool) {
	if len(s) > 1000 {
		return nil, false
	}
	base := 10
	switch {
	case len(s) > 1 && s[0] == '0' && strings.ContainsAny(s[1:2], "xX"):
		base, s = 16, s[2:]
	case len(s) > 1 && s[0] == '0' && strings.ContainsAny(s[1:2], "oO"):
		base, s = 8, s[2:]
	case len(s) > 1 && s[0] == '0' && strings.ContainsAny(s[1:2], "bB"):
		base, s = 2, s[2:]
	case len(s) > 1 && s[0] == '0' && strings.Trim(s, "01234567") == "":
		base, s = 8, s[1:] // the old octal form
	}
	return new(big.Int).SetString(s, base)
}

func shortest(f float64) string {
	if f >= 1e21 || f != 0 && f < 1e-6 {
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}

// stringValue is the text that a string literal stands for.
func (l *lowering) stringValue(n parse.Node) string {
	raw := l.t.Text(n)
	if len(raw) >= 2 && (raw[0] == '"' || raw[0] == '\'') && raw[len(raw)-1] == raw[0] {
		raw = raw[1 : len(raw)-1]
	}
	if l.t.Kind(l.t.Parent(n)) == parse.KindJSXAttribute {
		return entities(raw)
	}
	return unescape(raw)
}

// unescape reads the escapes of a string or template. Invalid ones stay as they are.
func unescape(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var out strings.Builder
	for i := 0; i < len(s); {
		if s[i] != '\\' || i+1 == len(s) {
			out.WriteByte(s[i])
			i++
			continue
		}
		i++
		switch c := s[i]; c {
		case 'n':
			out.WriteByte('\n')
			i++
		case 't':
			out.WriteByte('\t')
			i++
		case 'r':
			out.WriteByte('\r')
			i++
		case 'b':
			out.WriteByte('\b')
			i++
		case 'f':
			out.WriteByte('\f')
			i++
		case 'v':
			out.WriteByte('\v')
			i++
		case '\r':
			i++
			if i < len(s) && s[i] == '\n' {
				i++
			}
		case '\n':
			i++
		case 'x':
			read := hexEscape(&out, s[i+1:], 2)
			if read == 0 {
				out.WriteString(`\x`)
			}
			i += 1 + read
		case 'u':
			read := unicodeEscape(&out, s[i+1:])
			if read == 0 {
				out.WriteString(`\u`)
			}
			i += 1 + read
		case '0', '1', '2', '3', '4', '5', '6', '7':
			j, v := i, 0
			for j < len(s) && j < i+3 && s[j] >= '0' && s[j] <= '7' && v*8+int(s[j]-'0') < 256 {
				v = v*8 + int(s[j]-'0')
				j++
			}
			out.WriteRune(rune(v))
			i = j
		default:
			_, size := utf8.DecodeRuneInString(s[i:])
			out.WriteString(s[i : i+size])
			i += size
		}
	}
	return out.String()
}

// hexEscape writes the code point of exactly n digits and gives how many bytes it read.
func hexEscape(out *strings.Builder, s string, n int) int {
	if len(s) >= n {
		if v, err := strconv.ParseUint(s[:n], 16, 32); err == nil {
			out.WriteRune(rune(v))
			return n
		}
	}
	return 0
}

func unicodeEscape(out *strings.Builder, s string) int {
	if strings.HasPrefix(s, "{") {
		if end := strings.IndexByte(s, '}'); end > 0 {
			if v, err := strconv.ParseUint(s[1:end], 16, 32); err == nil && v <= utf8.MaxRune {
				out.WriteRune(rune(v))
				return end + 1
			}
		}
		return 0
	}
	if len(s) >= 10 && s[4] == '\\' && s[5] == 'u' {
		hi, err1 := strconv.ParseUint(s[:4], 16, 32)
		lo, err2 := strconv.ParseUint(s[6:10], 16, 32)
		if err1 == nil && err2 == nil && hi >= 0xd800 && hi < 0xdc00 && lo >= 0xdc00 && lo < 0xe000 {
			out.WriteRune(rune(0x10000 + (hi-0xd800)<<10 + (lo - 0xdc00)))
			return 10
		}
	}
	return hexEscape(out, s, 4)
}

// entities reads the HTML references that occur in JSX text.
func entities(s string) string {
	if strings.IndexByte(s, '&') < 0 {
		return s
	}
	return strings.NewReplacer("&quot;", `"`, "&apos;", "'", "&lt;", "<", "&gt;", ">", "&nbsp;", "\u00a0", "&#39;", "'", "&amp;", "&").Replace(s)
}

// template joins the pieces of a template string. One without holes is a constant.
func (b *body) template(n parse.Node) model.ID {
	texts, holes := b.templateParts(n)
	if len(holes) == 0 {
		return b.constant(n, model.String, unescape(texts[0].text))
	}
	var args []model.ID
	for i, piece := range texts {
		if piece.text != "" {
			args = append(args, b.piece(piece))
		}
		if i < len(holes) {
			args = append(args, b.expr(b.inner(holes[i])))
		}
	}
	return b.emit(n, model.Concat, args...)
}

// piece is a part of a template between its holes.
type piece struct {
	text       string
	start, end int
}

func (b *body) piece(p piece) model.ID {
	return b.op(model.Op{Kind: model.Constant, Const: model.Const{Kind: model.String, Text: unescape(p.text)}, Span: b.spanOf(p.start, p.end)})
}

// templateParts gives the raw texts and the holes between them; there is one text more than holes.
func (l *lowering) templateParts(n parse.Node) (texts []piece, holes []parse.Node) {
	src := l.t.Source()
	at, end := l.t.Start(n), l.t.End(n)
	if at < end && src[at] == '`' {
		at++
	}
	if end > at && src[end-1] == '`' {
		end--
	}
	for c := range l.t.Children(n) {
		if l.t.Kind(c) != parse.KindTemplateSubstitution {
			continue
		}
		stop := max(at, l.t.Start(c))
		texts = append(texts, piece{string(src[at:stop]), at, stop})
		holes = append(holes, c)
		at = l.t.End(c)
	}
	end = max(at, end)
	return append(texts, piece{string(src[at:end]), at, end}), holes
}
