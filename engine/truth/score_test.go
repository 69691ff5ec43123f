package truth

import (
	"math"
	"testing"

	"greenroom/engine/picture"
)

func TestScoreMeasuresWhatItSays(t *testing.T) {
	truth := picture.Image{W: 4, H: 1, C: 1, Pix: []float32{0, 0.5, 0.99, 1}}
	matte := picture.Image{W: 4, H: 1, C: 1, Pix: []float32{0.1, 0.3, 0.99, 0.6}}
	colour := picture.Image{W: 4, H: 1, C: 3, Pix: []float32{9, 9, 9, 0.1, 0.2, 0.3, 0, 0, 0, 1, 1, 1}}
	fg := picture.Image{W: 4, H: 1, C: 3, Pix: []float32{0, 0, 0, 0.2, 0.2, 0.3, 0, 0, 0, 1, 0.2, 1}}
	p := Plate{Matte: truth, FG: colour, Hint: truth}
	s := p.Score(matte, fg)
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"MAE", s.MAE, 0.7 / 4},
		{"SoftMAE", s.SoftMAE, 0.2},
		{"FGMAE", s.FGMAE, 0.9 / 9},
		{"Worst", s.Worst, 0.4},
		{"HintMAE", s.HintMAE, 0},
	} {
		if math.Abs(c.got-c.want) > 1e-6 {
			t.Errorf("%s is %v, want %v", c.name, c.got, c.want)
		}
	}
	if s.WorstX != 3 || s.WorstY != 0 {
		t.Errorf("the worst pixel is (%d, %d), want (3, 0)", s.WorstX, s.WorstY)
	}
}

func TestScoreCountsNaNAsTheWorstError(t *testing.T) {
	truth := picture.Image{W: 2, H: 1, C: 1, Pix: []float32{0, 1}}
	matte := picture.Image{W: 2, H: 1, C: 1, Pix: []float32{0, float32(math.NaN())}}
	if e := MAE(matte, truth); e != 0.5 {
		t.Errorf("MAE with a NaN is %v, want 0.5", e)
	}
	if s := (Plate{Matte: truth, Hint: truth}).Score(matte, picture.Image{}); !math.IsNaN(s.FGMAE) || !math.IsNaN(s.SoftMAE) {
		t.Errorf("means over nothing are %v and %v, want NaN", s.FGMAE, s.SoftMAE)
	}
}
