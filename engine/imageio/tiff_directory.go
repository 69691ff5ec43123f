package imageio

import (
	"encoding/binary"
	"io"
)

// TIFF tags (TIFF 6.0; Adobe's TIFF technical notes; EXIF 2.3; DNG 1.4).
const (
	tagNewSubfileType = 254
	tagWidth          = 256
	tagHeight         = 257
	tagBitsPerSample  = 258
	tagCompression    = 259
	tagPhotometric    = 262
	tagFillOrder      = 266
	tagDescription    = 270
	tagStripOffsets   = 273
	tagOrientation    = 274
	tagSamples        = 277
	tagRowsPerStrip   = 278
	tagStripCounts    = 279
	tagXResolution    = 282
	tagYResolution    = 283
	tagPlanar         = 284
	tagFax3Options    = 292
	tagResolutionUnit = 296
	tagSoftware       = 305
	tagPredictor      = 317
	tagColorMap       = 320
	tagTileWidth      = 322
	tagTileHeight     = 323
	tagTileOffsets    = 324
	tagTileCounts     = 325
	tagSubIFDs        = 330
	tagExtraSamples   = 338
	tagSampleFormat   = 339
	tagICC            = 34675
	tagDNGVersion     = 50706
)

// typeSizes holds the bytes of one value of each TIFF data type; 0 where there is no such type.
var typeSizes = [19]int64{0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8}

// directory is the first image file directory of a TIFF, BigTIFF or EXIF block.
type directory struct {
	r       io.ReaderAt
	size    int64
	order   binary.ByteOrder
	entries map[uint16]entry
	// lost lists the tags whose values lie outside the file.
	lost []uint16
	// more says that another directory follows.
	more bool
}

// entry is one field of a directory. Its count values lie in the file at offset.
type entry struct {
	kind   uint16
	count  uint64
	offset int64
}

// readDirectory reads the first directory of a TIFF (magic 42) or BigTIFF (magic 43) of size bytes.
func readDirectory(r io.ReaderAt, size int64) (*directory, error) {
	head, err := readAt(r, 0, 8)
	if err != nil {
		return nil, err
	}
	d := &directory{r: r, size: size, entries: map[uint16]entry{}}
	switch string(head[:2]) {
	case "II":
		d.order = binary.LittleEndian
	case "MM":
		d.order = binary.BigEndian
	default:
		return nil, damaged("its TIFF header is wrong")
	}
	big := d.order.Uint16(head[2:]) == 43
	if big {
		return d, d.readBig()
	}
	return d, d.readClassic(int64(d.order.Uint32(head[4:])))
}

// readClassic reads a directory of 12-byte entries.
func (d *directory) readClassic(at int64) error {
	b, err := readAt(d.r, at, 2)
	if err != nil {
		return err
	}
	n := int(d.order.Uint16(b))
	b, err = readAt(d.r, at+2, 12*n)
	if err != nil {
		return err
	}
	for i := range n {
		e := b[12*i:]
		d.add(d.order.Uint16(e), d.order.Uint16(e[2:]), uint64(d.order.Uint32(e[4:])),
			int64(d.order.Uint32(e[8:])), at+2+int64(12*i)+8, 4)
	}
	// Some writers forget the link to the next directory at the end of the file: then there is none.
	if b, err = readAt(d.r, at+2+int64(12*n), 4); err == nil {
		d.more = d.order.Uint32(b) != 0
	}
	return nil
}

// readBig reads a BigTIFF directory of 20-byte entries (BigTIFF design, AWare Systems).
func (d *directory) readBig() error {
	b, err := readAt(d.r, 4, 12)
	if err != nil {
		return err
	}
	at := int64(d.order.Uint64(b[4:]))
	if d.order.Uint16(b) != 8 || at < 0 || at > d.size {
		return damaged("its BigTIFF header is wrong")
	}
	if b, err = readAt(d.r, at, 8); err != nil {
		return err
	}
	n := d.order.Uint64(b)
	if n > 65535 {
		return damaged("its directory claims %d entries", n)
	}
	if b, err = readAt(d.r, at+8, 20*int(n)); err != nil {
		return err
	}
	for i := range int(n) {
		e := b[20*i:]
		d.add(d.order.Uint16(e), d.order.Uint16(e[2:]), d.order.Uint64(e[4:]),
			int64(d.order.Uint64(e[12:])), at+8+int64(20*i)+12, 8)
	}
	if b, err = readAt(d.r, at+8+20*int64(n), 8); err == nil {
		d.more = d.order.Uint64(b) != 0
	}
	return nil
}

// add notes an entry whose values lie at offset, or at inline where they take no more than room bytes. The
// first entry of a tag counts; entries of unknown type are left out, those outside the file are noted as lost.
func (d *directory) add(tag, kind uint16, count uint64, offset, inline, room int64) {
	if int(kind) >= len(typeSizes) || typeSizes[kind] == 0 {
		return
	}
	if count > uint64(d.size) {
		d.lost = append(d.lost, tag)
		return
	}
	length := int64(count) * typeSizes[kind]
	if length <= room {
		offset = inline
	}
	if offset < 0 || offset > d.size || length > d.size-offset {
		d.lost = append(d.lost, tag)
		return
	}
	if _, there := d.entries[tag]; !there {
		d.entries[tag] = entry{kind, count, offset}
	}
}

// bytes returns the raw bytes of a tag, nil where it is missing or longer than most.
func (d *directory) bytes(tag uint16, most int64) []byte {
	e, ok := d.entries[tag]
	if !ok {
		return nil
	}
	length := int64(e.count) * typeSizes[e.kind]
	if length > most {
		return nil
	}
	b, err := readAt(d.r, e.offset, int(length))
	if err != nil {
		return nil
	}
	return b
}

// uints returns the whole numbers of a tag, at most the first most of them; nil where it is missing or not
// of a whole, unsigned type.
func (d *directory) uints(tag uint16, most int) []uint64 {
	e, ok := d.entries[tag]
	if !ok {
		return nil
	}
	width := typeSizes[e.kind]
	n := int(min(e.count, uint64(most)))
	b, err := readAt(d.r, e.offset, n*int(width))
	if err != nil {
		return nil
	}
	values := make([]uint64, n)
	for i := range values {
		switch e.kind {
		case 1, 7:
			values[i] = uint64(b[i])
		case 3:
			values[i] = uint64(d.order.Uint16(b[2*i:]))
		case 4, 13:
			values[i] = uint64(d.order.Uint32(b[4*i:]))
		case 16, 18:
			values[i] = d.order.Uint64(b[8*i:])
		default:
			return nil
		}
	}
	return values
}

// uint returns the first whole number of a tag, or otherwise where there is none.
func (d *directory) uint(tag uint16, otherwise uint64) uint64 {
	if v := d.uints(tag, 1); len(v) > 0 {
		return v[0]
	}
	return otherwise
}

// text returns the text of a tag without its closing zero; empty where it is missing or over 4 kB.
func (d *directory) text(tag uint16) string {
	b := d.bytes(tag, 4096)
	for len(b) > 0 && b[len(b)-1] == 0 {
		b = b[:len(b)-1]
	}
	return string(b)
}

// orientation returns the stated orientation, 1..8; 1 where there is none or it is nonsense.
func (d *directory) orientation() int {
	if o := d.uint(tagOrientation, 1); o >= 1 && o <= 8 {
		return int(o)
	}
	return 1
}
