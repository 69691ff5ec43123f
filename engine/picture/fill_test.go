package picture

import (
	"math"
	"testing"
)

func TestFillTakesNearValuesBeforeFarOnes(t *testing.T) {
	// Known on the left half of two colours, above 2 and below 6; the right half is unknown.
	m := New(64, 64, 2)
	for y := range m.H {
		for x := range 32 {
			v := float32(2)
			if y >= 32 {
				v = 6
			}
			m.Row(y)[2*x], m.Row(y)[2*x+1] = v, 1
		}
	}
	before := m.Clone()
	Fill(m, 0.2)
	value := func(x, y int) float64 { return float64(m.Row(y)[2*x] / m.Row(y)[2*x+1]) }
	for y := range m.H {
		for x := range m.W {
			if m.Row(y)[2*x+1] < 0.2-1e-6 {
				t.Fatalf("%d,%d has weight %v", x, y, m.Row(y)[2*x+1])
			}
			if v := value(x, y); v < 2-1e-5 || v > 6+1e-5 {
				t.Fatalf("%d,%d is %v, outside what is known", x, y, v)
			}
			if x < 32 && m.Row(y)[2*x] != before.Row(y)[2*x] {
				t.Fatalf("%d,%d was known and changed", x, y)
			}
		}
	}
	if v := value(34, 10); math.Abs(v-2) > 0.3 {
		t.Errorf("beside the upper colour is %v", v)
	}
	if v := value(34, 54); math.Abs(v-6) > 0.3 {
		t.Errorf("beside the lower colour is %v", v)
	}
}

func TestFillOfNothing(t *testing.T) {
	for _, size := range [][2]int{{0, 0}, {1, 1}, {1, 7}, {5, 3}} {
		m := New(size[0], size[1], 4)
		Fill(m, 0.2)
		for i, v := range m.Pix {
			if v != 0 {
				t.Fatalf("%v: sample %d is %v", size, i, v)
			}
		}
	}
}
