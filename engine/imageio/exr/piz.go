package exr

import "encoding/binary"

// piz unpacks a PIZ block: a bitmap of the 16-bit values that occur, then, Huffman-coded, their wavelet transform
// by their places among those that occur. Channels of 32 bits are two 16-bit pictures each.
func (u *unpacker) piz() error {
	src := u.packed
	if len(src) < 4 {
		return errShort
	}
	low, high := int(binary.LittleEndian.Uint16(src)), int(binary.LittleEndian.Uint16(src[2:]))
	src = src[4:]
	if high >= bitmapBytes {
		return errCodes
	}
	var bitmap [bitmapBytes]byte
	if low <= high {
		n := high - low + 1
		if len(src) < n+4 {
			return errShort
		}
		copy(bitmap[low:], src[:n])
		src = src[n:]
	}
	if len(src) < 4 {
		return errShort
	}
	length := int64(int32(binary.LittleEndian.Uint32(src)))
	src = src[4:]
	if length < 0 || length > int64(len(src)) {
		return errShort
	}
	u.words = resize(u.words, u.block.bytes/2)
	if err := u.huffman.decode(u.words, src[:length]); err != nil {
		return err
	}
	values, most := u.occurring(&bitmap)
	for _, c := range u.block.channels {
		words := c.Type.bytes() / 2
		for k := range words {
			undoWavelet(u.words[min(c.first/2+k, len(u.words)):], c.w, words, c.h, c.w*words, most)
		}
	}
	for i, w := range u.words {
		binary.LittleEndian.PutUint16(u.out[2*i:], values[w])
	}
	return nil
}

const bitmapBytes = 1 << 13

// occurring returns the values that a bitmap marks, in their order, zeros behind them, and the place of the last.
// 0 always counts as marked.
func (u *unpacker) occurring(bitmap *[bitmapBytes]byte) (values []uint16, most uint16) {
	u.tables = resize(u.tables, 1<<16)
	n := 0
	for i := range 1 << 16 {
		if i == 0 || bitmap[i>>3]>>(i&7)&1 != 0 {
			u.tables[n] = uint16(i)
			n++
		}
	}
	clear(u.tables[n:])
	return u.tables, uint16(n - 1)
}

// undoWavelet undoes PIZ's two-dimensional Haar transform of w x h values, of which the next across is ox further
// and the next down oy. most is the greatest value there is.
func undoWavelet(v []uint16, w, ox, h, oy int, most uint16) {
	signed := most < 1<<14
	p := 1
	for 4*p <= min(w, h) {
		p <<= 1
	}
	// At step p values lie 2p apart, and those between them are their differences.
	for ; p >= 1 && min(w, h) > 1; p >>= 1 {
		step := 2 * p
		right, down := p*ox, p*oy
		for y := 0; y+step <= h; y += step {
			row := y * oy
			x := 0
			for ; x+step <= w; x += step {
				i := row + x*ox
				a, c := join(signed, v[i], v[i+down])
				b, d := join(signed, v[i+right], v[i+down+right])
				v[i], v[i+right] = join(signed, a, b)
				v[i+down], v[i+down+right] = join(signed, c, d)
			}
			if w&p != 0 {
				i := row + x*ox
				v[i], v[i+down] = join(signed, v[i], v[i+down])
			}
		}
		if h&p != 0 {
			row := h &^ (step - 1) * oy
			for x := 0; x+step <= w; x += step {
				i := row + x*ox
				v[i], v[i+right] = join(signed, v[i], v[i+right])
			}
		}
	}
}

// join returns the two values of which mean and difference are stored: in signed numbers where the values leave room
// for it, else modulo 2^16.
func join(signed bool, mean, difference uint16) (a, b uint16) {
	if signed {
		a = mean + difference&1 + uint16(int16(difference)>>1)
		return a, a - difference
	}
	b = mean - difference>>1
	return difference + b - 0x8000, b
}
