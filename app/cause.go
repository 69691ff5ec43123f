package app

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"

	"greenroom/engine/settings"
)

// cause is all that decides what the network makes of a plate: keys of one cause are the same key.
type cause struct {
	// plate is the SHA-256 of the plate's file, empty for the sample; space and layer are how it was read.
	plate, space, layer string
	// hint is the fingerprint of the hint and of the plate as the network sees it.
	hint string
	// model is the SHA-256 of the weights.
	model string
	// sight are the settings that the network sees.
	sight settings.Settings
}

// sight returns settings with nothing but what changes what the network sees and how it computes; the others change
// only time and memory.
func sight(s settings.Settings) settings.Settings {
	if s.Tile == 0 {
		s.Overlap = 0
	}
	if !s.BF16 {
		s.Half = 0
	}
	return settings.Settings{Tile: s.Tile, Overlap: s.Overlap, Frame: s.Frame, Refine: s.Refine, BF16: s.BF16, Half: s.Half}
}

// cause returns the cause of a key that would be made now; ok is false while that is not known.
func (s *State) cause() (c cause, ok bool) {
	if s.Plate == nil || s.Hint == nil || s.FindingHint || s.Model == nil || s.Plan == nil || s.Planning || s.Plan.Err != nil {
		return cause{}, false
	}
	return s.causeOf(s.Model.Hash, s.Plan.Settings), true
}

// causeOf returns the cause of a key of the plate and hint of now.
func (s *State) causeOf(model string, by settings.Settings) cause {
	c := cause{
		plate: s.Plate.Source.PlateFile.SHA256, space: string(s.Plate.Source.Plate.Space), hint: s.Hint.print,
		model: model, sight: sight(by),
	}
	if exr := s.Plate.Source.Header.EXR; exr != nil {
		c.layer = exr.Layer
	}
	return c
}

// fingerprint tells a hint, with the plate as the network sees it, from others.
func (h *Hint) fingerprint() string {
	sum := sha256.New()
	look, source := h.Choices.Look, h.Source
	var b []byte
	for _, v := range []float64{source.Exposure, look.ChromaSmooth, look.KeyExposure} {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	sum.Write(append(b, source.Screen...))
	for y := range source.Hint.H {
		b = b[:0]
		for _, v := range source.Hint.Row(y) {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
		}
		sum.Write(b)
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}
