package command

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestLikeASidecarAloneWritesTheSameFiles: passes, format and all that belongs to it come from the sidecar, flags go
// before it, and what the flags then contradict is told.
func TestLikeASidecarAloneWritesTheSameFiles(t *testing.T) {
	dir := t.TempDir()
	shot, other := plate(t, dir, "shot.png"), plate(t, dir, "other.png")
	if err := os.WriteFile(other, append(read(t, other), 0), 0o666); err != nil { // another file with the same pixels
		t.Fatal(err)
	}
	first := filepath.Join(dir, "first")
	got := greenroom(t, "key", shot, "--out", first, "--passes", "fg,comp,matte", "--format", "exr", "--exr-matte", "y", "--exr-depth", "float", "--background", "grey")
	if got.code != exitDone {
		t.Fatalf("%+v", got)
	}
	side := filepath.Join(first, "shot_key.toml")
	like := func(arguments ...string) (output, []string) {
		out := t.TempDir()
		got := greenroom(t, append([]string{"key", "--like", side, "--out", out}, arguments...)...)
		var names []string
		entries, err := os.ReadDir(out)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			names = append(names, e.Name())
			if len(arguments) == 1 && arguments[0] == shot && strings.HasSuffix(e.Name(), ".exr") && !bytes.Equal(read(t, filepath.Join(out, e.Name())), read(t, filepath.Join(first, e.Name()))) {
				t.Errorf("%s is another", e.Name())
			}
		}
		return got, names
	}
	for _, c := range []struct {
		arguments, want []string
	}{
		{[]string{shot}, []string{"shot_comp.exr", "shot_fg.exr", "shot_key.toml", "shot_matte.exr"}},
		{[]string{shot, "--passes", "key"}, []string{"shot_key.exr", "shot_key.toml"}},
		{[]string{shot, "--format", "png", "--passes", "matte"}, []string{"shot_key.toml", "shot_matte.png"}},
		{[]string{other}, []string{"other_key.png", "other_key.toml", "other_matte.png"}},
	} {
		got, names := like(c.arguments...)
		if got.code != exitDone || got.err != "" || !slices.Equal(names, c.want) {
			t.Errorf("%v: wrote %q (code %d, %s)", c.arguments, names, got.code, got.err)
		}
		if strings.Contains(got.out, "bytes may differ") {
			t.Errorf("%v: on the same device: %s", c.arguments, got.out)
		}
	}
	if got, names := like(shot, "--comp-depth", "8"); got.code != exitFailed || len(names) != 0 || !strings.Contains(got.err, "--comp-depth is for a comp in PNG or TIFF") {
		t.Errorf("8 bits of OpenEXR: %+v, wrote %q", got, names)
	}
	// A sidecar of another device.
	text := strings.Replace(string(read(t, side)), `kind = "cpu"`, `kind = "vulkan"`, 1)
	if err := os.WriteFile(side, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if got, _ := like(shot, "--passes", "key", "--device", "cpu"); got.code != exitDone || !strings.Contains(got.out, "through Vulkan: on the processor") {
		t.Errorf("another device: %+v", got)
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
