package exr

import (
	"encoding/binary"
	"math"
	"sync"

	"greenroom/engine/picture/half"
)

// dwaLossy turns coefficients into the channels that are packed by cosine transform: triples first, then the rest.
func (u *unpacker) dwaLossy() error {
	d := u.dwa
	l := lossy{dc: d.dc, ac: d.ac, out: u.out}
	done := make([]bool, len(u.block.channels))
	for _, t := range d.triples {
		if err := l.channels(&u.block, t[:], dwaLinear()); err != nil {
			return err
		}
		done[t[0]], done[t[1]], done[t[2]] = true, true, true
	}
	for i := range u.block.channels {
		if d.schemes[i] != dwaDCT || done[i] {
			continue
		}
		curve := dwaLinear()
		if u.block.channels[i].Perceptual {
			curve = nil
		}
		if err := l.channels(&u.block, []int{i}, curve); err != nil {
			return err
		}
	}
	return nil
}

// lossy holds the coefficients that are still to be used.
type lossy struct {
	dc, ac []uint16
	out    []byte
}

// channels unpacks one channel, or three as luma and two chromas. curve, which may be nil, maps what comes out to
// linear light.
func (l *lossy) channels(b *block, which []int, curve []uint16) error {
	first := &b.channels[which[0]]
	across, down := (first.w+7)/8, (first.h+7)/8
	n := across * down
	if len(l.dc) < n*len(which) {
		return errShort
	}
	var planes [3][64]float32
	for i := range n {
		for k := range which {
			more, err := l.coefficients(&planes[k], l.dc[k*n+i])
			if err != nil {
				return err
			}
			if more {
				inverseDCT(&planes[k])
			} else {
				// Only the mean: the transform of it is the same everywhere, by a factor of 1/sqrt(8) each way.
				v := planes[k][0] * 0.125
				for j := range planes[k] {
					planes[k][j] = v
				}
			}
		}
		if len(which) == 3 {
			fromLuma(&planes)
		}
		for k, c := range which {
			l.put(&b.channels[c], &planes[k], i%across*8, i/across*8, curve)
		}
	}
	l.dc = l.dc[n*len(which):]
	return nil
}

// zigzag is where the coefficients lie in a block, in the order in which they come: by rising frequency, as in JPEG
// (ITU-T T.81, figure 5).
var zigzag = [64]uint8{
	0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
	35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
}

// coefficients fills a block: its mean, then the others as halves until the block is full; 0xff00 ends it early and
// 0xffNN leaves out NN. It reports whether there is any but the mean.
func (l *lossy) coefficients(block *[64]float32, mean uint16) (more bool, err error) {
	*block = [64]float32{half.FromFloat16(mean)}
	for k := 1; k < 64; {
		if len(l.ac) == 0 {
			return false, errShort
		}
		v := l.ac[0]
		l.ac = l.ac[1:]
		switch {
		case v == 0xff00:
			return more, nil
		case v>>8 == 0xff:
			k += int(v & 255)
		default:
			block[zigzag[k]] = half.FromFloat16(v)
			more = true
			k++
		}
	}
	return more, nil
}

// Half the cosines of n pi / 16: the factors of an orthonormal cosine transform of eight values.
var (
	halfCos1 = float32(0.5 * math.Cos(1*math.Pi/16))
	halfCos2 = float32(0.5 * math.Cos(2*math.Pi/16))
	halfCos3 = float32(0.5 * math.Cos(3*math.Pi/16))
	halfCos4 = float32(0.5 * math.Cos(4*math.Pi/16))
	halfCos5 = float32(0.5 * math.Cos(5*math.Pi/16))
	halfCos6 = float32(0.5 * math.Cos(6*math.Pi/16))
	halfCos7 = float32(0.5 * math.Cos(7*math.Pi/16))
)

// inverseDCT undoes the cosine transform (DCT-II, orthonormal) of a block, rows first.
func inverseDCT(b *[64]float32) {
	for y := range 8 {
		inverseDCT8(b, 8*y, 1)
	}
	for x := range 8 {
		inverseDCT8(b, x, 8)
	}
}

// inverseDCT8 undoes the transform of eight values from at on, step apart: the even frequencies are the same on
// both sides of the middle, the odd ones change their sign.
func inverseDCT8(b *[64]float32, at, step int) {
	v := b[at:]
	v0, v1, v2, v3 := v[0], v[step], v[2*step], v[3*step]
	v4, v5, v6, v7 := v[4*step], v[5*step], v[6*step], v[7*step]
	sum, difference := halfCos4*(v0+v4), halfCos4*(v0-v4)
	outer, inner := halfCos2*v2+halfCos6*v6, halfCos6*v2-halfCos2*v6
	even0, even3 := sum+outer, sum-outer
	even1, even2 := difference+inner, difference-inner
	odd0 := halfCos1*v1 + halfCos3*v3 + halfCos5*v5 + halfCos7*v7
	odd1 := halfCos3*v1 - halfCos7*v3 - halfCos1*v5 - halfCos5*v7
	odd2 := halfCos5*v1 - halfCos1*v3 + halfCos7*v5 + halfCos3*v7
	odd3 := halfCos7*v1 - halfCos5*v3 + halfCos3*v5 - halfCos1*v7
	v[0], v[7*step] = even0+odd0, even0-odd0
	v[step], v[6*step] = even1+odd1, even1-odd1
	v[2*step], v[5*step] = even2+odd2, even2-odd2
	v[3*step], v[4*step] = even3+odd3, even3-odd3
}

// fromLuma turns luma and two chromas into red, green and blue, by the weights of Rec.709 (ITU-R BT.709).
func fromLuma(p *[3][64]float32) {
	for i := range 64 {
		y, cb, cr := p[0][i], p[1][i], p[2][i]
		p[0][i] = y + 1.5747*cr
		p[1][i] = y - 0.1873*cb - 0.4682*cr
		p[2][i] = y + 1.8556*cb
	}
}

// put writes a block of 8 x 8 to its place in a channel, as halves on a curve.
func (l *lossy) put(c *blockChannel, block *[64]float32, x0, y0 int, curve []uint16) {
	width := c.Type.bytes()
	wide := min(8, c.w-x0)
	for y := range min(8, c.h-y0) {
		dst := l.out[c.first+((y0+y)*c.w+x0)*width:]
		for x, v := range block[8*y : 8*y+wide] {
			h := half.Float16(v)
			if curve != nil {
				h = curve[h]
			}
			if width == 2 {
				binary.LittleEndian.PutUint16(dst[2*x:], h)
			} else {
				binary.LittleEndian.PutUint32(dst[4*x:], math.Float32bits(half.FromFloat16(h)))
			}
		}
	}
}

// dwaLinear returns, for every half float on the curve that DWA packs values on, the half in linear light: a power of
// 2.2 up to 1 and an exponential that goes on from there, e to the 2.2 (v - 1); negative values mirrored. What is not
// finite gives 0. It is a constant that takes some milliseconds to write down: once is enough.
var dwaLinear = sync.OnceValue(func() []uint16 {
	curve := make([]uint16, 1<<16)
	for i := range 0x7c00 {
		v := float64(half.FromFloat16(uint16(i)))
		if v <= 1 {
			v = math.Pow(v, 2.2)
		} else {
			v = math.Exp(2.2 * (v - 1))
		}
		curve[i] = half.Float16(float32(v))
		curve[i|0x8000] = curve[i] | 0x8000
	}
	return curve
})
