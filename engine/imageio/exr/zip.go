package exr

import "encoding/binary"

// zip unpacks a ZIP or ZIPS block: Deflate, then differences, then the halves of 16-bit numbers.
func (u *unpacker) zip() error {
	u.bytes = resize(u.bytes, len(u.out))
	if err := u.deflate.exactly(u.bytes, u.packed); err != nil {
		return err
	}
	sumUp(u.bytes)
	interleave(u.out, u.bytes)
	return nil
}

// rle unpacks an RLE block: runs, then differences, then the halves of 16-bit numbers.
func (u *unpacker) rle() error {
	u.bytes = resize(u.bytes, len(u.out))
	if err := expandRuns(u.bytes, u.packed); err != nil {
		return err
	}
	sumUp(u.bytes)
	interleave(u.out, u.bytes)
	return nil
}

// expandRuns undoes run lengths: n < 0 stands before -n bytes as they are, n >= 0 before one that is meant n + 1
// times. It must come to just dst's length.
func expandRuns(dst, src []byte) error {
	for len(src) > 0 {
		n := int(int8(src[0]))
		src = src[1:]
		if n < 0 {
			n = -n
			if n > len(src) || n > len(dst) {
				return errShort
			}
			copy(dst, src[:n])
			src = src[n:]
		} else {
			n++
			if len(src) < 1 || n > len(dst) {
				return errShort
			}
			v := src[0]
			for i := range dst[:n] {
				dst[i] = v
			}
			src = src[1:]
		}
		dst = dst[n:]
	}
	if len(dst) > 0 {
		return errShort
	}
	return nil
}

// sumUp undoes differences: each byte but the first is stored as its difference from the one before, plus 128.
func sumUp(b []byte) {
	// Eight bytes at once: each becomes the sum of those up to it, in three steps of doubling reach. Taking 128
	// away is, modulo 256, to flip the highest bit.
	const low7, high = 0x7f7f7f7f7f7f7f7f, 0x8080808080808080
	add := func(a, b uint64) uint64 { return (a&low7 + b&low7) ^ (a^b)&high }
	last := uint64(128) // before the first, so that it stays what it is
	for ; len(b) >= 8; b = b[8:] {
		v := binary.LittleEndian.Uint64(b) ^ high
		v = add(v, v<<8)
		v = add(v, v<<16)
		v = add(v, v<<32)
		v = add(v, last*0x0101010101010101)
		last = v >> 56
		binary.LittleEndian.PutUint64(b, v)
	}
	t := byte(last)
	for i := range b {
		t += b[i] ^ 128
		b[i] = t
	}
}

// interleave puts the first half of src on the even bytes of dst and the second on the odd ones.
func interleave(dst, src []byte) {
	half := (len(src) + 1) / 2
	low, high := src[:half], src[half:]
	low = low[:len(high)]
	for i := range high {
		binary.LittleEndian.PutUint16(dst[2*i:2*i+2], uint16(low[i])|uint16(high[i])<<8)
	}
	if len(src)%2 == 1 {
		dst[len(dst)-1] = src[half-1]
	}
}
