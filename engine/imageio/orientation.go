package imageio

import (
	"bytes"
	"io"

	"greenroom/engine/picture"
)

// orient returns m turned upright, as an EXIF orientation of 1..8 asks (EXIF 2.3, tag 0x0112): where the
// stored first row and first column lie in the picture. Orientation 1 returns m itself.
func orient(m picture.Image, orientation int) picture.Image {
	if m.Empty() || orientation < 2 || orientation > 8 {
		return m
	}
	w, h := m.W, m.H
	if orientation >= 5 {
		w, h = h, w
	}
	// Pixel (x, y) of the result is stored pixel first + x*right + y*down.
	var first, right, down int
	last, row := m.W-1, m.W
	switch orientation {
	case 2:
		first, right, down = last, -1, row
	case 3:
		first, right, down = m.W*m.H-1, -1, -row
	case 4:
		first, right, down = (m.H-1)*row, 1, -row
	case 5:
		first, right, down = 0, row, 1
	case 6:
		first, right, down = (m.H-1)*row, -row, 1
	case 7:
		first, right, down = m.W*m.H-1, -row, -1
	case 8:
		first, right, down = last, row, -1
	}
	out := picture.New(w, h, m.C)
	picture.ParallelRows(h, func(y0, y1 int) {
		for y := y0; y < y1; y++ {
			dst := out.Row(y)
			at := first + y*down
			for x := range w {
				copy(dst[x*m.C:(x+1)*m.C], m.Pix[at*m.C:(at+1)*m.C])
				at += right
			}
		}
	})
	return out
}

// exifOrientation returns the orientation that an EXIF block states, 1..8, or 1 where it states none or is
// damaged: a picture is worth showing whatever its EXIF is worth. The block may begin with "Exif\0\0".
func exifOrientation(exif []byte) int {
	exif = bytes.TrimPrefix(exif, []byte("Exif\x00\x00"))
	if len(exif) == 0 {
		return 1
	}
	r := bytes.NewReader(exif)
	dir, err := readDirectory(io.NewSectionReader(r, 0, r.Size()), r.Size())
	if err != nil {
		return 1
	}
	return dir.orientation()
}
