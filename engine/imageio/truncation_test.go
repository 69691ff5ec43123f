package imageio

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"slices"
	"strings"
	"testing"

	"greenroom/engine/imageio/exr"
	"greenroom/engine/picture"
)

// smallFiles are whole files of every format that is read, by name.
func smallFiles(t *testing.T) map[string][]byte {
	t.Helper()
	m := image.NewNRGBA64(image.Rect(0, 0, 23, 17))
	for i := range m.Pix {
		m.Pix[i] = uint8(37 * i)
	}
	opaque := image.NewNRGBA(m.Bounds())
	for y := range 17 {
		for x := range 23 {
			opaque.SetNRGBA(x, y, color.NRGBA{uint8(11 * x), uint8(13 * y), 90, 255})
		}
	}
	colours, alpha := levels(23, 17, 3), levels(23, 17, 1)
	files := map[string][]byte{
		"png":        encodePNG(t, m),
		"jpeg":       encodeJPEG(t, opaque),
		"tiff plain": rgb8().bytes(),
		"dpx":        testDPX{w: 3, h: 2, kind: 50, depth: 8, pixels: make([]byte, 18)}.bytes(),
		"exr":        exrFile(t, 23, 17, []string{"R", "G", "B"}, byName, func(o *exr.Output) { o.Type = exr.Half }),
	}
	for _, c := range writers {
		files["our "+c.name] = written(t, c.write, colours, alpha, Meta{Pass: "key"})
	}
	return files
}

// TestEveryTruncationOfEveryFormatIsAnError cuts files of every format after each of their bytes: what is left is
// refused in words, and never as an end of file, or it holds the whole picture.
func TestEveryTruncationOfEveryFormatIsAnError(t *testing.T) {
	for name, whole := range smallFiles(t) {
		want := decode(t, whole).Picture
		refusals := 0
		for n := range whole {
			file, err := Decode(bytes.NewReader(whole[:n]), int64(n), "cut", Limits{})
			if err == nil {
				if !same(file.Picture, want) {
					t.Errorf("%s: the first %d of %d bytes are read as another picture", name, n, len(whole))
				}
				continue
			}
			refusals++
			var fault *Error
			if !errors.As(err, &fault) || fault.Why == "" || strings.Contains(err.Error(), "EOF") || strings.Contains(err.Error(), "runtime error") {
				t.Errorf("%s: the first %d of %d bytes: %v", name, n, len(whole), err)
			}
		}
		if refusals < len(whole)/2 {
			t.Errorf("%s: of %d truncations only %d are refused", name, len(whole), refusals)
		}
	}
}

func same(a, b picture.Picture) bool {
	return slices.Equal(a.RGB.Pix, b.RGB.Pix) && slices.Equal(a.Alpha.Pix, b.Alpha.Pix)
}
