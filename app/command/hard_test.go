package command

import (
	"errors"
	"image"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"greenroom/assets"
)

// TestAnEmptyNameIsNotTheSample: a script whose variable is unset must not key another picture.
func TestAnEmptyNameIsNotTheSample(t *testing.T) {
	dir := t.TempDir()
	if o := greenroom(t, "key", "", "--out", dir); o.code != exitUsage || !strings.Contains(o.err, "name is empty") {
		t.Errorf("exit %d, %s", o.code, o.err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 0 {
		t.Errorf("wrote %v", entries)
	}
}

// TestOneFolderByTwoNames overwrites with two plates of one name whose folder is spelled differently: the second
// takes the next version.
func TestOneFolderByTwoNames(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.Mkdir("shots", 0o777); err != nil {
		t.Fatal(err)
	}
	first := plate(t, filepath.Join(dir, "shots"), "a.png")
	data, err := os.ReadFile(first)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "shots"), "a.jpg", data) // content decides, not the ending
	o := greenroom(t, "key", "--overwrite", "--json", filepath.Join("shots", "a.png"), filepath.Join(dir, "shots", "a.jpg"))
	if o.code != exitDone {
		t.Fatalf("exit %d, %s", o.code, o.err)
	}
	lines := decodeLines(t, o.out)
	one, two := lines[0]["files"].(map[string]any), lines[1]["files"].(map[string]any)
	if filepath.Base(one["key"].(string)) == filepath.Base(two["key"].(string)) {
		t.Errorf("both wrote %v", one["key"])
	}
}

// TestTheBuiltInModelIsKnownAsAFile keys with a copy of the built-in model: it knows both screens.
func TestTheBuiltInModelIsKnownAsAFile(t *testing.T) {
	path := write(t, t.TempDir(), "copy.safetensors", assets.Nano)
	o := greenroom(t, "model", "verify", path)
	if o.code != exitDone || !strings.Contains(o.out, "it is nano") {
		t.Errorf("exit %d, %s%s", o.code, o.out, o.err)
	}
}

// TestASmallTileBringsItsOverlap: the default overlap of 64 does not make --tile 96 bad usage.
func TestASmallTileBringsItsOverlap(t *testing.T) {
	dir := t.TempDir()
	o := greenroom(t, "key", plate(t, dir, "a.png"), "--tile", "96", "--json")
	if o.code != exitDone {
		t.Fatalf("exit %d, %s", o.code, o.err)
	}
	if used := decodeLines(t, o.out)[0]["settings"].(map[string]any); used["overlap"] != 48.0 {
		t.Errorf("overlap %v", used["overlap"])
	}
	if o := greenroom(t, "key", plate(t, dir, "b.png"), "--tile", "96", "--overlap", "64"); o.code != exitUsage {
		t.Errorf("an overlap over half the tile: exit %d", o.code)
	}
}

// TestALongNameIsRefusedBeforeTheWork: the files of a run would have names that no disk takes.
func TestALongNameIsRefusedBeforeTheWork(t *testing.T) {
	dir := t.TempDir()
	name := strings.Repeat("n", 250)
	data, err := os.ReadFile(plate(t, dir, "a.png"))
	if err != nil {
		t.Fatal(err)
	}
	path := write(t, dir, name, data)
	o := greenroom(t, "key", path, "--json")
	if o.code != exitFailed || !strings.Contains(o.err, "bytes long") {
		t.Errorf("exit %d, %s", o.code, o.err)
	}
}

// refusing is a stream that cannot be written to.
type refusing struct{}

func (refusing) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestAReportThatCannotBeWrittenIsToldOf(t *testing.T) {
	var errs strings.Builder
	code := run(t.Context(), []string{"key", plate(t, t.TempDir(), "a.png"), "--json"}, Streams{Out: refusing{}, Err: &errs})
	if code != exitFailed || !strings.Contains(errs.String(), "cannot write the report") {
		t.Errorf("exit %d, %q", code, errs.String())
	}
}

// TestMessagesStayOnOneLine: names of files can hold what a terminal obeys.
func TestMessagesStayOnOneLine(t *testing.T) {
	var errs strings.Builder
	complain(Streams{Out: io.Discard, Err: &errs}, errors.New("two\nlines\x1b[31m.png: it is missing"))
	if got := errs.String(); strings.Count(got, "\n") != 1 || strings.Contains(got, "\x1b") {
		t.Errorf("%q", got)
	}
}

// TestAColourPictureIsNoHintByItsName: NAME-hint.png beside the plate counts only if it shows a hint.
func TestAColourPictureIsNoHintByItsName(t *testing.T) {
	dir := t.TempDir()
	shot := plate(t, dir, "a.png")
	plate(t, dir, "a-hint.png")
	o := greenroom(t, "key", shot, "--json")
	if o.code != exitDone || !strings.Contains(o.err, "not taken as the hint") {
		t.Errorf("exit %d, %s", o.code, o.err)
	}
	if o := greenroom(t, "key", shot, "--hint", filepath.Join(dir, "a-hint.png"), "--json"); strings.Contains(o.err, "not taken") {
		t.Errorf("a hint that was named: %s", o.err)
	}
}

// TestAFlagGivenEmptyIsBadUsage: --core "$MASK" with MASK unset must not drop the mask without a word.
func TestAFlagGivenEmptyIsBadUsage(t *testing.T) {
	shot := plate(t, t.TempDir(), "a.png")
	for _, flag := range []string{"--hint=", "--core=", "--garbage=", "--like=", "--out="} {
		if o := greenroom(t, "key", shot, flag); o.code != exitUsage {
			t.Errorf("%s: exit %d, %s", flag, o.code, o.err)
		}
	}
	for _, line := range [][]string{
		{"machine", "--as", ""}, {"machine", "--as="}, {"preset", "list", "--as", ""}, {"preset", "recommend", "--as", ""},
		{"preset", "recommend", "--model", ""}, {"preset", "save", "x", "--tile", "512", "--as", ""}, {"preset", "save", "x", "--from", ""},
		{"bench", "--model", ""}, {"key", shot, "--model", ""}, {"key", shot, "--background-space", ""}, {"key", shot, "--exr-matte", ""},
	} {
		if o := greenroom(t, line...); o.code != exitUsage || o.out != "" {
			t.Errorf("%q: exit %d, %s%s", line, o.code, o.out, o.err)
		}
	}
}

// TestAMaskIsNotCalledAHint holds the words for masks of another shape and of any kind.
func TestAMaskIsNotCalledAHint(t *testing.T) {
	dir := t.TempDir()
	shot := plate(t, dir, "a.png")
	square := save(t, dir, "square.png", image.NewGray(image.Rect(0, 0, 40, 40)))
	if o := greenroom(t, "key", shot, "--core", square, "--json"); o.code != exitFailed || strings.Contains(o.err, "hint") || !strings.Contains(o.err, "40x40") {
		t.Errorf("exit %d, %s", o.code, o.err)
	}
	half := save(t, dir, "half.png", image.NewGray(image.Rect(0, 0, 48, 32)))
	if o := greenroom(t, "key", shot, "--garbage", half); o.code != exitDone || !strings.Contains(o.err, "the matte is 48x32") {
		t.Errorf("exit %d, %s%s", o.code, o.out, o.err)
	}
}
