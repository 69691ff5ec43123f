package imageio

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// CheckFolder reports whether a folder can be made and written to, so that work of minutes is not lost at its
// end. It makes the folder and a file in it and takes away again what was not there. Errors are *Error.
func CheckFolder(folder string) error {
	var made []string
	for dir := filepath.Clean(folder); ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir) {
			break
		}
		made = append(made, dir)
	}
	// What is still empty goes again; a folder that somebody else has begun to use stays.
	defer func() {
		for _, dir := range made {
			os.Remove(dir)
		}
	}()
	if err := makeFolder(folder); err != nil {
		return err
	}
	f, err := createTemporary(folder)
	if err != nil {
		why, fix := systemFault(err, "cannot write ")
		return &Error{Path: folder, What: "cannot write to the folder " + printable(folder), Why: why, Fix: fix, Err: err}
	}
	f.Close()
	os.Remove(f.Name())
	return nil
}

// makeFolder makes a folder that is not there.
func makeFolder(folder string) error {
	err := os.MkdirAll(folder, 0o777)
	if err == nil {
		return nil
	}
	why, fix := systemFault(err, "cannot write ")
	info, statErr := os.Stat(folder)
	link, linkErr := os.Lstat(folder)
	switch {
	case statErr == nil && !info.IsDir():
		why, fix = "a file of that name is there", "choose another folder"
	case statErr != nil && linkErr == nil && link.Mode()&fs.ModeSymlink != 0:
		why, fix = "a link of that name leads to no folder", "choose another folder"
	}
	return &Error{Path: folder, What: "cannot make the folder " + printable(folder), Why: why, Fix: fix, Err: err}
}
