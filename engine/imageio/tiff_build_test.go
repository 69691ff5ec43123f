package imageio

import (
	"bytes"
	giflzw "compress/lzw"
	"compress/zlib"
	"encoding/binary"
	"slices"
)

// testTIFF is a TIFF to be built: its fields by tag, and its blocks of pixels.
type testTIFF struct {
	order  binary.ByteOrder // little-endian if nil
	big    bool             // BigTIFF
	fields map[uint16][]uint64
	blocks [][]byte
	second bool // another directory follows
}

// with returns a copy with other values for some fields; nil removes one.
func (f testTIFF) with(fields map[uint16][]uint64) testTIFF {
	all := map[uint16][]uint64{}
	for t, v := range f.fields {
		all[t] = v
	}
	for t, v := range fields {
		all[t] = v
		if v == nil {
			delete(all, t)
		}
	}
	f.fields = all
	return f
}

// bytes lays the file out: header, blocks, directory, values. Every value is a LONG (BigTIFF: LONG8).
func (f testTIFF) bytes() []byte {
	order := f.order
	if order == nil {
		order = binary.LittleEndian
	}
	width, kind, entry := 4, uint16(4), 12
	if f.big {
		width, kind, entry = 8, 16, 20
	}
	number := func(v uint64) []byte {
		b := make([]byte, width)
		if f.big {
			order.PutUint64(b, v)
		} else {
			order.PutUint32(b, uint32(v))
		}
		return b
	}
	short := func(v uint16) []byte {
		b := make([]byte, 2)
		order.PutUint16(b, v)
		return b
	}
	mark := "II"
	if order == binary.BigEndian {
		mark = "MM"
	}
	head := 8
	if f.big {
		head = 16
	}
	offsets, counts := []uint64{}, []uint64{}
	var data []byte
	for _, b := range f.blocks {
		offsets, counts = append(offsets, uint64(head+len(data))), append(counts, uint64(len(b)))
		data = append(data, b...)
	}
	data = append(data, make([]byte, len(data)%2)...)
	fields := f.with(nil).fields
	first, second := uint16(tagStripOffsets), uint16(tagStripCounts)
	if fields[tagTileWidth] != nil {
		first, second = tagTileOffsets, tagTileCounts
	}
	if _, there := fields[first]; !there {
		fields[first] = offsets
	}
	if _, there := fields[second]; !there {
		fields[second] = counts
	}
	start := head + len(data)
	var out []byte
	if f.big {
		out = slices.Concat([]byte(mark), short(43), short(8), short(0), number(uint64(start)), data, number(uint64(len(fields))))
	} else {
		out = slices.Concat([]byte(mark), short(42), number(uint64(start)), data, short(uint16(len(fields))))
	}
	values := len(out) + entry*len(fields) + width
	var far []byte
	for _, tag := range sortedKeys(fields) {
		v := fields[tag]
		out = append(append(out, short(tag)...), short(kind)...)
		out = append(out, number(uint64(len(v)))...)
		var b []byte
		for _, n := range v {
			b = append(b, number(n)...)
		}
		if len(v) <= 1 {
			out = append(out, append(b, make([]byte, width)...)[:width]...)
			continue
		}
		out = append(out, number(uint64(values+len(far)))...)
		far = append(far, b...)
	}
	next := uint64(0)
	if f.second {
		next = uint64(start)
	}
	return slices.Concat(out, number(next), far)
}

func sortedKeys(m map[uint16][]uint64) []uint16 {
	var keys []uint16
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// rgb8 is a plain picture of 3 x 2 pixels, 8 bits.
func rgb8() testTIFF {
	return testTIFF{
		fields: map[uint16][]uint64{
			tagWidth: {3}, tagHeight: {2}, tagBitsPerSample: {8, 8, 8}, tagCompression: {1},
			tagPhotometric: {2}, tagSamples: {3},
		},
		blocks: [][]byte{{0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 130, 140, 150, 160, 255}},
	}
}

// grey returns a picture of w pixels in one row, its samples as stored.
func greyRow(w, bits int, row []byte) testTIFF {
	return testTIFF{
		fields: map[uint16][]uint64{
			tagWidth: {uint64(w)}, tagHeight: {1}, tagBitsPerSample: {uint64(bits)}, tagCompression: {1},
			tagPhotometric: {1}, tagSamples: {1},
		},
		blocks: [][]byte{row},
	}
}

func deflated(b []byte) []byte {
	var out bytes.Buffer
	z := zlib.NewWriter(&out)
	z.Write(b)
	z.Close()
	return out.Bytes()
}

// lzwLiterals packs bytes as TIFF's LZW without any repetition: a clear code before every 200 literals keeps
// all codes at 9 bits.
func lzwLiterals(b []byte) []byte {
	var out []byte
	var held uint32
	var have int
	put := func(code uint32) {
		held = held<<9 | code
		have += 9
		for have >= 8 {
			have -= 8
			out = append(out, byte(held>>have))
		}
	}
	for i, v := range b {
		if i%200 == 0 {
			put(256)
		}
		put(uint32(v))
	}
	put(257)
	return append(out, byte(held<<(8-have)))
}

func oldLZW(b []byte) []byte {
	var out bytes.Buffer
	w := giflzw.NewWriter(&out, giflzw.LSB, 8)
	w.Write(b)
	w.Close()
	return out.Bytes()
}
