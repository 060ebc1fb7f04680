package cmd

import (
	"io"
	"os"
	"sync"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/schollz/progressbar/v3"
)

// patience is how long a scan runs before its progress is shown.
const patience = time.Second

// meter shows the progress of a scan on a stream. It is safe for concurrent use.
type meter struct {
	w       io.Writer
	off     bool
	started time.Time // progress is shown from patience after it
	mu      sync.Mutex
	bar     *progressbar.ProgressBar
	total   int64
}

// newMeter takes the mode of --progress: auto shows it on terminals only, and only where a scan takes long.
func newMeter(w io.Writer, mode string) *meter {
	m := &meter{w: w, off: mode == "never" || mode == "auto" && !terminal(w), started: time.Now()}
	if mode == "always" {
		m.started = m.started.Add(-patience)
	}
	return m
}

// update tells how many bytes of how many are read.
func (m *meter) update(done, total int64) {
	if m.off {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if time.Since(m.started) < patience {
		return
	}
	if m.bar == nil || total != m.total {
		m.total = total
		m.bar = progressbar.NewOptions64(total, progressbar.OptionSetWriter(m.w), progressbar.OptionSetDescription("reading"),
			progressbar.OptionShowBytes(true), progressbar.OptionSetWidth(30), progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionClearOnFinish(), progressbar.OptionSetPredictTime(false))
	}
	if done > m.bar.State().CurrentNum { // reports of several goroutines may arrive out of order
		m.bar.Set64(done)
	}
}

// finish takes the progress off the screen.
func (m *meter) finish() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.bar != nil {
		m.bar.Clear()
		m.bar = nil
	}
	m.off = true
}

// terminal reports whether a stream is a terminal.
func terminal(s any) bool {
	f, ok := s.(*os.File)
	return ok && (isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd()))
}
