package imageio

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"greenroom/engine/imageio/disktest"
)

// fill writes so many bytes that look like no other run's.
func fill(mark byte, n int) func(io.WriteSeeker) error {
	return func(w io.WriteSeeker) error {
		_, err := w.Write(bytes.Repeat([]byte{mark}, n))
		return err
	}
}

// matteAndSidecar exports two files, the first of n bytes.
func matteAndSidecar(t *testing.T, folder string, mark byte, n int, overwrite bool) error {
	t.Helper()
	b, err := NewBatch(folder, "plate", overwrite)
	if err != nil {
		return err
	}
	defer b.Discard()
	if err := b.Write(t.Context(), "_matte.png", fill(mark, n)); err != nil {
		return err
	}
	if err := b.Write(t.Context(), "_key.toml", fill(mark, 10)); err != nil {
		return err
	}
	_, err = b.Commit(t.Context())
	return err
}

// holds expects a folder to hold these files and no other, hidden ones included, each full of its byte.
func holds(t *testing.T, folder string, want map[string]byte) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != len(want) {
		t.Errorf("the folder holds %v, want %d files", entries, len(want))
	}
	for name, mark := range want {
		data, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil || len(data) == 0 || len(bytes.Trim(data, string(mark))) != 0 {
			t.Errorf("%s: %d bytes, %v", name, len(data), err)
		}
	}
}

// TestAFullDiskKeepsTheOldFiles exports onto a disk of 2 MB that takes one matte and not two, as the next version and
// over the first, and once more when there is room.
func TestAFullDiskKeepsTheOldFiles(t *testing.T) {
	for _, overwrite := range []bool{false, true} {
		folder := disktest.Small(t, 2<<20)
		const size = 1200 << 10
		if err := matteAndSidecar(t, folder, 'a', size, overwrite); err != nil {
			t.Fatal(err)
		}
		old := map[string]byte{"plate_matte.png": 'a', "plate_key.toml": 'a'}
		for range 2 {
			err := matteAndSidecar(t, folder, 'b', size, overwrite)
			var fault *Error
			if !errors.As(err, &fault) || !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "the disk is full") || fault.Fix == "" {
				t.Fatalf("overwrite %v: got %v", overwrite, err)
			}
			holds(t, folder, old)
		}
		if err := matteAndSidecar(t, folder, 'c', 500<<10, overwrite); err != nil {
			t.Errorf("overwrite %v: once there is room: %v", overwrite, err)
		}
		if overwrite {
			holds(t, folder, map[string]byte{"plate_matte.png": 'c', "plate_key.toml": 'c'})
		} else {
			old["plate_matte_v002.png"], old["plate_key_v002.toml"] = 'c', 'c'
			holds(t, folder, old)
		}
	}
}

// TestAFullDiskKeepsAReplacedFile is the same for a single file.
func TestAFullDiskKeepsAReplacedFile(t *testing.T) {
	folder := disktest.Small(t, 2<<20)
	path := filepath.Join(folder, "preset.toml")
	if err := Replace(t.Context(), path, fill('a', 1200<<10)); err != nil {
		t.Fatal(err)
	}
	if err := Replace(t.Context(), path, fill('b', 1200<<10)); !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "the disk is full") {
		t.Errorf("got %v", err)
	}
	holds(t, folder, map[string]byte{"preset.toml": 'a'})
	if err := Replace(t.Context(), path, fill('c', 500<<10)); err != nil {
		t.Error(err)
	}
	holds(t, folder, map[string]byte{"preset.toml": 'c'})
}

// TestAReadOnlyDiskIsNamed before the work, and by the export itself.
func TestAReadOnlyDiskIsNamed(t *testing.T) {
	folder := t.TempDir()
	if err := matteAndSidecar(t, folder, 'a', 100, false); err != nil {
		t.Fatal(err)
	}
	disktest.ReadOnly(t, folder)
	for name, err := range map[string]error{
		"the check":             CheckFolder(folder),
		"the check of a folder": CheckFolder(filepath.Join(folder, "keys")),
		"the next version":      matteAndSidecar(t, folder, 'b', 100, false),
		"over the old one":      matteAndSidecar(t, folder, 'b', 100, true),
		"in a new folder":       matteAndSidecar(t, filepath.Join(folder, "keys"), 'b', 100, true),
	} {
		var fault *Error
		if !errors.As(err, &fault) || !errors.Is(err, syscall.EROFS) || !strings.Contains(err.Error(), "read-only") || !strings.Contains(fault.Fix, "another folder") {
			t.Errorf("%s: got %v", name, err)
		}
	}
	holds(t, folder, map[string]byte{"plate_matte.png": 'a', "plate_key.toml": 'a'})
}

// TestAFileInUseStaysAsItIs, with all the others of its run, and is replaced once it is free.
func TestAFileInUseStaysAsItIs(t *testing.T) {
	for _, busy := range []string{"plate_matte.png", "plate_key.toml"} {
		folder := t.TempDir()
		if err := matteAndSidecar(t, folder, 'a', 100, true); err != nil {
			t.Fatal(err)
		}
		release := disktest.InUse(t, filepath.Join(folder, busy))
		err := matteAndSidecar(t, folder, 'b', 100, true)
		var fault *Error
		if !errors.As(err, &fault) || filepath.Base(fault.Path) != busy || !strings.Contains(err.Error(), "in use") || !strings.Contains(fault.Fix, "close it") {
			t.Errorf("%s: got %v", busy, err)
		}
		holds(t, folder, map[string]byte{"plate_matte.png": 'a', "plate_key.toml": 'a'})
		release()
		if err := matteAndSidecar(t, folder, 'c', 100, true); err != nil {
			t.Errorf("%s, released: %v", busy, err)
		}
		holds(t, folder, map[string]byte{"plate_matte.png": 'c', "plate_key.toml": 'c'})
	}
}

// TestAFailedReplacementLeavesNoSecondName: where the old file has been given a second name and the new one then cannot
// take its place, the second name goes again. Two names of one file cannot be moved over each other.
func TestAFailedReplacementLeavesNoSecondName(t *testing.T) {
	folder := t.TempDir()
	if err := matteAndSidecar(t, folder, 'a', 100, true); err != nil {
		t.Fatal(err)
	}
	b, err := NewBatch(folder, "plate", true)
	if err != nil {
		t.Fatal(err)
	}
	for _, ending := range []string{"_matte.png", "_key.toml"} {
		if err := b.Write(t.Context(), ending, fill('b', 10)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(b.files[1].temp); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Commit(t.Context()); err == nil {
		t.Error("a file that is lost was put in place")
	}
	holds(t, folder, map[string]byte{"plate_matte.png": 'a', "plate_key.toml": 'a'})
}
