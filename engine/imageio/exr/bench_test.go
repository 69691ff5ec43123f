package exr

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"greenroom/engine/imageio/disktest"
	"greenroom/engine/picture"
)

// plate4K is a picture of 4096 x 2160 with slow gradients and grain, as a camera's are: [H, W, 4].
func plate4K() picture.Image {
	m := picture.New(4096, 2160, 4)
	random := rand.New(rand.NewPCG(1, 2))
	for y := range m.H {
		row := m.Row(y)
		for x := range m.W {
			for c := range 3 {
				v := 0.3 + 0.2*math.Sin(float64(x)*0.003*float64(c+1))*math.Cos(float64(y)*0.004)
				row[4*x+c] = float32(v + 0.01*(random.Float64()-0.5))
			}
			row[4*x+3] = 1
		}
	}
	return m
}

func samplesOf(m picture.Image, c int) func(dst []float32, y int) {
	return func(dst []float32, y int) {
		row := m.Row(y)
		for x := range dst {
			dst[x] = row[x*m.C+c]
		}
	}
}

func output(m picture.Image, kind PixelType) Output {
	o := Output{W: m.W, H: m.H, Type: kind}
	for c, name := range []string{"R", "G", "B", "A"}[:m.C] {
		o.Channels = append(o.Channels, Samples{name, samplesOf(m, c)})
	}
	return o
}

func BenchmarkWrite4K(b *testing.B) {
	m := plate4K()
	b.SetBytes(int64(m.W * m.H * 8))
	for b.Loop() {
		var w disktest.File
		if err := Write(&w, output(m, Half)); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(w.Bytes))/1e6, "MB")
	}
}

func BenchmarkRead4K(b *testing.B) {
	var w disktest.File
	m := plate4K()
	if err := Write(&w, output(m, Half)); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(m.W * m.H * 8))
	rgb, alpha := picture.New(m.W, m.H, 3), picture.New(m.W, m.H, 1)
	for b.Loop() {
		f, err := Open(bytes.NewReader(w.Bytes), int64(len(w.Bytes)))
		if err != nil {
			b.Fatal(err)
		}
		// A, B, G, R is how channels are stored.
		into := []Destination{{3, rgb, 0}, {2, rgb, 1}, {1, rgb, 2}, {0, alpha, 0}}
		if _, err := f.Read(context.Background(), 0, into); err != nil {
			b.Fatal(err)
		}
	}
}
