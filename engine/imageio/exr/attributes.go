package exr

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
)

// Bounds on headers. Real files stay far under them.
const (
	nameLimit      = 255
	textLimit      = 1 << 20
	channelLimit   = 4096
	attributeLimit = 1 << 16
	partLimit      = 4096
)

// takers notes the attributes that matter; b is an attribute's value. Those that have another type than they
// should are passed over, so that a required one is found missing.
var takers = map[string]func(p *header, kind string, b []byte) error{
	"channels": func(p *header, kind string, b []byte) (err error) {
		p.part.Channels, err = readChannels(b)
		return err
	},
	"compression": func(p *header, kind string, b []byte) error {
		if len(b) != 1 {
			return damaged("the OpenEXR header is damaged: its compression is %d bytes long", len(b))
		}
		p.compression = b[0]
		return nil
	},
	"dataWindow":    func(p *header, kind string, b []byte) error { return readBox(&p.part.Data, b) },
	"displayWindow": func(p *header, kind string, b []byte) error { return readBox(&p.part.Display, b) },
	"pixelAspectRatio": func(p *header, kind string, b []byte) error {
		if len(b) == 4 {
			if a := readFloat(b); a > 0.01 && a < 100 {
				p.part.PixelAspect = a
			}
		}
		return nil
	},
	"chromaticities": func(p *header, kind string, b []byte) error {
		if len(b) == 32 {
			var c Chromaticities
			for i := range c {
				c[i] = readFloat(b[4*i:])
			}
			p.part.Chromaticities = &c
		}
		return nil
	},
	"name":       func(p *header, kind string, b []byte) error { return readText(&p.part.Name, kind, b) },
	"view":       func(p *header, kind string, b []byte) error { return readText(&p.part.View, kind, b) },
	"type":       func(p *header, kind string, b []byte) error { return readText(&p.kind, kind, b) },
	"tiles":      func(p *header, kind string, b []byte) error { p.tiles = b; return nil },
	"chunkCount": func(p *header, kind string, b []byte) error { return readCount(&p.part.chunks, b) },
}

func readFloat(b []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b)) }

func readInt(b []byte) int32 { return int32(binary.LittleEndian.Uint32(b)) }

func readCount(n *int64, b []byte) error {
	if len(b) == 4 {
		*n = int64(readInt(b))
	}
	return nil
}

// readText takes a string, without what follows a zero byte.
func readText(s *string, kind string, b []byte) error {
	if kind == "string" {
		*s, _, _ = strings.Cut(string(b), "\x00")
	}
	return nil
}

// takeText returns what notes the string attribute of a name.
func takeText(name string) func(p *header, kind string, b []byte) error {
	return func(p *header, kind string, b []byte) error {
		var s string
		if err := readText(&s, kind, b); err != nil || s == "" {
			return err
		}
		if p.part.Text == nil {
			p.part.Text = map[string]string{}
		}
		p.part.Text[name] = s
		return nil
	}
}

func readBox(box *Box, b []byte) error {
	if len(b) != 16 {
		return damaged("the OpenEXR header is damaged: a window is %d bytes long", len(b))
	}
	*box = Box{readInt(b), readInt(b[4:]), readInt(b[8:]), readInt(b[12:])}
	return nil
}

// readChannels reads a list of channels, which ends with an empty name.
func readChannels(b []byte) ([]Channel, error) {
	wrong := damaged("the OpenEXR header is damaged: its list of channels is broken")
	var channels []Channel
	for {
		name, _, ok := strings.Cut(string(b[:min(len(b), nameLimit+1)]), "\x00")
		if !ok {
			return nil, wrong
		}
		if name == "" {
			break
		}
		if b = b[len(name)+1:]; len(b) < 16 {
			return nil, wrong
		}
		c := Channel{
			Name: name, Type: PixelType(readInt(b)), Perceptual: b[4] != 0,
			XSampling: int(readInt(b[8:])), YSampling: int(readInt(b[12:])),
		}
		if c.Type < Uint || c.Type > Float {
			return nil, damaged("the OpenEXR header is damaged: its channel %q has the unknown type %d", name, c.Type)
		}
		if c.XSampling < 1 || c.YSampling < 1 {
			return nil, damaged("the OpenEXR header is damaged: its channel %q has no sensible sampling", name)
		}
		if channels = append(channels, c); len(channels) > channelLimit {
			return nil, unsupported("OpenEXR of more than %d channels", channelLimit)
		}
		b = b[16:]
	}
	// Pixels are stored in the order of the names, in whatever order a writer has listed them.
	slices.SortFunc(channels, func(a, b Channel) int { return strings.Compare(a.Name, b.Name) })
	for i := 1; i < len(channels); i++ {
		if channels[i].Name == channels[i-1].Name {
			return nil, damaged("the OpenEXR header is damaged: it lists the channel %q twice", channels[i].Name)
		}
	}
	return channels, nil
}
