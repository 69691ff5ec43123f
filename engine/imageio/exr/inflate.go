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

var (
	errDeflate  = errors.New("its Deflate data is damaged")
	errChecksum = errors.New("its checksum is wrong")
)

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
