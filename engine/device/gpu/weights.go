package gpu

import (
	"fmt"

	"greenroom/engine/device/kernels"
	"greenroom/engine/program"
)

// weightKey names a weight as it lies in memory: which model's, which tensor, and how it is packed.
type weightKey struct {
	model, name string
	form        form
}

// form is how a weight is laid out for the kernels that read it: as the program gives it, float32, or packed.
type form struct {
	packed  bool
	n, k    int // rows and columns of a packed matrix
	storage program.DType
}

// bytes returns the memory that a weight takes in the form.
func (f form) bytes(w program.Weight) int64 {
	if f.packed {
		return kernels.PackedBytes(f.n, f.k, f.storage)
	}
	return 4 * int64(w.Len())
}

// pack lays out a weight.
func (f form) pack(values []float32) ([]byte, error) {
	if f.packed {
		return kernels.PackWeight(values, f.n, f.k, f.storage)
	}
	return bytesOf(values), nil
}

// weight is a weight on the GPU, shared by every runner that uses it.
type weight struct {
	block  *block
	offset int64
	users  int
}

// block is a buffer with the weights that one program was the first to need, or with one large weight. It is freed
// with the last of them.
type block struct {
	buffer  Buffer
	filled  int64 // bytes from its start that hold weights
	weights int
}

// largeWeight is the size from which a weight has a block of its own: position grids, which belong to one size of
// input and come and go with its program.
const largeWeight = 8 << 20

// weights holds the packed weights of every loaded program of a device.
type weights struct {
	host  Host
	byKey map[weightKey]*weight
}

// need is a weight that a program uses, in a form.
type need struct {
	key    weightKey
	weight program.Weight
}

// needs lists the weights of a program, each once, in the order of first use.
func needs(p *program.Program, ops []lowered) []need {
	seen := make(map[weightKey]bool)
	var list []need
	for i := range ops {
		for _, u := range ops[i].weights {
			w := p.Weights[u.weight]
			key := weightKey{model: p.Model, name: w.Key, form: u.form}
			if !seen[key] {
				seen[key] = true
				list = append(list, need{key: key, weight: w})
			}
		}
	}
	return list
}

// missing returns the bytes of the needs that are not on the GPU yet, and of all.
func (s *weights) missing(list []need) (missing, all int64) {
	for _, n := range list {
		bytes := roundUp(n.key.form.bytes(n.weight))
		all += bytes
		if s.byKey[n.key] == nil {
			missing += bytes
		}
	}
	return missing, all
}

// use makes one weight ready; every use needs one drop. check is asked before each is read.
func (s *weights) use(list []need, check func() error) (used []weightKey, err error) {
	var shared *block
	for i, n := range list {
		if err := check(); err != nil {
			return used, err
		}
		w := s.byKey[n.key]
		if w == nil {
			data, err := n.read()
			if err != nil {
				return used, err
			}
			home := shared
			switch {
			case len(data) >= largeWeight:
				home, err = s.allocate(roundUp(int64(len(data))))
			case shared == nil:
				home, err = s.allocate(s.small(list[i:]))
				shared = home
			}
			if err != nil {
				return used, err
			}
			if w, err = s.upload(home, data); err != nil {
				return used, fmt.Errorf("upload weight %s: %w", n.weight.Key, err)
			}
			s.byKey[n.key] = w
		}
		w.users++
		used = append(used, n.key)
	}
	return used, nil
}

// small returns the bytes of the small weights among the needs that are not there yet.
func (s *weights) small(list []need) int64 {
	var sum int64
	for _, n := range list {
		if bytes := n.key.form.bytes(n.weight); bytes < largeWeight && s.byKey[n.key] == nil {
			sum += roundUp(bytes)
		}
	}
	return sum
}

// allocate takes a block.
func (s *weights) allocate(bytes int64) (*block, error) {
	b, err := s.host.Allocate(bytes)
	if err != nil {
		return nil, fmt.Errorf("take memory for weights: %w", err)
	}
	return &block{buffer: b}, nil
}

// read returns a weight as it will lie on the GPU.
func (n need) read() ([]byte, error) {
	values := make([]float32, n.weight.Len())
	if err := n.weight.Read(values); err != nil {
		return nil, fmt.Errorf("read weight %s: %w", n.weight.Key, err)
	}
	data, err := n.key.form.pack(values)
	if err != nil {
		return nil, fmt.Errorf("pack weight %s: %w", n.weight.Key, err)
	}
	return data, nil
}

// upload puts a weight at the next free place of a block.
func (s *weights) upload(home *block, data []byte) (*weight, error) {
	w := &weight{block: home, offset: home.filled}
	home.weights++
	home.filled += roundUp(int64(len(data)))
	if err := s.host.Upload(home.buffer, w.offset, data); err != nil {
		s.give(home)
		return nil, err
	}
	return w, nil
}

// give frees a block with its last weight.
func (s *weights) give(b *block) {
	if b.weights--; b.weights <= 0 {
		s.host.Free(b.buffer)
	}
}

// binding returns where a weight of a program begins that was made ready.
func (s *weights) binding(p *program.Program, u weightUse) Binding {
	w := s.byKey[weightKey{model: p.Model, name: p.Weights[u.weight].Key, form: u.form}]
	return Binding{Buffer: w.block.buffer, Offset: w.offset}
}

// drop gives up one use; the last frees the weight.
func (s *weights) drop(key weightKey) {
	w := s.byKey[key]
	if w == nil {
		return
	}
	if w.users--; w.users == 0 {
		delete(s.byKey, key)
		s.give(w.block)
	}
}

// align is what every tensor and weight begins at a multiple of, in bytes: as much as any device asks of a
// binding's offset, and what program.Plan keeps to.
const align = 256

func roundUp(n int64) int64 { return (n + align - 1) / align * align }
