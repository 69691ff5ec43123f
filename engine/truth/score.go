package truth

import (
	"math"

	"greenroom/engine/picture"
)

// Score says how far a key is from the truth. All errors are absolute differences of values 0..1; NaN
// marks a mean over no pixels.
type Score struct {
	// MAE is the mean error of the matte over the plate.
	MAE float64
	// SoftMAE is the mean error of the matte where the truth lies in 0.02..0.98.
	SoftMAE float64
	// FGMAE is the mean error of the foreground over channels, where the true matte is over 0.01.
	FGMAE float64
	// Worst is the largest error of the matte, at pixel (WorstX, WorstY).
	Worst          float64
	WorstX, WorstY int
	// HintMAE is the mean error of the plate's hint: what the network was given.
	HintMAE float64
}

// Score measures a matte, [H, W, 1], and a foreground, [H, W, 3], straight and sRGB-encoded, against the
// plate's truth. Both have the plate's size; an empty foreground is not measured.
func (p Plate) Score(matte, fg picture.Image) Score {
	s := Score{MAE: MAE(matte, p.Matte), SoftMAE: SoftMAE(matte, p.Matte), FGMAE: math.NaN(), HintMAE: MAE(p.Hint, p.Matte)}
	s.Worst, s.WorstX, s.WorstY = Worst(matte, p.Matte)
	if !fg.Empty() {
		s.FGMAE = ForegroundMAE(fg, p.FG, p.Matte)
	}
	return s
}

// MAE returns the mean absolute difference of two images of one size.
func MAE(a, b picture.Image) float64 {
	return mean(len(b.Pix), func(i int) (float64, bool) { return difference(a, b, i), true })
}

// SoftMAE returns the mean absolute error of a matte where the true one lies in 0.02..0.98.
func SoftMAE(matte, truth picture.Image) float64 {
	return mean(len(truth.Pix), func(i int) (float64, bool) {
		v := truth.Pix[i]
		return difference(matte, truth, i), v >= 0.02 && v <= 0.98
	})
}

// ForegroundMAE returns the mean absolute error of a straight foreground, [H, W, 3], over its channels,
// where the true matte, [H, W, 1], is over 0.01.
func ForegroundMAE(fg, truth, matte picture.Image) float64 {
	return mean(len(truth.Pix), func(i int) (float64, bool) {
		return difference(fg, truth, i), matte.Pix[i/3] > 0.01
	})
}

// Worst returns the largest absolute error of a matte and where it is.
func Worst(matte, truth picture.Image) (worst float64, x, y int) {
	at := 0
	for i := range truth.Pix {
		if d := difference(matte, truth, i); d > worst {
			worst, at = d, i
		}
	}
	return worst, at % max(truth.W, 1), at / max(truth.W, 1)
}

// difference is |a - b| at one sample; NaN in a counts as the worst error, 1.
func difference(a, b picture.Image, i int) float64 {
	d := math.Abs(float64(a.Pix[i]) - float64(b.Pix[i]))
	if math.IsNaN(d) {
		return 1
	}
	return d
}

// mean averages the values that count among n; NaN where none does.
func mean(n int, value func(i int) (v float64, counts bool)) float64 {
	sum, count := 0.0, 0
	for i := range n {
		if v, ok := value(i); ok {
			sum += v
			count++
		}
	}
	return sum / float64(count)
}
