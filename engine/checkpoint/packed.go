package checkpoint

import (
	"archive/zip"
	"compress/flate"
	"errors"
	"hash"
	"hash/crc32"
	"io"
)

// packedFile is a storage that is a file of a zip archive.
type packedFile struct {
	source   io.ReaderAt
	begin    int64 // of the packed bytes in the archive
	packed   int64 // bytes in the archive
	size     int64 // bytes when unpacked
	deflated bool
	crc      uint32 // of the unpacked bytes; 0 where PyTorch was told not to compute it
}

func (p packedFile) open(from int64) (io.ReadCloser, error) {
	if !p.deflated {
		stored := io.NewSectionReader(p.source, p.begin+from, p.packed-from)
		return p.checked(io.NopCloser(stored), from), nil
	}
	unpacking := p.checked(flate.NewReader(io.NewSectionReader(p.source, p.begin, p.packed)), 0)
	if _, err := io.CopyN(io.Discard, unpacking, from); err != nil {
		unpacking.Close()
		return nil, err
	}
	return unpacking, nil
}

// checked bounds a stream to the declared size and, where it runs from the
// first byte, checks the checksum at its end.
func (p packedFile) checked(source io.ReadCloser, from int64) io.ReadCloser {
	r := &checkedReader{source: source, left: p.size - from}
	if from == 0 && p.crc != 0 {
		r.sum, r.want = crc32.NewIEEE(), p.crc
	}
	return r
}

type checkedReader struct {
	source io.ReadCloser
	left   int64
	sum    hash.Hash32 // nil: unchecked
	want   uint32
}

func (r *checkedReader) Close() error { return r.source.Close() }

func (r *checkedReader) Read(p []byte) (int, error) {
	if r.left == 0 {
		if r.sum != nil && r.sum.Sum32() != r.want {
			return 0, damaged("its bytes do not match their checksum")
		}
		return 0, io.EOF
	}
	n, err := r.source.Read(p[:min(int64(len(p)), r.left)])
	r.left -= int64(n)
	if r.sum != nil {
		r.sum.Write(p[:n])
	}
	var corrupt flate.CorruptInputError
	switch {
	case r.left == 0 && errors.Is(err, io.EOF):
		err = nil // the next call checks and ends
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		err = incomplete("%d bytes are missing at its end", r.left)
	case errors.As(err, &corrupt):
		err = damaged("its packed bytes are corrupt (%v)", err)
	}
	return n, err
}

// inEntry names the file of the archive that reading failed at.
func inEntry(f *zip.File, err error) error {
	var known *flaw
	switch {
	case errors.As(err, &known):
		return &flaw{known.kind, quoted(f.Name) + ": " + known.problem, known.remedy}
	case errors.Is(err, zip.ErrFormat), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return damaged("%s does not lie where the zip directory says", quoted(f.Name))
	}
	return err
}
