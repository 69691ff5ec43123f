package views

// Channel is what of a picture is looked at.
type Channel int

// The channels.
const (
	ChannelRGB Channel = iota
	ChannelRed
	ChannelGreen
	ChannelBlue
	// ChannelAlpha is the key's matte, whatever the view; a hint has no other channel than itself.
	ChannelAlpha
	// ChannelLuminance is the luminance of linear light by the weights of Rec.709.
	ChannelLuminance
)

// Channels lists every channel in the order of their buttons.
func Channels() []Channel {
	return []Channel{ChannelRGB, ChannelRed, ChannelGreen, ChannelBlue, ChannelAlpha, ChannelLuminance}
}

// MatteGain is how a matte's faint values are made visible.
type MatteGain int

const (
	// GainNone shows mattes as they are.
	GainNone MatteGain = iota
	// GainBlacks shows sixteen times the matte: what should be black.
	GainBlacks
	// GainWhites shows a matte sixteen times as far from 1 as it is: what should be white.
	GainWhites
)

// slam is the factor of a matte's gain.
const slam = 16

// apply returns what is shown of a matte of 0..full; it may lie outside.
func (g MatteGain) apply(v float32) float32 {
	switch g {
	case GainBlacks:
		return v * slam
	case GainWhites:
		return full - (full-v)*slam
	}
	return v
}

// The weights of luminance (ITU-R BT.709).
const lumaRed, lumaGreen, lumaBlue = 0.2126, 0.7152, 0.0722

// shader writes colours for the display by a look.
type shader struct {
	channel Channel
	// table shows the colour's own numbers; light shows linear light, of which luminance is made.
	table, light *shadeTable
	// decode makes linear light of the numbers; nil where they are that.
	decode *curveTable
}

// shader returns what shows numbers, linear or sRGB-encoded, by the look.
func (f frame) shader(linear bool) shader {
	s := shader{channel: f.look.Channel}
	s.table = f.shades.table(f.shading(linear))
	if s.channel == ChannelLuminance {
		s.light = s.table
		if !linear {
			s.light, s.decode = f.shades.table(f.shading(true)), f.decoding
		}
	}
	return s
}

// shading is what becomes of numbers until they are on the display.
func (f frame) shading(linear bool) shading {
	s := shading{linear: linear, tone: f.look.Tone}
	if f.look.View == ViewSeen {
		s.clamped, s.stops = true, f.seenStops()
	}
	return s
}

// row writes a row of colours; alpha is as in colourRow.
func (s *shader) row(l line, alpha uint32, out []uint8) {
	quads := l.quads()
	s.show(quads, alpha, out)
	if alpha == 0 {
		for i := range quads {
			out[4*i+3] = uint8(clip(quads[i][3])/256 + 0.5)
		}
	}
}

// show writes colours with an alpha, which is in the bits above the colour's.
func (s *shader) show(quads []quad, alpha uint32, out []uint8) {
	out = out[:4*len(quads)]
	switch s.channel {
	case ChannelRed, ChannelGreen, ChannelBlue:
		c := int(s.channel - ChannelRed)
		for i := range quads {
			v := s.table.at(quads[i][c])
			put(out[4*i:4*i+4], v, v, v, alpha)
		}
	case ChannelLuminance:
		for i := range quads {
			q := &quads[i]
			red, green, blue := q[0], q[1], q[2]
			if s.decode != nil {
				red, green, blue = s.decode.at(red), s.decode.at(green), s.decode.at(blue)
			}
			v := s.light.at(lumaRed*red + lumaGreen*green + lumaBlue*blue)
			put(out[4*i:4*i+4], v, v, v, alpha)
		}
	default:
		t := s.table
		for i := range quads {
			q := &quads[i]
			put(out[4*i:4*i+4], t.at(q[0]), t.at(q[1]), t.at(q[2]), alpha)
		}
	}
}
