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

// channelNames are the labels of Channels; the single letters are keys too.
func channelNames() []string { return []string{"RGB", "R", "G", "B", "A", "Y"} }

// channelWords are Channels in words; all of a picture needs none.
func channelWords() []string { return []string{"", "red", "green", "blue", "alpha", "luminance"} }

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

// put writes a colour.
func (s *shader) put(out []uint8, red, green, blue float32, opaque uint32) {
	switch s.channel {
	case ChannelRed:
		v := s.table.at(red)
		put(out, v, v, v, opaque)
	case ChannelGreen:
		v := s.table.at(green)
		put(out, v, v, v, opaque)
	case ChannelBlue:
		v := s.table.at(blue)
		put(out, v, v, v, opaque)
	case ChannelLuminance:
		if s.decode != nil {
			red, green, blue = s.decode.at(red), s.decode.at(green), s.decode.at(blue)
		}
		v := s.light.at(lumaRed*red + lumaGreen*green + lumaBlue*blue)
		put(out, v, v, v, opaque)
	default:
		put(out, s.table.at(red), s.table.at(green), s.table.at(blue), opaque)
	}
}

// row writes a row of colours; alpha is as in colourRow.
func (s *shader) row(l line, alpha uint32, out []uint8) {
	lower, part := l.lower[:len(l.upper)], l.part
	out = out[:4*len(l.upper)]
	for i := range l.upper {
		a, b := &l.upper[i], &lower[i]
		opaque := alpha
		if opaque == 0 {
			opaque = uint32(clip(a[3]+(b[3]-a[3])*part)/256+0.5) << 24
		}
		s.put(out[4*i:4*i+4], a[0]+(b[0]-a[0])*part, a[1]+(b[1]-a[1])*part, a[2]+(b[2]-a[2])*part, opaque)
	}
}
