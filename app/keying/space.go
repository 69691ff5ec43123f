package keying

import (
	"context"
	"fmt"
	"math"

	"greenroom/engine/colour"
	"greenroom/engine/hint"
	"greenroom/engine/picture"
	"greenroom/engine/settings"
)

// takeSpace sets what the plate's numbers mean: what the order says, else what the file was read as, which is told. What
// the artist says goes before what the file carries of its colour, which would contradict it in the outputs.
func (s *Source) takeSpace(o Order) error {
	if o.Space == "" {
		s.Notes = append(s.Notes, s.Header.SpaceNote())
		return nil
	}
	space, err := spaceNamed(o.Space, o.Label())
	if err != nil {
		return err
	}
	s.Plate.Space = space
	if space != s.Header.Space || s.Header.SpaceBy == "" {
		s.Header.ICC, s.Header.CICP = nil, nil
	}
	return nil
}

// spaceNamed returns the space of a name, which is said of a file.
func spaceNamed(name, file string) (colour.Space, error) {
	space := colour.Space(name)
	if err := space.Validate(); err != nil {
		return "", fmt.Errorf("cannot read %s: %w", file, err)
	}
	return space, nil
}

// seen returns the plate as hint and network see it, and by how many stops it is brighter: with its chroma smoothed and
// brightened as the look says, in sRGB within 0..1. A plate in sRGB or in linear Rec.709 that is not brightened stays as
// it is: the same is made of it when it is looked at.
func (s *Source) seen(look settings.Look) (picture.Picture, float64, error) {
	ctx := context.Background()
	px := hint.ChromaSmoothing(look.ChromaSmooth, s.Header.Subsampling)
	if px > 0 && look.ChromaSmooth == settings.ChromaAuto {
		s.Notes = append(s.Notes, fmt.Sprintf("colour has less resolution than brightness (%s): it is smoothed by %v px for hint and network",
			s.Header.Subsampling, px))
	}
	p, err := hint.SmoothChroma(ctx, s.Plate, px)
	stops := look.KeyExposure
	if err != nil || stops == 0 && seenAsItIs(p.Space) {
		return p, stops, err
	}
	c, err := colour.NewConverter(p.Space, colour.SRGB, float32(math.Exp2(stops)))
	if err != nil {
		return picture.Picture{}, 0, err
	}
	if p.RGB, err = picture.Convert(ctx, p.RGB, c); err != nil {
		return picture.Picture{}, 0, err
	}
	p.Space = colour.SRGB
	picture.ParallelRows(p.RGB.H, func(y0, y1 int) {
		for y := y0; y < y1; y++ {
			row := p.RGB.Row(y)
			for i, v := range row {
				row[i] = min(max(v, 0), 1)
			}
		}
	})
	return p, stops, nil
}

// seenAsItIs reports whether hint and network take a space without its being converted before.
func seenAsItIs(s colour.Space) bool { return s == colour.SRGB || s == colour.LinearRec709 }

// seenSamples returns the samples of the screen's colour, which are in the plate's space, as hint and network see them.
func (s *Source) seenSamples() ([]settings.Colour, error) {
	c, err := colour.NewConverter(s.Plate.Space, s.Seen.Space, float32(math.Exp2(s.Exposure)))
	if err != nil || c.Same() {
		return s.Marks.Samples, err
	}
	list := make([]settings.Colour, len(s.Marks.Samples))
	for i, v := range s.Marks.Samples {
		r, g, b := c.Colour(float32(v[0]), float32(v[1]), float32(v[2]))
		list[i] = settings.Colour{float64(r), float64(g), float64(b)}
	}
	return list, nil
}
