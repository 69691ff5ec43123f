package exr

const (
	// literalBits and distanceBits are the bits that the first table of each kind is looked up by; longer codes
	// go on in tables behind it.
	literalBits, distanceBits   = 11, 8
	literalCodes, distanceCodes = 288, 32
	longestCode                 = 15
	// The most that the tables behind can take: one for every code, of the bits that the longest has left.
	literalRoom  = literalCodes << (longestCode - literalBits)
	distanceRoom = distanceCodes << (longestCode - distanceBits)
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
