package app

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
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

// fingerprint tells a hint, with the plate as the network sees it, from others of the same plate: by all that it was made
// of, which is little beside its pixels.
func (h *Hint) fingerprint() string {
	of, source := settings.Choices{}.WithHintOf(h.Choices), h.Source
	// The file counts by what is in it, and what the other kind of hint is made of does not count.
	of.Hint, of.Chroma, of.Edit.Channel, of.Look.Screen = "", false, source.Channel, source.Screen
	if source.From != "" {
		of.Marks.Samples, of.Edit.Strength = nil, 0
	}
	// There may be many strokes, and each of them comes with a new hint.
	var strokes []byte
	for _, s := range of.Marks.Hint {
		strokes = binary.LittleEndian.AppendUint64(strokes, uint64(len(s.Points)))
		for _, v := range []float64{s.Size, s.Softness, s.Value} {
			strokes = binary.LittleEndian.AppendUint64(strokes, math.Float64bits(v))
		}
		for _, p := range s.Points {
			strokes = binary.LittleEndian.AppendUint64(strokes, math.Float64bits(p.X))
			strokes = binary.LittleEndian.AppendUint64(strokes, math.Float64bits(p.Y))
		}
	}
	of.Marks.Hint = nil
	sum := sha256.New()
	sum.Write(strokes)
	fmt.Fprintf(sum, "%v %s %v", of, source.HintFile.SHA256, source.Exposure)
	return hex.EncodeToString(sum.Sum(nil)[:16])
}
