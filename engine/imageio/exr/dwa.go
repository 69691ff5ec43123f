package exr

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
)

// dwaScheme is how DWA packs a channel.
type dwaScheme uint8

// The schemes, with the numbers that files have for them.
const (
	dwaDeflate dwaScheme = 0
	dwaDCT     dwaScheme = 1
	dwaRuns    dwaScheme = 2
)

// dwaRule gives channels whose name ends in suffix (after the last dot) and that have the type a scheme, and a
// place in a triple of red, green and blue that is packed as one; place is -1 for none.
type dwaRule struct {
	suffix  string
	scheme  dwaScheme
	kind    PixelType
	place   int
	anyCase bool
}

// The parts of a DWA block's head: eleven numbers of 64 bits.
const (
	dwaVersion = iota
	dwaUnknownSize
	dwaUnknownPacked
	dwaACPacked
	dwaDCPacked
	dwaRunsPacked
	dwaRunsSize // of the runs
	dwaRunsRaw  // of what they stand for
	dwaACCount
	dwaDCCount
	dwaACKind // 0 Huffman, 1 Deflate
	dwaHead
)

// dwa is what unpacking DWA needs beside an unpacker's own memory.
type dwa struct {
	ac, dc  []uint16
	rules   []dwaRule
	schemes []dwaScheme
	triples [][3]int
}

// unpackDWA unpacks a DWAA or DWAB block: colour as quantised cosine transforms of 8 x 8 pixels, alpha as runs, the
// rest by Deflate. Which channel is what stands in the block by its version 2, and was agreed before.
func (u *unpacker) unpackDWA() error {
	if u.dwa == nil {
		u.dwa = new(dwa)
	}
	d, src := u.dwa, u.packed
	if len(src) < 8*dwaHead {
		return errShort
	}
	var head [dwaHead]uint64
	for i := range head {
		head[i] = binary.LittleEndian.Uint64(src[8*i:])
	}
	src = src[8*dwaHead:]
	var err error
	switch head[dwaVersion] {
	case 0, 1:
		d.rules = oldRules()
	case 2:
		if d.rules, src, err = readRules(d.rules[:0], src); err != nil {
			return err
		}
	default:
		return errCodes
	}
	d.classify(u.block.channels)
	sizes, blocks := d.amounts(&u.block)
	if head[dwaUnknownSize] != uint64(sizes[dwaDeflate]) || head[dwaRunsRaw] != uint64(sizes[dwaRuns]) ||
		head[dwaDCCount] != uint64(blocks) || head[dwaACCount] > 63*uint64(blocks) || head[dwaRunsSize] > 2*uint64(sizes[dwaRuns]) {
		return errPacked
	}
	var parts [4][]byte
	for i, n := range []uint64{head[dwaUnknownPacked], head[dwaACPacked], head[dwaDCPacked], head[dwaRunsPacked]} {
		if n > uint64(len(src)) {
			return errShort
		}
		parts[i], src = src[:n], src[n:]
	}
	if err := u.dwaPlain(parts[0], sizes[dwaDeflate]); err != nil {
		return err
	}
	if err := u.dwaRuns(parts[3], int(head[dwaRunsSize]), sizes[dwaRuns]); err != nil {
		return err
	}
	if blocks == 0 {
		return nil
	}
	if err := u.dwaCoefficients(parts[1], parts[2], &head); err != nil {
		return err
	}
	return u.dwaLossy()
}

// readRules reads a block's rules: their length, and for each a suffix, a byte of bits and a type.
func readRules(rules []dwaRule, src []byte) ([]dwaRule, []byte, error) {
	if len(src) < 2 {
		return nil, nil, errShort
	}
	n := int(binary.LittleEndian.Uint16(src))
	if n < 2 || n > len(src) {
		return nil, nil, errShort
	}
	list, rest := src[2:n], src[n:]
	for len(list) > 0 {
		end := bytes.IndexByte(list, 0)
		if end < 0 || len(list) < end+3 {
			return nil, nil, errCodes
		}
		bits := list[end+1]
		r := dwaRule{
			suffix: string(list[:end]), scheme: dwaScheme(bits >> 2 & 3), kind: PixelType(list[end+2]),
			place: int(bits>>4) - 1, anyCase: bits&1 != 0,
		}
		if r.scheme > dwaRuns || r.place > 2 || r.kind > Float {
			return nil, nil, errCodes
		}
		rules, list = append(rules, r), list[end+3:]
	}
	return rules, rest, nil
}

// oldRules returns what was agreed before blocks had rules of their own.
func oldRules() []dwaRule {
	var rules []dwaRule
	for place, names := range [][]string{{"r", "red"}, {"g", "grn", "green"}, {"b", "blu", "blue"}} {
		for _, name := range names {
			rules = append(rules, dwaRule{name, dwaDCT, Half, place, true}, dwaRule{name, dwaDCT, Float, place, true})
		}
	}
	for _, name := range []string{"y", "by", "ry"} {
		rules = append(rules, dwaRule{name, dwaDCT, Half, -1, true}, dwaRule{name, dwaDCT, Float, -1, true})
	}
	for _, kind := range []PixelType{Uint, Half, Float} {
		rules = append(rules, dwaRule{"a", dwaRuns, kind, -1, true})
	}
	return rules
}

func (r dwaRule) fits(suffix string, kind PixelType) bool {
	return r.kind == kind && (r.suffix == suffix || r.anyCase && strings.EqualFold(r.suffix, suffix))
}

// classify gives every channel its scheme, and finds the triples: the red, green and blue of one layer.
func (d *dwa) classify(channels []blockChannel) {
	d.schemes = resize(d.schemes, len(channels))
	type layer struct {
		prefix string
		triple [3]int
	}
	var layers []layer
	for i, c := range channels {
		dot := strings.LastIndexByte(c.Name, '.') + 1
		prefix, suffix := c.Name[:dot], c.Name[dot:]
		d.schemes[i] = dwaDeflate
		for _, r := range d.rules {
			if !r.fits(suffix, c.Type) {
				continue
			}
			d.schemes[i] = r.scheme
			if r.place < 0 {
				continue
			}
			at := slices.IndexFunc(layers, func(l layer) bool { return l.prefix == prefix })
			if at < 0 {
				at = len(layers)
				layers = append(layers, layer{prefix, [3]int{-1, -1, -1}})
			}
			layers[at].triple[r.place] = i
		}
	}
	slices.SortFunc(layers, func(a, b layer) int { return strings.Compare(a.prefix, b.prefix) })
	d.triples = d.triples[:0]
	for _, l := range layers {
		t := l.triple
		if t[0] < 0 || t[1] < 0 || t[2] < 0 {
			continue
		}
		r, g, b := &channels[t[0]], &channels[t[1]], &channels[t[2]]
		if r.XSampling == g.XSampling && r.XSampling == b.XSampling && r.YSampling == g.YSampling && r.YSampling == b.YSampling &&
			d.schemes[t[0]] == dwaDCT && d.schemes[t[1]] == dwaDCT && d.schemes[t[2]] == dwaDCT {
			d.triples = append(d.triples, t)
		}
	}
}

// amounts returns how many bytes the channels of each scheme unpack to, and how many blocks of 8 x 8 there are.
func (d *dwa) amounts(b *block) (sizes [3]int, blocks int) {
	for i := range b.channels {
		c := &b.channels[i]
		sizes[d.schemes[i]] += c.size()
		if d.schemes[i] == dwaDCT {
			blocks += ((c.w + 7) / 8) * ((c.h + 7) / 8)
		}
	}
	return sizes, blocks
}

// dwaPlain unpacks the channels that are packed by Deflate alone.
func (u *unpacker) dwaPlain(src []byte, size int) error {
	if size == 0 {
		return nil
	}
	u.bytes = resize(u.bytes, size)
	if err := u.deflate.exactly(u.bytes, src); err != nil {
		return err
	}
	from := u.bytes
	for i := range u.block.channels {
		if u.dwa.schemes[i] == dwaDeflate {
			c := &u.block.channels[i]
			copy(u.out[c.first:c.first+c.size()], from)
			from = from[c.size():]
		}
	}
	return nil
}

// dwaRuns unpacks the channels that are packed as runs: of each the lowest bytes of all samples, then the next.
func (u *unpacker) dwaRuns(src []byte, runs, size int) error {
	if size == 0 {
		return nil
	}
	u.more = resize(u.more, runs)
	if err := u.deflate.exactly(u.more, src); err != nil {
		return err
	}
	u.bytes = resize(u.bytes, size)
	if err := expandRuns(u.bytes, u.more); err != nil {
		return err
	}
	from := u.bytes
	for i := range u.block.channels {
		if u.dwa.schemes[i] != dwaRuns {
			continue
		}
		c := &u.block.channels[i]
		n, width := c.w*c.h, c.Type.bytes()
		dst := u.out[c.first : c.first+c.size()]
		for k := range width {
			for j, v := range from[k*n : (k+1)*n] {
				dst[j*width+k] = v
			}
		}
		from = from[c.size():]
	}
	return nil
}

// dwaCoefficients unpacks the coefficients of the cosine transforms: for each block of 8 x 8 its mean (dc), and what
// else there is (ac).
func (u *unpacker) dwaCoefficients(ac, dc []byte, head *[dwaHead]uint64) error {
	d := u.dwa
	d.dc = resize(d.dc, int(head[dwaDCCount]))
	u.bytes, u.more = resize(u.bytes, 2*len(d.dc)), resize(u.more, 2*len(d.dc))
	if err := u.deflate.exactly(u.bytes, dc); err != nil {
		return err
	}
	sumUp(u.bytes)
	interleave(u.more, u.bytes)
	for i := range d.dc {
		d.dc[i] = binary.LittleEndian.Uint16(u.more[2*i:])
	}
	d.ac = resize(d.ac, int(head[dwaACCount]))
	switch {
	case len(d.ac) == 0:
		return nil
	case head[dwaACKind] == 0:
		return u.huffman.decode(d.ac, ac)
	case head[dwaACKind] == 1:
		u.bytes = resize(u.bytes, 2*len(d.ac))
		if err := u.deflate.exactly(u.bytes, ac); err != nil {
			return err
		}
		for i := range d.ac {
			d.ac[i] = binary.LittleEndian.Uint16(u.bytes[2*i:])
		}
		return nil
	}
	return errCodes
}
