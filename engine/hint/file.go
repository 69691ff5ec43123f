package hint

import (
	"errors"
	"fmt"
	"math"
	"sync/atomic"

	"greenroom/engine/picture"
)

// aspectTolerance is how far the shapes of hint and plate may differ: resolutions are rounded.
const aspectTolerance = 0.01

// ShapeError is a hint whose shape is not the plate's: nobody can say how it was meant to lie on it.
type ShapeError struct {
	HintW, HintH, PlateW, PlateH int
}

// Error names both sizes and what to do.
func (e *ShapeError) Error() string {
	return fmt.Sprintf("the hint is %dx%d and the plate %dx%d: their shapes differ, so the hint cannot be laid over the plate "+
		"(give a hint of %dx%d, or of another size of that shape)", e.HintW, e.HintH, e.PlateW, e.PlateH, e.PlateW, e.PlateH)
}

// FromPicture reads the hint for a plate of w x h pixels from a picture, by the rule of PickChannel. Another
// size of the same shape is resampled, with a notice; another shape (over 1 % and over a pixel) is a
// *ShapeError. Notices name the channel and non-finite values.
func FromPicture(p picture.Picture, w, h int) (Hint, error) {
	if p.RGB.Empty() {
		return Hint{}, errors.New("the hint has no pixels")
	}
	channel, why := PickChannel(p)
	found, err := FromChannel(p, channel, w, h)
	if err != nil {
		return Hint{}, err
	}
	text := fmt.Sprintf("the hint is the %s of the file: %s", channel, why)
	if channel != ChannelAlpha && channel != ChannelLuminance {
		text = fmt.Sprintf("the hint is the %s channel of the file: %s", channel, why)
	}
	found.Notices = append([]Notice{{Kind: KindChannel, Text: text}}, found.Notices...)
	return found, nil
}

// FromChannel is FromPicture with the channel chosen. A channel that the picture lacks is an error.
func FromChannel(p picture.Picture, channel Channel, w, h int) (Hint, error) {
	if p.RGB.Empty() || w < 1 || h < 1 {
		return Hint{}, fmt.Errorf("reading a hint of %s for a plate of %dx%d: there are no pixels", sized(p.RGB), w, h)
	}
	if !sameShape(p.RGB.W, p.RGB.H, w, h) {
		return Hint{}, &ShapeError{HintW: p.RGB.W, HintH: p.RGB.H, PlateW: w, PlateH: h}
	}
	m, replaced, err := extract(p, channel)
	if err != nil {
		return Hint{}, err
	}
	found := Hint{Matte: m, Channel: channel}
	if replaced > 0 {
		found.Notices = append(found.Notices, Notice{
			Kind: KindNonFinite, Warning: true,
			Text: fmt.Sprintf("%d pixels of the hint are NaN or infinite: NaN was taken as 0, infinities as 0 and 1", replaced),
		})
	}
	if m.W != w || m.H != h {
		found.Notices = append(found.Notices, Notice{
			Kind: KindResized,
			Text: fmt.Sprintf("the hint is %s and was resampled to the plate's %dx%d", sized(m), w, h),
		})
		found.Matte = picture.Resample(m, w, h)
		// Lanczos overshoots at hard edges.
		for i, v := range found.Matte.Pix {
			found.Matte.Pix[i] = unit(v)
		}
	}
	return found, nil
}

// sameShape reports whether a size could be another resolution of w x h: the aspects agree within the
// tolerance, or as well as whole pixels of the smaller of both allow.
func sameShape(hintW, hintH, w, h int) bool {
	across, down := float64(hintW)/float64(w), float64(hintH)/float64(h)
	if math.Abs(across/down-1) <= aspectTolerance {
		return true
	}
	return math.Abs(across-down)*float64(min(w, h)) < 1 || math.Abs(1/across-1/down)*float64(min(hintW, hintH)) < 1
}

// extract returns one channel of a picture as a matte in 0..1, and how many of its pixels were not finite.
func extract(p picture.Picture, channel Channel) (picture.Image, int, error) {
	var read func(c []float32, alpha float32) float32
	switch channel {
	case ChannelAlpha:
		if p.Alpha.Empty() {
			return picture.Image{}, 0, errors.New("the hint has no alpha channel (choose another channel)")
		}
		read = func(_ []float32, alpha float32) float32 { return alpha }
	case ChannelRed:
		read = func(c []float32, _ float32) float32 { return c[0] }
	case ChannelGreen:
		read = func(c []float32, _ float32) float32 { return c[1] }
	case ChannelBlue:
		read = func(c []float32, _ float32) float32 { return c[2] }
	case ChannelGrey:
		// Written so that three equal channels give exactly their value.
		read = func(c []float32, _ float32) float32 { return c[1] + ((c[0]-c[1])+(c[2]-c[1]))/3 }
	case ChannelLuminance:
		read = func(c []float32, _ float32) float32 { return 0.2126*c[0] + 0.7152*c[1] + 0.0722*c[2] }
	default:
		return picture.Image{}, 0, fmt.Errorf("a hint has no channel %q: there are %v", channel, Channels())
	}
	m := picture.New(p.RGB.W, p.RGB.H, 1)
	var replaced atomic.Int64
	picture.ParallelRows(m.H, func(y0, y1 int) {
		bad := 0
		for y := y0; y < y1; y++ {
			row := p.RGB.Row(y)
			var alphas []float32
			if !p.Alpha.Empty() {
				alphas = p.Alpha.Row(y)
			}
			out := m.Row(y)
			for x := range out {
				alpha := float32(1)
				if alphas != nil {
					alpha = alphas[x]
				}
				v := read(row[3*x:3*x+3], alpha)
				if !finite(v) {
					bad++
					v = read([]float32{unit(row[3*x]), unit(row[3*x+1]), unit(row[3*x+2])}, unit(alpha))
				}
				out[x] = unit(v)
			}
		}
		replaced.Add(int64(bad))
	})
	return m, int(replaced.Load()), nil
}
