package picture

import (
	"context"
	"testing"

	"greenroom/engine/colour"
)

func TestConvertChangesOnlyWhatIsOfAnotherSpace(t *testing.T) {
	m := New(3, 2, 3)
	for i := range m.Pix {
		m.Pix[i] = float32(i) / 20
	}
	for to, want := range map[colour.Space]func(float32) float32{
		colour.LinearRec709: func(v float32) float32 { return v },
		colour.SRGB:         colour.LinearToSRGB,
	} {
		c, err := colour.NewConverter(colour.LinearRec709, to, 1)
		if err != nil {
			t.Fatal(err)
		}
		out, err := Convert(t.Context(), m, c)
		if err != nil {
			t.Fatal(err)
		}
		if same := &out.Pix[0] == &m.Pix[0]; same != (to == colour.LinearRec709) {
			t.Errorf("%s: the same memory: %v", to, same)
		}
		for i, v := range out.Pix {
			if d := v - want(float32(i)/20); d > 1e-6 || d < -1e-6 {
				t.Errorf("%s: %v", to, out.Pix)
				break
			}
		}
	}
	c, err := colour.NewConverter(colour.ACEScg, colour.SRGB, 1)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Convert(ctx, m, c); err == nil {
		t.Error("no error after cancelling")
	}
}
