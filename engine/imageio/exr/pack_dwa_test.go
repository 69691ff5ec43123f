package exr

import (
	"encoding/binary"
	"math"
	"testing"

	"greenroom/engine/picture/half"
)

// packDWA packs a block whose bytes lie by planes, without quantising: R, G and B as one, Y alone, A as runs, the rest
// by Deflate.
func packDWA(t testing.TB, b *block, planes []byte, byDeflate, old bool) []byte {
	scheme := func(name string) dwaScheme {
		switch name {
		case "R", "G", "B", "Y":
			return dwaDCT
		case "A":
			return dwaRuns
		}
		return dwaDeflate
	}
	at := map[string]*blockChannel{}
	var plain, runs []byte
	for i := range b.channels {
		c := &b.channels[i]
		at[c.Name] = c
		src := planes[c.first : c.first+c.size()]
		switch scheme(c.Name) {
		case dwaDeflate:
			plain = append(plain, src...)
		case dwaRuns:
			for k := range c.Type.bytes() {
				for i := k; i < len(src); i += c.Type.bytes() {
					runs = append(runs, src[i])
				}
			}
		}
	}
	var dc [][]uint16
	var ac []uint16
	encode := func(channels ...*blockChannel) {
		first := len(dc)
		dc = append(dc, make([][]uint16, len(channels))...)
		c := channels[0]
		for y := 0; y < c.h; y += 8 {
			for x := 0; x < c.w; x += 8 {
				var v [3][64]float64
				for k, c := range channels {
					v[k] = perceptual(c, planes, x, y)
				}
				if len(channels) == 3 {
					for i := range 64 {
						r, g, b := v[0][i], v[1][i], v[2][i]
						// ITU-R BT.709.
						luma := 0.2126*r + 0.7152*g + 0.0722*b
						v[0][i], v[1][i], v[2][i] = luma, (b-luma)/1.8556, (r-luma)/1.5748
					}
				}
				for k := range channels {
					coefficients := forwardDCT(&v[k])
					dc[first+k] = append(dc[first+k], half.Float16(float32(coefficients[0])))
					ac = append(ac, acOf(&coefficients)...)
				}
			}
		}
	}
	if at["R"] != nil && at["G"] != nil && at["B"] != nil {
		encode(at["R"], at["G"], at["B"])
	}
	if at["Y"] != nil {
		encode(at["Y"])
	}
	var means []byte
	count := 0
	for _, plane := range dc {
		for _, v := range plane {
			means = binary.LittleEndian.AppendUint16(means, v)
			count++
		}
	}
	var head [dwaHead]uint64
	head[dwaVersion] = 2
	var parts [4][]byte
	if len(plain) > 0 {
		parts[0] = deflated(t, plain)
	}
	if len(ac) > 0 {
		if byDeflate {
			var raw []byte
			for _, v := range ac {
				raw = binary.LittleEndian.AppendUint16(raw, v)
			}
			parts[1] = deflated(t, raw)
			head[dwaACKind] = 1
		} else {
			parts[1] = packHuffman(ac)
		}
		parts[2] = deflated(t, differences(means))
	}
	if len(runs) > 0 {
		packed := packRuns(runs)
		head[dwaRunsSize] = uint64(len(packed))
		parts[3] = deflated(t, packed)
	}
	head[dwaUnknownSize], head[dwaUnknownPacked] = uint64(len(plain)), uint64(len(parts[0]))
	head[dwaACCount], head[dwaACPacked] = uint64(len(ac)), uint64(len(parts[1]))
	head[dwaDCCount], head[dwaDCPacked] = uint64(count), uint64(len(parts[2]))
	head[dwaRunsRaw], head[dwaRunsPacked] = uint64(len(runs)), uint64(len(parts[3]))
	if old {
		head[dwaVersion] = 1
	}
	var out []byte
	for _, n := range head {
		out = binary.LittleEndian.AppendUint64(out, n)
	}
	if !old {
		var rules []byte
		for i, name := range []string{"R", "G", "B", "Y"} {
			place := byte(i+1) & 3 // Y has none
			for _, kind := range []PixelType{Half, Float} {
				rules = append(append(rules, name...), 0, place<<4|byte(dwaDCT)<<2, byte(kind))
			}
		}
		for _, kind := range []PixelType{Uint, Half, Float} {
			rules = append(rules, 'A', 0, byte(dwaRuns)<<2, byte(kind))
		}
		out = append(binary.LittleEndian.AppendUint16(out, uint16(len(rules)+2)), rules...)
	}
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}

// perceptual returns 8 x 8 values of a channel from x, y on, on DWA's curve; beyond the edge the last are repeated.
func perceptual(c *blockChannel, planes []byte, x, y int) (v [64]float64) {
	for i := range v {
		at := c.first + (min(y+i/8, c.h-1)*c.w+min(x+i%8, c.w-1))*c.Type.bytes()
		var f float64
		if c.Type == Half {
			f = float64(half.FromFloat16(binary.LittleEndian.Uint16(planes[at:])))
		} else {
			f = float64(math.Float32frombits(binary.LittleEndian.Uint32(planes[at:])))
		}
		if f <= 1 {
			v[i] = math.Pow(f, 1/2.2)
		} else {
			v[i] = 1 + math.Log(f)/2.2
		}
	}
	return v
}

// forwardDCT is the orthonormal cosine transform, by its definition, down and then across.
func forwardDCT(v *[64]float64) (out [64]float64) {
	var factors [8][8]float64
	for k := range factors {
		for i := range factors[k] {
			factors[k][i] = math.Cos(float64((2*i+1)*k)*math.Pi/16) * math.Sqrt(2.0/8)
			if k == 0 {
				factors[k][i] = math.Sqrt(1.0 / 8)
			}
		}
	}
	var half [64]float64
	for i := range half {
		for j := range 8 {
			half[i] += factors[i/8][j] * v[8*j+i%8]
		}
	}
	for i := range out {
		for j := range 8 {
			out[i] += factors[i%8][j] * half[i/8*8+j]
		}
	}
	return out
}

// acOf returns the coefficients behind the mean, in their order, zeros as runs.
func acOf(c *[64]float64) (out []uint16) {
	zeros := 0
	for k := 1; k < 64; k++ {
		h := half.Float16(float32(c[zigzag[k]]))
		if math.Abs(c[zigzag[k]]) < 1e-5 || h == 0 {
			zeros++
			continue
		}
		if zeros > 0 {
			out = append(out, 0xff00|uint16(zeros))
			zeros = 0
		}
		out = append(out, h)
	}
	if zeros > 0 {
		out = append(out, 0xff00)
	}
	return out
}
