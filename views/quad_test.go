package views

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// oddNumbers are what foreign pictures hold besides 0..1.
var oddNumbers = []float32{0, 1, -1, 1.5, 1e-9, 1e9, -1e30, 3e38, float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1))}

// numbers returns n numbers, most of them in 0..1.
func numbers(r *rand.Rand, n int) []float32 {
	list := make([]float32, n)
	for i := range list {
		list[i] = r.Float32()
		if r.IntN(8) == 0 {
			list[i] = oddNumbers[r.IntN(len(oddNumbers))]
		}
	}
	return list
}

// someColumns returns n columns over a row of w pixels.
func someColumns(r *rand.Rand, n, w int) []stop {
	list := make([]stop, n)
	for i := range list {
		at := i * w / n
		list[i] = stop{at: at, next: at}
		if r.IntN(3) > 0 {
			list[i].next, list[i].part = min(at+1, w-1), r.Float32()
		}
	}
	return list
}

// sameQuads reports whether two rows hold the same, NaN included; some processors round a product and a sum once.
func sameQuads(a, b []quad) bool {
	return slices.EqualFunc(a, b, func(p, q quad) bool {
		for c := range p {
			d := math.Abs(float64(p[c]) - float64(q[c]))
			if p[c] != q[c] && !(p[c] != p[c] && q[c] != q[c]) && !(d <= 1e-6*math.Abs(float64(q[c]))+1e-2) {
				return false
			}
		}
		return true
	})
}

func TestLoopsOverQuadsDoWhatTheirPlainFormsSay(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		n, w := 1+r.IntN(40), 1+r.IntN(60)
		columns, floats, mattes := someColumns(r, n, w), numbers(r, 3*w), numbers(r, w)
		pixels := make([]pixel, w)
		putColour(pixels, floats)
		putMatte(pixels, mattes)
		got, want := make([]quad, n), make([]quad, n)
		for name, loops := range map[string][2]func(out []quad){
			"colour": {
				func(out []quad) { acrossColour(out, floats, columns) },
				func(out []quad) { acrossColourPlain(out, floats, columns) },
			},
			"matte": {
				func(out []quad) { acrossMatte(out, mattes, columns) },
				func(out []quad) { acrossMattePlain(out, mattes, columns) },
			},
			"pixels": {
				func(out []quad) { acrossPixels(out, pixels, columns) },
				func(out []quad) { acrossPixelsPlain(out, pixels, columns) },
			},
		} {
			loops[0](got)
			loops[1](want)
			if !sameQuads(got, want) {
				t.Fatalf("%s: %v, want %v", name, got, want)
			}
		}
		upper, lower, part := make([]quad, n), make([]quad, n), r.Float32()
		acrossColourPlain(upper, floats, columns)
		acrossColourPlain(lower, numbers(r, 3*w), columns)
		acrossMattePlain(lower, mattes, columns)
		bytes, wantBytes := make([]uint8, 4*n), make([]uint8, 4*n)
		downBytes(bytes, upper, lower, part, 0)
		downBytesPlain(wantBytes, upper, lower, part, 0)
		for i, v := range bytes {
			if d := int(v) - int(wantBytes[i]); d < -1 || d > 1 {
				t.Fatalf("bytes: %v, want %v", bytes, wantBytes)
			}
		}
		down, wantDown := make([]pixel, n), make([]pixel, n)
		downPixels(down, upper, lower, part)
		downPixelsPlain(wantDown, upper, lower, part)
		for i, p := range down {
			for shift := 0; shift < 64; shift += 16 {
				if d := int(p>>shift&0xffff) - int(wantDown[i]>>shift&0xffff); d < -1 || d > 1 {
					t.Fatalf("pixels: %x, want %x", down, wantDown)
				}
			}
		}
		downQuads(got, upper, lower, part)
		if downQuadsPlain(want, upper, lower, part); !sameQuads(got, want) {
			t.Fatalf("quads: %v, want %v", got, want)
		}
		downBytes(bytes, upper, lower, part, 255<<24)
		for i := 3; i < len(bytes); i += 4 {
			if bytes[i] != 255 {
				t.Fatalf("alpha %d is %d", i/4, bytes[i])
			}
		}
	}
}
