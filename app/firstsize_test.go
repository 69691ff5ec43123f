//go:build !headless

package app

import (
	"testing"

	"fyne.io/fyne/v2"
)

func TestFirstWindowFitsTheScreen(t *testing.T) {
	want := fyne.NewSize(1280, 800)
	for _, c := range []struct {
		w, h  int
		scale float32
		size  fyne.Size
	}{
		{2560, 1440, 1, want},
		{3840, 2160, 2, want},
		{1920, 1080, 2, fyne.NewSize(960, 500)},
		{1280, 800, 1, fyne.NewSize(1280, 760)},
		{0, 0, 1, want},
	} {
		if got := firstSize(want, c.w, c.h, c.scale); got != c.size {
			t.Errorf("%d x %d at %v: %v, want %v", c.w, c.h, c.scale, got, c.size)
		}
	}
}
