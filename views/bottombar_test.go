//go:build !headless

package views

import (
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2/canvas"
)

func TestReadoutSaysWhatIsUnderThePointer(t *testing.T) {
	l := doneState().Layers
	for bytes, want := range map[bool]string{
		false: "x 320   y 180    plate  0.604  0.263  0.171  hint 1.000  matte 1.000  fg  0.604  0.263  0.171",
		true:  "x 320   y 180    plate 204.0 140.2 114.8  hint 255.0  matte 255.0  fg 204.0 140.2 114.8",
	} {
		if got := l.Readout(plateW/2, plateH/2, bytes); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	half := halfState().Layers
	if got, want := half.Readout(600, 5, true), "x 600   y 5      plate  30.6 158.1  51.0  hint   0.0"; got != want {
		t.Errorf("a missing tile: %q, want %q", got, want)
	}
	if got := (Layers{}).Readout(0, 0, false); got != "" {
		t.Errorf("no plate: %q", got)
	}
}

func TestProgressIsToldInWords(t *testing.T) {
	for want, k := range map[string]KeyState{
		"3 of 9 tiles, 12 s left":   {Tile: 3, Tiles: 9, Left: 12 * time.Second},
		"0 of 9 tiles":              {Tiles: 9, Left: -1},
		"1 of 20 tiles, 4 min left": {Tile: 1, Tiles: 20, Left: 4 * time.Minute},
		"Keying in one tile":        {Tiles: 1, Left: -1},
		"Loading the model":         {Doing: "Loading the model", Tiles: 9},
	} {
		if got := Progress(k); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestAKeyThatWaitsIsSeenAndTakenBack: it goes before what is said of the key before.
func TestAKeyThatWaitsIsSeenAndTakenBack(t *testing.T) {
	r := newRoom(t, 1280, 800, 1)
	s := doneState()
	s.Key.Ready, s.Key.Stale, s.Key.WhyNot = true, "the hint has changed", "Finding the hint, then keying"
	r.Show(s)
	if r.bottom.statusText != "Out of date: the hint has changed" || r.bottom.status.Color != amber() || !r.canKey() {
		t.Errorf("before it is asked for: %q", r.bottom.statusText)
	}
	s.Key.Waiting = true
	r.Show(s)
	if r.bottom.statusText != s.Key.WhyNot || r.bottom.status.Color == amber() || r.canKey() {
		t.Errorf("while it waits: %q, another can be asked for: %v", r.bottom.statusText, r.canKey())
	}
	if label := r.bottom.key.label; label != "Cancel   Esc" {
		t.Errorf("the button says %q", label)
	}
	tap(r.bottom.key)
	if !slices.Equal(r.asked.names, []string{"cancel"}) {
		t.Errorf("asked %q", r.asked.names)
	}
}

func TestStatusEndsBeforeTheKeyButton(t *testing.T) {
	r := newRoom(t, 1024, 700, 1)
	s := openState()
	s.Machine = strings.Repeat("Intel Xeon Platinum 8480C ", 12)
	s.Key.Ready, s.Key.WhyNot = false, strings.Repeat("A hint is needed to key ", 12)
	r.Show(s)
	for _, line := range []*canvas.Text{r.bottom.status, r.bottom.detail} {
		end := line.Position().X + line.MinSize().Width
		if !strings.HasSuffix(line.Text, "…") || end > r.bottom.words.Size().Width {
			t.Errorf("%q ends at %v of %v", line.Text, end, r.bottom.words.Size().Width)
		}
	}
	r.Show(openState())
	if got := r.bottom.status.Text; got != "Ready to key" {
		t.Errorf("then %q", got)
	}
}
