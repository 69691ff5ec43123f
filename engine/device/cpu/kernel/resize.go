package kernel

import "fmt"

// Resize describes a bilinear resampling of a map (pixel centres at half-integers, align_corners = false, edges
// clamped):
//
//	Out = act(Y + resized In), where Y is Out before if Accumulate is set, else 0
type Resize struct {
	// H, W is the input's size in pixels, OutH, OutW the result's, C the channels of both.
	H, W, OutH, OutW, C int
	// In and Out have one row a pixel, C columns. They must not overlap.
	In, Out    Rows
	Accumulate bool
	Act        Activation
}

// ScratchLen returns the floats of working memory that a worker needs for Resize.
func (z *Resize) ScratchLen() int {
	n := z.W * z.C
	if z.converts() {
		n += 2 * z.W * z.C
	}
	if z.Out.Half != nil || z.Act != Identity {
		n += z.OutW * z.C
	}
	return n
}

// converts reports whether input rows are not floats side by side.
func (z *Resize) converts() bool { return z.In.Half != nil || z.In.Stride != z.C }

// Resize computes output rows y0 to y1. scratch holds ScratchLen floats and belongs to this call alone.
func (s *Set) Resize(z *Resize, y0, y1 int, scratch []float32) {
	z.check(y0, y1, scratch)
	left, right, across := z.positions()
	width := z.W * z.C
	line, rest := cut(scratch, width)
	for y := y0; y < y1; y++ {
		top, bottom, t := sample(y, z.H, z.OutH)
		a := s.imageRow(z, top, rest)
		b := a
		if bottom != top {
			b = s.imageRow(z, bottom, rest[min(width, len(rest)):])
		}
		s.p.lerpRows(line, a, b, t)
		row := z.Out.from(y * z.OutW)
		if row.F32 != nil && z.Act == Identity {
			s.p.lerpColumns(row.F32, line, left, right, across, row.Stride, z.C, z.Accumulate)
			continue
		}
		out := rest
		if z.converts() {
			out = rest[2*width:]
		}
		out = out[:z.OutW*z.C]
		if z.Accumulate {
			s.readBlock(out, z.C, row, z.OutW, z.C)
		}
		s.p.lerpColumns(out, line, left, right, across, z.C, z.C, z.Accumulate)
		s.activation(z.Act)(out, out)
		s.writeBlock(row, out, z.C, z.OutW, z.C)
	}
}

// imageRow returns row y of the input as floats, in place if they lie side by side, else in buf.
func (s *Set) imageRow(z *Resize, y int, buf []float32) []float32 {
	width := z.W * z.C
	if !z.converts() {
		return z.In.F32[y*width : (y+1)*width]
	}
	s.readBlock(buf, z.C, z.In.from(y*z.W), z.W, z.C)
	return buf[:width]
}

// sample returns the two input positions that output position i of outN lies between, and how far it is from the
// first, in 0..1.
func sample(i, n, outN int) (left, right int, t float32) {
	x := max((float64(i)+0.5)*float64(n)/float64(outN)-0.5, 0)
	left = min(int(x), n-1)
	right = min(left+1, n-1)
	return left, right, float32(x - float64(left))
}

func (z *Resize) positions() (left, right []int32, t []float32) {
	left, right, t = make([]int32, z.OutW), make([]int32, z.OutW), make([]float32, z.OutW)
	for x := range z.OutW {
		l, r, f := sample(x, z.W, z.OutW)
		left[x], right[x], t[x] = int32(l*z.C), int32(r*z.C), f
	}
	return left, right, t
}

func (z *Resize) check(y0, y1 int, scratch []float32) {
	if z.H < 1 || z.W < 1 || z.OutH < 1 || z.OutW < 1 || z.C < 1 || z.Act > Sigmoid {
		panic(fmt.Sprintf("kernel: resize [%d, %d, %d] to [%d, %d]", z.H, z.W, z.C, z.OutH, z.OutW))
	}
	checkRange("rows", y0, y1, z.OutH)
	z.In.check("In", z.H*z.W, z.C)
	z.Out.check("Out", y1*z.OutW, z.C)
	checkLen("scratch", len(scratch), z.ScratchLen())
}

func lerpRowsGo(dst, a, b []float32, t float32) {
	for i, x := range a {
		dst[i] = x + (b[i]-x)*t
	}
}

func lerpColumnsGo(dst, src []float32, left, right []int32, t []float32, dstStride, c int, add bool) {
	for i, f := range t {
		a, b := src[left[i]:][:c], src[right[i]:][:c]
		out := dst[i*dstStride:][:c]
		for j, x := range a {
			y := x + (b[j]-x)*f
			if add {
				y += out[j]
			}
			out[j] = y
		}
	}
}
