// Package cpu is the device that every machine has. It runs programs on the machine's processor with the
// kernels of the room below; with a program built without fusion and the scalar kernels it is the reference
// that all other devices and settings are held against.
package cpu

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"greenroom/engine/device"
	"greenroom/engine/device/cpu/kernel"
	"greenroom/engine/program"
)

// Options chooses how the device works. The zero value is the fastest way on this machine.
type Options struct {
	// Threads is the number of workers; 0 takes GOMAXPROCS.
	Threads int
	// Scalar uses the portable kernels, the reference, instead of the fastest ones.
	Scalar bool
	// Name is the processor's name for reports; empty says "CPU".
	Name string
}

// Device runs programs on the processor.
type Device struct {
	info    device.Info
	set     *kernel.Set
	pool    *pool
	weights *weights
	runners map[*runner]bool
}

// New starts the device's workers.
func New(o Options) *Device {
	threads := o.Threads
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	set := kernel.Best()
	if o.Scalar {
		set = kernel.Scalar()
	}
	name := o.Name
	if name == "" {
		name = "CPU"
	}
	return &Device{
		info:    device.Info{Kind: "cpu", Name: name, Threads: threads, Features: []string{set.Name()}},
		set:     set,
		pool:    newPool(threads),
		weights: newWeights(),
		runners: make(map[*runner]bool),
	}
}

// Info describes the device.
func (d *Device) Info() device.Info { return d.info }

// Load packs the program's weights and, unless the program releases memory between stages, takes its memory.
func (d *Device) Load(ctx context.Context, p *program.Program) (device.Runner, error) {
	layout, err := program.Plan(p)
	if err != nil {
		return nil, fmt.Errorf("plan memory: %w", err)
	}
	r := &runner{device: d, program: p}
	r.arenas = arenas{layout: layout, taken: make([]memory, len(layout.Arenas))}
	d.runners[r] = true
	if err := r.load(ctx); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// WeightBytes returns the memory that the program's weights take when packed, known before it is loaded.
func WeightBytes(p *program.Program) int64 {
	seen := make(map[weightUse]bool)
	var sum int64
	for i := range p.Ops {
		for _, u := range weightUses(&p.Ops[i]) {
			if !seen[u] {
				seen[u] = true
				sum += size(p.Weights[u.weight], u.form)
			}
		}
	}
	return sum
}

// Close frees every runner and ends the workers.
func (d *Device) Close() error {
	for r := range d.runners {
		r.Close()
	}
	d.pool.close()
	return nil
}

// runner is a program with its weights and memory.
type runner struct {
	device  *Device
	program *program.Program
	arenas  arenas
	held    map[int]heldWeight // by index into program.Weights
	keys    []weightKey
	steps   []step // recorded, where the program asks for it
	scratch []memory
	moments []float64
	stats   device.Stats
}

// heldWeight is a weight in the forms that the program uses.
type heldWeight map[form]*weight

// weightUse is a weight that an op needs, and in which form.
type weightUse struct {
	weight int
	form   form
}

// weightUses lists the weights of an op.
func weightUses(op *program.Op) []weightUse {
	var uses []weightUse
	if op.W >= 0 {
		f := plain
		if op.Kind == program.Gemm || op.Kind == program.Conv2D {
			f = packedForm(op)
		}
		uses = append(uses, weightUse{op.W, f})
	}
	if op.B >= 0 {
		uses = append(uses, weightUse{op.B, plain})
	}
	if op.Pre != nil {
		uses = append(uses, weightUse{op.Pre.W, plain}, weightUse{op.Pre.B, plain})
	}
	return uses
}

func (r *runner) load(ctx context.Context) error {
	p := r.program
	r.held = make(map[int]heldWeight)
	for i := range p.Ops {
		for _, u := range weightUses(&p.Ops[i]) {
			if r.held[u.weight][u.form] != nil {
				continue
			}
			if err := ctx.Err(); err != nil {
				return context.Cause(ctx)
			}
			w, key, err := r.device.weights.use(p.Model, p.Weights[u.weight], u.form)
			if err != nil {
				return err
			}
			r.keys = append(r.keys, key)
			if r.held[u.weight] == nil {
				r.held[u.weight] = make(heldWeight)
			}
			r.held[u.weight][u.form] = w
			r.stats.Weights += int64(len(w.memory.bytes))
		}
	}
	if p.StageGC {
		return nil
	}
	if err := r.arenas.enter(0); err != nil {
		return err
	}
	if p.Record {
		for i := range p.Ops {
			r.steps = append(r.steps, r.step(i))
		}
	}
	return nil
}

// Run implements device.Runner.
func (r *runner) Run(ctx context.Context, inputs, outputs map[string][]float32) error {
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	if r.program.StageGC {
		defer r.arenas.releaseAll()
	}
	r.arenas.peak = r.arenas.now
	r.stats.Stage = [program.Stages]time.Duration{}
	for i := range r.program.Ops {
		if err := r.arenas.enter(i); err != nil {
			return err
		}
		if i == 0 {
			if err := r.fill(inputs); err != nil {
				return err
			}
		}
		start := time.Now()
		if err := r.do(ctx, i); err != nil {
			return err
		}
		r.stats.Stage[r.program.Ops[i].Stage] += time.Since(start)
	}
	r.stats.Arena = r.arenas.peak
	return r.read(outputs)
}

// do runs one op on all workers.
func (r *runner) do(ctx context.Context, i int) error {
	var s step
	if r.steps != nil {
		s = r.steps[i]
	} else {
		s = r.step(i)
	}
	if err := r.reserve(s.scratch); err != nil {
		return err
	}
	if s.before != nil {
		s.before()
	}
	wave := s.wave
	if wave == 0 {
		wave = s.units
	}
	var err error
	for at := 0; at < s.units && err == nil; at += wave {
		end := min(at+wave, s.units)
		err = r.device.pool.each(ctx, (end-at+s.block-1)/s.block, func(worker, block int) {
			from := at + block*s.block
			s.run(from, min(from+s.block, end), r.scratch[worker].float32s(0, s.scratch))
		})
	}
	if err == nil && s.after != nil {
		s.after()
	}
	return err
}

// reserve makes every worker's scratch hold at least n floats.
func (r *runner) reserve(n int) error {
	if r.scratch == nil {
		r.scratch = make([]memory, r.device.info.Threads)
	}
	for i := range r.scratch {
		if len(r.scratch[i].bytes) >= 4*n {
			continue
		}
		r.stats.Scratch += 4*int64(n) - int64(len(r.scratch[i].bytes))
		r.scratch[i].free()
		var err error
		if r.scratch[i], err = allocate(4 * int64(n)); err != nil {
			return err
		}
	}
	return nil
}

// fill copies the caller's inputs into their tensors.
func (r *runner) fill(inputs map[string][]float32) error {
	for i, t := range r.program.Tensors {
		if t.Role != program.Input {
			continue
		}
		src, ok := inputs[t.Name]
		dst := r.floats(program.ID(i))
		if !ok || len(src) != len(dst) {
			return fmt.Errorf("input %s: %d values given, %d needed", t.Name, len(src), len(dst))
		}
		copy(dst, src)
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
		src := r.floats(id)
		if len(src) != len(dst) {
			return fmt.Errorf("output %s: room for %d values, %d made", name, len(dst), len(src))
		}
		copy(dst, src)
	}
	return nil
}

// Stats implements device.Runner.
func (r *runner) Stats() device.Stats { return r.stats }

// Close implements device.Runner. Closing twice does nothing.
func (r *runner) Close() error {
	if !r.device.runners[r] {
		return nil
	}
	delete(r.device.runners, r)
	r.arenas.releaseAll()
	for i := range r.scratch {
		r.scratch[i].free()
	}
	for _, key := range r.keys {
		r.device.weights.drop(key)
	}
	r.steps, r.held, r.keys, r.scratch = nil, nil, nil, nil
	return nil
}
