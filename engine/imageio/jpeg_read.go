package imageio

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"io"

	"greenroom/engine/picture"
)

// jpegHead is what is gathered from the segments of a JPEG before its first scan.
type jpegHead struct {
	width, height int64
	precision     int
	factors       [][2]int // sampling factors of each component, across and down
	exif          []byte
	profile       [][]byte // parts of the ICC profile in order
	adobe         bool
	progressive   bool
}

func inspectJPEG(r io.ReaderAt, size int64, limits Limits) (*source, error) {
	j, err := walkJPEG(r, size)
	if err != nil {
		return nil, err
	}
	if j.height == 0 {
		return nil, unsupported("a JPEG that states its height only at its end")
	}
	if err := limits.check(j.width, j.height); err != nil {
		return nil, err
	}
	if j.precision != 8 {
		return nil, unsupported("a JPEG of %d bits", j.precision)
	}
	// Every block of 8 x 8 luma samples takes a bit at least, in the scan of its mean.
	if j.width*j.height/64 > 8*size {
		return nil, damaged("it is %d x %d pixels, and its %d bytes cannot hold that many", j.width, j.height, size)
	}
	s := &source{header: Header{
		W: int(j.width), H: int(j.height), Depth: 8, Channels: 3,
		Orientation: exifOrientation(j.exif), ICC: j.icc(), Subsampling: j.subsampling(),
	}}
	switch len(j.factors) {
	case 1:
		s.header.Channels = 1
	case 3:
	case 4:
		if !j.adobe {
			return nil, unsupported("a CMYK JPEG without Adobe's marker, which leaves its inks unknown,")
		}
		s.header.ICC = nil // of inks, which the picture is not in any more
		s.header.Notes = append(s.header.Notes, "It is CMYK: converted without its ink profile, its colours are near, not exact.")
	default:
		return nil, unsupported("a JPEG of %d components", len(j.factors))
	}
	s.pixels = func() (picture.Picture, error) {
		if err := j.checkScans(r, size); err != nil {
			return picture.Picture{}, err
		}
		m, err := jpeg.Decode(io.NewSectionReader(r, 0, size))
		if err != nil {
			return picture.Picture{}, jpegFault(err)
		}
		if b := m.Bounds(); b.Dx() != int(j.width) || b.Dy() != int(j.height) {
			return picture.Picture{}, damaged("the JPEG has two headers that disagree")
		}
		p, ok := fromImage(m)
		if !ok {
			return p, unsupported("a JPEG of this kind")
		}
		return p, nil
	}
	return s, nil
}

// A progressive JPEG goes over the whole picture with every scan, and a scan may take a hundred bytes of the file: a small
// one could keep the decoder busy for hours. Encoders write up to a dozen. scannedPixels is about ten seconds' work.
const (
	fewScans      = 32
	scannedPixels = 1 << 33
)

// checkScans refuses a progressive JPEG with more scans than a picture can need.
func (j *jpegHead) checkScans(r io.ReaderAt, size int64) error {
	if !j.progressive {
		return nil // there a scan takes a bit of the file for every block
	}
	c := scanCounter{}
	if _, err := io.Copy(&c, io.NewSectionReader(r, 0, size)); err != nil {
		return err
	}
	if c.scans > max(fewScans, scannedPixels/(j.width*j.height)) {
		return damaged("the JPEG goes over its picture in %d scans, which is more than it can need", c.scans)
	}
	return nil
}

// scanCounter counts the scans of a JPEG that is written to it.
type scanCounter struct {
	scans int64
	last  byte
}

// Write implements io.Writer.
func (c *scanCounter) Write(b []byte) (int, error) {
	for _, v := range b {
		// Within a scan 0xff is never followed by this.
		if c.last == 0xff && v == 0xda {
			c.scans++
		}
		c.last = v
	}
	return len(b), nil
}

// jpegFault puts the decoder's complaint in our words.
func jpegFault(err error) error {
	var format jpeg.FormatError
	var lacking jpeg.UnsupportedError
	switch {
	case errors.As(err, &lacking):
		return unsupported("a JPEG with %s", string(lacking))
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return cutShort()
	case errors.As(err, &format):
		return damaged("the JPEG is damaged: %s", string(format))
	}
	return damaged("the JPEG is damaged: %v", err)
}

// walkJPEG walks through the segments up to the first scan (ITU-T T.81, annex B).
func walkJPEG(r io.ReaderAt, size int64) (*jpegHead, error) {
	j := &jpegHead{}
	at := int64(2)
	for {
		b, err := readAt(r, at, 2)
		if err != nil {
			return nil, err
		}
		if b[0] != 0xff {
			return nil, damaged("the JPEG is damaged: a marker is missing")
		}
		marker := b[1]
		switch {
		case marker == 0xff: // fill byte
			at++
			continue
		case marker == 0x01 || marker >= 0xd0 && marker <= 0xd7: // no content
			at += 2
			continue
		case marker == 0xd9 || marker == 0xda && j.factors == nil:
			return nil, damaged("the JPEG holds no picture")
		case marker == 0xda:
			return j, nil
		}
		if b, err = readAt(r, at+2, 2); err != nil {
			return nil, err
		}
		length := int(binary.BigEndian.Uint16(b))
		if length < 2 {
			return nil, damaged("the JPEG is damaged: a segment is too short")
		}
		if at+2+int64(length) > size {
			return nil, cutShort()
		}
		if wanted(marker) {
			body, err := readAt(r, at+4, length-2)
			if err != nil {
				return nil, err
			}
			if err := j.take(marker, body); err != nil {
				return nil, err
			}
		}
		at += 2 + int64(length)
	}
}

// wanted reports whether a segment is looked at: frame headers, APP1, APP2 and APP14.
func wanted(marker byte) bool {
	return marker >= 0xc0 && marker <= 0xcf || marker == 0xe1 || marker == 0xe2 || marker == 0xee
}

// take notes one segment.
func (j *jpegHead) take(marker byte, b []byte) error {
	switch marker {
	case 0xc0, 0xc1, 0xc2:
		j.progressive = marker == 0xc2
		return j.takeFrame(b)
	case 0xc4, 0xc8, 0xcc: // Huffman tables, reserved, arithmetic conditioning
	case 0xc3:
		return unsupported("a lossless JPEG")
	case 0xc5, 0xc6, 0xc7, 0xcd, 0xce, 0xcf:
		return unsupported("a hierarchical JPEG")
	case 0xc9, 0xca, 0xcb:
		return unsupported("a JPEG with arithmetic coding")
	case 0xe1:
		if j.exif == nil && bytes.HasPrefix(b, []byte("Exif\x00\x00")) {
			j.exif = b
		}
	case 0xe2:
		j.takeProfile(b)
	case 0xee:
		j.adobe = j.adobe || bytes.HasPrefix(b, []byte("Adobe")) && len(b) >= 12
	}
	return nil
}

func (j *jpegHead) takeFrame(b []byte) error {
	if j.factors != nil {
		return damaged("the JPEG is damaged: it has two frame headers")
	}
	if len(b) < 6 || len(b) < 6+3*int(b[5]) {
		return damaged("the JPEG is damaged: its frame header is too short")
	}
	j.precision = int(b[0])
	j.height, j.width = int64(binary.BigEndian.Uint16(b[1:])), int64(binary.BigEndian.Uint16(b[3:]))
	j.factors = make([][2]int, b[5])
	for i := range j.factors {
		f := b[6+3*i+1]
		j.factors[i] = [2]int{int(f >> 4), int(f & 15)}
	}
	return nil
}

// takeProfile keeps a part of an ICC profile: "ICC_PROFILE", zero, number from 1, count, content
// (ICC.1:2022, annex B.4).
func (j *jpegHead) takeProfile(b []byte) {
	const name = "ICC_PROFILE\x00"
	if len(b) < len(name)+2 || string(b[:len(name)]) != name {
		return
	}
	number, count := int(b[len(name)]), int(b[len(name)+1])
	if j.profile == nil {
		j.profile = make([][]byte, count)
	}
	if number >= 1 && number <= len(j.profile) && count == len(j.profile) {
		j.profile[number-1] = b[len(name)+2:]
	}
}

// icc returns the whole profile; nil where there is none or a part is missing.
func (j *jpegHead) icc() []byte {
	for _, part := range j.profile {
		if part == nil {
			return nil
		}
	}
	if icc := bytes.Join(j.profile, nil); len(icc) >= 128 {
		return icc
	}
	return nil
}

// subsampling names the chroma subsampling as J:a:b; empty for grey, CMYK and odd layouts.
func (j *jpegHead) subsampling() string {
	if len(j.factors) != 3 || j.factors[1] != j.factors[2] || j.factors[1][0] == 0 || j.factors[1][1] == 0 {
		return ""
	}
	across, down := j.factors[0][0]/j.factors[1][0], j.factors[0][1]/j.factors[1][1]
	for _, r := range []image.YCbCrSubsampleRatio{
		image.YCbCrSubsampleRatio444, image.YCbCrSubsampleRatio422, image.YCbCrSubsampleRatio420,
		image.YCbCrSubsampleRatio440, image.YCbCrSubsampleRatio411, image.YCbCrSubsampleRatio410,
	} {
		if x, y := chromaFactors(r); x == across && y == down {
			name := r.String()[len("YCbCrSubsampleRatio"):]
			return fmt.Sprintf("%c:%c:%c", name[0], name[1], name[2])
		}
	}
	return ""
}
