package cmd

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/retrysafe/retrysafe/reports"
)

// output holds the flags of the commands that write reports, and writes them.
type output struct {
	format string
	files  []string // FORMAT=FILE

	known  []string // formats
	parsed []outputFile
}

type outputFile struct{ format, name string }

func (o *output) formats(c *cobra.Command, known ...string) {
	o.known = known
	c.Flags().StringVar(&o.format, "format", known[0], "`FORMAT` of the output: "+strings.Join(known, ", "))
	c.Flags().StringArrayVarP(&o.files, "output", "o", nil, "write a report in a format to a file beside the output, as `FORMAT=FILE`; repeatable")
}

func (o *output) check() error {
	if err := oneOf("--format", o.format, o.known...); err != nil {
		return err
	}
	seen := map[string]bool{}
	o.parsed = nil
	for _, text := range o.files {
		format, name, ok := strings.Cut(text, "=")
		if !ok || name == "" {
			return usage(fmt.Errorf("-o: %q is not FORMAT=FILE", text))
		}
		if err := oneOf("-o", format, o.known...); err != nil {
			return err
		}
		if clean := filepath.Clean(name); seen[clean] {
			return usage(fmt.Errorf("-o: %s is written twice", name))
		} else {
			seen[clean] = true
		}
		o.parsed = append(o.parsed, outputFile{format, name})
	}
	return nil
}

// write writes the files first, so that a reader of the output that stops early does not prevent them.
func (o *output) write(a *app, r *reports.Report) error {
	for _, f := range o.parsed {
		var b bytes.Buffer
		if err := render(&b, f.format, r, reports.Plain()); err != nil {
			return wrong(fmt.Errorf("-o: %w", err))
		}
		if err := writeFile(f.name, b.Bytes()); err != nil {
			return wrong(fileError(f.name, err))
		}
	}
	return a.print(func(w io.Writer) error { return render(w, o.format, r, a.palette()) })
}

func render(w io.Writer, format string, r *reports.Report, p *reports.Palette) error {
	switch format {
	case "json":
		return reports.JSON(w, r)
	case "text":
		return reports.Text(w, r, p)
	case "markdown":
		return reports.Markdown(w, r)
	}
	return errors.New("unknown format " + format)
}

// print collects what is written and passes it on in one piece.
func (a *app) print(write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return wrong(err)
	}
	if _, err := a.out.Write(b.Bytes()); err != nil {
		return wrong(fmt.Errorf("the output cannot be written: %w", err))
	}
	return nil
}

// palette gives the colours for the output stream.
func (a *app) palette() *reports.Palette {
	if colours(a.out) {
		return reports.Coloured()
	}
	return reports.Plain()
}

// colours decides whether a stream takes colours: NO_COLOR forbids them, FORCE_COLOR demands them, otherwise a terminal takes them.
func colours(w io.Writer) bool {
	if os.Getenv("NO_COLOR") != "" {
		return false
	}
	if force := os.Getenv("FORCE_COLOR"); force != "" && force != "0" && force != "false" {
		return true
	}
	return terminal(w) && os.Getenv("TERM") != "dumb"
}

// fileError says why a report cannot be written, with the name that the user gave.
func fileError(name string, err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	if dir := filepath.Dir(name); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("-o: %s cannot be written: there is no folder %s; make it first", name, dir)
	} else if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("-o: %s cannot be written: no permission to write in %s", name, dir)
	}
	return fmt.Errorf("-o: %s cannot be written: %w", name, err)
}

// writeFile replaces a file in one step, so that nobody reads half a report. What is no regular file is written to.
func writeFile(name string, data []byte) error {
	if real, err := filepath.EvalSymlinks(name); err == nil {
		name = real
		if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
			return os.WriteFile(name, data, 0o666)
		}
	}
	dir, base := filepath.Split(name)
	temporary := fmt.Sprintf("%s.%s.%d.tmp", dir, base, os.Getpid())
	f, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if errClose := f.Close(); err == nil {
		err = errClose
	}
	if err == nil {
		err = os.Rename(temporary, name)
	}
	if err != nil {
		os.Remove(temporary)
	}
	return err
}
