package checkpoint

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
)

// The PyTorch container since version 1.6 (torch.save, and the reading side in
// caffe2/serialize/inline_container.h): a zip archive with one folder, which
// holds data.pkl, a pickle of the saved object in which each tensor names its
// storage; data/KEY, the bytes of each storage; and since 2.1 byteorder.
// PyTorch stores without compression; archives that were packed again with
// deflate are read too.

const (
	// maxDirectory bounds what is read of a zip directory. An entry takes about
	// 80 bytes of it, so that this is beyond maxTensors entries.
	maxDirectory = 16 << 20
	// maxPickle bounds data.pkl. A tensor takes about 250 bytes of it. Reading
	// takes up to 16 times its size in memory.
	maxPickle = 8 << 20
)

// maxUnpacked is the number of bytes that a packed file of the given size may
// claim to unpack to. Trained weights hardly shrink when packed; only bombs
// grow this much.
func maxUnpacked(size int64) int64 { return 64<<20 + 16*size }

// readTorchZip reads the pickle of a PyTorch zip and checks every tensor it
// names against the archive's entries.
func readTorchZip(source io.ReaderAt, size int64) (contents, error) {
	archive, err := openArchive(source, size)
	if err != nil {
		return contents{}, err
	}
	if err := archive.checkByteOrder(); err != nil {
		return contents{}, err
	}
	raw, err := archive.readAll("data.pkl", maxPickle)
	if err != nil {
		return contents{}, err
	}
	root, err := unpickle(raw)
	if err != nil {
		return contents{}, err
	}
	tensors, metadata, err := stateDict(root)
	if err != nil {
		return contents{}, err
	}
	entries, err := archive.locate(tensors)
	return contents{entries, metadata}, err
}

// archive is the zip directory of a PyTorch file.
type archive struct {
	source io.ReaderAt
	size   int64
	folder string               // with the slash that follows
	files  map[string]*zip.File // by full name
}

func openArchive(source io.ReaderAt, size int64) (*archive, error) {
	metered := &meteredReader{source: source, left: maxDirectory, limited: true}
	directory, err := zip.NewReader(metered, size)
	metered.limited = false
	switch {
	case errors.Is(err, errMeter):
		return nil, damaged("has a zip directory of more than %d bytes", maxDirectory)
	case errors.Is(err, zip.ErrFormat), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return nil, incomplete("begins as a zip archive, but the directory that ends one is not there: half a download")
	case errors.Is(err, zip.ErrAlgorithm), errors.Is(err, zip.ErrChecksum), errors.Is(err, zip.ErrInsecurePath):
		return nil, damaged("is a zip archive that cannot be read: %v", err)
	case err != nil:
		return nil, err // the disk's
	}
	a := &archive{source: source, size: size, files: make(map[string]*zip.File, len(directory.File))}
	unpacked := uint64(0)
	for _, f := range directory.File {
		if a.files[f.Name] != nil {
			return nil, damaged("holds %s twice", quoted(f.Name))
		}
		a.files[f.Name] = f
		if f.UncompressedSize64 > uint64(maxUnpacked(size)) {
			return nil, damaged("%s claims to unpack to %d bytes, in a file of %d", quoted(f.Name), f.UncompressedSize64, size)
		}
		unpacked += f.UncompressedSize64 // no overflow: both are below 2^63 by the checks around
		if unpacked > uint64(maxUnpacked(size)) {
			return nil, damaged("claims to unpack to more than %d bytes, from %d", maxUnpacked(size), size)
		}
	}
	if a.folder, err = a.findFolder(); err != nil {
		return nil, err
	}
	return a, nil
}

// findFolder finds the folder that holds data.pkl: PyTorch names it after the
// file it was first saved as.
func (a *archive) findFolder() (string, error) {
	var found []string
	for name := range a.files {
		if path.Base(name) == "data.pkl" && strings.Count(name, "/") == 1 {
			found = append(found, strings.TrimSuffix(name, "data.pkl"))
		}
	}
	if len(found) > 1 {
		slices.Sort(found)
		return "", damaged("holds %d saved objects: %s and %s", len(found), quoted(found[0]), quoted(found[1]))
	}
	if len(found) == 1 {
		if a.files[found[0]+"constants.pkl"] != nil {
			return "", unsupported("is a TorchScript program, not a state dict")
		}
		return found[0], nil
	}
	for name := range a.files {
		if strings.HasSuffix(name, ".npy") {
			return "", unsupported("is a NumPy archive (.npz)")
		}
	}
	return "", &flaw{ErrNotCheckpoint, "is a zip archive without a PyTorch checkpoint (no data.pkl)", "unpack it first"}
}

func (a *archive) checkByteOrder() error {
	if a.files[a.folder+"byteorder"] == nil {
		return nil // before PyTorch 2.1; all machines it was published from were little-endian
	}
	order, err := a.readAll("byteorder", 64)
	if err != nil {
		return err
	}
	if string(order) != "little" {
		return unsupported("its numbers are in %s byte order", quoted(string(order)))
	}
	return nil
}

// readAll reads a small file of the archive's folder.
func (a *archive) readAll(name string, limit uint64) ([]byte, error) {
	f := a.files[a.folder+name]
	if f.UncompressedSize64 > limit {
		return nil, damaged("its %s is %d bytes long; more than %d is never needed", name, f.UncompressedSize64, limit)
	}
	packed, err := a.storage(f)
	if err != nil {
		return nil, err
	}
	stream, err := packed.open(0)
	if err != nil {
		return nil, err
	}
	defer stream.Close()
	raw, err := io.ReadAll(stream)
	if err != nil {
		return nil, inEntry(f, err)
	}
	return raw, nil
}

// storage checks that a file of the archive can be read and lies inside it.
func (a *archive) storage(f *zip.File) (packedFile, error) {
	switch {
	case f.Flags&1 != 0:
		return packedFile{}, unsupported("%s is encrypted", quoted(f.Name))
	case f.Method != zip.Store && f.Method != zip.Deflate:
		return packedFile{}, unsupported("%s is packed with zip method %d", quoted(f.Name), f.Method)
	case f.Method == zip.Store && f.CompressedSize64 != f.UncompressedSize64:
		return packedFile{}, damaged("%s is stored, but has two sizes, %d and %d", quoted(f.Name), f.CompressedSize64, f.UncompressedSize64)
	}
	begin, err := f.DataOffset()
	if err != nil {
		return packedFile{}, inEntry(f, err)
	}
	if begin < 0 || begin > a.size || f.CompressedSize64 > uint64(a.size-begin) {
		return packedFile{}, damaged("%s lies beyond the end of the file", quoted(f.Name))
	}
	return packedFile{
		source:   a.source,
		begin:    begin,
		packed:   int64(f.CompressedSize64),
		size:     int64(f.UncompressedSize64),
		deflated: f.Method == zip.Deflate,
		crc:      f.CRC32,
	}, nil
}

// locate finds the bytes of each tensor of a state dict and checks that it
// lies inside its storage.
func (a *archive) locate(tensors map[string]*torchTensor) (map[string]entry, error) {
	entries := make(map[string]entry, len(tensors))
	work := int64(0)
	for name, t := range tensors {
		e, span, err := a.locateOne(name, t)
		if err != nil {
			return nil, err
		}
		entries[name] = e
		// Views may share a storage, and to reach one that lies deep in a
		// deflated storage all before it is unpacked: both multiply what reading
		// everything costs.
		work += span
		if e.data.(packedFile).deflated {
			work += e.offset
		}
		if work > maxUnpacked(a.size) {
			return nil, damaged("its tensors share storages so often that they would take more than %d bytes, from %d", maxUnpacked(a.size), a.size)
		}
	}
	return entries, nil
}

// locateOne also returns the bytes from the first element to the last.
func (a *archive) locateOne(name string, t *torchTensor) (entry, int64, error) {
	problem := func(err error) error {
		var f *flaw
		if errors.As(err, &f) {
			return &flaw{f.kind, "tensor " + quoted(name) + ": " + f.problem, f.remedy}
		}
		return fmt.Errorf("tensor %s: %w", quoted(name), err)
	}
	f := a.files[a.folder+"data/"+t.storage.key]
	if f == nil {
		return entry{}, 0, problem(damaged("its storage %s is not in the archive", quoted(t.storage.key)))
	}
	packed, err := a.storage(f)
	if err != nil {
		return entry{}, 0, problem(err)
	}
	width := int64(t.storage.dtype.Size())
	if packed.size%width != 0 || packed.size/width != t.storage.elements {
		return entry{}, 0, problem(damaged("its storage should hold %d elements of type %v, but is %d bytes long", t.storage.elements, t.storage.dtype, packed.size))
	}
	shape, err := toShape(name, t.size)
	if err != nil {
		return entry{}, 0, err
	}
	elements, _, err := checkShape(shape, t.storage.dtype)
	if err != nil {
		return entry{}, 0, problem(damaged("has %v", err))
	}
	view, err := checkView(t, elements)
	if err != nil {
		return entry{}, 0, problem(err)
	}
	return entry{
		Tensor:  Tensor{Name: name, Shape: shape, DType: t.storage.dtype},
		data:    packed,
		offset:  t.offset * width,
		strides: view.strides,
	}, view.span * width, nil
}

// meteredReader fails once it has been asked for more than it may give:
// zip.NewReader reads a directory to its end, however long it is.
type meteredReader struct {
	source  io.ReaderAt
	left    int64
	limited bool
}

var errMeter = errors.New("too much was read")

func (m *meteredReader) ReadAt(p []byte, offset int64) (int, error) {
	if m.limited {
		if m.left -= int64(len(p)); m.left < 0 {
			return 0, errMeter
		}
	}
	return m.source.ReadAt(p, offset)
}
