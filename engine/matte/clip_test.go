package matte

import (
	"math"
	"testing"

	"greenroom/engine/picture"
	"greenroom/engine/picture/picturetest"
	"pgregory.net/rapid"
)

func TestClipReachesBothEndsExactlyAndKeepsOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		black := rapid.Float64Range(0, 0.9).Draw(t, "black")
		white := rapid.Float64Range(black+0.01, 1).Draw(t, "white")
		a, b := rapid.Float32Range(-0.5, 1.5).Draw(t, "a"), rapid.Float32Range(-0.5, 1.5).Draw(t, "b")
		m := picture.New(4, 1, 1)
		copy(m.Pix, []float32{min(a, b), max(a, b), float32(black), float32(white)})
		Clip(m, black, white)
		if m.Pix[0] > m.Pix[1] {
			t.Fatalf("%v and %v changed order: %v", a, b, m.Pix)
		}
		if m.Pix[2] != 0 || m.Pix[3] != 1 {
			t.Fatalf("black and white became %v and %v", m.Pix[2], m.Pix[3])
		}
		for i, v := range []float32{min(a, b), max(a, b)} {
			want := (float64(v) - black) / (white - black)
			want = min(max(want, 0), 1)
			if math.Abs(float64(m.Pix[i])-want) > 2e-5 {
				t.Fatalf("%v became %v, want %v", v, m.Pix[i], want)
			}
		}
	})
}

func TestClipOfASigmoid(t *testing.T) {
	m := picture.New(6, 1, 1)
	copy(m.Pix, []float32{0.0004, 0.0199, 0.5, 0.9801, 0.9996, float32(math.NaN())})
	Clip(m, 0.02, 0.98)
	want := []float32{0, 0, 0.5, 1, 1, 0}
	for i, v := range want {
		if math.Abs(float64(m.Pix[i]-v)) > 1e-6 || (v != 0.5 && m.Pix[i] != v) {
			t.Errorf("pixel %d is %v, want %v", i, m.Pix[i], v)
		}
	}
}

func TestClipFromNoneToAllChangesNothing(t *testing.T) {
	m := picture.New(256, 1, 1)
	for i := range m.Pix {
		m.Pix[i] = float32(i) / 255
	}
	want := m.Clone()
	Clip(m, 0, 1)
	for i, v := range want.Pix {
		if m.Pix[i] != v {
			t.Fatalf("%v became %v", v, m.Pix[i])
		}
	}
}

func TestGammaIsAPowerAndKeepsTheEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		gamma := rapid.Float64Range(0.2, 5).Draw(t, "gamma")
		m := picture.New(8, 1, 1)
		for i := range m.Pix {
			m.Pix[i] = rapid.SampledFrom([]float32{
				0, 1, 1e-7, 0.0624, 0.0626, 0.99999994, rapid.Float32Range(0, 1).Draw(t, "value"),
			}).Draw(t, "matte")
		}
		before := m.Clone()
		Gamma(m, gamma)
		for i, v := range before.Pix {
			want := math.Pow(float64(v), 1/gamma)
			if math.Abs(float64(m.Pix[i])-want) > 1e-6 || ((v == 0 || v == 1) && m.Pix[i] != v) {
				t.Fatalf("%v at gamma %v became %v, want %v", v, gamma, m.Pix[i], want)
			}
		}
	})
	m := picturetest.Matte(30, 20)
	before := m.Clone()
	if Gamma(m, 1); picturetest.FirstDifference(m.Pix, before.Pix) >= 0 {
		t.Error("a gamma of 1 changed something")
	}
}
