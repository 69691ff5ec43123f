package exr

import (
	"errors"
	"io"
)

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
	if whence != io.SeekStart || offset < 0 || offset > int64(len(s.b)) {
		return 0, errors.New("outside the file")
	}
	s.at = int(offset)
	return offset, nil
}
