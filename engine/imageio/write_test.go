package imageio

import (
	"errors"
	"io"
	"testing"

	"greenroom/engine/picture"
)

// writeFunc is a writer of 16-bit files.
type writeFunc func(w io.WriteSeeker, colours, alpha picture.Image, meta Meta) error

// writers are all writers under test.
var writers = []struct {
	name  string
	write writeFunc
}{
	{"PNG", writePNG},
	{"TIFF", WriteTIFF16},
}

func writePNG(w io.WriteSeeker, colours, alpha picture.Image, meta Meta) error {
	return WritePNG16(w, colours, alpha, meta)
}

// written returns the bytes of a file.
func written[W io.Writer](t testing.TB, write func(w W, colours, alpha picture.Image, meta Meta) error, colours, alpha picture.Image, meta Meta) []byte {
	t.Helper()
	var b seekBuffer
	if err := write(any(&b).(W), colours, alpha, meta); err != nil {
		t.Fatal(err)
	}
	return b.b
}

// seekBuffer is a file in memory.
type seekBuffer struct {
	b  []byte
	at int
}

func (s *seekBuffer) Write(p []byte) (int, error) {
	if grow := s.at + len(p) - len(s.b); grow > 0 {
		s.b = append(s.b, make([]byte, grow)...)
	}
	s.at += copy(s.b[s.at:], p)
	return len(p), nil
}

func (s *seekBuffer) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += int64(s.at)
	case io.SeekEnd:
		offset += int64(len(s.b))
	}
	if offset < 0 || offset > int64(len(s.b)) {
		return 0, errors.New("outside the file")
	}
	s.at = int(offset)
	return offset, nil
}
