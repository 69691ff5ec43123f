package imageio

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"image/png"
	"io"
	"strings"

	"greenroom/engine/colour"
	"greenroom/engine/picture"
)

const (
	// profileLimit is the most bytes of a colour profile that are kept.
	profileLimit = 16 << 20
	// textLimit is the most bytes of a text or EXIF chunk that are looked at.
	textLimit = 1 << 20
	// chunkLimit is the most chunks of a PNG that are walked through.
	chunkLimit = 1 << 20
	// deflateRatio is more than the most that Deflate can pack: 258 bytes in two bits, 1032 to 1.
	deflateRatio = 1040
)

// pngChunks is what is gathered from the chunks of a PNG before any pixel is decoded.
type pngChunks struct {
	width, height int64
	depth, kind   int
	interlaced    bool
	data          int64 // bytes of IDAT
	transparent   bool  // a tRNS chunk is there
	animated      bool
	gamma         float64 // of gAMA; 0 where there is none
	primaries     []byte  // of cHRM
	srgb          bool    // an sRGB chunk is there
	described     bool    // sRGB, iCCP or cICP: gAMA does not count then
	icc, cicp     []byte
	badICC        bool
	exif          []byte
	written       bool
	pass          string
}

func inspectPNG(r io.ReaderAt, size int64, limits Limits) (*source, error) {
	c, err := walkPNG(r, size)
	if err != nil {
		return nil, err
	}
	if err := limits.check(c.width, c.height); err != nil {
		return nil, err
	}
	if c.data == 0 {
		return nil, damaged("it holds no picture data")
	}
	if c.rawBytes()/deflateRatio > c.data {
		return nil, damaged("it is %d x %d pixels, and its %d bytes cannot hold that many", c.width, c.height, c.data)
	}
	s := &source{header: Header{
		W: int(c.width), H: int(c.height), Depth: c.depth,
		Orientation: exifOrientation(c.exif),
		ICC:         c.icc, CICP: c.cicp,
		WrittenByGreenroom: c.written, Pass: c.pass,
		Notes: c.notes(),
	}}
	s.said, s.saidBy = c.space()
	switch c.kind {
	case 0:
		s.header.Channels = 1
	case 4:
		s.header.Channels = 2
	case 2:
		s.header.Channels = 3
	case 3:
		s.header.Channels, s.header.Depth = 3, 8
	case 6:
		s.header.Channels = 4
	}
	if c.transparent && (c.kind == 0 || c.kind == 2 || c.kind == 3) {
		s.header.Channels++
	}
	s.pixels = func() (picture.Picture, error) {
		m, err := png.Decode(io.NewSectionReader(r, 0, size))
		if err != nil {
			return picture.Picture{}, pngFault(err)
		}
		p, ok := fromImage(m)
		if !ok {
			return p, unsupported("a PNG of this kind")
		}
		return p, nil
	}
	return s, nil
}

// pngFault puts the decoder's complaint in our words.
func pngFault(err error) error {
	var format png.FormatError
	var lacking png.UnsupportedError
	switch {
	case errors.As(err, &lacking):
		return unsupported("a PNG with %s", string(lacking))
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return cutShort()
	case errors.As(err, &format) && strings.Contains(string(format), "not enough pixel data"):
		return cutShort()
	case errors.As(err, &format):
		return damaged("the PNG is damaged: %s", string(format))
	}
	return damaged("the PNG is damaged: %v", err)
}

// walkPNG walks through the chunks up to IEND (PNG, third edition, W3C 2025) and gathers what matters.
func walkPNG(r io.ReaderAt, size int64) (*pngChunks, error) {
	c := &pngChunks{}
	at := int64(8)
	for n := range chunkLimit {
		head, err := readAt(r, at, 8)
		if err != nil {
			return nil, err
		}
		length, kind := int64(binary.BigEndian.Uint32(head)), string(head[4:])
		if n == 0 && (kind != "IHDR" || length != 13) {
			return nil, damaged("the PNG does not begin with its header")
		}
		if at+12+length > size {
			return nil, cutShort()
		}
		if kind == "IEND" {
			return c, nil
		}
		var body []byte
		if length <= lookedAt(kind) {
			if body, err = readAt(r, at+8, int(length)); err != nil {
				return nil, err
			}
		}
		if err := c.take(kind, length, body); err != nil {
			return nil, err
		}
		at += 12 + length
	}
	return nil, damaged("the PNG has more than %d chunks", chunkLimit)
}

// lookedAt returns how many bytes a chunk may have for its content to be read; -1 where only its being
// there counts.
func lookedAt(kind string) int64 {
	switch kind {
	case "IHDR", "gAMA", "cICP":
		return 13
	case "cHRM":
		return 32
	case "iCCP":
		return profileLimit
	case "eXIf", "tEXt", "zTXt":
		return textLimit
	}
	return -1
}

// take notes one chunk. b is its content, nil where it is not looked at.
func (c *pngChunks) take(kind string, length int64, b []byte) error {
	switch kind {
	case "IHDR":
		if len(b) < 13 || c.width != 0 {
			return damaged("the PNG has a wrong header")
		}
		c.width, c.height = int64(binary.BigEndian.Uint32(b)), int64(binary.BigEndian.Uint32(b[4:]))
		c.depth, c.kind, c.interlaced = int(b[8]), int(b[9]), b[12] == 1
		return c.checkKind()
	case "IDAT":
		c.data += length
	case "tRNS":
		c.transparent = true
	case "acTL":
		c.animated = true
	case "gAMA":
		if len(b) == 4 {
			c.gamma = float64(binary.BigEndian.Uint32(b)) / 100000
		}
	case "cHRM":
		c.primaries = b
	case "sRGB":
		c.described, c.srgb = true, true
	case "cICP":
		if len(b) == 4 {
			c.described, c.cicp = true, b
		}
	case "iCCP":
		c.takeProfile(b)
	case "eXIf":
		c.exif = b
	case "tEXt", "zTXt":
		c.takeText(kind, b)
	}
	return nil
}

// checkKind refuses depths and colour types that PNG does not have.
func (c *pngChunks) checkKind() error {
	allowed := map[int][]int{0: {1, 2, 4, 8, 16}, 2: {8, 16}, 3: {1, 2, 4, 8}, 4: {8, 16}, 6: {8, 16}}
	for _, depth := range allowed[c.kind] {
		if depth == c.depth {
			return nil
		}
	}
	return damaged("the PNG claims colour type %d with %d bits, which does not exist", c.kind, c.depth)
}

// takeProfile unpacks an iCCP chunk: name, zero, method, zlib stream.
func (c *pngChunks) takeProfile(b []byte) {
	name := bytes.IndexByte(b, 0)
	if name < 0 || len(b) < name+2 || b[name+1] != 0 {
		c.badICC = true
		return
	}
	icc, err := inflate(b[name+2:], profileLimit)
	if err != nil || len(icc) < 128 {
		c.badICC = true
		return
	}
	c.described, c.icc = true, icc
}

// takeText looks at a text chunk for our own mark and for an EXIF block, which older tools store as text.
func (c *pngChunks) takeText(kind string, b []byte) {
	key, value, ok := bytes.Cut(b, []byte{0})
	if !ok {
		return
	}
	name := string(key)
	raw := name == "Raw profile type exif" || name == "Raw profile type APP1"
	if name != markKey && !raw {
		return
	}
	if kind == "zTXt" {
		if len(value) < 1 || value[0] != 0 {
			return
		}
		var err error
		if value, err = inflate(value[1:], textLimit); err != nil {
			return
		}
	}
	if name == markKey {
		c.written, c.pass = true, string(value)
	} else if c.exif == nil {
		c.exif = rawProfile(value)
	}
}

// rawProfile decodes ImageMagick's text form of a profile: a name, a decimal length, lines of hex.
func rawProfile(text []byte) []byte {
	fields := bytes.Fields(text)
	if len(fields) < 3 {
		return nil
	}
	digits := bytes.Join(fields[2:], nil)
	out := make([]byte, hex.DecodedLen(len(digits)))
	if _, err := hex.Decode(out, digits[:len(digits)/2*2]); err != nil {
		return nil
	}
	return out
}

// inflate unpacks a zlib stream of at most most bytes.
func inflate(b []byte, most int64) ([]byte, error) {
	z, err := zlib.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	out, err := io.ReadAll(io.LimitReader(z, most+1))
	if err == nil && int64(len(out)) > most {
		err = errors.New("too long")
	}
	return out, err
}

// rawBytes returns the size of the unpacked picture data with a filter byte a row.
func (c *pngChunks) rawBytes() int64 {
	samples := map[int]int64{0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[c.kind]
	rows := func(w, h int64) int64 {
		if w <= 0 || h <= 0 {
			return 0
		}
		return h * (1 + (w*samples*int64(c.depth)+7)/8)
	}
	if !c.interlaced {
		return rows(c.width, c.height)
	}
	// Adam7: first column and row of each pass, and its steps.
	total := int64(0)
	for _, p := range [7][4]int64{{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}} {
		total += rows((c.width-p[0]+p[2]-1)/p[2], (c.height-p[1]+p[3]-1)/p[3])
	}
	return total
}

// notes says what was left out or assumed.
func (c *pngChunks) notes() []string {
	var notes []string
	if c.animated {
		notes = append(notes, "It is animated: only its first frame is read.")
	}
	if c.badICC {
		notes = append(notes, "Its colour profile is damaged and was left out.")
	}
	return notes
}

// space returns what an sRGB chunk says of the numbers, or gAMA, and cHRM with it, where no iCCP or cICP chunk does, which
// go before them (PNG, third edition, 4.3): linear light over cHRM's primaries if there are any, or Adobe RGB. Other
// powers are those of displays, for which sRGB stands.
func (c *pngChunks) space() (space colour.Space, by string) {
	switch {
	case c.srgb:
		return colour.SRGB, "its sRGB chunk"
	case c.described:
		return "", ""
	case c.gamma > 0.99 && c.gamma < 1.01:
		if space, err := colour.LinearLight(c.chromaticities()); err == nil {
			return space, "its gAMA and cHRM chunks"
		}
		return colour.LinearRec709, "its gAMA chunk"
	case c.gamma > 0.4542 && c.gamma < 0.4552:
		if space, err := colour.LinearLight(c.chromaticities()); err == nil && space == linearOf(colour.AdobeRGB) {
			return colour.AdobeRGB, "its gAMA and cHRM chunks"
		}
	}
	return "", ""
}

// chromaticities returns what cHRM says, white first, then red, green and blue; none without it.
func (c *pngChunks) chromaticities() (p colour.Primaries) {
	if len(c.primaries) != 32 {
		return p
	}
	for i := range p {
		p[(i+6)%8] = float64(binary.BigEndian.Uint32(c.primaries[4*i:])) / 100000
	}
	return p
}
