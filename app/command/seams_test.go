package command

import (
	"bytes"
	"image"
	"image/color"
	"os"
	"slices"
	"strings"
	"testing"

	"greenroom/app/keying"
	"greenroom/presets"
)

// widePlate writes a plate of w x h with a subject across its middle, and returns its path.
func widePlate(t *testing.T, dir string, w, h int) string {
	t.Helper()
	m := image.NewNRGBA(image.Rect(0, 0, w, h))
	for i := range w * h {
		x, y := i%w, i/w
		c := color.NRGBA{40, 160, 50, 255}
		if (x-w/2)*(x-w/2)/9+(y-h/2)*(y-h/2) < 1600 {
			c = color.NRGBA{180, 140, 120, 255}
		}
		m.SetNRGBA(x, y, c)
	}
	return save(t, dir, "wide.png", m)
}

// TestUnmeasuredSeamsAreNoMissingSeams holds that a script, a person and the sidecar can tell a key whose borders were not
// measured from one that has none.
func TestUnmeasuredSeamsAreNoMissingSeams(t *testing.T) {
	tiles := []string{"--tile", "128", "--overlap", "32"}
	for _, c := range []struct {
		name  string
		flags []string
		// by is how the borders were measured, "" where they were not.
		by      string
		borders bool
		says    string
		// touch asks for a plate that tiles of 128 cover without lying over one another.
		touch bool
	}{
		{"overlaps", tiles, "overlap", true, "before they are blended; --seams measures what is left", false},
		{"second grid", append(tiles, "--seams"), "shifted grid", true, "this key and one on another grid", false},
		{"refine frame", append(tiles, "--refine", "frame"), "", false, "seams: not measured: with refine frame", false},
		{"refine frame, second grid", append(tiles, "--refine", "frame", "--seams"), "shifted grid", true, "this key and one on another grid", false},
		{"no overlap", []string{"--tile", "128", "--overlap", "0"}, "", false, "seams: not measured: the tiles have no overlap", true},
		{"refine frame on a lattice too close", []string{"--tile", "64", "--overlap", "32", "--refine", "frame", "--seams"}, "", false, "no grid lies between", false},
		{"one tile", []string{"--tile", "0"}, "overlap", false, "", false},
	} {
		w, h := 300, 130
		if c.touch {
			w, h = 256, 128
		}
		shot := widePlate(t, t.TempDir(), w, h)
		arguments := append([]string{"key", shot, "--overwrite"}, c.flags...)
		text, lines := greenroom(t, arguments...), greenroom(t, append(arguments, "--json")...)
		if text.code != exitDone || lines.code != exitDone {
			t.Fatalf("%s: %+v, %+v", c.name, text, lines)
		}
		if !strings.Contains(text.out, c.says) || c.says == "" && strings.Contains(text.out, "seams:") {
			t.Errorf("%s: told is\n%s", c.name, text.out)
		}
		if asked := slices.Contains(c.flags, "--seams"); strings.Contains(text.out, "(--seams measures them)") != (!asked && c.by == "") {
			t.Errorf("%s: told is\n%s", c.name, text.out)
		}
		drawn := strings.Contains(text.out, "wide_seams.png (steps of 255: under 0.5 nothing, from 8 on white)\n")
		if drawn != (slices.Contains(c.flags, "--seams") && c.by != "") {
			t.Errorf("%s: told is\n%s", c.name, text.out)
		}
		o := decodeLines(t, lines.out)[0]
		seams, measured := o["seams"].(map[string]any)
		side, err := os.ReadFile(strings.TrimSuffix(o["files"].(map[string]any)["key"].(string), ".png") + ".toml")
		if err != nil {
			t.Fatal(err)
		}
		if measured != (c.by != "") || strings.Contains(string(side), "[seams]") != measured {
			t.Fatalf("%s: seams %v, and the sidecar is\n%s", c.name, o["seams"], side)
		}
		if (o["worst_seam"] != nil) != c.borders {
			t.Errorf("%s: worst_seam %v", c.name, o["worst_seam"])
		}
		if !measured {
			continue
		}
		if !slices.Equal(keysOf(seams), []string{"at", "borders", "by", "p99", "worst"}) || seams["by"] != c.by || !strings.Contains(string(side), `by = "`+c.by+`"`) {
			t.Errorf("%s: seams %v, and the sidecar is\n%s", c.name, seams, side)
		}
		n, p99, worst := seams["borders"].(float64), seams["p99"].(float64), seams["worst"].(float64)
		if at, _ := seams["at"].([]any); (n > 0) != c.borders || (len(at) == 2) != c.borders || p99 > worst {
			t.Errorf("%s: seams %v", c.name, seams)
		}
	}
}

// TestTheCheckOfSeamsHasItsOwnTime holds that a key's time is told without that of the check of its seams.
func TestTheCheckOfSeamsHasItsOwnTime(t *testing.T) {
	arguments := []string{"key", widePlate(t, t.TempDir(), 300, 130), "--tile", "128", "--overlap", "32", "--overwrite", "--json"}
	for _, checked := range []bool{false, true} {
		if checked {
			arguments = append(arguments, "--seams")
		}
		seconds := decodeLines(t, greenroom(t, arguments...).out)[0]["seconds"].(map[string]any)
		sum := 0.0
		for name, s := range seconds {
			if name != "total" {
				sum += s.(float64)
			}
		}
		check, _ := seconds["check"].(float64)
		if (check > 0) != checked || sum > seconds["total"].(float64) {
			t.Errorf("checked %v: seconds %v", checked, seconds)
		}
	}
}

func TestSeamsAreToldABorderAtATime(t *testing.T) {
	for _, c := range []struct {
		steps float64
		check float64
		want  string
		first string
	}{
		{81, 0, "on the worst border 99 % are under 37.0 of 255, and at most 81.0 at (10, 20) (this key and one on another grid)", "keyed in 14.0 s with nano, 6 tiles, 1.0 GB, on the processor\n"},
		{135, 6.5, "and at most 81.0 at (10, 20); the worst pixel is on another, 135.0 at (30, 40) (this key and one on another grid)", "keyed in 7.5 s with nano, 6 tiles, 1.0 GB, on the processor; seams checked in 6.5 s\n"},
	} {
		r := keying.Report{
			Plate: "shot.png", Model: "nano", Tiles: 6, PeakBytes: presets.GiB, DeviceWords: "the processor",
			WorstSeam: &keying.Seam{X: 30, Y: 40, Steps: c.steps},
			Summary:   &keying.SeamSummary{By: keying.ByGrid, Borders: 7, P99: 37, Worst: 81, At: &[2]int{10, 20}},
		}
		r.Seconds.Total, r.Seconds.Check = 14, c.check
		var out bytes.Buffer
		new(keyCommand).summary(&r, Streams{Out: &out})
		if !strings.Contains(out.String(), c.want) || !strings.Contains(out.String(), c.first) {
			t.Errorf("told is\n%s", out.String())
		}
	}
}
