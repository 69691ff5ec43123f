package checkpoint

import (
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// What can be wrong with a file, for errors.Is. Every error about a file's
// content is a *FileError that wraps one of these.
var (
	// ErrNotCheckpoint: the file is something else: a web page, a Git LFS
	// pointer, a picture.
	ErrNotCheckpoint = errors.New("not a checkpoint")
	// ErrIncomplete: the file ends too early, as after half a download.
	ErrIncomplete = errors.New("incomplete checkpoint")
	// ErrDamaged: the file contradicts itself or the rules of its format.
	ErrDamaged = errors.New("damaged checkpoint")
	// ErrUnsupported: the file may be sound, but holds something this package
	// does not read, such as code to be run or an old container.
	ErrUnsupported = errors.New("unsupported checkpoint")
	// ErrHash: the file's SHA-256 is not the expected one.
	ErrHash = errors.New("wrong SHA-256")
)

// FileError says what is wrong with a file and what to do about it.
type FileError struct {
	File    string // as the caller named it
	Problem string // what is wrong
	Remedy  string // what to do
	Kind    error  // one of this package's Err values, or the system's error
}

// Error reads FILE: PROBLEM (REMEDY).
func (e *FileError) Error() string {
	if e.Remedy == "" {
		return e.File + ": " + e.Problem
	}
	return e.File + ": " + e.Problem + " (" + e.Remedy + ")"
}

// Unwrap returns the kind of the error.
func (e *FileError) Unwrap() error { return e.Kind }

// flaw is a problem found while reading, before it is known which file it
// belongs to: the readers work on bytes, Read adds the name.
type flaw struct {
	kind    error
	problem string
	remedy  string
}

func (f *flaw) Error() string { return f.problem }

func (f *flaw) Unwrap() error { return f.kind }

const (
	remedyAgain   = "download it again"
	remedyConvert = "save its state dict alone with PyTorch 1.6 or newer, or convert it to safetensors"
)

func damaged(format string, args ...any) error {
	return &flaw{ErrDamaged, fmt.Sprintf(format, args...), remedyAgain}
}

func incomplete(format string, args ...any) error {
	return &flaw{ErrIncomplete, fmt.Sprintf(format, args...), remedyAgain}
}

func unsupported(format string, args ...any) error {
	return &flaw{ErrUnsupported, fmt.Sprintf(format, args...), remedyConvert}
}

// inFile turns an error of a reader into a *FileError about the named file.
func inFile(file string, err error) error {
	if err == nil {
		return nil
	}
	var f *flaw
	if errors.As(err, &f) {
		return &FileError{file, f.problem, f.remedy, f.kind}
	}
	return &FileError{file, "cannot be read: " + err.Error(), "check the disk and the file's permissions", err}
}

// maxQuoted bounds the length of foreign names in messages, in bytes.
const maxQuoted = 120

// quoted makes a name from a foreign file safe to print: quoted, escaped,
// shortened.
func quoted(name string) string {
	if len(name) <= maxQuoted {
		return strconv.Quote(name)
	}
	cut := maxQuoted
	for cut > 0 && !utf8.RuneStart(name[cut]) {
		cut--
	}
	return strconv.Quote(name[:cut]) + "..."
}
