package imageio

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFoldersThatCannotBe(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	var known *Error
	if _, err := NewBatch(file, "plate", false); !errors.As(err, &known) || !strings.Contains(err.Error(), "cannot make the folder") {
		t.Errorf("a file as folder: %v", err)
	}
	if os.Geteuid() == 0 {
		t.Skip("root may write everywhere")
	}
	sealed := filepath.Join(dir, "sealed")
	if err := os.Mkdir(sealed, 0o500); err != nil {
		t.Fatal(err)
	}
	if _, err := run(t, sealed, "x", false); !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "may not be written to") {
		t.Errorf("a sealed folder: %v", err)
	}
}

func TestCheckFolderLeavesNothing(t *testing.T) {
	root := t.TempDir()
	deep := filepath.Join(root, "a", "b", "keys")
	if err := CheckFolder(deep); err != nil {
		t.Fatal(err)
	}
	if err := CheckFolder(root); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(root)
	if err != nil || len(entries) != 0 {
		t.Errorf("left %v, %v", entries, err)
	}
}

func TestCheckFolderRefusesWhatCannotHoldFiles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{file, filepath.Join(file, "keys")} {
		var fault *Error
		if err := CheckFolder(folder); !errors.As(err, &fault) || fault.Path != folder {
			t.Errorf("%s: got %v", folder, err)
		}
	}
	astray := filepath.Join(filepath.Dir(file), "astray")
	if err := os.Symlink("nowhere", astray); err != nil {
		t.Skip("no symbolic links here")
	}
	if err := CheckFolder(astray); err == nil || !strings.Contains(err.Error(), "a link of that name leads to no folder (choose another folder)") {
		t.Errorf("a link that leads nowhere: %v", err)
	}
}
