package exr

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"math"
	"testing"

	"greenroom/engine/picture/half"
)

// pack packs a block whose bytes lie by lines.
func (p testPart) pack(t testing.TB, b *block, raw []byte) []byte {
	switch p.compression {
	case None:
		return raw
	case RLE:
		return packRuns(differences(raw))
	case ZIPS, ZIP:
		return deflated(t, differences(raw))
	case PIZ:
		return packPIZ(b, planes(b, raw))
	case PXR24:
		return packPXR24(t, b, raw)
	case B44, B44A:
		return packB44(b, planes(b, raw), p.compression == B44A)
	}
	return packDWA(t, b, planes(b, raw), p.acByDeflate, p.oldDWA)
}

func differences(raw []byte) []byte {
	apart := make([]byte, len(raw))
	separate(apart, raw)
	takeDifferences(apart)
	return apart
}

func deflated(t testing.TB, b []byte) []byte {
	var out bytes.Buffer
	z := zlib.NewWriter(&out)
	if _, err := z.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// packRuns packs bytes as runs of three or more, and the rest as it is.
func packRuns(b []byte) (out []byte) {
	plain := []byte{}
	flush := func() {
		if len(plain) > 0 {
			out = append(append(out, byte(-len(plain))), plain...)
			plain = plain[:0]
		}
	}
	for len(b) > 0 {
		n := 1
		for n < len(b) && n < 128 && b[n] == b[0] {
			n++
		}
		if n >= 3 {
			flush()
			out = append(out, byte(n-1), b[0])
			b = b[n:]
			continue
		}
		if plain = append(plain, b[0]); len(plain) == 127 {
			flush()
		}
		b = b[1:]
	}
	flush()
	return out
}

// planes returns a block's bytes channel by channel.
func planes(b *block, raw []byte) []byte {
	out := make([]byte, 0, len(raw))
	for c := range b.channels {
		for y := range b.rows() {
			if at := b.offset(c, y); at >= 0 {
				out = append(out, raw[at:at+b.channels[c].w*b.channels[c].Type.bytes()]...)
			}
		}
	}
	return out
}

func packPXR24(t testing.TB, b *block, raw []byte) []byte {
	var out []byte
	for y := range b.rows() {
		for i, c := range b.channels {
			at := b.offset(i, y)
			if at < 0 {
				continue
			}
			n := packedPXR24(c.Type)
			row := make([]byte, n*c.w)
			before := uint32(0)
			for x := range c.w {
				var v uint32
				switch c.Type {
				case Half:
					v = uint32(binary.LittleEndian.Uint16(raw[at+2*x:])) << 16
				case Float:
					v = binary.LittleEndian.Uint32(raw[at+4*x:]) &^ 0xff
				default:
					v = binary.LittleEndian.Uint32(raw[at+4*x:])
				}
				d := v - before
				before = v
				for k := range n {
					row[k*c.w+x] = byte(d >> (24 - 8*k))
				}
			}
			out = append(out, row...)
		}
	}
	return deflated(t, out)
}

// packB44 packs halves in squares with the least shift that holds the differences, which loses bits where it is not 0.
func packB44(b *block, planes []byte, flat bool) (out []byte) {
	for _, c := range b.channels {
		src := planes[c.first : c.first+c.size()]
		if c.Type != Half {
			out = append(out, src...)
			continue
		}
		for y := 0; y < c.h; y += 4 {
			for x := 0; x < c.w; x += 4 {
				var square [16]uint16
				for i := range square {
					// Beyond the edge the last value is repeated.
					at := min(y+i/4, c.h-1)*c.w + min(x+i%4, c.w-1)
					h := binary.LittleEndian.Uint16(src[2*at:])
					if c.Perceptual {
						h = half.Float16(float32(math.Exp(float64(half.FromFloat16(h)) / 8)))
					}
					if h&0x8000 != 0 {
						square[i] = ^h
					} else {
						square[i] = h | 0x8000
					}
				}
				out = append(out, packSquare(square, flat)...)
			}
		}
	}
	return out
}

func packSquare(v [16]uint16, flat bool) []byte {
	same := true
	for _, s := range v {
		same = same && s == v[0]
	}
	if same && flat {
		return []byte{byte(v[0] >> 8), byte(v[0]), 0xfc}
	}
	for shift := uint(0); ; shift++ {
		var d [15]int
		fits := true
		low := v
		for i := range low {
			low[i] = v[i] >> shift
		}
		at := 0
		difference := func(a, b uint16) {
			d[at] = int(a) - int(b) + 32
			fits = fits && d[at] >= 0 && d[at] < 64
			at++
		}
		for y := 1; y < 4; y++ {
			difference(low[4*y], low[4*y-4])
		}
		for x := 1; x < 4; x++ {
			for y := range 4 {
				difference(low[4*y+x], low[4*y+x-1])
			}
		}
		if !fits {
			continue
		}
		first := low[0] << shift
		out := []byte{byte(first >> 8), byte(first)}
		bits, have := uint64(shift), 6
		for _, n := range d {
			bits, have = bits<<6|uint64(n), have+6
			for have >= 8 {
				have -= 8
				out = append(out, byte(bits>>have))
			}
		}
		return out
	}
}
