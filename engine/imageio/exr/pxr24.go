package exr

import "encoding/binary"

// pxr24 unpacks a PXR24 block: Deflate of differences between neighbours in a row, their bytes in planes, highest
// first. Floats have kept only their upper 24 bits.
func (u *unpacker) pxr24() error {
	total := 0
	for _, c := range u.block.channels {
		total += c.w * c.h * packedPXR24(c.Type)
	}
	u.bytes = resize(u.bytes, total)
	if err := u.deflate.exactly(u.bytes, u.packed); err != nil {
		return err
	}
	src := u.bytes
	for y := range u.block.rows() {
		for i, c := range u.block.channels {
			at := u.block.offset(i, y)
			if at < 0 {
				continue
			}
			planes := packedPXR24(c.Type)
			row := src[:planes*c.w]
			src = src[planes*c.w:]
			sum := uint32(0)
			switch c.Type {
			case Half:
				high, low := row[:c.w], row[c.w:]
				dst := u.out[at : at+2*c.w]
				for x := range high {
					sum += uint32(high[x])<<8 | uint32(low[x])
					binary.LittleEndian.PutUint16(dst[2*x:], uint16(sum))
				}
			case Float:
				high, mid, low := row[:c.w], row[c.w:2*c.w], row[2*c.w:]
				dst := u.out[at : at+4*c.w]
				for x := range high {
					sum += uint32(high[x])<<24 | uint32(mid[x])<<16 | uint32(low[x])<<8
					binary.LittleEndian.PutUint32(dst[4*x:], sum)
				}
			case Uint:
				dst := u.out[at : at+4*c.w]
				for x := range c.w {
					sum += uint32(row[x])<<24 | uint32(row[c.w+x])<<16 | uint32(row[2*c.w+x])<<8 | uint32(row[3*c.w+x])
					binary.LittleEndian.PutUint32(dst[4*x:], sum)
				}
			}
		}
	}
	return nil
}

// packedPXR24 returns how many bytes a sample has before Deflate.
func packedPXR24(t PixelType) int {
	switch t {
	case Half:
		return 2
	case Float:
		return 3
	}
	return 4
}
