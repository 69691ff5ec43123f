package exr

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// packPIZ packs a block whose bytes lie by planes.
func packPIZ(b *block, planes []byte) []byte {
	words := make([]uint16, len(planes)/2)
	var bitmap [bitmapBytes]byte
	for i := range words {
		words[i] = binary.LittleEndian.Uint16(planes[2*i:])
		bitmap[words[i]>>3] |= 1 << (words[i] & 7)
	}
	bitmap[0] &^= 1 // 0 goes without saying
	low, high := bitmapBytes-1, 0
	for i, v := range bitmap {
		if v != 0 {
			low, high = min(low, i), max(high, i)
		}
	}
	out := binary.LittleEndian.AppendUint16(nil, uint16(low))
	out = binary.LittleEndian.AppendUint16(out, uint16(high))
	if low <= high {
		out = append(out, bitmap[low:high+1]...)
	}
	var place [1 << 16]uint16
	n := 0
	for i := range place {
		if i == 0 || bitmap[i>>3]>>(i&7)&1 != 0 {
			place[i] = uint16(n)
			n++
		}
	}
	for i, w := range words {
		words[i] = place[w]
	}
	for _, c := range b.channels {
		k := c.Type.bytes() / 2
		for i := range k {
			if c.size() > 0 {
				wavelet(words[c.first/2+i:], c.w, k, c.h, c.w*k, uint16(n-1))
			}
		}
	}
	packed := packHuffman(words)
	return append(binary.LittleEndian.AppendUint32(out, uint32(len(packed))), packed...)
}

// wavelet is PIZ's transform of w x h values.
func wavelet(v []uint16, w, ox, h, oy int, most uint16) {
	split := func(a, b uint16) (mean, difference uint16) {
		if most < 1<<14 {
			return uint16((int(int16(a)) + int(int16(b))) >> 1), a - b
		}
		shifted := a + 0x8000
		d := int(shifted) - int(b)
		mean = uint16((int(shifted) + int(b)) >> 1)
		if d < 0 {
			mean += 0x8000
		}
		return mean, uint16(d)
	}
	for p := 1; 2*p <= min(w, h); p *= 2 {
		step := 2 * p
		at := func(x, y int) *uint16 { return &v[x*ox+y*oy] }
		y := 0
		for ; y+step <= h; y += step {
			x := 0
			for ; x+step <= w; x += step {
				a, b := split(*at(x, y), *at(x+p, y))
				c, d := split(*at(x, y+p), *at(x+p, y+p))
				*at(x, y), *at(x, y+p) = split(a, c)
				*at(x+p, y), *at(x+p, y+p) = split(b, d)
			}
			if w&p != 0 {
				*at(x, y), *at(x, y+p) = split(*at(x, y), *at(x, y+p))
			}
		}
		if h&p != 0 {
			for x := 0; x+step <= w; x += step {
				*at(x, y), *at(x+p, y) = split(*at(x, y), *at(x+p, y))
			}
		}
	}
}

// codeLengths returns the lengths of Huffman codes for symbols that occur count times.
func codeLengths(count map[int]int) map[int]uint {
	type node struct {
		count, symbol int
		parts         []*node
	}
	var nodes []*node
	for s, n := range count {
		nodes = append(nodes, &node{n, s, nil})
	}
	// Joined nodes come out by rising count: two queues that are in order do for a heap.
	slices.SortFunc(nodes, func(a, b *node) int { return cmp.Or(a.count-b.count, a.symbol-b.symbol) })
	var joined []*node
	least := func() (n *node) {
		if len(joined) == 0 || len(nodes) > 0 && nodes[0].count <= joined[0].count {
			n, nodes = nodes[0], nodes[1:]
		} else {
			n, joined = joined[0], joined[1:]
		}
		return n
	}
	for len(nodes)+len(joined) > 1 {
		a, b := least(), least()
		joined = append(joined, &node{a.count + b.count, min(a.symbol, b.symbol), []*node{a, b}})
	}
	root := least()
	lengths := map[int]uint{}
	var walk func(n *node, depth uint)
	walk = func(n *node, depth uint) {
		if n.parts == nil {
			lengths[n.symbol] = max(depth, 1)
			return
		}
		walk(n.parts[0], depth+1)
		walk(n.parts[1], depth+1)
	}
	walk(root, 0)
	return lengths
}

// bitWriter collects bits, highest first.
type bitWriter struct {
	b    []byte
	held uint64
	have uint
	all  uint32
}

func (w *bitWriter) put(v uint64, n uint) {
	w.held, w.have, w.all = w.held<<n|v, w.have+n, w.all+uint32(n)
	for w.have >= 8 {
		w.have -= 8
		w.b = append(w.b, byte(w.held>>w.have))
	}
}

func (w *bitWriter) bytes() []byte {
	if w.have > 0 {
		return append(w.b, byte(w.held<<(8-w.have)))
	}
	return w.b
}

// packHuffman packs words by the Huffman code of PIZ and DWA.
func packHuffman(words []uint16) []byte {
	count := map[int]int{}
	low, high := 1<<16, 0
	for _, w := range words {
		count[int(w)]++
		low, high = min(low, int(w)), max(high, int(w))
	}
	run := high + 1
	count[run] = 1
	lengths := codeLengths(count)
	codes := canonical(lengths, low, run)
	var table, data bitWriter
	for s := low; s <= run; {
		if n := lengths[s]; n != 0 {
			table.put(uint64(n), 6)
			s++
			continue
		}
		zeros := 0
		for s+zeros <= run && lengths[s+zeros] == 0 && zeros < 255+6 {
			zeros++
		}
		switch {
		case zeros == 1:
			table.put(0, 6)
		case zeros < 6:
			table.put(uint64(57+zeros), 6)
		default:
			table.put(63, 6)
			table.put(uint64(zeros-6), 8)
		}
		s += zeros
	}
	for i := 0; i < len(words); {
		n := 1
		for i+n < len(words) && words[i+n] == words[i] && n < 256 {
			n++
		}
		s := int(words[i])
		data.put(codes[s], lengths[s])
		if n > 4 {
			data.put(codes[run], lengths[run])
			data.put(uint64(n-1), 8)
			i += n
		} else {
			i++
		}
	}
	out := ints(int32(low), int32(run), 0, int32(data.all), 0)
	out = append(out, table.bytes()...)
	return append(out, data.bytes()...)
}

// canonical returns the codes of given lengths: the longest begin at 0, those of one length rise with their symbols.
func canonical(lengths map[int]uint, low, high int) map[int]uint64 {
	codes := map[int]uint64{}
	var of [59][]int
	for s := low; s <= high; s++ {
		of[lengths[s]] = append(of[lengths[s]], s)
	}
	code := uint64(0)
	for n := 58; n > 0; n-- {
		for _, s := range of[n] {
			codes[s] = code
			code++
		}
		code >>= 1
	}
	return codes
}
