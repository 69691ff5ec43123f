package exr

import (
	"encoding/binary"
	"errors"
	"hash/adler32"
)

// inflater unpacks zlib streams (RFC 1950, RFC 1951) whose unpacked length is known and that lie in memory whole.
// That makes it about three times as fast as compress/zlib, which reads a byte at a time from anything: half of
// the time of reading a ZIP picture is spent here.
type inflater struct {
	literals  [1<<literalBits + literalRoom]uint32
	distances [1<<distanceBits + distanceRoom]uint32
	lengths   [literalCodes + distanceCodes]uint8
}

const (
	// literalBits and distanceBits are the bits that the first table of each kind is looked up by; longer codes
	// go on in tables behind it.
	literalBits, distanceBits = 11, 8
	// The most that the tables behind can take: every long code in a table of its own is far less than this.
	literalRoom, distanceRoom = 1 << 11, 1 << 9
	literalCodes              = 288
	distanceCodes             = 32
	longestCode               = 15
)

// An entry of a table: bits 0-5 the code's length; bits 6-7 what it is; bits 8-12 the number of further bits
// (those that a length or distance adds, or those that the next table is looked up by); bits 16-31 the literal,
// the least length or distance, or where the next table begins. 0 is no code.
const (
	entryValue   = 0 << 6 // a length or distance
	entryLiteral = 1 << 6
	entryEnd     = 2 << 6
	entryTable   = 3 << 6
	entryKind    = 3 << 6
)

var (
	errDeflate  = errors.New("its Deflate data is damaged")
	errChecksum = errors.New("its checksum is wrong")
)

// Lengths and distances: the least that a code stands for, and how many bits are added (RFC 1951, 3.2.5).
var (
	lengthBase = [29]uint16{
		3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
	}
	lengthExtra  = [29]uint8{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0}
	distanceBase = [30]uint16{
		1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073,
		4097, 6145, 8193, 12289, 16385, 24577,
	}
	distanceExtra = [30]uint8{
		0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
	}
	// lengthOrder is the order in which the lengths of the codes for code lengths are given (3.2.7).
	lengthOrder = [19]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}
)

// literalEntry returns the entry of a literal or length code without its code's length.
func literalEntry(symbol int) uint32 {
	switch {
	case symbol < 256:
		return entryLiteral | uint32(symbol)<<16
	case symbol == 256:
		return entryEnd
	case symbol-257 < len(lengthBase):
		i := symbol - 257
		return entryValue | uint32(lengthExtra[i])<<8 | uint32(lengthBase[i])<<16
	}
	return 0
}

// distanceEntry returns the entry of a distance code without its code's length.
func distanceEntry(symbol int) uint32 {
	if symbol < len(distanceBase) {
		return entryValue | uint32(distanceExtra[symbol])<<8 | uint32(distanceBase[symbol])<<16
	}
	return 0
}

// exactly unpacks the zlib stream src into dst, which it must fill.
func (z *inflater) exactly(dst, src []byte) error {
	n, err := z.inflate(dst, src)
	if err == nil && n < len(dst) {
		err = errShort
	}
	return err
}

// inflate unpacks the zlib stream src into dst and returns how many bytes it gave. It is an error if dst cannot
// hold them.
func (z *inflater) inflate(dst, src []byte) (int, error) {
	if len(src) < 6 {
		return 0, errShort
	}
	head := binary.BigEndian.Uint16(src)
	if head>>8&15 != 8 || head%31 != 0 || head&0x20 != 0 {
		return 0, errDeflate
	}
	b := bitReader{src: src, at: 2}
	out := 0
	for last := false; !last; {
		b.fill()
		last = b.take(1) == 1
		var err error
		switch b.take(2) {
		case 0:
			out, err = b.stored(dst, out)
		case 1:
			if err = z.fixed(); err == nil {
				out, err = z.codes(&b, dst, out)
			}
		case 2:
			if err = z.dynamic(&b); err == nil {
				out, err = z.codes(&b, dst, out)
			}
		default:
			err = errDeflate
		}
		if err != nil {
			return out, err
		}
		if b.over {
			return out, errShort
		}
	}
	b.align()
	if b.at+4 > len(src) {
		return out, errShort
	}
	if binary.BigEndian.Uint32(src[b.at:]) != adler32.Checksum(dst[:out]) {
		return out, errChecksum
	}
	return out, nil
}

// bitReader gives bits, lowest first. What is asked for beyond the end is zero, and over then says so.
type bitReader struct {
	src  []byte
	at   int
	held uint64
	have uint
	over bool
}

// fill holds at least 56 bits where there are as many.
func (b *bitReader) fill() {
	for b.have <= 56 && b.at < len(b.src) {
		b.held |= uint64(b.src[b.at]) << b.have
		b.at++
		b.have += 8
	}
}

func (b *bitReader) take(n uint) uint64 {
	if n > b.have {
		b.over = true
		b.have = n
	}
	v := b.held & (1<<n - 1)
	b.held >>= n
	b.have -= n
	return v
}

// align goes to the next whole byte that is not used yet.
func (b *bitReader) align() {
	b.at -= int(b.have / 8)
	b.held, b.have = 0, 0
}

// stored copies a block that is not packed.
func (b *bitReader) stored(dst []byte, out int) (int, error) {
	b.align()
	if b.at+4 > len(b.src) {
		return out, errShort
	}
	n := int(binary.LittleEndian.Uint16(b.src[b.at:]))
	if n != int(^binary.LittleEndian.Uint16(b.src[b.at+2:])) {
		return out, errDeflate
	}
	b.at += 4
	if n > len(b.src)-b.at {
		return out, errShort
	}
	if n > len(dst)-out {
		return out, errPacked
	}
	copy(dst[out:], b.src[b.at:b.at+n])
	b.at += n
	return out + n, nil
}

// fixed builds the tables of a block with the format's own codes (3.2.6).
func (z *inflater) fixed() error {
	l := z.lengths[:literalCodes]
	for i := range l {
		switch {
		case i < 144:
			l[i] = 8
		case i < 256:
			l[i] = 9
		case i < 280:
			l[i] = 7
		default:
			l[i] = 8
		}
	}
	if err := buildTable(z.literals[:], literalBits, l, literalEntry); err != nil {
		return err
	}
	d := z.lengths[:distanceCodes]
	for i := range d {
		d[i] = 5
	}
	return buildTable(z.distances[:], distanceBits, d, distanceEntry)
}

// dynamic reads the tables of a block with its own codes (3.2.7).
func (z *inflater) dynamic(b *bitReader) error {
	b.fill()
	literals, distances, n := int(b.take(5))+257, int(b.take(5))+1, int(b.take(4))+4
	if literals > 286 || distances > 30 {
		return errDeflate
	}
	var first [19]uint8
	for _, i := range lengthOrder[:n] {
		b.fill()
		first[i] = uint8(b.take(3))
	}
	// The table of literals is free until the end: it serves for the lengths as well.
	if err := buildTable(z.literals[:], 7, first[:], func(s int) uint32 { return entryLiteral | uint32(s)<<16 }); err != nil {
		return err
	}
	lengths := z.lengths[:literals+distances]
	for i := 0; i < len(lengths); {
		b.fill()
		e := z.literals[b.held&127]
		if e == 0 || b.over {
			return errDeflate
		}
		b.take(uint(e & 63))
		symbol := e >> 16
		if symbol < 16 {
			lengths[i] = uint8(symbol)
			i++
			continue
		}
		var repeat int
		var value uint8
		switch symbol {
		case 16:
			if i == 0 {
				return errDeflate
			}
			repeat, value = int(b.take(2))+3, lengths[i-1]
		case 17:
			repeat = int(b.take(3)) + 3
		default:
			repeat = int(b.take(7)) + 11
		}
		if repeat > len(lengths)-i {
			return errDeflate
		}
		for range repeat {
			lengths[i] = value
			i++
		}
	}
	if lengths[256] == 0 {
		return errDeflate // it could never end
	}
	if err := buildTable(z.literals[:], literalBits, lengths[:literals], literalEntry); err != nil {
		return err
	}
	return buildTable(z.distances[:], distanceBits, lengths[literals:], distanceEntry)
}

// buildTable fills the table for the codes whose lengths are given (3.2.2). Codes that are too many are an error;
// too few leave gaps, which are errors when they are met.
func buildTable(table []uint32, bits uint, lengths []uint8, entry func(symbol int) uint32) error {
	var count, next [longestCode + 2]int
	for _, n := range lengths {
		count[n]++
	}
	count[0] = 0
	code := 0
	for n := 1; n <= longestCode; n++ {
		code = (code + count[n-1]) << 1
		next[n] = code
		if code+count[n] > 1<<n {
			return errDeflate
		}
	}
	clear(table[:1<<bits])
	free := 1 << bits // where the next table behind can begin
	longest := uint(0)
	for n := uint(1); n <= longestCode; n++ {
		if count[n] > 0 {
			longest = n
		}
	}
	for symbol, n := range lengths {
		if n == 0 {
			continue
		}
		code := reversed(next[n], uint(n))
		next[n]++
		e := entry(symbol)
		if e == 0 {
			continue
		}
		if uint(n) <= bits {
			for i := code; i < 1<<bits; i += 1 << n {
				table[i] = e | uint32(n)
			}
			continue
		}
		at := code & (1<<bits - 1)
		more := longest - bits
		if table[at] == 0 {
			if free+1<<more > len(table) {
				return errDeflate
			}
			clear(table[free : free+1<<more])
			table[at] = entryTable | uint32(bits) | uint32(more)<<8 | uint32(free)<<16
			free += 1 << more
		}
		behind := table[table[at]>>16:][:1<<more]
		for i := code >> bits; i < len(behind); i += 1 << (uint(n) - bits) {
			behind[i] = e | (uint32(n) - uint32(bits))
		}
	}
	return nil
}

// reversed returns the lowest n bits of a code in the other order, which is how they come.
func reversed(code int, n uint) int {
	r := 0
	for range n {
		r = r<<1 | code&1
		code >>= 1
	}
	return r
}

// codes unpacks a block by the tables into dst from out on and returns where it ends.
func (z *inflater) codes(b *bitReader, dst []byte, out int) (int, error) {
	src, at, held, have := b.src, b.at, b.held, b.have
	defer func() { b.at, b.held, b.have = at, held, have }()
	for {
		if at+8 <= len(src) {
			held |= binary.LittleEndian.Uint64(src[at:]) << (have & 63)
			at += int(63-have) >> 3
			have |= 56
		} else {
			for have <= 56 && at < len(src) {
				held |= uint64(src[at]) << have
				at++
				have += 8
			}
		}
		e := z.literals[held&(1<<literalBits-1)]
		// Two more literals, of at most literalBits each, need no more bits to be fetched, and leave what a
		// length and its distance may take: 48.
		if e&entryKind == entryLiteral && have >= 56 && len(dst)-out >= 3 {
			held >>= e & 63
			have -= uint(e & 63)
			dst[out] = byte(e >> 16)
			out++
			if e = z.literals[held&(1<<literalBits-1)]; e&entryKind == entryLiteral {
				held >>= e & 63
				have -= uint(e & 63)
				dst[out] = byte(e >> 16)
				out++
				if e = z.literals[held&(1<<literalBits-1)]; e&entryKind == entryLiteral {
					held >>= e & 63
					have -= uint(e & 63)
					dst[out] = byte(e >> 16)
					out++
				}
			}
			continue
		}
		if e&entryKind == entryTable {
			held >>= literalBits
			have -= min(have, literalBits)
			e = z.literals[e>>16+uint32(held)&(1<<(e>>8&31)-1)]
		}
		n := uint(e & 63)
		if n == 0 {
			return out, errCode
		}
		if n > have {
			return out, errShort
		}
		held >>= n
		have -= n
		switch e & entryKind {
		case entryLiteral:
			if out >= len(dst) {
				return out, errPacked
			}
			dst[out] = byte(e >> 16)
			out++
			continue
		case entryEnd:
			return out, nil
		}
		extra := uint(e >> 8 & 31)
		length := int(e>>16) + int(held&(1<<extra-1))
		held >>= extra
		used := extra
		e = z.distances[held&(1<<distanceBits-1)]
		if e&entryKind == entryTable {
			held >>= distanceBits
			used += distanceBits
			e = z.distances[e>>16+uint32(held)&(1<<(e>>8&31)-1)]
		}
		n = uint(e & 63)
		if n == 0 {
			return out, errCode
		}
		held >>= n
		extra = uint(e >> 8 & 31)
		distance := int(e>>16) + int(held&(1<<extra-1))
		held >>= extra
		used += n + extra
		if used > have {
			return out, errShort
		}
		have -= used
		if distance > out {
			return out, errDeflate
		}
		if length > len(dst)-out {
			return out, errPacked
		}
		out = repeat(dst, out, distance, length)
	}
}

// repeat copies length bytes of dst from distance before out to out, where it may meet what it has written, and
// returns where it ends.
func repeat(dst []byte, out, distance, length int) int {
	end := out + length
	from := out - distance
	if distance >= 8 && end+8 <= len(dst) {
		// Eight at a time, a little beyond the end: what lies there is still to be written.
		for out < end {
			binary.LittleEndian.PutUint64(dst[out:], binary.LittleEndian.Uint64(dst[from:]))
			out += 8
			from += 8
		}
		return end
	}
	if distance == 1 {
		v := dst[from]
		run := dst[out:end]
		for i := range run {
			run[i] = v
		}
		return end
	}
	for ; out < end; out++ {
		dst[out] = dst[from]
		from++
	}
	return end
}
