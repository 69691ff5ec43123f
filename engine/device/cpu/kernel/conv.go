package kernel

import (
	"fmt"
	"math"
)

// Conv describes a convolution of a map with a square kernel and zero padding:
//
//	Out[y, x, o] = act(sum over ky, kx, i of In'[y*Stride - Pad + ky*Dilation, x*Stride - Pad + kx*Dilation, i] *
//	               Weights[(ky*Size + kx)*Cin + i, o] + Bias[o])
//
// where In' is In, or max(In*Scale + Shift, 0) when Scale is set: a normalisation fused into the reading.
type Conv struct {
	// H, W and Cin are the size of the input in pixels and channels.
	H, W, Cin int
	// Size is the kernel's width and height; Stride, Pad and Dilation are in input pixels.
	Size, Stride, Pad, Dilation int
	// In has one row a pixel, Cin columns. It holds image rows from InFirst on: 0 for a whole map, more for a band.
	In      Rows
	InFirst int
	// Scale and Shift are [Cin], or nil.
	Scale, Shift []float32
	// Weights is [Size*Size*Cin, Cout].
	Weights *Packed
	// Bias is [Cout] or nil.
	Bias []float32
	// Act is Identity, GELU or ReLU.
	Act Activation
	// Out has one row a pixel, Cout columns. It holds output rows from OutFirst on. It must not overlap In.
	Out      Rows
	OutFirst int
	// Moments, unless nil, receives the column moments of every output row (see RowMoments): row y at
	// (y-OutFirst)*2*Cout.
	Moments []float64
}

// OutSize returns the height and width of the result in pixels, 0 where the padded input is smaller than the kernel.
func (c *Conv) OutSize() (h, w int) {
	reach := c.Dilation*(c.Size-1) + 1 - 2*c.Pad
	return max(0, c.H-reach+c.Stride) / c.Stride, max(0, c.W-reach+c.Stride) / c.Stride
}

// padded returns the floats of one input row with its padding.
func (c *Conv) padded() int { return roundUp((c.W+2*c.Pad)*c.Cin, 16) + 16 }

// ScratchLen returns the floats of working memory that a worker needs for Conv.
func (c *Conv) ScratchLen() int {
	n := c.Size*c.padded() + c.Weights.scratchLen()
	if c.Out.Half != nil {
		_, w := c.OutSize()
		n += w * c.Weights.N
	}
	return n
}

// Conv computes output rows y0 to y1. scratch holds ScratchLen floats and belongs to this call alone.
//
// A call has a fixed cost of reading Size-1 rows a chain (below): ranges of at least 8*Dilation rows are best.
//
// Input rows are copied once, padded, converted and normalised, into a ring of Size rows, which stays in the
// cache and lets every pixel be computed alike. Output rows are taken in chains y, y+Dilation, y+2*Dilation, ...
// because consecutive members of a chain share all input rows but one.
func (s *Set) Conv(c *Conv, y0, y1 int, scratch []float32) {
	c.check(y0, y1, scratch)
	_, width := c.OutSize()
	w := &convWork{s: s, c: c, width: width, ring: newRing(s, c, scratch)}
	w.weights, w.row = cut(scratch[c.Size*c.padded():], c.Weights.scratchLen())
	w.panel = panel{act: c.Act, rows: width, aStride: c.Stride * c.Cin}
	if c.Moments != nil {
		w.moments = newMomentSum(s, c.Weights.N)
	}
	chains := 1
	if c.Stride == 1 {
		chains = c.Dilation
	}
	for first := y0; first < min(y0+chains, y1); first++ {
		for y := first; y < y1; y += chains {
			w.outRow(y)
		}
	}
}

// convWork is the working memory of one call.
type convWork struct {
	s            *Set
	c            *Conv
	width        int // output pixels in a row
	ring         *ring
	panel        panel
	weights, row []float32  // a panel of weights and an output row where they need conversion
	moments      *momentSum // or nil
}

// outRow computes output row y.
func (w *convWork) outRow(y int) {
	c, p, n := w.c, &w.panel, w.c.Weights.N
	skip := w.ring.load(y)
	p.a, p.steps, p.segLen = w.ring.data, w.ring.steps, w.ring.segLen
	out := c.Out.from((y - c.OutFirst) * w.width)
	row := out.F32
	p.cStride = out.Stride
	if out.Half != nil {
		row, p.cStride = w.row, n
	}
	for col := 0; col < n; col += p.width {
		p.width = panelAt(col, n)
		p.cols = min(p.width, n-col)
		p.b = c.Weights.panel(w.s, col, p.width, w.weights)[skip*p.width:]
		p.c = row[col:]
		if c.Bias != nil {
			p.bias = c.Bias[col : col+p.cols]
		}
		w.s.p.panel(p)
	}
	if out.Half != nil {
		w.s.writeBlock(out, row, n, w.width, n)
	}
	if w.moments != nil {
		w.moments.begin(row[:n])
		w.moments.add(row, p.cStride, w.width)
		w.moments.result(c.Moments[(y-c.OutFirst)*2*n:][:2*n])
	}
}

// ring holds the padded input rows of one output row.
type ring struct {
	s      *Set
	c      *Conv
	data   []float32
	stride int   // floats of a slot
	held   []int // the image row in each slot, or math.MinInt
	// steps and segLen describe the segments of the first pixel of the row that load prepared; the first step
	// counts from the start of data.
	steps  []int
	segLen int
	buf    []int
}

func newRing(s *Set, c *Conv, scratch []float32) *ring {
	r := &ring{s: s, c: c, data: scratch[:c.Size*c.padded()], stride: c.padded(), held: make([]int, c.Size)}
	for i := range r.held {
		r.held[i] = math.MinInt
		// The padding stays zero from here on.
		slot := r.data[i*r.stride : (i+1)*r.stride]
		clear(slot[:c.Pad*c.Cin])
		clear(slot[(c.Pad+c.W)*c.Cin:])
	}
	r.buf = make([]int, c.Size*c.Size)
	return r
}

// load makes the input rows of output row y present and describes their segments. Rows above and below the
// image are left out: skip is how many rows of the weights that leaves out at the start.
func (r *ring) load(y int) (skip int) {
	c := r.c
	perRow, taps := c.Size*c.Cin, 1
	if c.Dilation > 1 {
		taps = c.Size
	}
	r.segLen = perRow / taps
	r.steps = r.buf[:0]
	end := 0
	for ky := range c.Size {
		iy := y*c.Stride - c.Pad + ky*c.Dilation
		if iy < 0 || iy >= c.H {
			if len(r.steps) == 0 {
				skip += perRow
			}
			continue
		}
		at := r.slot(iy) * r.stride
		for tap := range taps {
			from := at + tap*c.Dilation*c.Cin
			r.steps = append(r.steps, from-end)
			end = from + r.segLen
		}
	}
	if len(r.steps) == 0 { // nothing but padding: one empty segment
		r.steps, r.segLen, skip = append(r.steps, 0), 0, 0
	}
	return skip
}

// slot returns the slot that holds image row iy, filling it if need be. Rows of one output row lie Dilation
// apart, so their quotients by Dilation are consecutive and their slots differ.
func (r *ring) slot(iy int) int {
	c := r.c
	slot := iy / c.Dilation % c.Size
	if r.held[slot] == iy {
		return slot
	}
	r.held[slot] = iy
	dst := r.data[slot*r.stride+c.Pad*c.Cin:][:c.W*c.Cin]
	first := (iy - c.InFirst) * c.W
	if c.In.Stride == c.Cin {
		r.s.readBlock(dst, len(dst), c.In.from(first), 1, len(dst))
	} else {
		r.s.readBlock(dst, c.Cin, c.In.from(first), c.W, c.Cin)
	}
	if c.Scale != nil {
		r.s.p.affine(dst, dst, c.Scale, c.Shift, nil, c.Cin, c.Cin, 0, c.W, true)
	}
	return slot
}

func (c *Conv) check(y0, y1 int, scratch []float32) {
	c.Weights.check()
	if c.H < 1 || c.W < 1 || c.Cin < 1 || c.Size < 1 || c.Stride < 1 || c.Pad < 0 || c.Dilation < 1 {
		panic(fmt.Sprintf("kernel: convolution of [%d, %d, %d], size %d stride %d pad %d dilation %d",
			c.H, c.W, c.Cin, c.Size, c.Stride, c.Pad, c.Dilation))
	}
	if c.Weights.K != c.Size*c.Size*c.Cin {
		panic(fmt.Sprintf("kernel: convolution of size %d over %d channels with weights of %d rows",
			c.Size, c.Cin, c.Weights.K))
	}
	h, w := c.OutSize()
	if h < 1 || w < 1 {
		panic("kernel: convolution without a result")
	}
	checkRange("rows", y0, y1, h)
	if y0 == y1 {
		return
	}
	checkRange("rows of Out", c.OutFirst, y0, h)
	c.Out.check("Out", (y1-c.OutFirst)*w, c.Weights.N)
	low := min(c.H, max(0, y0*c.Stride-c.Pad))
	high := min(c.H, (y1-1)*c.Stride-c.Pad+(c.Size-1)*c.Dilation+1)
	checkRange("rows of In", c.InFirst, low, c.H)
	c.In.check("In", (high-c.InFirst)*c.W, c.Cin)
	if c.Scale != nil {
		checkLen("scale", len(c.Scale), c.Cin)
		checkLen("shift", len(c.Shift), c.Cin)
	}
	if c.Bias != nil {
		checkLen("bias", len(c.Bias), c.Weights.N)
	}
	if c.Moments != nil {
		checkLen("moments", len(c.Moments), (y1-c.OutFirst)*2*c.Weights.N)
	}
	if c.Act > ReLU {
		panic("kernel: convolution has no such activation")
	}
	checkLen("scratch", len(scratch), c.ScratchLen())
}
