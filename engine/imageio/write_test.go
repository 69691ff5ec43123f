package imageio

import (
	"io"
	"testing"

	"greenroom/engine/imageio/disktest"
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
	var b disktest.File
	if err := write(any(&b).(W), colours, alpha, meta); err != nil {
		t.Fatal(err)
	}
	return b.Bytes
}
