//go:build !headless

package dialogs

import "testing"

func TestFiltersSayWhatIsOpened(t *testing.T) {
	for title, want := range map[string]string{
		"Open a core matte": "Core matte", "Open the plate": "Plate", "Open a hint": "Hint", "Choose": "Pictures", "Open a ": "Pictures",
	} {
		if got := wanted(title); got != want {
			t.Errorf("%q asks for %q, want %q", title, got, want)
		}
	}
}
