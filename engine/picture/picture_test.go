package picture

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
)

// noise returns an image of uniform noise in 0..1.
func noise(w, h, c int) Image {
	m := New(w, h, c)
	r := rand.New(rand.NewPCG(uint64(w), uint64(h*c)))
	for i := range m.Pix {
		m.Pix[i] = r.Float32()
	}
	return m
}

// farthest returns the largest difference between two images of one size.
func farthest(t *testing.T, a, b Image) float64 {
	t.Helper()
	if !a.SameSize(b) || a.C != b.C {
		t.Fatalf("sizes differ: %dx%dx%d and %dx%dx%d", a.W, a.H, a.C, b.W, b.H, b.C)
	}
	most := 0.0
	for i := range a.Pix {
		d := math.Abs(float64(a.Pix[i]) - float64(b.Pix[i]))
		if !(d <= most) { // NaN counts as far
			most = d
		}
	}
	return most
}

func TestResultsDoNotDependOnProcessors(t *testing.T) {
	m := noise(67, 93, 3)
	for name, do := range map[string]func() Image{
		"lanczos":  func() Image { return Resample(m, 41, 120) },
		"bilinear": func() Image { return ResampleBilinear(m, 130, 50) },
		"blur":     func() Image { return Blur(m, 2) },
		"wide":     func() Image { return Blur(m, 9) },
		"box":      func() Image { return BoxReduce(m, 4) },
		"crop":     func() Image { return Crop(m, -5, 7, 90, 90) },
	} {
		t.Run(name, func(t *testing.T) {
			parallel := do()
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
			if !slices.Equal(parallel.Pix, do().Pix) {
				t.Error("the result on one processor is another")
			}
		})
	}
}

func TestCropRepeatsEdges(t *testing.T) {
	m := Image{W: 2, H: 2, C: 1, Pix: []float32{1, 2, 3, 4}}
	for _, c := range []struct {
		name       string
		x, y, w, h int
		want       []float32
	}{
		{"inside", 1, 0, 1, 2, []float32{2, 4}},
		{"around", -1, -1, 4, 4, []float32{1, 1, 2, 2, 1, 1, 2, 2, 3, 3, 4, 4, 3, 3, 4, 4}},
		{"left of it", -9, 0, 2, 2, []float32{1, 1, 3, 3}},
		{"right below", 5, 5, 2, 1, []float32{4, 4}},
		{"padded", 0, 0, 3, 2, []float32{1, 2, 2, 3, 4, 4}},
	} {
		if got := Crop(m, c.x, c.y, c.w, c.h); !slices.Equal(got.Pix, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, got.Pix, c.want)
		}
	}
	if !Crop(m, 0, 0, 0, 5).Empty() || !Crop(Image{}, 0, 0, 5, 5).Empty() {
		t.Error("an empty crop is not empty")
	}
}

func TestPasteDropsWhatFallsOutside(t *testing.T) {
	for _, c := range []struct {
		name string
		x, y int
		want []float32
	}{
		{"inside", 1, 1, []float32{0, 0, 0, 0, 1, 2, 0, 3, 4}},
		{"over the corner", -1, -1, []float32{4, 0, 0, 0, 0, 0, 0, 0, 0}},
		{"over the end", 2, 2, []float32{0, 0, 0, 0, 0, 0, 0, 0, 1}},
		{"outside", 7, -7, make([]float32, 9)},
	} {
		m := New(3, 3, 1)
		m.Paste(Image{W: 2, H: 2, C: 1, Pix: []float32{1, 2, 3, 4}}, c.x, c.y)
		if !slices.Equal(m.Pix, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, m.Pix, c.want)
		}
	}
}

func TestBoxReduceTakesMeans(t *testing.T) {
	m := Image{W: 3, H: 3, C: 1, Pix: []float32{1, 3, 10, 5, 7, 20, 8, 10, 99}}
	if got := BoxReduce(m, 2); got.W != 2 || got.H != 2 || !slices.Equal(got.Pix, []float32{4, 15, 9, 99}) {
		t.Errorf("got %dx%d %v", got.W, got.H, got.Pix)
	}
	c := noise(8, 8, 3)
	if got := BoxReduce(c, 1); farthest(t, got, c) != 0 {
		t.Error("a factor of 1 changes the image")
	}
}

func TestResampleKeepsFlatImages(t *testing.T) {
	for _, size := range [][4]int{{1, 1, 5, 7}, {31, 7, 8, 70}, {200, 3, 13, 1}, {2, 2, 1, 1}, {5, 5, 4000, 2}} {
		for _, c := range []int{1, 2, 3, 4} {
			m := New(size[0], size[1], c)
			for i := range m.Pix {
				m.Pix[i] = 0.7
			}
			for name, f := range map[string]func(Image, int, int) Image{"lanczos": Resample, "bilinear": ResampleBilinear} {
				out := f(m, size[2], size[3])
				if out.W != size[2] || out.H != size[3] || out.C != c {
					t.Fatalf("%s %v: got %dx%dx%d", name, size, out.W, out.H, out.C)
				}
				for _, v := range out.Pix {
					if math.Abs(float64(v)-0.7) > 1e-6 {
						t.Fatalf("%s %v: a flat 0.7 became %v", name, size, v)
					}
				}
			}
		}
	}
}

// wave is a smooth picture given by its coordinates in 0..1, so that it is known at every size.
func wave(w, h int) Image {
	m := New(w, h, 1)
	for y := range h {
		for x := range w {
			u, v := (float64(x)+0.5)/float64(w), (float64(y)+0.5)/float64(h)
			m.Pix[y*w+x] = float32(0.5 + 0.25*math.Cos(2*math.Pi*u) + 0.25*math.Cos(math.Pi*v))
		}
	}
	return m
}

func TestResampleFollowsASmoothPicture(t *testing.T) {
	for _, c := range []struct {
		from, to [2]int
		within   float64
	}{
		{[2]int{64, 48}, [2]int{200, 100}, 2e-3},
		{[2]int{300, 200}, [2]int{64, 48}, 8e-3}, // the edges are replicated under a wide filter
		{[2]int{300, 200}, [2]int{300, 48}, 8e-3},
	} {
		if d := farthest(t, Resample(wave(c.from[0], c.from[1]), c.to[0], c.to[1]), wave(c.to[0], c.to[1])); d > c.within {
			t.Errorf("%v to %v: off by %.2g", c.from, c.to, d)
		}
	}
}

func TestResampleDoesNotAlias(t *testing.T) {
	// Lines one pixel wide become their mean when the image shrinks by four.
	m := New(256, 256, 1)
	for i := range m.Pix {
		m.Pix[i] = float32(i % 2)
	}
	inner := Crop(Resample(m, 64, 64), 2, 2, 60, 60)
	for _, v := range inner.Pix {
		if math.Abs(float64(v)-0.5) > 0.01 {
			t.Fatalf("lines alias to %v", v)
		}
	}
}

func TestBilinearIsTheFormula(t *testing.T) {
	m := Image{W: 4, H: 1, C: 1, Pix: []float32{0, 1, 2, 3}}
	for _, c := range []struct {
		to   int
		want []float32
	}{
		// Worked by hand from x = (i + 0.5) * 4 / n - 0.5, cut to 0..3.
		{8, []float32{0, 0.25, 0.75, 1.25, 1.75, 2.25, 2.75, 3}},
		{2, []float32{0.5, 2.5}},
		{3, []float32{1.0 / 6, 1.5, 3 - 1.0/6}},
		{1, []float32{1.5}},
	} {
		got := ResampleBilinear(m, c.to, 1)
		for i := range c.want {
			if math.Abs(float64(got.Pix[i]-c.want[i])) > 1e-6 {
				t.Errorf("to %d: got %v, want %v", c.to, got.Pix, c.want)
				break
			}
		}
	}
}

// exactBlur convolves with a Gaussian to 8 sigma in float64: what both filters are held against.
func exactBlur(m Image, sigma float64) Image {
	radius := int(math.Ceil(8 * sigma))
	line := func(n int, at func(int) float64, set func(int, float64)) {
		out := make([]float64, n)
		for i := range n {
			sum, total := 0.0, 0.0
			for k := -radius; k <= radius; k++ {
				w := math.Exp(-float64(k*k) / (2 * sigma * sigma))
				sum += w * at(min(max(i+k, 0), n-1))
				total += w
			}
			out[i] = sum / total
		}
		for i, v := range out {
			set(i, v)
		}
	}
	wide := make([]float64, len(m.Pix))
	for i, v := range m.Pix {
		wide[i] = float64(v)
	}
	for y := range m.H {
		line(m.W, func(i int) float64 { return wide[y*m.W+i] }, func(i int, v float64) { wide[y*m.W+i] = v })
	}
	for x := range m.W {
		line(m.H, func(i int) float64 { return wide[i*m.W+x] }, func(i int, v float64) { wide[i*m.W+x] = v })
	}
	out := New(m.W, m.H, 1)
	for i, v := range wide {
		out.Pix[i] = float32(v)
	}
	return out
}

func TestBlurIsGaussian(t *testing.T) {
	step := New(150, 90, 1)
	dot := New(101, 101, 1)
	dot.Pix[50*101+50] = 1
	for i := range step.Pix {
		if i%150 > 70 && i/150 > 20 {
			step.Pix[i] = 1
		}
	}
	for name, m := range map[string]Image{"step": step, "dot": dot, "noise": noise(40, 33, 1), "line": noise(70, 1, 1)} {
		for _, c := range []struct{ sigma, within float64 }{
			{0.3, 2e-4}, {1, 2e-4}, {4, 2e-4}, {4.01, 3e-4}, {10, 3e-4}, {50, 3e-4},
		} {
			d := farthest(t, Blur(m, c.sigma), exactBlur(m, c.sigma))
			t.Logf("%s sigma %v: off by %.2g", name, c.sigma, d)
			if d > c.within {
				t.Errorf("%s sigma %v: off by %.2g, over %v", name, c.sigma, d, c.within)
			}
		}
	}
}

func TestBlurTreatsChannelsAlike(t *testing.T) {
	one := noise(50, 60, 1)
	three := New(50, 60, 3)
	for i, v := range one.Pix {
		three.Pix[3*i], three.Pix[3*i+1], three.Pix[3*i+2] = v, 1-v, v
	}
	for _, sigma := range []float64{1.5, 12} {
		got, want := Blur(three, sigma), Blur(one, sigma)
		for i, v := range want.Pix {
			if got.Pix[3*i] != v || got.Pix[3*i+2] != v || math.Abs(float64(got.Pix[3*i+1]+v-1)) > 1e-5 {
				t.Fatalf("sigma %v, pixel %d: %v beside %v", sigma, i, got.Pix[3*i:3*i+3], v)
			}
		}
	}
	if farthest(t, Blur(one, 0), one) != 0 || farthest(t, Blur(one, math.NaN()), one) != 0 {
		t.Error("no sigma changes the image")
	}
}

func BenchmarkResampleHalf(b *testing.B) {
	benchmark(b, func(m Image) Image { return Resample(m, 960, 540) })
}

func BenchmarkResampleUp(b *testing.B) {
	benchmark(b, func(m Image) Image { return Resample(m, 2048, 2048) })
}
func BenchmarkBlurExact(b *testing.B) { benchmark(b, func(m Image) Image { return Blur(m, 2) }) }
func BenchmarkBlurWide(b *testing.B)  { benchmark(b, func(m Image) Image { return Blur(m, 20) }) }

func benchmark(b *testing.B, f func(Image) Image) {
	m := noise(1920, 1080, 3)
	for b.Loop() {
		f(m)
	}
}
