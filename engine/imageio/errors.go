package imageio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"unicode"
)

// Kinds of fault, for errors.Is. What the system reports (fs.ErrNotExist, fs.ErrPermission, fs.ErrExist,
// context.Canceled) is found by errors.Is as well.
var (
	// ErrUnsupported means a sound file of a kind that cannot be read.
	ErrUnsupported = errors.New("unsupported")
	// ErrDamaged means a file that is cut short, empty or corrupt.
	ErrDamaged = errors.New("damaged")
	// ErrTooLarge means a picture over the Limits.
	ErrTooLarge = errors.New("too large")
	// ErrNotFinite means an image with NaN in it, which cannot be written.
	ErrNotFinite = errors.New("not finite")
)

// Error is a fault with one file, in words for the artist.
type Error struct {
	// Path is the file.
	Path string
	// What could not be done, with the file's name: "cannot read plate.png".
	What string
	// Why not: "it is cut short".
	Why string
	// Fix is what to do, in the imperative; empty where nothing can be advised.
	Fix string
	// Err is the kind of fault or the system's error; may be nil.
	Err error
}

// Error returns "WHAT: WHY (what to do)".
func (e *Error) Error() string {
	s := e.What + ": " + e.Why
	if e.Fix != "" {
		s += " (" + e.Fix + ")"
	}
	return s
}

// Unwrap returns the kind of fault or the system's error.
func (e *Error) Unwrap() error { return e.Err }

// reading makes err an *Error about reading path.
func reading(path string, err error) error {
	return about("cannot read ", path, err)
}

// writing makes err an *Error about writing path.
func writing(path string, err error) error {
	return about("cannot write ", path, err)
}

// What Windows reports: ERROR_DISK_FULL instead of ENOSPC, and of files that other programs hold
// ERROR_SHARING_VIOLATION, ERROR_LOCK_VIOLATION and ERROR_USER_MAPPED_FILE.
const (
	windowsDiskFull = syscall.Errno(112)
	windowsSharing  = syscall.Errno(32)
	windowsLock     = syscall.Errno(33)
	windowsMapped   = syscall.Errno(1224)
)

// inUse reports whether another program holds the file. Windows does not let a file be replaced that a program has
// open, and calls that forbidden.
func inUse(err error) bool {
	if runtime.GOOS == "windows" {
		var moved *os.LinkError
		return errors.Is(err, windowsSharing) || errors.Is(err, windowsLock) || errors.Is(err, windowsMapped) ||
			errors.As(err, &moved) && moved.Op == "rename" && errors.Is(err, fs.ErrPermission)
	}
	return errors.Is(err, syscall.EBUSY) || errors.Is(err, syscall.ETXTBSY)
}

func about(doing, path string, err error) error {
	known := &Error{Err: err}
	if !errors.As(err, &known) {
		known.Why, known.Fix = systemFault(err, doing)
	}
	named := *known
	named.Path, named.What = path, doing+printable(path)
	return &named
}

// systemFault says in plain words what the system reported.
func systemFault(err error, doing string) (why, fix string) {
	write := strings.Contains(doing, "write")
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return "it was cancelled", ""
	case inUse(err):
		return "it is in use by another program", "close it there and try again"
	case errors.Is(err, fs.ErrNotExist) && write:
		return "its folder is not there", "make the folder, or choose another one"
	case errors.Is(err, fs.ErrNotExist):
		return "there is no such file", "check the name"
	case errors.Is(err, fs.ErrPermission) && write:
		return "its folder may not be written to", "choose another folder, or change its permissions"
	case errors.Is(err, fs.ErrPermission):
		return "you may not read it", "change its permissions, or copy it elsewhere"
	case errors.Is(err, syscall.EROFS):
		return "its folder is read-only", "choose another folder"
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT),
		runtime.GOOS == "windows" && errors.Is(err, windowsDiskFull):
		return "the disk is full", "free some space, or choose another disk"
	case errors.Is(err, syscall.ENAMETOOLONG):
		return "its name is too long", "choose a shorter name"
	case errors.Is(err, syscall.ELOOP):
		return "it is a link that leads to itself", "give the file itself"
	case errors.Is(err, fs.ErrExist):
		return "a file of that name is there already", "choose another name, or allow overwriting"
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return cutShort().Why, cutShort().Fix
	}
	// The paths are named already, or are none that the artist knows.
	var path *fs.PathError
	var moved *os.LinkError
	switch {
	case errors.As(err, &path):
		err = path.Err
	case errors.As(err, &moved):
		err = moved.Err
	}
	return err.Error(), ""
}

// damaged is the error for a file that breaks its format's rules.
func damaged(format string, args ...any) *Error {
	return &Error{Why: sentence(format, args...), Fix: "export it again from where it came from", Err: ErrDamaged}
}

// cutShort is the error for a file that ends before its picture does.
func cutShort() *Error {
	return damaged("the file is cut short")
}

// unsupported is the error for a sound file that holds what cannot be read: "CMYK TIFF".
func unsupported(format string, args ...any) *Error {
	return &Error{
		Why: sentence(format, args...) + " cannot be read",
		Fix: "save it as a 16-bit PNG or TIFF",
		Err: ErrUnsupported,
	}
}

func sentence(format string, args ...any) string {
	return fmt.Sprintf(format, args...)
}

// printable returns a path as it is shown: as it is, but quoted where it holds control characters, begins or
// ends with a space or is empty, so that a message stays one line and a name stays recognisable.
func printable(path string) string {
	if path == "" || strings.TrimSpace(path) != path || strings.ContainsFunc(path, unicode.IsControl) {
		return strconv.Quote(path)
	}
	return path
}
