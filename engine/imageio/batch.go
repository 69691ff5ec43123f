package imageio

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Batch is the files of one run, which appear together: each is first written to a temporary file, and
// Commit gives all of them their names under one version. Until then nothing of the run is to be seen, and
// nothing that was there is touched.
//
//	batch, err := imageio.NewBatch("keys", "plate", false)
//	defer batch.Discard()
//	err = batch.Write(ctx, "_matte.png", func(w io.WriteSeeker) error { ... })
//	paths, err := batch.Commit(ctx)
type Batch struct {
	folder, name string
	overwrite    bool
	files        []pending
	link         func(oldname, newname string) error // os.Link, but in tests
}

// pending is a file that is written and has not its name yet.
type pending struct {
	ending string // "_matte.png"
	temp   string
}

// NewBatch begins a run whose files are called name and an ending, in folder, which is made if it is not
// there, and rid of temporary files of programs that were killed. With overwrite files of the same names are replaced; without it the next version is written.
func NewBatch(folder, name string, overwrite bool) (*Batch, error) {
	if err := makeFolder(folder); err != nil {
		return nil, err
	}
	removeLeftovers(folder, time.Now())
	return &Batch{folder: folder, name: name, overwrite: overwrite, link: os.Link}, nil
}

// Write fills one file of the run; ending is what follows the name, "_matte.png". Errors are *Error.
func (b *Batch) Write(ctx context.Context, ending string, write func(io.WriteSeeker) error) error {
	path := b.path(ending, 1)
	target, err := b.target(path)
	if err != nil {
		return writing(path, err)
	}
	// Beside where it goes, which through a link may be on another disk.
	temp, err := writeTemporary(ctx, filepath.Dir(target), write)
	if err != nil {
		return writing(path, err)
	}
	b.files = append(b.files, pending{ending, temp})
	return nil
}

// path returns where a file goes under a version.
func (b *Batch) path(ending string, version int) string {
	return filepath.Join(b.folder, VersionedName(b.name, ending, version))
}

// target checks path and returns where the file really goes.
func (b *Batch) target(path string) (string, error) {
	if b.overwrite {
		return destination(path)
	}
	return path, checkName(path)
}

// Commit gives every file its name and returns their paths, in the order in which they were written. Without
// overwrite nothing is ever replaced, also not by two programs at once: if a name is taken meanwhile, the
// whole run moves to the next version.
func (b *Batch) Commit(ctx context.Context) ([]string, error) {
	defer b.Discard()
	if err := ctx.Err(); err != nil {
		return nil, writing(b.folder, err)
	}
	if b.overwrite {
		return b.replace()
	}
	for version := NextVersion(b.folder, b.name); ; version++ {
		paths, err := b.place(version)
		if !errors.Is(err, fs.ErrExist) {
			return paths, err
		}
	}
}

// replace moves every file over what is there: all of them, or, when one cannot be, none. What was there is kept
// aside until the last one is in place.
func (b *Batch) replace() (paths []string, err error) {
	var undo []func()
	defer func() {
		if err != nil {
			for _, f := range slices.Backward(undo) {
				f()
			}
		}
	}()
	var aside []string
	for _, f := range b.files {
		path := b.path(f.ending, 1)
		target, err := b.target(path)
		if err != nil {
			return nil, writing(path, err)
		}
		old, err := b.setAside(target)
		if err != nil {
			return nil, writing(path, err)
		}
		if old != "" {
			aside = append(aside, old)
			undo = append(undo, func() { putBack(old, target) })
		} else {
			undo = append(undo, func() { os.Remove(target) })
		}
		if err := replaceWith(target, f.temp); err != nil {
			return nil, writing(path, err)
		}
		paths = append(paths, path)
	}
	for _, old := range aside {
		os.Remove(old)
	}
	syncFolder(b.folder)
	return paths, nil
}

// setAside gives the file at target a second, hidden name in its folder and returns it; empty where there is no
// such file. Where the file system knows hard links, target stays in place meanwhile.
func (b *Batch) setAside(target string) (string, error) {
	if _, err := os.Lstat(target); errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	old := temporaryName(filepath.Dir(target), asideEnding)
	if b.link(target, old) == nil {
		return old, nil
	}
	return old, os.Rename(target, old)
}

// putBack gives what was set aside its name again. Where both are names of one file, which moving one over the other
// leaves as they are, the hidden one goes.
func putBack(old, target string) {
	if os.Rename(old, target) == nil {
		os.Remove(old)
	}
}

// place gives every file its name under a version; if one cannot be had, none is given.
func (b *Batch) place(version int) (paths []string, err error) {
	defer func() {
		if err != nil {
			for _, path := range paths {
				os.Remove(path)
			}
			paths = nil
		}
	}()
	linked := make([]bool, len(b.files))
	for i, f := range b.files {
		path := b.path(f.ending, version)
		if err := checkName(path); err != nil {
			return paths, writing(path, err)
		}
		if linked[i], err = claim(path, f.temp, b.link); err != nil {
			return paths, writing(path, err)
		}
		paths = append(paths, path)
	}
	for i, f := range b.files {
		if linked[i] {
			continue
		}
		if err := os.Rename(f.temp, paths[i]); err != nil {
			return paths, writing(paths[i], err)
		}
	}
	syncFolder(b.folder)
	return paths, nil
}

// Discard removes what has been written and not committed. After Commit it does nothing.
func (b *Batch) Discard() {
	for _, f := range b.files {
		os.Remove(f.temp)
	}
	b.files = nil
}
