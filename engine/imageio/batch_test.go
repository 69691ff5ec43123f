package imageio

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// say is a write function that writes text.
func say(text string) func(io.WriteSeeker) error {
	return func(w io.WriteSeeker) error {
		_, err := io.WriteString(w, text)
		return err
	}
}

// contents returns the names and contents of the files of a folder.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, e := range entries {
		if e.IsDir() {
			all[e.Name()] = "folder"
			continue
		}
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all[e.Name()] = string(b)
	}
	return all
}

func expect(t *testing.T, dir string, want map[string]string) {
	t.Helper()
	got := contents(t, dir)
	if len(got) != len(want) {
		t.Errorf("the folder holds %v, want %v", got, want)
		return
	}
	for name, text := range want {
		if got[name] != text {
			t.Errorf("%s holds %q, want %q", name, got[name], text)
		}
	}
}

// run writes a matte and a sidecar for the plate and returns the names they got.
func run(t *testing.T, dir, text string, overwrite bool) ([]string, error) {
	t.Helper()
	b, err := NewBatch(dir, "plate", overwrite)
	if err != nil {
		return nil, err
	}
	defer b.Discard()
	for _, ending := range []string{"_matte.png", "_key.toml"} {
		if err := b.Write(t.Context(), ending, say(text)); err != nil {
			return nil, err
		}
	}
	paths, err := b.Commit(t.Context())
	for i := range paths {
		paths[i] = filepath.Base(paths[i])
	}
	return paths, err
}

func TestRunsGetOneNextVersion(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "keys", "deep") // is made
	for i, want := range [][]string{
		{"plate_matte.png", "plate_key.toml"},
		{"plate_matte_v002.png", "plate_key_v002.toml"},
		{"plate_matte_v003.png", "plate_key_v003.toml"},
	} {
		got, err := run(t, dir, string(rune('a'+i)), false)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("run %d: %v, %v; want %v", i+1, got, err, want)
		}
	}
	// A number that was used once is not used again while a later one stands.
	if err := os.Remove(filepath.Join(dir, "plate_matte_v002.png")); err != nil {
		t.Fatal(err)
	}
	if got, err := run(t, dir, "d", false); err != nil || got[0] != "plate_matte_v004.png" {
		t.Errorf("after v003 comes %v, %v", got, err)
	}
	if got, err := run(t, dir, "over", true); err != nil || got[0] != "plate_matte.png" {
		t.Errorf("overwriting gives %v, %v", got, err)
	}
	all := contents(t, dir)
	if all["plate_matte.png"] != "over" || all["plate_matte_v003.png"] != "c" || len(all) != 7 {
		t.Errorf("the folder holds %v", all)
	}
}

func TestVersionsOfAFolder(t *testing.T) {
	for _, c := range []struct {
		files []string
		want  int
	}{
		{nil, 1},
		{[]string{"plate.png", "other_matte.png", "plate_hint.png", "plate_matte", "plates_matte.png"}, 2},
		{[]string{"plate.png", "other_matte.png", "plate_hint.png", "plates_matte.png", "plate_key_matte.png"}, 1},
		{[]string{"plate_fg.tif"}, 2},
		{[]string{"plate_key_v012.toml"}, 13},
		{[]string{"plate_key_v2.toml", "plate_key_vXYZ.toml", "plate_key_v-02.toml", "plate_key_v001.png"}, 1},
	} {
		dir := t.TempDir()
		for _, f := range c.files {
			if err := os.WriteFile(filepath.Join(dir, f), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if got := NextVersion(dir, "plate"); got != c.want {
			t.Errorf("%v: version %d, want %d", c.files, got, c.want)
		}
	}
	if got := VersionedName("a.b", "_matte.png", 2); got != "a.b_matte_v002.png" {
		t.Error(got)
	}
}

func TestRunsAtOnceLoseNothing(t *testing.T) {
	dir := t.TempDir()
	const runs = 12
	var wait sync.WaitGroup
	errs := make([]error, runs)
	for i := range runs {
		wait.Go(func() { _, errs[i] = run(t, dir, string(rune('a'+i)), false) })
	}
	wait.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	all := contents(t, dir)
	if len(all) != 2*runs {
		t.Fatalf("%d files, want %d: %v", len(all), 2*runs, all)
	}
	for name, text := range all {
		if m, ok := strings.CutPrefix(name, "plate_matte"); ok {
			side := "plate_key" + strings.TrimSuffix(m, ".png") + ".toml"
			if all[side] != text {
				t.Errorf("%s is of run %s, %s of run %s", name, text, side, all[side])
			}
		}
	}
}

func TestFailedRunsLeaveNothing(t *testing.T) {
	cancelled, cancel := context.WithCancel(t.Context())
	for _, c := range []struct {
		name  string
		ctx   context.Context
		write func(io.WriteSeeker) error
		kind  error
		says  string
	}{
		{"a full disk", t.Context(), func(w io.WriteSeeker) error {
			if err := say("half")(w); err != nil {
				return err
			}
			return &fs.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}
		}, syscall.ENOSPC, "the disk is full"},
		{"cancelled", cancelled, func(w io.WriteSeeker) error {
			cancel()
			return say("half")(w)
		}, context.Canceled, "cancelled"},
		{"NaN", t.Context(), func(io.WriteSeeker) error { return &Error{Why: "NaN", Err: ErrNotFinite} }, ErrNotFinite, "NaN"},
	} {
		for _, overwrite := range []bool{false, true} {
			dir := t.TempDir()
			if _, err := run(t, dir, "old", false); err != nil {
				t.Fatal(err)
			}
			b, err := NewBatch(dir, "plate", overwrite)
			if err != nil {
				t.Fatal(err)
			}
			err = b.Write(t.Context(), "_matte.png", say("new"))
			if err == nil {
				err = b.Write(c.ctx, "_key.toml", c.write)
			}
			b.Discard()
			if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "plate_key.toml") {
				t.Errorf("%s: %v", c.name, err)
			}
			expect(t, dir, map[string]string{"plate_matte.png": "old", "plate_key.toml": "old"})
		}
	}
}

func TestCommitRefusesToReplaceAFolder(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "plate_key.toml"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := run(t, dir, "x", true); err == nil || !strings.Contains(err.Error(), "a folder of that name") {
		t.Errorf("error %v", err)
	}
	expect(t, dir, map[string]string{"plate_key.toml": "folder"})
	// Without overwriting the folder counts as a version.
	if got, err := run(t, dir, "x", false); err != nil || got[1] != "plate_key_v002.toml" {
		t.Errorf("%v, %v", got, err)
	}
}

// TestADeviceOrAPipeIsNotReplaced, by its own name or through a link: as root a device would be gone for all programs.
func TestADeviceOrAPipeIsNotReplaced(t *testing.T) {
	dir := t.TempDir()
	pipe, link := filepath.Join(dir, "pipe"), filepath.Join(dir, "plate_key.toml")
	if err := exec.Command("mkfifo", pipe).Run(); err != nil {
		t.Skipf("no pipes here: %v", err)
	}
	if err := os.Symlink("pipe", link); err != nil {
		t.Fatal(err)
	}
	for what, write := range map[string]func() error{
		"replaced by its name":    func() error { return Replace(t.Context(), pipe, say("x")) },
		"replaced through a link": func() error { return Replace(t.Context(), link, say("x")) },
		"exported through a link": func() error { _, err := run(t, dir, "x", true); return err },
		"exported to the pipe":    func() error { os.Remove(link); os.Link(pipe, link); _, err := run(t, dir, "x", true); return err },
	} {
		if err := write(); err == nil || !strings.Contains(err.Error(), "is no regular file (choose another name)") {
			t.Errorf("%s: %v", what, err)
		}
		for _, path := range []string{pipe, link} {
			if info, err := os.Stat(path); err != nil || info.Mode()&fs.ModeNamedPipe == 0 {
				t.Fatalf("%s: the pipe is %v (%v)", what, info, err)
			}
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 2 {
		t.Errorf("the folder holds %v", entries)
	}
}

func TestLongNamesAreRefusedFirst(t *testing.T) {
	dir := t.TempDir()
	b, err := NewBatch(dir, strings.Repeat("n", 250), false)
	if err != nil {
		t.Fatal(err)
	}
	err = b.Write(t.Context(), "_matte.png", func(io.WriteSeeker) error {
		t.Error("work was done for a name that cannot be")
		return nil
	})
	if err == nil || !strings.Contains(err.Error(), "260 bytes long") {
		t.Errorf("error %v", err)
	}
	// A name that only the version makes too long fails when it gets it, and leaves nothing.
	name := strings.Repeat("n", 245)
	for i, ok := range []bool{true, false} {
		b, err := NewBatch(dir, name, false)
		if err != nil {
			t.Fatal(err)
		}
		if err := b.Write(t.Context(), "_matte.png", say("x")); err != nil {
			t.Fatal(err)
		}
		if _, err := b.Commit(t.Context()); (err == nil) != ok {
			t.Errorf("run %d: %v", i+1, err)
		}
	}
	expect(t, dir, map[string]string{name + "_matte.png": "x"})
}

func TestReplaceKeepsLinksAndPermissions(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	if err := os.WriteFile(target, []byte("old"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("target", link); err != nil {
		t.Skip("no symbolic links here")
	}
	if err := Replace(t.Context(), link, say("new")); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(target)
	if err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, error %v", info.Mode(), err)
	}
	if l, err := os.Readlink(link); err != nil || l != "target" {
		t.Errorf("the link is %q, %v", l, err)
	}
	expect(t, dir, map[string]string{"target": "new", "link": "new"})
	if err := Replace(t.Context(), dir, say("x")); err == nil {
		t.Error("a folder was replaced")
	}
	if err := Replace(t.Context(), filepath.Join(dir, "no", "x"), say("x")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("in a folder that is not there: %v", err)
	}
}

func TestFileSystemsWithoutHardLinks(t *testing.T) {
	dir := t.TempDir()
	commit := func(text string, link func(string, string) error) ([]string, error) {
		b, err := NewBatch(dir, "plate", false)
		if err != nil {
			t.Fatal(err)
		}
		b.link = link
		for _, ending := range []string{"_matte.png", "_key.toml"} {
			if err := b.Write(t.Context(), ending, say(text)); err != nil {
				t.Fatal(err)
			}
		}
		return b.Commit(t.Context())
	}
	none := func(string, string) error { return syscall.EPERM }
	for _, text := range []string{"a", "b"} {
		if _, err := commit(text, none); err != nil {
			t.Fatal(err)
		}
	}
	both := map[string]string{
		"plate_matte.png": "a", "plate_key.toml": "a", "plate_matte_v002.png": "b", "plate_key_v002.toml": "b",
	}
	expect(t, dir, both)
	// A run that cannot be finished gives back the names that it held.
	lost := func(temp, _ string) error {
		os.Remove(temp)
		return syscall.EPERM
	}
	if _, err := commit("c", lost); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v", err)
	}
	expect(t, dir, both)
	if err := reserve(filepath.Join(dir, "plate_matte.png")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a name that is taken was reserved: %v", err)
	}
}

// TestOverwritingIsAllOrNothing makes the last of three files impossible to replace and expects the first two to be
// what they were, with and without hard links, through links to other folders too.
func TestOverwritingIsAllOrNothing(t *testing.T) {
	for _, links := range []bool{true, false} {
		folder, elsewhere := t.TempDir(), t.TempDir()
		old := map[string]string{
			filepath.Join(folder, "p_a.png"):    "old a",
			filepath.Join(elsewhere, "far.png"): "old b",
		}
		for path, text := range old {
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Symlink(filepath.Join(elsewhere, "far.png"), filepath.Join(folder, "p_b.png")); err != nil {
			t.Skip(err)
		}
		batch, err := NewBatch(folder, "p", true)
		if err != nil {
			t.Fatal(err)
		}
		if !links {
			batch.link = func(string, string) error { return errors.ErrUnsupported }
		}
		for _, ending := range []string{"_new.png", "_a.png", "_b.png", "_c.png"} {
			err := batch.Write(t.Context(), ending, func(w io.WriteSeeker) error {
				_, err := io.WriteString(w, "new")
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		// Meanwhile a folder takes the last name.
		if err := os.Mkdir(filepath.Join(folder, "p_c.png"), 0o777); err != nil {
			t.Fatal(err)
		}
		if _, err := batch.Commit(t.Context()); err == nil {
			t.Fatal("replaced a folder")
		}
		for path, text := range old {
			if got, err := os.ReadFile(path); err != nil || string(got) != text {
				t.Errorf("links %v: %s holds %q, %v", links, path, got, err)
			}
		}
		left, err := filepath.Glob(filepath.Join(folder, "*"))
		if err != nil || len(left) != 3 {
			t.Errorf("links %v: the folder holds %v, %v", links, left, err)
		}
		for _, dir := range []string{folder, elsewhere} {
			if hidden, _ := filepath.Glob(filepath.Join(dir, ".greenroom-*")); len(hidden) != 0 {
				t.Errorf("links %v: left %v", links, hidden)
			}
		}
	}
}
