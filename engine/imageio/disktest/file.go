package disktest

import (
	"errors"
	"io"
)

// File is a file in memory, for writers that go back in it.
type File struct {
	Bytes []byte
	at    int
}

// Write implements io.Writer at the place in the file.
func (f *File) Write(p []byte) (int, error) {
	if grow := f.at + len(p) - len(f.Bytes); grow > 0 {
		f.Bytes = append(f.Bytes, make([]byte, grow)...)
	}
	f.at += copy(f.Bytes[f.at:], p)
	return len(p), nil
}

// Seek implements io.Seeker within the file.
func (f *File) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += int64(f.at)
	case io.SeekEnd:
		offset += int64(len(f.Bytes))
	}
	if offset < 0 || offset > int64(len(f.Bytes)) {
		return 0, errors.New("outside the file")
	}
	f.at = int(offset)
	return offset, nil
}
