package imageio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// longestName is the most bytes a file's name may have: what every common file system allows.
const longestName = 255

// Replace writes the file at path, whatever stood there: write fills a temporary file in the same folder,
// which is brought to the disk and then takes path's place in one step. On an error, or when ctx ends, the
// temporary file is removed and path is what it was. Temporary files of programs that were killed are removed from the
// folder. Errors are *Error, those of write included.
func Replace(ctx context.Context, path string, write func(io.WriteSeeker) error) error {
	path, err := destination(path)
	if err != nil {
		return writing(path, err)
	}
	removeLeftovers(filepath.Dir(path), time.Now())
	temp, err := writeTemporary(ctx, filepath.Dir(path), write)
	if err != nil {
		return writing(path, err)
	}
	if err := replaceWith(path, temp); err != nil {
		os.Remove(temp)
		return writing(path, err)
	}
	syncFolder(filepath.Dir(path))
	return nil
}

// destination checks that a file can be at path, in whose place no folder, device or pipe is, and follows a link there, so
// that the link stays one.
func destination(path string) (string, error) {
	if err := checkName(path); err != nil {
		return path, err
	}
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if target, err := filepath.EvalSymlinks(path); err == nil {
			path = target
		}
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return path, &Error{Why: "a folder of that name is there", Fix: "choose another name", Err: fs.ErrExist}
	case err == nil && !info.Mode().IsRegular():
		// A device or a pipe would be gone for all who use it.
		return path, &Error{Why: "what has that name is no regular file", Fix: "choose another name", Err: fs.ErrExist}
	}
	return path, nil
}

// checkName refuses names that are too long before any work is done for them.
func checkName(path string) error {
	if n := len(filepath.Base(path)); n > longestName {
		return &Error{
			Why: fmt.Sprintf("its name is %d bytes long and may have %d", n, longestName),
			Fix: "rename the plate to something shorter",
		}
	}
	return nil
}

// writeTemporary fills a new temporary file in folder, brings it to the disk and returns its path. On an
// error no file is left.
func writeTemporary(ctx context.Context, folder string, write func(io.WriteSeeker) error) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	file, err := createTemporary(folder)
	if err != nil {
		return "", err
	}
	err = write(cancellable{ctx, file})
	if err == nil {
		err = ctx.Err()
	}
	if err == nil {
		err = file.Sync()
	}
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		os.Remove(file.Name())
		return "", err
	}
	return file.Name(), nil
}

// createTemporary makes a new file with the permissions that any new file gets (os.CreateTemp would make it
// private). Its name is short and hidden, whatever the final one is.
func createTemporary(folder string) (*os.File, error) {
	for {
		file, err := os.OpenFile(temporaryName(folder, writtenEnding), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			return file, err
		}
	}
}

// CheckName reports whether a file may have that name. The error is *Error.
func CheckName(path string) error {
	if err := checkName(path); err != nil {
		return writing(path, err)
	}
	return nil
}

// cancellable fails to write once its context has ended.
type cancellable struct {
	ctx  context.Context
	file *os.File
}

func (c cancellable) Write(b []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.file.Write(b)
}

func (c cancellable) Seek(offset int64, whence int) (int64, error) {
	return c.file.Seek(offset, whence)
}

// replaceWith moves temp to path over what is there, whose permissions it takes on.
func replaceWith(path, temp string) error {
	if info, err := os.Stat(path); err == nil {
		if err := os.Chmod(temp, info.Mode().Perm()); err != nil {
			return err
		}
	}
	return os.Rename(temp, path)
}

// claim takes the name path for the file temp only if nothing has that name, in one step: an error of kind
// fs.ErrExist says that something has. Where the file system knows hard links (link is os.Link), path then is
// the whole file under a second name (linked); elsewhere (FAT, some network shares) it is an empty file that
// holds the name until temp is moved there.
func claim(path, temp string, link func(oldname, newname string) error) (linked bool, err error) {
	err = link(temp, path)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return true, err
	}
	return false, reserve(path)
}

// reserve makes an empty file at path if nothing has that name.
func reserve(path string) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	return file.Close()
}

// syncFolder brings a folder's names to the disk. Not every system can, and the files are whole either way.
func syncFolder(folder string) {
	if d, err := os.Open(folder); err == nil {
		d.Sync()
		d.Close()
	}
}
