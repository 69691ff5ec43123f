package imageio

import (
	"bufio"
	"encoding/binary"
)

// addLeft undoes horizontal differencing (TIFF 6.0, section 14): each sample is stored as its difference
// from the sample n before it.
func addLeft(raw []byte, n, bits int, order binary.ByteOrder) {
	step := n * bits / 8
	switch bits {
	case 8:
		for i := step; i < len(raw); i++ {
			raw[i] += raw[i-step]
		}
	case 16:
		for i := step; i+2 <= len(raw); i += 2 {
			order.PutUint16(raw[i:], order.Uint16(raw[i:])+order.Uint16(raw[i-step:]))
		}
	case 32:
		for i := step; i+4 <= len(raw); i += 4 {
			order.PutUint32(raw[i:], order.Uint32(raw[i:])+order.Uint32(raw[i-step:]))
		}
	case 64:
		for i := step; i+8 <= len(raw); i += 8 {
			order.PutUint64(raw[i:], order.Uint64(raw[i:])+order.Uint64(raw[i-step:]))
		}
	}
}

// joinBytes undoes floating-point differencing (Adobe's TIFF technical note 3): the bytes of a row are
// differences from n bytes before, and lie highest bytes first, then the next, whatever the file's order.
func joinBytes(raw, shuffled []byte, n, width int, order binary.ByteOrder) {
	copy(shuffled, raw)
	for i := n; i < len(shuffled); i++ {
		shuffled[i] += shuffled[i-n]
	}
	count := len(raw) / width
	for i := range count {
		for b := range width {
			at := b
			if order == binary.LittleEndian {
				at = width - 1 - b
			}
			raw[i*width+at] = shuffled[b*count+i]
		}
	}
}

// packBits unpacks Apple's PackBits runs (TIFF 6.0, section 9).
type packBits struct {
	r      *bufio.Reader
	repeat int // bytes left of a run of one value
	value  byte
	copies int // bytes left that are given as they are
}

func (p *packBits) Read(dst []byte) (int, error) {
	for i := range dst {
		for p.repeat == 0 && p.copies == 0 {
			b, err := p.r.ReadByte()
			if err != nil {
				return i, err
			}
			switch n := int(int8(b)); {
			case n >= 0:
				p.copies = n + 1
			case n > -128:
				if p.value, err = p.r.ReadByte(); err != nil {
					return i, err
				}
				p.repeat = 1 - n
			}
		}
		if p.repeat > 0 {
			dst[i] = p.value
			p.repeat--
			continue
		}
		b, err := p.r.ReadByte()
		if err != nil {
			return i, err
		}
		dst[i] = b
		p.copies--
	}
	return len(dst), nil
}
