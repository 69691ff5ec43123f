package command

import (
	"bytes"
	"image"
	"image/draw"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"
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

// TestNamesThatAreNoUTF8AreKeyed gives names as systems of before wrote them, to every flag that takes a file.
func TestNamesThatAreNoUTF8AreKeyed(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("names are UTF-8 here")
	}
	dir := t.TempDir()
	shot, back := plate(t, dir, "caf\xe9.png"), plate(t, dir, "b\xe4ck.png")
	half := image.NewGray(image.Rect(0, 0, 96, 64))
	draw.Draw(half, image.Rect(30, 20, 60, 50), image.White, image.Point{}, draw.Src)
	hint, out := save(t, dir, "h\xefnt.png", half), filepath.Join(dir, "k\xebys")
	o := greenroom(t, "key", shot, "--hint", hint, "--core", hint, "--background", back, "--passes", "key,comp", "--out", out)
	if o.code != exitDone {
		t.Fatalf("exit %d, %s", o.code, o.err)
	}
	for _, ending := range []string{"_key.png", "_comp.png", "_key.toml"} {
		if _, err := os.Stat(filepath.Join(out, "caf\xe9"+ending)); err != nil {
			t.Error(err)
		}
	}
	if !utf8.ValidString(o.out) || !strings.Contains(o.out, "caf\ufffd_key.png") {
		t.Errorf("it says %q", o.out)
	}
	// What a sidecar cannot say it still is about: the plate is known by its content.
	side := filepath.Join(out, "caf\xe9_key.toml")
	if o := greenroom(t, "key", shot, "--like", side, "--out", out); o.code != exitFailed || !strings.Contains(o.err, "not there any more (put it back, or give another one by its flag)") {
		t.Errorf("exit %d, %s", o.code, o.err)
	}
	if o := greenroom(t, "key", shot, "--like", side, "--out", out, "--hint", hint, "--core", hint, "--background", back); o.code != exitDone {
		t.Errorf("exit %d, %s", o.code, o.err)
	}
}

// TestNamesCannotSteerTheTerminal prints a plate's name that holds what terminals obey.
func TestNamesCannotSteerTheTerminal(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no such names here")
	}
	dir := t.TempDir()
	o := greenroom(t, "key", plate(t, dir, "two\nlines \x1b[31m.png"), "--out", dir)
	if o.code != exitDone || strings.Contains(o.out, "\x1b") || !strings.Contains(o.out, "two lines  [31m_key.png\n") {
		t.Errorf("exit %d, %q, %q", o.code, o.out, o.err)
	}
}

// TestANameThatIsAllEndingStaysItself: the key of ".png" is no nameless file.
func TestANameThatIsAllEndingStaysItself(t *testing.T) {
	dir := t.TempDir()
	for name, want := range map[string]string{".png": ".png_key.png", "..png": "..png_key.png", "a.b.png": "a.b_key.png"} {
		if o := greenroom(t, "key", plate(t, dir, name), "--out", dir); o.code != exitDone {
			t.Errorf("exit %d, %s", o.code, o.err)
		}
		if _, err := os.Stat(filepath.Join(dir, want)); err != nil {
			t.Error(err)
		}
	}
}

// TestAPlateOfTheRunIsNotOverwrittenByAnother: a key of the run before, given as a plate, and the sidecar to be like.
func TestAPlateOfTheRunIsNotOverwrittenByAnother(t *testing.T) {
	dir := t.TempDir()
	shot := plate(t, dir, "shot.png")
	if got := greenroom(t, "key", shot, "--out", dir); got.code != exitDone {
		t.Fatalf("%+v", got)
	}
	key, side := filepath.Join(dir, "shot_key.png"), filepath.Join(dir, "shot_key.toml")
	for name, arguments := range map[string][]string{
		key: {shot, key}, side: {shot, "--like", side},
	} {
		before, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		got := greenroom(t, append([]string{"key", "--out", dir, "--overwrite", "--passes", "key"}, arguments...)...)
		want := "greenroom: cannot overwrite " + name + ": it is read in this run (write into another folder with --out, or the next version without --overwrite)\n"
		if got.code != exitFailed || !strings.Contains(got.err, want) {
			t.Errorf("%s: code %d, %q", name, got.code, got.err)
		}
		if after, err := os.ReadFile(name); err != nil || !bytes.Equal(after, before) {
			t.Errorf("%s is another file now: %v", name, err)
		}
	}
}
