package exr

import "encoding/binary"

// huffman unpacks the Huffman code that PIZ and DWA share. A packed block is a head of five 32-bit numbers (the
// first and the last symbol that has a code, the length of the table, the number of bits of the data, nothing),
// the lengths of the codes, and the data, highest bits first. The last symbol is no value: it stands for a run,
// and 8 bits behind it say how many more times the value before it comes.
type huffman struct {
	lengths [huffmanSymbols]uint8
	table   [1 << huffmanBits]uint32 // symbol << 8 | length of its code; 0 for longer codes
	sorted  []int32                  // the symbols of longer codes, by length
	// Of the codes of each length: the first, how many there are, and where they begin in sorted.
	first, count [longestHuffman + 1]uint64
	start        [longestHuffman + 1]int
	longest      uint
}

const (
	huffmanSymbols = 1<<16 + 1
	huffmanBits    = 12
	// longestHuffman is the longest code that is read. The format knows 58 bits, but a code of over 56 bits would
	// take more symbols than a block can hold: 2^38.
	longestHuffman = 56
)

// decode unpacks src into dst, which it must fill.
func (h *huffman) decode(dst []uint16, src []byte) error {
	if len(dst) == 0 && len(src) == 0 {
		return nil
	}
	if len(src) < 20 {
		return errShort
	}
	low, high := binary.LittleEndian.Uint32(src), binary.LittleEndian.Uint32(src[4:])
	bits := uint64(binary.LittleEndian.Uint32(src[12:]))
	if low > high || high >= huffmanSymbols {
		return errCodes
	}
	src, err := h.readLengths(src[20:], low, high)
	if err != nil {
		return err
	}
	if (bits+7)/8 > uint64(len(src)) {
		return errShort
	}
	if err := h.build(low, high); err != nil {
		return err
	}
	return h.symbols(dst, src[:(bits+7)/8], bits, high)
}

// readLengths reads the lengths of the codes of symbols low..high, 6 bits each, and returns what follows. 59 to 62
// stand for 2 to 5 zeros, 63 for 6 and as many as the next 8 bits say.
func (h *huffman) readLengths(src []byte, low, high uint32) ([]byte, error) {
	var held uint64
	var have uint
	at := 0
	take := func(n uint) (uint64, bool) {
		for have < n {
			if at >= len(src) {
				return 0, false
			}
			held = held<<8 | uint64(src[at])
			at++
			have += 8
		}
		have -= n
		return held >> have & (1<<n - 1), true
	}
	clear(h.lengths[:])
	for s := low; s <= high; s++ {
		n, ok := take(6)
		if !ok {
			return nil, errShort
		}
		if n < 59 {
			h.lengths[s] = uint8(n)
			continue
		}
		zeros := uint32(n) - 57
		if n == 63 {
			more, ok := take(8)
			if !ok {
				return nil, errShort
			}
			zeros = uint32(more) + 6
		}
		if zeros > high-s+1 {
			return nil, errCodes
		}
		s += zeros - 1
	}
	return src[at:], nil
}

// build makes the tables. Codes are canonical: of the same length they rise with their symbols, and shorter ones
// are greater than the beginnings of longer ones.
func (h *huffman) build(low, high uint32) error {
	clear(h.count[:])
	h.longest = 0
	for _, n := range h.lengths[low : high+1] {
		if n > longestHuffman {
			return errCodes
		}
		h.count[n]++
		h.longest = max(h.longest, uint(n))
	}
	h.count[0] = 0
	code := uint64(0)
	for n := longestHuffman; n > 0; n-- {
		h.first[n] = code
		if code+h.count[n] > 1<<n {
			return errCodes
		}
		code = (code + h.count[n]) >> 1
	}
	long := 0
	for n := huffmanBits + 1; n <= longestHuffman; n++ {
		h.start[n] = long
		long += int(h.count[n])
	}
	h.sorted = resize(h.sorted, long)
	clear(h.table[:])
	var given [longestHuffman + 1]uint64
	for s := low; s <= high; s++ {
		n := h.lengths[s]
		if n == 0 {
			continue
		}
		nth := given[n]
		given[n]++
		if n > huffmanBits {
			h.sorted[h.start[n]+int(nth)] = int32(s)
			continue
		}
		at := (h.first[n] + nth) << (huffmanBits - n)
		e := s<<8 | uint32(n)
		part := h.table[at : at+1<<(huffmanBits-n)]
		for i := range part {
			part[i] = e
		}
	}
	return nil
}

// symbols unpacks the data, of so many bits, into dst.
func (h *huffman) symbols(dst []uint16, src []byte, bits uint64, run uint32) error {
	var held uint64 // the next bit is the highest
	var have uint
	left := int64(bits)
	at, out := 0, 0
	for out < len(dst) {
		if at+8 <= len(src) {
			held |= binary.BigEndian.Uint64(src[at:]) >> (have & 63)
			at += int(63-have) >> 3
			have |= 56
		} else {
			for have <= 56 && at < len(src) {
				held |= uint64(src[at]) << (56 - have)
				at++
				have += 8
			}
		}
		e := h.table[held>>(64-huffmanBits)]
		n, symbol := uint(e&255), e>>8
		if n == 0 {
			var ok bool
			if n, symbol, ok = h.long(held); !ok {
				return errCode
			}
		}
		held <<= n & 63
		have -= min(have, n)
		left -= int64(n)
		if symbol != run {
			if left < 0 {
				return errShort
			}
			dst[out] = uint16(symbol)
			out++
			continue
		}
		if have < 8 && at < len(src) {
			// After a long code: the count needs bits that have not been fetched.
			held |= uint64(src[at]) << (56 - have)
			at++
			have += 8
		}
		times := int(held >> 56)
		held <<= 8
		have -= min(have, 8)
		if left -= 8; left < 0 {
			return errShort
		}
		if out == 0 || times > len(dst)-out {
			return errCode
		}
		v := dst[out-1]
		for range times {
			dst[out] = v
			out++
		}
	}
	return nil
}

// long finds a code that is longer than the table's.
func (h *huffman) long(held uint64) (length uint, symbol uint32, ok bool) {
	for n := uint(huffmanBits + 1); n <= h.longest; n++ {
		code := held >> (64 - n)
		if code >= h.first[n] && code-h.first[n] < h.count[n] {
			return n, uint32(h.sorted[h.start[n]+int(code-h.first[n])]), true
		}
	}
	return 0, 0, false
}
