package gpu

import (
	"context"
	"fmt"
	"time"
	"unsafe"

	"greenroom/engine/device"
	"greenroom/engine/program"
)

// runner is a program with its weights and memory on the GPU.
type runner struct {
	device  *Device
	program *program.Program
	ops     []lowered
	lent    []lent
	arenas  arenas
	held    []weightKey
	scratch Buffer
	indexes Buffer
	index   []Binding // of each list of row numbers
	spans   []span
	stats   device.Stats
}

// span is a run of ops during which the memory stays where it is.
type span struct {
	from, to int // ops
	pace     pace
}

func (r *runner) load(ctx context.Context) error {
	p, d := r.program, r.device
	layout, err := program.Plan(p)
	if err != nil {
		return fmt.Errorf("plan memory: %w", err)
	}
	if r.ops, err = lower(p, d.kernelLimits()); err != nil {
		return err
	}
	r.arenas, err = newArenas(d.host, p, layout, d.limits.MaxAllocation)
	if err != nil {
		return err
	}
	if err := r.loadWeights(ctx, layout.Peak); err != nil {
		return err
	}
	for i := range r.lent {
		if err := r.lent[i].read(); err != nil {
			return err
		}
	}
	if err := r.loadIndexes(); err != nil {
		return err
	}
	at := changes(layout)
	for i, from := range at {
		if from < len(p.Ops) {
			to := len(p.Ops)
			if i+1 < len(at) {
				to = min(to, at[i+1])
			}
			r.spans = append(r.spans, span{from: from, to: to})
		}
	}
	if p.StageGC {
		return nil
	}
	if _, err := r.arenas.enter(0); err != nil {
		return err
	}
	return nil
}

// loadWeights takes the scratch memory and uploads what is missing of the weights, after a look at whether all
// will fit.
func (r *runner) loadWeights(ctx context.Context, arena int64) error {
	d := r.device
	list := needs(r.program, r.ops)
	missing, all := d.weights.missing(list)
	r.stats.Weights = all
	scratch := scratchBytes(r.ops)
	if free := d.host.Limits().Memory; free > 0 && arena+missing+scratch > free {
		return fmt.Errorf("hold %d MB of tensors and %d MB of weights in %d MB of free GPU memory: %w",
			(arena+scratch)>>20, missing>>20, free>>20, device.ErrOutOfMemory)
	}
	if scratch > 0 {
		var err error
		if r.scratch, err = d.host.Allocate(scratch); err != nil {
			return fmt.Errorf("take scratch memory: %w", err)
		}
		r.stats.Scratch += scratch
	}
	var err error
	r.held, err = d.weights.use(list, func() error { return context.Cause(ctx) })
	return err
}

// loadIndexes uploads the program's lists of row numbers.
func (r *runner) loadIndexes() error {
	bytes := indexBytes(r.program)
	if bytes == 0 {
		return nil
	}
	b, err := r.device.host.Allocate(bytes)
	if err != nil {
		return fmt.Errorf("take memory for indexes: %w", err)
	}
	r.indexes = b
	r.stats.Scratch += bytes
	var offset int64
	for _, list := range r.program.Indexes {
		here := Binding{Buffer: b, Offset: offset, Bytes: 4 * int64(len(list))}
		r.index = append(r.index, here)
		if err := r.device.host.Upload(b, offset, bytesOf(list)); err != nil {
			return fmt.Errorf("upload indexes: %w", err)
		}
		offset += roundUp(here.Bytes)
	}
	return nil
}

// indexBytes returns the memory that a program's lists of row numbers take.
func indexBytes(p *program.Program) int64 {
	var sum int64
	for _, list := range p.Indexes {
		sum += roundUp(4 * int64(len(list)))
	}
	return sum
}

// bytesOf returns the bytes of a slice. All systems that are served are little-endian, like their GPUs.
func bytesOf[T int32 | float32](s []T) []byte {
	if len(s) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&s[0])), 4*len(s))
}

// Run implements device.Runner.
func (r *runner) Run(ctx context.Context, inputs, outputs map[string][]float32) error {
	if r.device.lost != nil {
		return r.device.lost
	}
	return r.device.note(r.run(ctx, inputs, outputs))
}

func (r *runner) run(ctx context.Context, inputs, outputs map[string][]float32) error {
	if r.program.StageGC {
		defer r.releaseAll()
	}
	r.arenas.peak = r.arenas.now
	r.stats.Stage = [program.Stages]time.Duration{}
	for i := range r.spans {
		s := &r.spans[i]
		changed, err := r.enter(s.from)
		if err != nil {
			return err
		}
		if changed {
			s.pace.forget(r.device.host)
		}
		if i == 0 {
			if err := r.fill(inputs); err != nil {
				return err
			}
		}
		if err := r.runSpan(ctx, s); err != nil {
			return err
		}
	}
	r.stats.Arena = r.arenas.peak
	if err := context.Cause(ctx); err != nil {
		return err
	}
	return r.read(outputs)
}

// enter makes memory ready. Recordings that use memory that goes are given up first.
func (r *runner) enter(at int) (bool, error) {
	if r.program.StageGC {
		for i := range r.spans {
			r.spans[i].pace.forget(r.device.host)
		}
	}
	return r.arenas.enter(at)
}

// releaseAll gives up recordings and the memory of tensors.
func (r *runner) releaseAll() {
	for i := range r.spans {
		r.spans[i].pace.forget(r.device.host)
	}
	r.arenas.releaseAll()
}

// fill copies the caller's inputs into their tensors, and lent weights.
func (r *runner) fill(inputs map[string][]float32) error {
	for i, t := range r.program.Tensors {
		if t.Role != program.Input {
			continue
		}
		src, ok := inputs[t.Name]
		for j := range r.lent {
			if r.lent[j].tensor == program.ID(i) {
				src, ok = r.lent[j].values, true
			}
		}
		if !ok || len(src) != t.Rows*t.Cols || t.DType != program.F32 {
			return fmt.Errorf("input %s: %d values given, %d of float32 needed", t.Name, len(src), t.Rows*t.Cols)
		}
		b, offset := r.arenas.place(program.ID(i))
		if err := r.device.host.Upload(b, offset, bytesOf(src)); err != nil {
			return fmt.Errorf("upload %s: %w", t.Name, err)
		}
	}
	return nil
}

// read copies outputs to the caller.
func (r *runner) read(outputs map[string][]float32) error {
	for name, dst := range outputs {
		id := r.program.Find(name)
		if id == program.None || r.program.Tensors[id].Role != program.Output {
			return fmt.Errorf("the program has no output %s", name)
		}
		t := r.program.Tensors[id]
		if len(dst) != t.Rows*t.Cols || t.DType != program.F32 {
			return fmt.Errorf("output %s: room for %d values, %d of float32 made", name, len(dst), t.Rows*t.Cols)
		}
		b, offset := r.arenas.place(id)
		if err := r.device.host.Download(bytesOf(dst), b, offset); err != nil {
			return fmt.Errorf("download %s: %w", name, err)
		}
	}
	return nil
}

// Stats implements device.Runner.
func (r *runner) Stats() device.Stats { return r.stats }

// Close implements device.Runner. Closing twice does nothing.
func (r *runner) Close() error {
	d := r.device
	if !d.runners[r] {
		return nil
	}
	delete(d.runners, r)
	r.releaseAll()
	for _, b := range []Buffer{r.scratch, r.indexes} {
		if b != nil {
			d.host.Free(b)
		}
	}
	for _, key := range r.held {
		d.weights.drop(key)
	}
	r.held, r.lent, r.scratch, r.indexes, r.spans = nil, nil, nil, nil, nil
	return nil
}
