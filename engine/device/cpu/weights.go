package cpu

import (
	"fmt"

	"greenroom/engine/device/cpu/kernel"
	"greenroom/engine/program"
)

// weightKey names a weight as it lies in memory: which model's, which tensor, and how it is packed.
type weightKey struct {
	model, name string
	form        form
}

// form is how a weight is kept for an op.
type form uint8

const (
	// plain is as the program gives it.
	plain form = iota
	// packed is in panels for the matrix kernels, float32.
	packed
	// packedBFloat16 and packedFloat16 are in panels, half-width.
	packedBFloat16
	packedFloat16
)

// packedForm is the form of the weight of a gemm or a convolution.
func packedForm(op *program.Op) form {
	switch op.Storage {
	case program.BF16:
		return packedBFloat16
	case program.F16:
		return packedFloat16
	}
	return packed
}

// weight is a weight in memory, shared by every runner that uses it.
type weight struct {
	memory memory
	plain  []float32
	packed *kernel.Packed
	users  int
}

// weights holds the packed weights of every loaded program of a device.
type weights struct {
	byKey map[weightKey]*weight
	bytes int64
}

func newWeights() *weights { return &weights{byKey: make(map[weightKey]*weight)} }

// use returns the weight in the given form, reading and packing it on first use. Every use needs one drop.
func (s *weights) use(model string, w program.Weight, f form) (*weight, weightKey, error) {
	key := weightKey{model: model, name: w.Key, form: f}
	if held, ok := s.byKey[key]; ok {
		held.users++
		return held, key, nil
	}
	held, err := load(w, f)
	if err != nil {
		return nil, key, fmt.Errorf("load weight %s: %w", w.Key, err)
	}
	held.users = 1
	s.byKey[key] = held
	s.bytes += int64(len(held.memory.bytes))
	return held, key, nil
}

// drop gives up one use; the last frees the weight.
func (s *weights) drop(key weightKey) {
	held := s.byKey[key]
	if held == nil {
		return
	}
	if held.users--; held.users == 0 {
		s.bytes -= int64(len(held.memory.bytes))
		held.memory.free()
		delete(s.byKey, key)
	}
}

// size returns the bytes that a weight takes in a form.
func size(w program.Weight, f form) int64 {
	switch n := w.Shape[0]; f {
	case packed:
		return 4 * int64(kernel.PackedLen(w.Len()/n, n))
	case packedBFloat16, packedFloat16:
		return 2 * int64(kernel.PackedLen(w.Len()/n, n))
	}
	return 4 * int64(w.Len())
}

// load reads a weight and packs it.
func load(w program.Weight, f form) (*weight, error) {
	m, err := allocate(size(w, f))
	if err != nil {
		return nil, err
	}
	if f == plain {
		h := &weight{memory: m, plain: m.float32s(0, w.Len())}
		if err := w.Read(h.plain); err != nil {
			m.free()
			return nil, err
		}
		return h, nil
	}
	raw, err := allocate(4 * int64(w.Len()))
	if err != nil {
		m.free()
		return nil, err
	}
	defer raw.free()
	src := raw.float32s(0, w.Len())
	if err := w.Read(src); err != nil {
		m.free()
		return nil, err
	}
	n := w.Shape[0]
	k := w.Len() / n
	h := &weight{memory: m}
	switch f {
	case packed:
		h.packed = kernel.Pack(m.float32s(0, kernel.PackedLen(k, n)), k, n, src, 1, k)
	case packedBFloat16:
		h.packed = kernel.PackHalf(m.uint16s(0, kernel.PackedLen(k, n)), kernel.BFloat16, k, n, src, 1, k)
	case packedFloat16:
		h.packed = kernel.PackHalf(m.uint16s(0, kernel.PackedLen(k, n)), kernel.Float16, k, n, src, 1, k)
	}
	return h, nil
}
