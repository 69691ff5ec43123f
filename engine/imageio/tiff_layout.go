package imageio

import (
	"fmt"
	"slices"
)

// Values of TIFF fields (TIFF 6.0 and its supplements).
const (
	compressionNone     = 1
	compressionFax3     = 3
	compressionFax4     = 4
	compressionLZW      = 5
	compressionDeflate  = 8
	compressionDeflate0 = 32946 // an older number of the same
	compressionPackBits = 32773

	photometricWhiteIsZero = 0
	photometricBlackIsZero = 1
	photometricRGB         = 2
	photometricPalette     = 3

	predictorNone       = 1
	predictorHorizontal = 2
	predictorFloat      = 3

	alphaAssociated = 1
	alphaStraight   = 2
)

// Where a stored sample goes.
const (
	toAlpha  = 3 // 0, 1 and 2 are red, green and blue
	toGrey   = 4
	toColour = 5 // a palette's index
	nowhere  = -1
)

// tiffLayout says how a TIFF stores its pixels, after all that cannot be read has been refused.
type tiffLayout struct {
	w, h        int
	bits        int
	float       bool
	samples     int
	place       []int // where each sample goes
	inverted    bool  // 0 is white
	associated  bool  // colour is premultiplied with alpha
	planar      bool
	compression uint64
	predictor   uint64
	reversed    bool        // bits of a fax byte come lowest first
	palette     [3][]uint16 // red, green, blue
	// Blocks are strips or tiles of blockW x blockH pixels, row by row, plane by plane. Strips end with the
	// picture; tiles are always whole.
	blockW, blockH  int
	tiled           bool
	offsets, counts []uint64
	notes           []string
}

// compressionNames names the compressions that are not read.
var compressionNames = map[uint64]string{
	2: "CCITT RLE", 6: "old JPEG", 7: "JPEG", 9: "JBIG", 10: "JBIG", 32766: "NeXT", 32771: "CCITT RLE",
	32809: "ThunderScan", 32908: "PixarFilm", 32909: "PixarLog", 34661: "JBIG", 34676: "LogLuv (SGILog)",
	34677: "LogLuv (SGILog24)", 34712: "JPEG 2000", 34887: "LERC", 34892: "lossy JPEG", 34925: "LZMA",
	50000: "Zstandard", 50001: "WebP", 50002: "JPEG XL", 52546: "JPEG XL",
}

// photometricNames names the colour models that are not read.
var photometricNames = map[uint64]string{
	4: "a transparency mask", 5: "CMYK", 6: "YCbCr", 8: "CIE Lab", 9: "ICC Lab", 10: "ITU Lab",
	32844: "LogL", 32845: "LogLuv", 51177: "a depth map",
}

// layoutTags are the fields without which pixels would be read wrongly.
var layoutTags = []uint16{
	tagBitsPerSample, tagStripOffsets, tagStripCounts, tagColorMap, tagTileOffsets, tagTileCounts,
	tagExtraSamples, tagSampleFormat,
}

// newTIFFLayout reads the layout of the first image and refuses by name what cannot be read.
func newTIFFLayout(d *directory, limits Limits) (*tiffLayout, error) {
	if err := refuseRaw(d); err != nil {
		return nil, err
	}
	for _, tag := range d.lost {
		if slices.Contains(layoutTags, tag) {
			return nil, cutShort()
		}
	}
	w, h := d.uint(tagWidth, 0), d.uint(tagHeight, 0)
	if err := limits.check(int64(min(w, 1<<40)), int64(min(h, 1<<40))); err != nil {
		return nil, err
	}
	l := &tiffLayout{w: int(w), h: int(h)}
	for _, step := range []func(*directory) error{l.readCompression, l.readSamples, l.readColour, l.readBlocks} {
		if err := step(d); err != nil {
			return nil, err
		}
	}
	if d.more {
		l.notes = append(l.notes, "It has several pages: only the first is read.")
	}
	return l, nil
}

// refuseRaw refuses camera raw files, whose first TIFF image is a thumbnail.
func refuseRaw(d *directory) error {
	const colourFilterArray, linearRaw = 32803, 34892
	p := d.uint(tagPhotometric, 0)
	_, dng := d.entries[tagDNGVersion]
	_, nested := d.entries[tagSubIFDs]
	reduced := d.uint(tagNewSubfileType, 0)&1 != 0
	switch {
	case dng || p == colourFilterArray || p == linearRaw || reduced && nested:
		return refused("a camera raw file (DNG or another TIFF kind)", fixRaw)
	case reduced:
		return unsupported("a TIFF whose first image is a thumbnail")
	}
	return nil
}

func (l *tiffLayout) readCompression(d *directory) error {
	l.compression = d.uint(tagCompression, compressionNone)
	switch l.compression {
	case compressionNone, compressionFax3, compressionFax4, compressionLZW, compressionDeflate,
		compressionDeflate0, compressionPackBits:
	default:
		if name := compressionNames[l.compression]; name != "" {
			return unsupported("a TIFF with %s compression", name)
		}
		return unsupported("a TIFF with compression %d", l.compression)
	}
	// Group 3 with bit 0 of its options set is coded in two dimensions, which the decoder does not know.
	if l.compression == compressionFax3 && d.uint(tagFax3Options, 0)&1 != 0 {
		return unsupported("a TIFF with two-dimensional CCITT Group 3 compression")
	}
	l.reversed = d.uint(tagFillOrder, 1) == 2
	if l.reversed && !l.fax() {
		return unsupported("a TIFF with reversed bits (FillOrder 2)")
	}
	return nil
}

func (l *tiffLayout) fax() bool {
	return l.compression == compressionFax3 || l.compression == compressionFax4
}

// readSamples reads how samples are stored: how many, how wide, as what.
func (l *tiffLayout) readSamples(d *directory) error {
	const most = 64
	n := d.uint(tagSamples, 1)
	if n < 1 || n > most {
		return unsupported("a TIFF of %d channels", n)
	}
	l.samples = int(n)
	bits := d.uints(tagBitsPerSample, most)
	if bits == nil {
		bits = []uint64{1}
	}
	for _, b := range bits {
		if b != bits[0] {
			return unsupported("a TIFF with channels of different depth")
		}
	}
	l.bits = int(min(bits[0], 1<<16))
	format := uint64(1)
	for i, f := range d.uints(tagSampleFormat, most) {
		if i > 0 && f != format {
			return unsupported("a TIFF with channels of different kinds")
		}
		format = f
	}
	switch format {
	case 1, 4: // unsigned, and "undefined", which writers use for the same
	case 2:
		return unsupported("a TIFF of signed whole numbers")
	case 3:
		l.float = true
	default:
		return unsupported("a TIFF of complex numbers")
	}
	switch b := l.bits; {
	case l.float && b != 16 && b != 32 && b != 64:
		return unsupported("a TIFF of %d-bit floating point", b)
	case !l.float && (b < 1 || b > 16) && b != 32:
		return unsupported("a TIFF of %d bits", b)
	case l.fax() && (b != 1 || l.samples != 1):
		return damaged("the TIFF is damaged: fax compression with %d channels of %d bits", l.samples, b)
	}
	l.planar = d.uint(tagPlanar, 1) == 2 && l.samples > 1
	l.predictor = d.uint(tagPredictor, predictorNone)
	if l.compression != compressionLZW && l.compression != compressionDeflate && l.compression != compressionDeflate0 {
		l.predictor = predictorNone // it has no meaning elsewhere
	}
	switch p := l.predictor; {
	case p == predictorNone,
		p == predictorHorizontal && (l.bits == 8 || l.bits == 16 || l.bits == 32 || l.bits == 64),
		p == predictorFloat && l.float:
		return nil
	}
	return unsupported("a TIFF with predictor %d at %d bits", l.predictor, l.bits)
}

// readColour decides where samples go: grey or colour first, then extra samples, one of which may be alpha.
func (l *tiffLayout) readColour(d *directory) error {
	model := d.uint(tagPhotometric, photometricBlackIsZero)
	switch model {
	case photometricWhiteIsZero, photometricBlackIsZero:
		l.place = []int{toGrey}
		l.inverted = model == photometricWhiteIsZero
	case photometricRGB:
		l.place = []int{0, 1, 2}
	case photometricPalette:
		l.place = []int{toColour}
		if err := l.readPalette(d); err != nil {
			return err
		}
	default:
		if name := photometricNames[model]; name != "" {
			return unsupported("a TIFF in %s", name)
		}
		return unsupported("a TIFF in colour model %d", model)
	}
	if l.samples < len(l.place) {
		return damaged("the TIFF is damaged: %d channels are too few for its colour", l.samples)
	}
	extra := d.uints(tagExtraSamples, 64)
	alpha, kind := -1, uint64(0)
	for i := range l.samples - len(l.place) {
		k := uint64(0)
		if i < len(extra) {
			k = extra[i]
		}
		// The first that says it is alpha, else the first.
		if alpha < 0 || kind == 0 && k != 0 {
			alpha, kind = i, k
		}
	}
	base := len(l.place)
	for i := range l.samples - base {
		if i == alpha {
			l.place = append(l.place, toAlpha)
		} else {
			l.place = append(l.place, nowhere)
		}
	}
	if alpha < 0 {
		return nil
	}
	l.associated = kind == alphaAssociated
	switch {
	case l.associated:
		l.notes = append(l.notes, notePremultiplied)
	case kind != alphaStraight:
		l.notes = append(l.notes, fmt.Sprintf("Its channel %d is not described: it is read as straight alpha.", base+alpha+1))
	}
	if l.samples > base+1 {
		l.notes = append(l.notes, fmt.Sprintf("It has %d more channels, which are left out.", l.samples-base-1))
	}
	return nil
}

// readPalette reads the colour map: 2^bits values of 16 bits each of red, green and blue.
func (l *tiffLayout) readPalette(d *directory) error {
	if l.bits > 8 || l.float {
		return unsupported("a TIFF with a palette of %d bits", l.bits)
	}
	n := 1 << l.bits
	values := d.uints(tagColorMap, 3*n)
	if len(values) < 3*n {
		return damaged("the TIFF is damaged: its palette is missing or too short")
	}
	// Some old writers put values of 8 bits there.
	scale := uint64(257)
	for _, v := range values {
		if v > 255 {
			scale = 1
		}
	}
	for c := range l.palette {
		for _, v := range values[c*n : (c+1)*n] {
			l.palette[c] = append(l.palette[c], uint16(v*scale))
		}
	}
	return nil
}

// readBlocks reads where strips or tiles lie and holds their sizes against the file's.
func (l *tiffLayout) readBlocks(d *directory) error {
	offsets, counts := uint16(tagStripOffsets), uint16(tagStripCounts)
	l.blockW, l.blockH = l.w, l.h
	if tw := d.uint(tagTileWidth, 0); tw != 0 {
		const most = 1 << 16
		th := d.uint(tagTileHeight, 0)
		if tw > most || th < 1 || th > most {
			return damaged("the TIFF is damaged: its tiles are %d x %d pixels", tw, th)
		}
		l.blockW, l.blockH, l.tiled = int(tw), int(th), true
		if _, ok := d.entries[tagTileOffsets]; ok { // some writers use the strips' tags for tiles too
			offsets, counts = tagTileOffsets, tagTileCounts
		}
	} else if rows := d.uint(tagRowsPerStrip, 0); rows > 0 && rows < uint64(l.h) {
		l.blockH = int(rows)
	}
	n := l.blocks()
	l.offsets, l.counts = d.uints(offsets, n), d.uints(counts, n)
	if len(l.offsets) < n {
		return damaged("the TIFF is damaged: it lists %d of its %d blocks of pixels", len(l.offsets), n)
	}
	if len(l.counts) < n {
		// Old writers leave the lengths out of plain files: they can be worked out.
		if l.compression != compressionNone {
			return damaged("the TIFF is damaged: it lists the lengths of %d of its %d blocks of pixels", len(l.counts), n)
		}
		l.counts = nil
		for i := range n {
			_, rows := l.blockRows(i)
			l.counts = append(l.counts, uint64(rows)*uint64(l.blockRowBytes()))
		}
	}
	size := uint64(d.size)
	for i, at := range l.offsets {
		count := l.counts[i]
		if at > size || count > size-at {
			return cutShort()
		}
		_, rows := l.blockRows(i)
		if need := uint64(rows) * uint64(l.blockRowBytes()); l.least(need, rows) > count {
			return damaged("the TIFF is cut short: block %d of %d has %d bytes, which cannot hold its pixels", i+1, n, count)
		}
	}
	return nil
}

// least returns the fewest bytes that need bytes of pixels can be packed into.
func (l *tiffLayout) least(need uint64, rows int) uint64 {
	switch l.compression {
	case compressionNone:
		return need
	case compressionPackBits:
		return need / 64 // 128 bytes from two
	case compressionLZW:
		return need / 4096 // a string of the whole table from 12 bits
	case compressionFax3, compressionFax4:
		return uint64(rows) / 8 // a bit a row
	}
	return need / deflateRatio
}

// grid returns the number of blocks across and down in one plane.
func (l *tiffLayout) grid() (across, down int) {
	return (l.w + l.blockW - 1) / l.blockW, (l.h + l.blockH - 1) / l.blockH
}

// blocks returns the number of blocks in all planes.
func (l *tiffLayout) blocks() int {
	across, down := l.grid()
	if l.planar {
		return across * down * l.samples
	}
	return across * down
}

// blockRows returns the first picture row of a block and the number of rows stored in it.
func (l *tiffLayout) blockRows(i int) (y0, rows int) {
	across, down := l.grid()
	y0 = i / across % down * l.blockH
	if l.tiled {
		return y0, l.blockH
	}
	return y0, min(l.blockH, l.h-y0)
}

// blockSamples returns the samples of a pixel within one block.
func (l *tiffLayout) blockSamples() int {
	if l.planar {
		return 1
	}
	return l.samples
}

// blockRowBytes returns the bytes of one row of a block, unpacked.
func (l *tiffLayout) blockRowBytes() int {
	return (l.blockW*l.blockSamples()*l.bits + 7) / 8
}
