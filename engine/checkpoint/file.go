package checkpoint

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
)

// Container is the kind of file that tensors are packed in.
type Container uint8

// The containers that Open reads.
const (
	Safetensors Container = iota
	TorchZip              // PyTorch 1.6 or newer: a zip archive with a pickle in it
)

// String names the container for messages.
func (c Container) String() string {
	if c == TorchZip {
		return "PyTorch zip"
	}
	return "safetensors"
}

// File is an opened checkpoint. Its methods may be called from several
// goroutines at once, except Close.
type File struct {
	name      string
	container Container
	metadata  map[string]string
	names     []string // sorted
	entries   map[string]entry
	closer    io.Closer
}

// entry is a tensor and the place of its elements.
type entry struct {
	Tensor
	data    storage
	offset  int64   // bytes from the start of data to the first element
	strides []int64 // elements from one index of an axis to the next; nil: row-major without gaps
}

// storage is a run of bytes that holds the elements of one tensor or of
// several.
type storage interface {
	// open reads from the given byte to the end of the storage. Where the
	// container has a checksum and the read begins at 0, reading on to io.EOF
	// checks it.
	open(from int64) (io.ReadCloser, error)
}

// Open opens a checkpoint file. It reads names, shapes and places, not the
// weights. The content decides the container, not the ending. Errors about the
// content are of type *FileError; a missing file satisfies
// errors.Is(err, fs.ErrNotExist).
func Open(path string) (*File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, systemError(path, err)
	}
	// A pipe or a device could block for ever, and has no size to check against.
	if !info.Mode().IsRegular() {
		return nil, &FileError{path, "is not a file", "point at a .safetensors or .pth file", ErrNotCheckpoint}
	}
	handle, err := os.Open(path)
	if err != nil {
		return nil, systemError(path, err)
	}
	file, err := Read(handle, info.Size(), path)
	if err != nil {
		handle.Close()
		return nil, err
	}
	file.closer = handle
	return file, nil
}

// Read opens a checkpoint of the given size in bytes that lies anywhere: in
// the program itself, say. The name is for messages. The source has to stay
// readable for as long as the File is used.
func Read(source io.ReaderAt, size int64, name string) (*File, error) {
	container, err := sniff(source, size)
	if err != nil {
		return nil, inFile(name, err)
	}
	var parsed contents
	if container == TorchZip {
		parsed, err = readTorchZip(source, size)
	} else {
		parsed, err = readSafetensors(source, size)
	}
	if err != nil {
		return nil, inFile(name, err)
	}
	if len(parsed.entries) == 0 {
		return nil, &FileError{name, "holds no tensors", "point at a checkpoint with weights", ErrNotCheckpoint}
	}
	file := &File{name: name, container: container, metadata: parsed.metadata, entries: stripPrefixes(parsed.entries)}
	file.names = slices.Sorted(maps.Keys(file.entries))
	return file, nil
}

// contents is what a container's reader finds.
type contents struct {
	entries  map[string]entry
	metadata map[string]string
}

// stripPrefixes removes what PyTorch's wrappers put before every name:
// torch.compile "_orig_mod.", DataParallel "module.".
func stripPrefixes(entries map[string]entry) map[string]entry {
	prefixes := []string{"_orig_mod.", "module."}
	for i := 0; i < len(prefixes); i++ {
		prefix := prefixes[i]
		everyName := true
		for name := range entries {
			// A name that is nothing but the prefix would end up empty.
			if !strings.HasPrefix(name, prefix) || len(name) == len(prefix) {
				everyName = false
				break
			}
		}
		if !everyName {
			continue
		}
		stripped := make(map[string]entry, len(entries))
		for name, e := range entries {
			e.Name = strings.TrimPrefix(name, prefix)
			stripped[e.Name] = e
		}
		entries = stripped
		i = -1 // the wrappers nest in either order
	}
	return entries
}

// Name returns the file's name as given to Open or Read.
func (f *File) Name() string { return f.name }

// Container returns the kind of file.
func (f *File) Container() Container { return f.container }

// Metadata returns a copy of the file's notes: the __metadata__ of a
// safetensors file, or the plain strings and numbers that lie beside the
// tensors of a PyTorch file. Nil where there are none.
func (f *File) Metadata() map[string]string { return maps.Clone(f.metadata) }

// Names returns the names of all tensors, sorted.
func (f *File) Names() []string { return slices.Clone(f.names) }

// Tensor describes the named tensor; ok is false where there is none.
func (f *File) Tensor(name string) (tensor Tensor, ok bool) {
	e, ok := f.entries[name]
	e.Shape = slices.Clone(e.Shape)
	return e.Tensor, ok
}

// ReadFloat32 reads the named tensor into dst, row-major in the order of its
// Shape, whatever its order in the file. Float16 and BFloat16 are widened
// exactly, Float64 is rounded to nearest. len(dst) has to be the tensor's
// Elements. Beside dst it needs some hundred kilobytes.
func (f *File) ReadFloat32(name string, dst []float32) error {
	e, ok := f.entries[name]
	switch {
	case !ok:
		return &FileError{f.name, "has no tensor " + quoted(name), "", fs.ErrNotExist}
	case len(dst) != e.Elements():
		return fmt.Errorf("read tensor %s: %d elements wanted, the file has %d", quoted(name), len(dst), e.Elements())
	case !e.DType.Float():
		return inFile(f.name, unsupported("tensor %s is of type %s, not floating-point", quoted(name), e.DType))
	}
	if err := e.read(dst); err != nil {
		return inFile(f.name, inTensor(name, err))
	}
	return nil
}

// inTensor names the tensor that reading failed at.
func inTensor(name string, err error) error {
	var f *flaw
	switch {
	case errors.As(err, &f):
		return &flaw{f.kind, "tensor " + quoted(name) + ": " + f.problem, f.remedy}
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return incomplete("the file ended inside tensor %s: it has become shorter since it was opened", quoted(name))
	}
	return fmt.Errorf("tensor %s: %w", quoted(name), err)
}

// Close closes the file. A File from Read has nothing to close.
func (f *File) Close() error {
	if f.closer == nil {
		return nil
	}
	return f.closer.Close()
}

// systemError names the file and keeps the cause for errors.Is.
func systemError(path string, err error) error { return systemFailure(path, "opened or read", err) }

func systemFailure(path, done string, err error) error {
	cause := err
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		cause = pathErr.Err // its text repeats the path
	}
	remedy := "check the path and the disk"
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &FileError{path, "does not exist", "check the path", err}
	case errors.Is(err, fs.ErrPermission):
		remedy = "check the permissions"
	}
	return &FileError{path, "cannot be " + done + ": " + cause.Error(), remedy, err}
}
