package exr

import (
	"encoding/binary"
	"math"

	"greenroom/engine/picture/half"
)

// b44 unpacks a B44 or B44A block: halves in squares of 4 x 4 that take 14 bytes, or 3 where all are equal. Other
// types are stored as they are.
func (u *unpacker) b44() error {
	src := u.packed
	for i := range u.block.channels {
		c := &u.block.channels[i]
		dst := u.out[c.first : c.first+c.size()]
		if c.Type != Half {
			if len(src) < len(dst) {
				return errShort
			}
			copy(dst, src)
			src = src[len(dst):]
			continue
		}
		var curve []uint16
		if c.Perceptual {
			curve = u.logarithm()
		}
		for y := 0; y < c.h; y += 4 {
			for x := 0; x < c.w; x += 4 {
				var square [16]uint16
				n := unpackSquare(&square, src)
				if n == 0 {
					return errShort
				}
				src = src[n:]
				if curve != nil {
					for k, v := range square {
						square[k] = curve[v]
					}
				}
				wide := min(4, c.w-x)
				for dy := range min(4, c.h-y) {
					row := dst[((y+dy)*c.w+x)*2:]
					for dx := range wide {
						binary.LittleEndian.PutUint16(row[2*dx:], square[4*dy+dx])
					}
				}
			}
		}
	}
	return nil
}

// unpackSquare unpacks the square that src begins with and returns how many bytes it took; 0 if src ends too
// early. First comes the top left value in 16 bits, of which all the order is that of the numbers they stand for;
// then six bits that say by how much the differences were shifted, and fifteen differences of six bits with an
// offset of 32: down the left column, then from column to column. A shift of 13 or more means that all are equal.
func unpackSquare(square *[16]uint16, src []byte) int {
	if len(src) < 3 {
		return 0
	}
	first := binary.BigEndian.Uint16(src)
	shift := uint(src[2] >> 2)
	if shift >= 13 {
		v := unordered(first)
		for i := range square {
			square[i] = v
		}
		return 3
	}
	if len(src) < 14 {
		return 0
	}
	upper := binary.BigEndian.Uint64(src[2:])                                                    // six bits of shift, then nine differences
	lower := uint64(binary.BigEndian.Uint32(src[10:])) | uint64(src[8])<<40 | uint64(src[9])<<32 // the last eight of them
	difference := func(i int) uint16 {
		var six uint64
		if i < 8 {
			six = upper >> (52 - 6*i)
		} else {
			six = lower >> (84 - 6*i)
		}
		return (uint16(six&63) - 32) << shift
	}
	square[0] = first
	for y := 1; y < 4; y++ {
		square[4*y] = square[4*y-4] + difference(y-1)
	}
	for x := 1; x < 4; x++ {
		for y := range 4 {
			square[4*y+x] = square[4*y+x-1] + difference(4*x-1+y)
		}
	}
	for i, v := range square {
		square[i] = unordered(v)
	}
	return 14
}

// unordered returns the half float of a number in which halves have the order of their values.
func unordered(v uint16) uint16 {
	if v&0x8000 != 0 {
		return v &^ 0x8000
	}
	return ^v
}

// logarithm returns, for every half float, eight times its natural logarithm: what undoes the exponential that
// perceptual channels are packed through. What has none, and what is not finite, gives 0.
func (u *unpacker) logarithm() []uint16 {
	if u.tables != nil {
		return u.tables
	}
	u.tables = make([]uint16, 1<<16)
	for i := range 0x7c00 {
		if i > 0 {
			u.tables[i] = half.Float16(float32(8 * math.Log(float64(half.FromFloat16(uint16(i))))))
		}
	}
	return u.tables
}
