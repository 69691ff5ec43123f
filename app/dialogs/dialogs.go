//go:build !headless

package dialogs

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/sqweek/dialog"
)

// ErrCancelled says that the artist closed the dialog without an answer.
var ErrCancelled = errors.New("cancelled")

// Dialogs opens the system's dialogs, one at a time. The zero value is ready. Its methods wait for the artist and so
// must not be called on the goroutine of the window; a call while a dialog is open returns ErrCancelled at once.
type Dialogs struct{ open sync.Mutex }

// Picture asks for a picture file, beginning in a folder, or where the system likes if that is empty.
func (d *Dialogs) Picture(title, folder string) (string, error) {
	return d.ask(func() (string, error) {
		b := dialog.File().Title(title).Filter(wanted(title)+" (PNG, JPEG, TIFF, OpenEXR, DPX)", endings()...).Filter("All files", "*")
		if folder != "" {
			b = b.SetStartDir(folder)
		}
		return b.Load()
	})
}

// PictureOrSidecar asks for a picture file, or for the sidecar of a key.
func (d *Dialogs) PictureOrSidecar(title, folder string) (string, error) {
	return d.ask(func() (string, error) {
		b := dialog.File().Title(title).Filter("Pictures and sidecars", append(endings(), "toml", "TOML")...).Filter("All files", "*")
		if folder != "" {
			b = b.SetStartDir(folder)
		}
		return b.Load()
	})
}

// wanted is what a title asks for: "Core matte" for "Open a core matte". The dialogs of Linux show no title, and so the
// name of what may be chosen says it too.
func wanted(title string) string {
	for _, before := range []string{"Open a ", "Open the "} {
		if name, ok := strings.CutPrefix(title, before); ok && name != "" {
			return strings.ToUpper(name[:1]) + name[1:]
		}
	}
	return "Pictures"
}

// Preset asks for a preset's file.
func (d *Dialogs) Preset(title, folder string) (string, error) {
	return d.ask(func() (string, error) {
		b := dialog.File().Title(title).Filter("Presets (TOML)", "toml", "TOML").Filter("All files", "*")
		if folder != "" {
			b = b.SetStartDir(folder)
		}
		return b.Load()
	})
}

// Checkpoint asks for the file of a model.
func (d *Dialogs) Checkpoint(title, folder string) (string, error) {
	return d.ask(func() (string, error) {
		b := dialog.File().Title(title).Filter("Checkpoints", "safetensors", "pth", "pt", "ckpt").Filter("All files", "*")
		if folder != "" {
			b = b.SetStartDir(folder)
		}
		return b.Load()
	})
}

// Folder asks for a folder.
func (d *Dialogs) Folder(title, folder string) (string, error) {
	return d.ask(func() (string, error) {
		b := dialog.Directory().Title(title)
		b.StartDir = folder
		return b.Browse()
	})
}

// endings are those of pictures, in both cases: some systems tell them apart.
func endings() []string {
	return []string{
		"png", "jpg", "jpeg", "tif", "tiff", "exr", "dpx", "PNG", "JPG", "JPEG", "TIF", "TIFF", "EXR", "DPX",
	}
}

// ask opens a dialog. The toolkits behind it panic where they cannot start.
func (d *Dialogs) ask(open func() (string, error)) (path string, err error) {
	if !d.open.TryLock() {
		return "", ErrCancelled
	}
	defer d.open.Unlock()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the system's dialog could not be opened: %v (drop the file on the window instead)", p)
		}
	}()
	path, err = open()
	switch {
	case errors.Is(err, dialog.ErrCancelled):
		return "", ErrCancelled
	case err != nil:
		return "", fmt.Errorf("the system's dialog failed: %w (drop the file on the window instead)", err)
	case path == "":
		return "", errors.New("that place is not on this machine's disks: copy the file to one (or drop it on the window)")
	}
	return path, nil
}
