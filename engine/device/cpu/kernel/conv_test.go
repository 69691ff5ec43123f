package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// convCase is a random convolution with its float64 result.
type convCase struct {
	c        *Conv
	out      *matrix
	h, w     int
	want     []float64
	tolerant []float64
}

func newConvCase(r *rand.Rand, c Conv, cout int) *convCase {
	half := func() storage { return oneIn(r, 3) }
	in := newMatrix(r, normal(r, c.H*c.W*c.Cin), c.H*c.W, c.Cin, half())
	c.In = in.Rows
	k := c.Size * c.Size * c.Cin
	weights := normal(r, k*cout)
	c.Weights = packWeights(weights, k, cout, half())
	if r.IntN(2) == 0 {
		c.Bias = normal(r, cout)
	}
	if r.IntN(2) == 0 {
		c.Scale, c.Shift = normal(r, c.Cin), normal(r, c.Cin)
	}
	c.Act = Activation(r.IntN(3))
	e := &convCase{c: &c}
	e.h, e.w = c.OutSize()
	e.out = newMatrix(r, nil, e.h*e.w, cout, half())
	c.Out = e.out.Rows
	c.Moments = make([]float64, e.h*2*cout)
	for y := range e.h {
		for x := range e.w {
			for o := range cout {
				sum, size := c.reference(in, weights[o*k:(o+1)*k], y, x)
				if c.Bias != nil {
					sum += float64(c.Bias[o])
				}
				switch c.Act {
				case ReLU:
					sum = max(sum, 0)
				case GELU:
					sum = erfGELU(sum)
				}
				e.want, e.tolerant = append(e.want, sum), append(e.tolerant, size)
			}
		}
	}
	return e
}

// reference sums one output in float64, and the magnitudes of what it summed.
func (c *Conv) reference(in *matrix, weights []float32, y, x int) (sum, size float64) {
	for ky := range c.Size {
		for kx := range c.Size {
			iy, ix := y*c.Stride-c.Pad+ky*c.Dilation, x*c.Stride-c.Pad+kx*c.Dilation
			if iy < 0 || iy >= c.H || ix < 0 || ix >= c.W {
				continue
			}
			for i := range c.Cin {
				v := in.at(iy*c.W+ix, i)
				if c.Scale != nil {
					v = max(v*float64(c.Scale[i])+float64(c.Shift[i]), 0)
				}
				p := v * float64(weights[(ky*c.Size+kx)*c.Cin+i])
				sum += p
				size += math.Abs(p)
			}
		}
	}
	return sum, size
}

func (e *convCase) check(t *testing.T, s *Set, split int) {
	t.Helper()
	cout := e.c.Weights.N
	for i := range e.c.Moments {
		e.c.Moments[i] = math.NaN()
	}
	scratch := scratchOf(e.c.ScratchLen())
	s.Conv(e.c, split, e.h, scratch.in)
	for i := range split * e.w {
		for o := range cout {
			if !math.IsNaN(e.out.at(i, o)) {
				t.Fatalf("pixel %d of another range was written", i)
			}
		}
	}
	for i := range scratch.in {
		scratch.in[i] = float32(math.NaN())
	}
	s.Conv(e.c, 0, split, scratch.in)
	scratch.check(t, "scratch")
	e.out.checkBorders(t, "Out")
	rounding := e.out.stored.rounding()
	for i, want := range e.want {
		at := fmt.Sprintf("(%d, %d, %d)", i/cout/e.w, i/cout%e.w, i%cout)
		near(t, at, e.out.at(i/cout, i%cout), want, e.tolerant[i]*5e-7+2e-6+math.Abs(want)*rounding)
	}
	e.checkMoments(t)
}

func (e *convCase) checkMoments(t *testing.T) {
	t.Helper()
	cout := e.c.Weights.N
	m := MergeMoments(e.c.Moments, e.w, cout)
	for o := range cout {
		var mean, square float64
		n := float64(e.h * e.w)
		for i := range e.h * e.w {
			mean += e.want[i*cout+o] / n
		}
		for i := range e.h * e.w {
			d := e.want[i*cout+o] - mean
			square += d * d
		}
		near(t, "mean", m.Mean[o], mean, 1e-5*(1+math.Sqrt(square/n)))
		near(t, "squared error", m.SquaredError[o], square, 1e-4*(square+1))
	}
}

func TestConvMatchesFloat64(t *testing.T) {
	sets(t, func(t *testing.T, s *Set) {
		r := random(4)
		for i := range 60 {
			c := Conv{H: pick(r, 12), W: pick(r, 20), Cin: pick(r, 10), Size: 3, Stride: 1, Dilation: 1 << (i % 4)}
			c.Pad = c.Dilation
			cout := []int{1, 3, 8, 16, 20, 24, 33, 64}[i%8]
			e := newConvCase(r, c, cout)
			t.Logf("[%d, %d, %d] to %d, dilation %d", c.H, c.W, c.Cin, cout, c.Dilation)
			e.check(t, s, r.IntN(e.h+1))
		}
	})
}

func TestConvOfOtherGeometriesMatchesFloat64(t *testing.T) {
	sets(t, func(t *testing.T, s *Set) {
		r := random(5)
		for _, c := range []Conv{
			{H: 32, W: 64, Cin: 4, Size: 7, Stride: 4, Pad: 3, Dilation: 1},
			{H: 30, W: 25, Cin: 4, Size: 7, Stride: 4, Pad: 3, Dilation: 1},
			{H: 3, W: 5, Cin: 4, Size: 7, Stride: 4, Pad: 3, Dilation: 1},
			{H: 9, W: 7, Cin: 3, Size: 1, Stride: 1, Pad: 0, Dilation: 1},
			{H: 9, W: 11, Cin: 3, Size: 3, Stride: 2, Pad: 1, Dilation: 2},
			{H: 9, W: 11, Cin: 5, Size: 3, Stride: 1, Pad: 0, Dilation: 1},
			{H: 20, W: 21, Cin: 2, Size: 5, Stride: 3, Pad: 4, Dilation: 3},
		} {
			e := newConvCase(r, c, 1+r.IntN(40))
			e.check(t, s, e.h/2)
		}
	})
}

func TestConvOfABandEqualsTheWhole(t *testing.T) {
	sets(t, func(t *testing.T, s *Set) {
		r := random(6)
		const h, w, cin, cout = 20, 9, 3, 5
		x := normal(r, h*w*cin)
		whole := Conv{
			H: h, W: w, Cin: cin, Size: 3, Stride: 1, Pad: 2, Dilation: 2, In: Float32(x, cin),
			Weights: Pack(make([]float32, PackedLen(9*cin, cout)), 9*cin, cout, normal(r, 9*cin*cout), 1, 9*cin),
			Out:     Float32(make([]float32, h*w*cout), cout),
		}
		scratch := make([]float32, whole.ScratchLen())
		s.Conv(&whole, 0, h, scratch)
		band := whole
		band.InFirst, band.OutFirst = 5, 7
		band.In = Float32(x[5*w*cin:14*w*cin], cin)
		band.Out = Float32(make([]float32, 5*w*cout), cout)
		s.Conv(&band, 7, 12, scratch)
		for i, got := range band.Out.F32 {
			if want := whole.Out.F32[7*w*cout+i]; got != want {
				t.Fatalf("element %d: %g in the band, %g in the whole", i, got, want)
			}
		}
		band.In = Float32(x[5*w*cin:13*w*cin], cin)
		mustPanic(t, "a row short", func() { s.Conv(&band, 7, 12, scratch) })
		band.InFirst = 6
		mustPanic(t, "a row late", func() { s.Conv(&band, 7, 12, scratch) })
	})
}

func TestConvRefusesWrongSizes(t *testing.T) {
	s := Best()
	good := Conv{
		H: 8, W: 8, Cin: 2, Size: 3, Stride: 1, Dilation: 1, In: Float32(make([]float32, 128), 2),
		Weights: Pack(make([]float32, PackedLen(18, 3)), 18, 3, make([]float32, 54), 3, 1),
		Out:     Float32(make([]float32, 6*6*3), 3),
	}
	scratch := make([]float32, good.ScratchLen())
	for what, change := range map[string]func(c *Conv){
		"too narrow":         func(c *Conv) { c.W = 2 },
		"too narrow, stride": func(c *Conv) { c.W, c.Stride = 2, 4 },
		"too low, stride":    func(c *Conv) { c.H, c.Stride = 2, 4 },
		"no dilation":        func(c *Conv) { c.Dilation = 0 },
		"other weights":      func(c *Conv) { c.Size = 2 },
		"short input":        func(c *Conv) { c.In.F32 = c.In.F32[:127] },
		"short output":       func(c *Conv) { c.Out.F32 = c.Out.F32[:107] },
		"short bias":         func(c *Conv) { c.Bias = make([]float32, 2) },
		"short scale":        func(c *Conv) { c.Scale, c.Shift = make([]float32, 1), make([]float32, 2) },
		"short moments":      func(c *Conv) { c.Moments = make([]float64, 35) },
		"activation":         func(c *Conv) { c.Act = Sigmoid },
	} {
		c := good
		change(&c)
		mustPanic(t, what, func() { s.Conv(&c, 0, 6, scratch) })
	}
	mustPanic(t, "rows", func() { s.Conv(&good, 0, 7, scratch) })
	mustPanic(t, "scratch", func() { s.Conv(&good, 0, 6, scratch[1:]) })
	s.Conv(&good, 0, 6, scratch)
}

func TestConvPropagatesNaN(t *testing.T) {
	sets(t, func(t *testing.T, s *Set) {
		const h, w = 5, 7
		x := make([]float32, h*w)
		x[2*w+3] = float32(math.NaN())
		c := Conv{
			H: h, W: w, Cin: 1, Size: 3, Stride: 1, Pad: 1, Dilation: 1, In: Float32(x, 1),
			Scale: []float32{1}, Shift: []float32{0},
			Weights: Pack(make([]float32, PackedLen(9, 1)), 9, 1, make([]float32, 9), 1, 1),
			Act:     ReLU, Out: Float32(make([]float32, h*w), 1),
		}
		s.Conv(&c, 0, h, make([]float32, c.ScratchLen()))
		for i, y := range c.Out.F32 {
			touched := i/w >= 1 && i/w <= 3 && i%w >= 2 && i%w <= 4
			if math.IsNaN(float64(y)) != touched {
				t.Fatalf("pixel (%d, %d): %g", i/w, i%w, y)
			}
		}
	})
}

func BenchmarkConv(b *testing.B) {
	s := Best()
	for _, size := range [][3]int{
		{7, 24, 1}, {24, 24, 1}, {24, 24, 2}, {24, 24, 8}, {16, 16, 1}, {7, 64, 1}, {64, 64, 1}, {64, 64, 8},
	} {
		cin, cout, dilation := size[0], size[1], size[2]
		const h, w = 256, 768
		r := random(1)
		k := 9 * cin
		weights := normal(r, k*cout)
		c := Conv{
			H: h, W: w, Cin: cin, Size: 3, Stride: 1, Pad: dilation, Dilation: dilation, In: Float32(normal(r, h*w*cin), cin),
			Weights: Pack(make([]float32, PackedLen(k, cout)), k, cout, weights, 1, k),
			Bias:    normal(r, cout), Out: Float32(make([]float32, h*w*cout), cout),
		}
		run := func(name string) {
			scratch := make([]float32, c.ScratchLen())
			b.Run(fmt.Sprintf("%dto%d/dilation=%d/%s", cin, cout, dilation, name), func(b *testing.B) {
				measure(b, 2*float64(h*w*k*cout), "GFLOP/s", func() { s.Conv(&c, 0, h, scratch) })
			})
		}
		run("float32")
		if cin != 24 && cin != 64 {
			continue
		}
		c.Moments = make([]float64, h*2*cout)
		c.Scale, c.Shift = normal(r, cin), normal(r, cin)
		run("moments+affine")
		c.Scale, c.Shift = nil, nil
		plain := c.In.F32
		for _, f := range []storage{asBFloat16, asFloat16} {
			in := make([]uint16, h*w*cin)
			s.Round(in, plain, f.format())
			c.In, c.Out = Half(in, f.format(), cin), Half(make([]uint16, h*w*cout), f.format(), cout)
			c.Weights = packWeights(weights, k, cout, f)
			run([...]string{asBFloat16: "bf16+moments", asFloat16: "f16+moments"}[f])
		}
	}
	const h, w, cout = 768, 768, 32
	r := random(1)
	c := Conv{
		H: h, W: w, Cin: 4, Size: 7, Stride: 4, Pad: 3, Dilation: 1, In: Float32(normal(r, h*w*4), 4),
		Weights: Pack(make([]float32, PackedLen(196, cout)), 196, cout, normal(r, 196*cout), 1, 196),
		Bias:    normal(r, cout), Out: Float32(make([]float32, h/4*w/4*cout), cout),
	}
	scratch := make([]float32, c.ScratchLen())
	b.Run("7x7", func(b *testing.B) {
		measure(b, 2*float64(h/4*w/4*196*cout), "GFLOP/s", func() { s.Conv(&c, 0, h/4, scratch) })
	})
}
