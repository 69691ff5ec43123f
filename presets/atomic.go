package presets

import (
	"os"
	"path/filepath"
	"regexp"
	"time"
)

// Temporary files are named by os.CreateTemp, which puts digits for the star. leftoverAge is how long one must have been
// left alone to be one that a killed program left: writing takes no longer than a moment.
const (
	temporaryPattern = ".greenroom-*.tmp"
	leftoverAge      = time.Hour
)

var temporaryNames = regexp.MustCompile(`^\.greenroom-\d+\.tmp$`)

// removeLeftovers removes the temporary files that killed programs left in a folder. Faults are nobody's concern: what
// stays is in nobody's way.
func removeLeftovers(folder string, now time.Time) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return
	}
	for _, e := range entries {
		if !e.Type().IsRegular() || !temporaryNames.MatchString(e.Name()) {
			continue
		}
		if info, err := e.Info(); err == nil && now.Sub(info.ModTime()) > leftoverAge {
			os.Remove(filepath.Join(folder, e.Name()))
		}
	}
}

// replaceFile writes a file in one step: a temporary file beside it is filled, brought to the disk and renamed. With
// fresh an error of kind os.ErrExist says that a file is there already. What earlier writes left when they were killed
// goes.
func replaceFile(path string, text []byte, fresh bool) (err error) {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target // a link stays one
	}
	removeLeftovers(filepath.Dir(path), time.Now())
	temp, err := os.CreateTemp(filepath.Dir(path), temporaryPattern)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(temp.Name())
		}
	}()
	_, err = temp.Write(text)
	if err == nil {
		err = temp.Sync()
	}
	if closed := temp.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	mode := os.FileMode(0o644)
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	if err = os.Chmod(temp.Name(), mode); err != nil {
		return err
	}
	if fresh {
		return claim(temp.Name(), path)
	}
	return os.Rename(temp.Name(), path)
}

// claim gives a temporary file its name only if nothing has that name.
func claim(temp, path string) error {
	if err := os.Link(temp, path); err == nil {
		return os.Remove(temp)
	} else if os.IsExist(err) {
		return err
	}
	// The file system knows no second names: hold the name by an empty file first.
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	f.Close()
	return os.Rename(temp, path)
}
