package exr

import "encoding/binary"

// grid says how a part's pixels are cut into blocks: bands of scan lines, or tiles.
type grid struct {
	part         *Part
	blockW       int64
	blockH       int64
	across, down int64
}

// newGrid returns the blocks of a part's full resolution.
func newGrid(p *Part) grid {
	g := grid{part: p, blockW: p.Data.W(), blockH: int64(compressions[p.Compression].lines)}
	if p.Tiled {
		g.blockW, g.blockH = int64(p.TileW), int64(p.TileH)
	}
	g.across = (p.Data.W() + g.blockW - 1) / g.blockW
	g.down = (p.Data.H() + g.blockH - 1) / g.blockH
	return g
}

// blocks returns how many there are.
func (g grid) blocks() int64 { return g.across * g.down }

// box returns the pixels of block i.
func (g grid) box(i int64) Box {
	d := g.part.Data
	x, y := int64(d.MinX)+i%g.across*g.blockW, int64(d.MinY)+i/g.across*g.blockH
	return Box{
		int32(x), int32(y),
		int32(min(x+g.blockW-1, int64(d.MaxX))), int32(min(y+g.blockH-1, int64(d.MaxY))),
	}
}

// block is the place of every sample of one block in its unpacked bytes.
type block struct {
	box      Box
	channels []blockChannel
	// bytes is the length of the unpacked block.
	bytes int
	// offsets holds where the samples of channel c in row y begin, at y * len(channels) + c; -1 where that
	// row has none.
	offsets []int
}

// blockChannel is a channel's part of a block.
type blockChannel struct {
	Channel
	// w and h are the samples across and down.
	w, h int
	// first is the position of the channel's first byte if each channel is stored for itself, one behind
	// another.
	first int
}

func (c blockChannel) size() int { return c.w * c.h * c.Type.bytes() }

// unpackedLimit is the most bytes that a block may have once unpacked.
const unpackedLimit = 1 << 29

// set lays out a block of the given box.
func (b *block) set(box Box, channels []Channel) error {
	b.box = box
	b.channels = b.channels[:0]
	total := int64(0)
	for _, c := range channels {
		w, h := samplesIn(box.MinX, box.MaxX, c.XSampling), samplesIn(box.MinY, box.MaxY, c.YSampling)
		bc := blockChannel{Channel: c, w: int(w), h: int(h), first: int(total)}
		if total += w * h * int64(c.Type.bytes()); total > unpackedLimit {
			return damaged("the OpenEXR file holds a block of pixels of over %d MB", unpackedLimit>>20)
		}
		b.channels = append(b.channels, bc)
	}
	b.bytes = int(total)
	return nil
}

// rows returns the rows of pixels that the block spans.
func (b *block) rows() int { return int(b.box.H()) }

// inRow reports whether a channel has samples in row y of the block.
func (b *block) inRow(c int, y int) bool {
	s := b.channels[c].YSampling
	return s == 1 || (int(b.box.MinY)+y)%s == 0
}

// byLines says that the bytes lie row by row, in each row channel by channel.
func (b *block) byLines() {
	b.offsets = b.offsets[:0]
	at := 0
	for y := range b.rows() {
		for c := range b.channels {
			if !b.inRow(c, y) {
				b.offsets = append(b.offsets, -1)
				continue
			}
			b.offsets = append(b.offsets, at)
			at += b.channels[c].w * b.channels[c].Type.bytes()
		}
	}
}

// byPlanes says that the bytes lie channel by channel, in each channel row by row.
func (b *block) byPlanes() {
	b.offsets = b.offsets[:0]
	for y := range b.rows() {
		for c := range b.channels {
			if !b.inRow(c, y) {
				b.offsets = append(b.offsets, -1)
				continue
			}
			b.offsets = append(b.offsets, b.channels[c].first+b.rowOf(c, y)*b.channels[c].w*b.channels[c].Type.bytes())
		}
	}
}

// rowOf returns which of a channel's rows row y of the block is.
func (b *block) rowOf(c, y int) int {
	return int(samplesIn(b.box.MinY, b.box.MinY+int32(y), b.channels[c].YSampling)) - 1
}

// offset returns where the samples of channel c in row y begin; -1 where that row has none.
func (b *block) offset(c, y int) int { return b.offsets[y*len(b.channels)+c] }

// samplesIn counts the multiples of s in a..b.
func samplesIn(a, b int32, s int) int64 {
	if s == 1 {
		return int64(b) - int64(a) + 1
	}
	n := int64(s)
	return floorDiv(int64(b), n) - floorDiv(int64(a)-1, n)
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// readTable reads where the blocks lie.
func (f *File) readTable(p *Part, g grid) ([]int64, error) {
	n := g.blocks()
	if n > (f.size-p.table)/8 {
		return nil, cutShort()
	}
	if f.multipart() && n > p.chunks {
		return nil, damaged("the OpenEXR header is damaged: a part has %d blocks and its windows ask for %d", p.chunks, n)
	}
	b := make([]byte, 8*n)
	if err := readFull(f.r, b, p.table); err != nil {
		return nil, err
	}
	table := make([]int64, n)
	for i := range table {
		at := binary.LittleEndian.Uint64(b[8*i:])
		switch {
		case at == 0:
			return nil, damaged("the file is incomplete: block %d of %d was never written", i+1, n)
		case at >= uint64(f.size):
			return nil, cutShort()
		case at < uint64(p.table):
			return nil, damaged("the OpenEXR file is damaged: block %d of %d lies in its header", i+1, n)
		}
		table[i] = int64(at)
	}
	return table, nil
}
