package imageio

import (
	"encoding/hex"
	"fmt"
	"image"
	"slices"
	"testing"

	"greenroom/engine/picture"
)

// upright is a picture of 3 x 2 pixels, and storedAs what a camera stores of it under each orientation:
// worked out by hand from EXIF 2.3's table of where row 0 and column 0 lie.
var (
	upright  = []float32{1, 2, 3, 4, 5, 6}
	storedAs = [9]struct {
		w   int
		pix []float32
	}{
		1: {3, []float32{1, 2, 3, 4, 5, 6}},
		2: {3, []float32{3, 2, 1, 6, 5, 4}},
		3: {3, []float32{6, 5, 4, 3, 2, 1}},
		4: {3, []float32{4, 5, 6, 1, 2, 3}},
		5: {2, []float32{1, 4, 2, 5, 3, 6}},
		6: {2, []float32{3, 6, 2, 5, 1, 4}},
		7: {2, []float32{6, 3, 5, 2, 4, 1}},
		8: {2, []float32{4, 1, 5, 2, 6, 3}},
	}
)

func TestOrientTurnsUpright(t *testing.T) {
	for o := 1; o <= 8; o++ {
		s := storedAs[o]
		got := orient(picture.Image{W: s.w, H: 6 / s.w, C: 1, Pix: s.pix}, o)
		if got.W != 3 || got.H != 2 || !slices.Equal(got.Pix, upright) {
			t.Errorf("orientation %d: %dx%d %v", o, got.W, got.H, got.Pix)
		}
	}
	two := orient(picture.Image{W: 1, H: 2, C: 2, Pix: []float32{1, 2, 3, 4}}, 6)
	if two.W != 2 || !slices.Equal(two.Pix, []float32{3, 4, 1, 2}) {
		t.Errorf("channels are torn apart: %v", two.Pix)
	}
}

// exifBlock is an EXIF block with nothing but an orientation.
func exifBlock(orientation uint64) []byte {
	return testTIFF{fields: map[uint16][]uint64{tagOrientation: {orientation}}}.bytes()
}

func TestOrientationIsAppliedFromEveryPlace(t *testing.T) {
	for o := 1; o <= 8; o++ {
		s := storedAs[o]
		m := image.NewNRGBA(image.Rect(0, 0, s.w, 6/s.w))
		stored := testTIFF{fields: map[uint16][]uint64{
			tagWidth: {uint64(s.w)}, tagHeight: {uint64(6 / s.w)}, tagBitsPerSample: {8},
			tagPhotometric: {1}, tagOrientation: {uint64(o)},
		}, blocks: [][]byte{{}}}
		for i, v := range s.pix {
			level := byte(v * 20)
			copy(m.Pix[4*i:], []byte{level, level, level, byte(v)})
			stored.blocks[0] = append(stored.blocks[0], level)
		}
		png := encodePNG(t, m)
		exif := exifBlock(uint64(o))
		raw := fmt.Sprintf("\nexif\n%8d\n%s\n", len(exif)+6, hex.EncodeToString(append([]byte("Exif\x00\x00"), exif...)))
		for name, b := range map[string][]byte{
			"eXIf": insertChunk(png, "eXIf", exif),
			"tEXt": insertChunk(png, "tEXt", append([]byte("Raw profile type exif\x00"), raw...)),
			"zTXt": insertChunk(png, "zTXt", append([]byte("Raw profile type APP1\x00\x00"), deflated([]byte(raw))...)),
			"TIFF": stored.bytes(),
		} {
			f := decode(t, b)
			if f.W != 3 || f.H != 2 || f.Orientation != o {
				t.Errorf("%s, orientation %d: %d x %d, states %d", name, o, f.W, f.H, f.Orientation)
			}
			for i, v := range upright {
				if got := f.Picture.RGB.Pix[3*i]; got != v*20/255 {
					t.Errorf("%s, orientation %d: pixel %d is %v, want %v", name, o, i, got*255, v*20)
					break
				}
				if name != "TIFF" && f.Picture.Alpha.Pix[i] != v/255 {
					t.Errorf("%s, orientation %d: alpha is not turned", name, o)
					break
				}
			}
		}
	}
}

func TestDamagedEXIFIsLeftAside(t *testing.T) {
	good := exifBlock(6)
	for name, exif := range map[string][]byte{
		"empty": {}, "short": []byte("II*"), "no TIFF": []byte("hello, hello"), "orientation 9": exifBlock(9),
		"orientation 0": exifBlock(0), "cut": good[:len(good)/2],
	} {
		if o := exifOrientation(exif); o != 1 {
			t.Errorf("%s: orientation %d", name, o)
		}
	}
	if o := exifOrientation(append([]byte("Exif\x00\x00"), good...)); o != 6 {
		t.Errorf("a sound block states %d", o)
	}
}
