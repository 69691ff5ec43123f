package keying

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"greenroom/engine/imageio"
)

// saveTurned writes a picture with the EXIF orientation o: stored so that turned upright it is at(x, y), w x h.
func saveTurned(t *testing.T, path string, w, h, o int, at func(x, y int) color.NRGBA) {
	t.Helper()
	// Where the stored pixel (x, y) is seen, for each orientation, by the EXIF standard's table.
	seen := map[int]func(x, y int) (int, int){
		1: func(x, y int) (int, int) { return x, y },
		3: func(x, y int) (int, int) { return w - 1 - x, h - 1 - y },
		6: func(x, y int) (int, int) { return w - 1 - y, x },
		8: func(x, y int) (int, int) { return y, h - 1 - x },
	}[o]
	bounds := image.Rect(0, 0, w, h)
	if o >= 5 {
		bounds = image.Rect(0, 0, h, w)
	}
	m := image.NewNRGBA(bounds)
	for y := range bounds.Dy() {
		for x := range bounds.Dx() {
			m.SetNRGBA(x, y, at(seen(x, y)))
		}
	}
	var data bytes.Buffer
	if err := png.Encode(&data, m); err != nil {
		t.Fatal(err)
	}
	exif := []byte("MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00")
	exif[19] = byte(o)
	var chunk []byte
	chunk = binary.BigEndian.AppendUint32(chunk, uint32(len(exif)))
	chunk = append(append(chunk, "eXIf"...), exif...)
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(chunk[4:]))
	const afterHeader = 8 + 25
	whole := append(append(bytes.Clone(data.Bytes()[:afterHeader]), chunk...), data.Bytes()[afterHeader:]...)
	if err := os.WriteFile(path, whole, 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestPlatesAndHintsAreKeyedAsTheyAreSeen turns plate and hint in files of their own ways: the key is that of the
// upright files.
func TestPlatesAndHintsAreKeyedAsTheyAreSeen(t *testing.T) {
	e, o := bench(t)
	dir := t.TempDir()
	const w, h = 120, 80
	subject := func(x, y int) bool { return (x-30)*(x-30)+(y-25)*(y-25) < 300 } // not in the middle
	plateAt := func(x, y int) color.NRGBA {
		if subject(x, y) {
			return color.NRGBA{180, 140, 120, 255}
		}
		return color.NRGBA{45, uint8(160 + (x+y)%16), 60, 255}
	}
	hintAt := func(x, y int) color.NRGBA {
		if subject(x, y) {
			return color.NRGBA{255, 255, 255, 255}
		}
		return color.NRGBA{0, 0, 0, 255}
	}
	o.Passes = []Pass{PassMatte}
	var upright *imageio.File
	for _, turns := range [][2]int{{1, 1}, {6, 1}, {1, 8}, {8, 6}, {3, 6}} {
		o.Plate = filepath.Join(dir, "shot.png")
		saveTurned(t, o.Plate, w, h, turns[0], plateAt)
		saveTurned(t, filepath.Join(dir, "shot-hint.png"), w, h, turns[1], hintAt)
		r, err := Run(t.Context(), e, o)
		if err != nil {
			t.Fatal(err)
		}
		matte, err := imageio.Open(r.Files[PassMatte], imageio.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if matte.W != w || matte.H != h || matte.Orientation != 1 {
			t.Fatalf("orientations %v: the matte is %+v", turns, matte.Header)
		}
		if upright == nil {
			upright = matte
			if in, out := matte.Picture.RGB.Row(25)[3*30], matte.Picture.RGB.Row(60)[3*90]; in < 0.9 || out > 0.1 {
				t.Fatalf("the matte is %v in the subject and %v beside it", in, out)
			}
		}
		if !slices.Equal(matte.Picture.RGB.Pix, upright.Picture.RGB.Pix) {
			t.Errorf("orientations %v of plate and hint: another matte", turns)
		}
	}
}
