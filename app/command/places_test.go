package command

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestPlatesOfEveryNameAreKeyed gives plates whose names programs have been known to lose, in one run and from one
// folder: each is the file that was named, and its key lies under its name, byte for byte.
func TestPlatesOfEveryNameAreKeyed(t *testing.T) {
	dir := t.TempDir()
	names := []string{
		"é.png", "e\u0301.png", "漢字 テスト.png", "🦎👩‍👩‍👧.png", "thin\u202fspace.png", "100%20sure%.png", "a#b.png", "-rf.png",
		strings.Repeat("n", 240) + ".png",
	}
	if runtime.GOOS != "windows" {
		names = append(names, " led and ended .png ", "what?.png", "two\nlines.png")
	}
	arguments := []string{"key", "--json", "--overwrite"}
	for _, name := range names {
		arguments = append(arguments, plate(t, dir, name))
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != len(names) {
		t.Skipf("this disk takes some of these names for one another: %d of %d, %v", len(entries), len(names), err)
	}
	o := greenroom(t, arguments...)
	if o.code != exitDone {
		t.Fatalf("exit %d, %s", o.code, o.err)
	}
	lines := decodeLines(t, o.out)
	if len(lines) != len(names) {
		t.Fatalf("%d reports for %d plates", len(lines), len(names))
	}
	for i, name := range names {
		if got := lines[i]["plate"]; got != filepath.Join(dir, name) {
			t.Errorf("%q is reported as %q", name, got)
		}
		stem := strings.TrimSuffix(name, filepath.Ext(name))
		for pass, ending := range map[string]string{"key": "_key.png", "matte": "_matte.png"} {
			want := filepath.Join(dir, "keys", stem+ending)
			if got := lines[i]["files"].(map[string]any)[pass]; got != want {
				t.Errorf("%q: the %s is reported at %q", name, pass, got)
			}
			if _, err := os.Stat(want); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestANameOf250BytesIsKeyedAsFarAsItFits: its key has a name that disks take, its matte has not, which is told before
// the work.
func TestANameOf250BytesIsKeyedAsFarAsItFits(t *testing.T) {
	dir := t.TempDir()
	shot := plate(t, dir, strings.Repeat("n", 246)+".png")
	if o := greenroom(t, "key", shot); o.code != exitFailed || !strings.Contains(o.err, "256 bytes long") || !strings.Contains(o.err, "shorter") {
		t.Errorf("exit %d, %s", o.code, o.err)
	}
	if _, err := os.Stat(filepath.Join(dir, "keys")); err == nil {
		t.Error("a folder was left")
	}
	if o := greenroom(t, "key", shot, "--passes", "key"); o.code != exitDone {
		t.Errorf("exit %d, %s", o.code, o.err)
	}
	// Of the next version the sidecar's name alone would be too long too.
	if o := greenroom(t, "key", shot, "--passes", "key"); o.code != exitFailed || !strings.Contains(o.err, "_v002") {
		t.Errorf("exit %d, %s", o.code, o.err)
	}
}
