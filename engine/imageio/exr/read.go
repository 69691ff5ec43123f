package exr

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"greenroom/engine/picture"
	"greenroom/engine/picture/half"
)

// Destination says where the samples of a channel go: component Component of an image that has the size of the
// part's display window.
type Destination struct {
	// Channel is the channel's place in Part.Channels.
	Channel   int
	Image     picture.Image
	Component int
}

// Read reads channels of a part into images of the display window's size; what lies outside the data window
// stays as it is. A channel may have several destinations. What is not a finite number is replaced: NaN and minus
// infinity by 0, infinity by the largest half float; it returns how many of the samples in the window that were,
// each counted once a destination. Whole numbers become their value. On an error the images hold anything.
func (f *File) Read(ctx context.Context, part int, into []Destination) (notFinite int64, err error) {
	p := &f.Parts[part]
	if err := f.Check(part); err != nil {
		return 0, err
	}
	for _, d := range into {
		if c := p.Channels[d.Channel]; !c.whole() {
			return 0, unsupported("the subsampled channel %q of an OpenEXR file", c.Name)
		}
		if int64(d.Image.W) != p.Display.W() || int64(d.Image.H) != p.Display.H() || d.Component >= d.Image.C {
			return 0, errors.New("exr: a destination is not of the size of the display window")
		}
	}
	g := newGrid(p)
	table, err := f.readTable(p, g)
	if err != nil {
		return 0, err
	}
	r := reading{file: f, part: part, p: p, grid: g, table: table, into: into}
	workers := min(runtime.GOMAXPROCS(0), len(table))
	err = picture.ParallelContext(ctx, workers, func(i0, i1 int) {
		for range i1 - i0 {
			r.work(ctx)
		}
	})
	if r.err != nil {
		return 0, r.err
	}
	return r.notFinite.Load(), err
}

// reading is a Read under way.
type reading struct {
	file  *File
	part  int
	p     *Part
	grid  grid
	table []int64
	into  []Destination

	next      atomic.Int64
	notFinite atomic.Int64
	failed    atomic.Bool
	once      sync.Once
	err       error
}

// work reads blocks until there are no more.
func (r *reading) work(ctx context.Context) {
	u := newUnpacker(r.p.Compression)
	bad := int64(0)
	for ctx.Err() == nil && !r.failed.Load() {
		i := r.next.Add(1) - 1
		if i >= int64(len(r.table)) {
			break
		}
		n, err := r.block(u, i)
		if err != nil {
			r.once.Do(func() { r.err = err })
			r.failed.Store(true)
		}
		bad += n
	}
	r.notFinite.Add(bad)
}

// block reads block i. Blocks that the display window does not show are passed over.
func (r *reading) block(u *unpacker, i int64) (notFinite int64, err error) {
	box := r.grid.box(i)
	seen := intersect(box, r.p.Display)
	from, length, err := r.file.chunkHead(r.part, r.p, r.grid, i, r.table[i])
	if err != nil || seen.W() < 1 || seen.H() < 1 {
		return 0, err
	}
	if err := u.block.set(box, r.p.Channels); err != nil {
		return 0, err
	}
	fault := func(err error) error {
		return damaged("the OpenEXR file is damaged: block %d of %d cannot be unpacked (%s): %v",
			i+1, r.grid.blocks(), r.p.Compression, err)
	}
	if length > u.block.bytes {
		return 0, fault(errPacked)
	}
	if int64(u.block.bytes)/compressions[r.p.Compression].ratio > int64(length) {
		return 0, fault(errPacked)
	}
	u.packed = resize(u.packed, length)
	if err := readFull(r.file.r, u.packed, from); err != nil {
		return 0, err
	}
	data, err := u.unpack()
	if err != nil {
		return 0, fault(err)
	}
	for _, d := range r.into {
		notFinite += u.block.put(data, d, seen, r.p.Display)
	}
	return notFinite, nil
}

func intersect(a, b Box) Box {
	return Box{max(a.MinX, b.MinX), max(a.MinY, b.MinY), min(a.MaxX, b.MaxX), min(a.MaxY, b.MaxY)}
}

// put converts the samples of one channel that lie in seen to their place.
func (b *block) put(data []byte, d Destination, seen, display Box) (notFinite int64) {
	c := &b.channels[d.Channel]
	width := int(seen.W())
	step := d.Image.C
	for y := seen.MinY; y <= seen.MaxY; y++ {
		from := b.offset(d.Channel, int(y-b.box.MinY)) + int(seen.MinX-b.box.MinX)*c.Type.bytes()
		src := data[from : from+width*c.Type.bytes()]
		dst := d.Image.Row(int(y - display.MinY))[int(seen.MinX-display.MinX)*step+d.Component:]
		switch c.Type {
		case Half:
			notFinite += putHalf(dst, src, step)
		case Float:
			notFinite += putFloat(dst, src, step)
		case Uint:
			for at := 0; len(src) >= 4; at += step {
				dst[at] = float32(binary.LittleEndian.Uint32(src))
				src = src[4:]
			}
		}
	}
	return notFinite
}

func putHalf(dst []float32, src []byte, step int) (notFinite int64) {
	at := 0
	for ; len(src) >= 2; src = src[2:] {
		h := binary.LittleEndian.Uint16(src)
		// half.FromFloat16 without a branch, for speed: the exponents' difference of 112 is made up for by a multiplication.
		v := math.Float32frombits(uint32(h&0x7fff)<<13) * 0x1p112
		v = math.Float32frombits(math.Float32bits(v) | uint32(h&0x8000)<<16)
		if h&0x7c00 == 0x7c00 {
			notFinite++
			v = 0
			if h == 0x7c00 {
				v = half.MaxFloat16
			}
		}
		dst[at] = v
		at += step
	}
	return notFinite
}

func putFloat(dst []float32, src []byte, step int) (notFinite int64) {
	at := 0
	for ; len(src) >= 4; src = src[4:] {
		v := math.Float32frombits(binary.LittleEndian.Uint32(src))
		if v-v != 0 {
			notFinite++
			if v > 0 {
				v = half.MaxFloat16
			} else {
				v = 0
			}
		}
		dst[at] = v
		at += step
	}
	return notFinite
}

// resize returns b with length n, in its own memory where that is enough.
func resize[T any](b []T, n int) []T {
	if cap(b) < n {
		return make([]T, n)
	}
	return b[:n]
}
