//go:build darwin || linux

package metal

import (
	"fmt"
	"time"
	"unsafe"

	"greenroom/engine/device"
	"greenroom/engine/device/gpu"
	"greenroom/engine/program"
)

// recording is a list of steps with what Metal needs of each. A command buffer can run only once, so that Run
// encodes the list anew each time.
type recording struct{ stages []stageSteps }

// stageSteps are consecutive steps of one stage of the program. Each goes into a command buffer of its own, whose
// times on the GPU are the stage's.
type stageSteps struct {
	stage program.Stage
	steps []step
}

// step is one dispatch.
type step struct {
	pipeline        object
	push            []byte
	buffers         []binding // of index 1 on
	groups, threads size
}

// binding is a buffer from an offset, in bytes.
type binding struct {
	buffer object
	offset uint64
}

// Record implements gpu.Host.
func (h *Host) Record(steps []gpu.Step) (gpu.Recording, error) {
	if h.lost != nil {
		return nil, h.lost
	}
	r := &recording{}
	err := h.pooled(func() error {
		for _, s := range steps {
			made, err := h.step(s)
			if err != nil {
				return fmt.Errorf("record %s: %w", s.Call.Kernel, err)
			}
			if n := len(r.stages); n == 0 || r.stages[n-1].stage != s.Stage {
				r.stages = append(r.stages, stageSteps{stage: s.Stage})
			}
			last := &r.stages[len(r.stages)-1]
			last.steps = append(last.steps, made)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return r, nil
}

// mostPush is the most bytes that setBytes:length:atIndex: takes.
const mostPush = 4096

// step checks a step and compiles its kernel.
func (h *Host) step(s gpu.Step) (step, error) {
	p, err := h.pipeline(s.Call.Kernel)
	if err != nil {
		return step{}, err
	}
	k := p.kernel
	if len(s.Call.Push) != k.Push || k.Push > mostPush {
		return step{}, fmt.Errorf("%d bytes of push constants, %d needed", len(s.Call.Push), k.Push)
	}
	if len(s.Bindings) != k.Bindings {
		return step{}, fmt.Errorf("%d buffers, %d needed", len(s.Bindings), k.Bindings)
	}
	for i, n := range s.Call.Groups {
		if n < 1 || n > h.limits.Groups[i] {
			return step{}, fmt.Errorf("%v groups", s.Call.Groups)
		}
	}
	made := step{pipeline: p.state, push: s.Call.Push, groups: sizeOf(s.Call.Groups), threads: sizeOf(k.Workgroup)}
	for i, b := range s.Bindings {
		own, ok := b.Buffer.(*buffer)
		if !ok || !h.buffers[own] || b.Offset < 0 || b.Bytes < 1 || b.Offset > int64(len(own.bytes))-b.Bytes || b.Offset%bindAlign != 0 {
			return step{}, fmt.Errorf("buffer %d cannot be bound: %d bytes at %d", i+1, b.Bytes, b.Offset)
		}
		made.buffers = append(made.buffers, binding{own.object, uint64(b.Offset)})
	}
	return made, nil
}

func sizeOf(n [3]uint32) size { return size{uint64(n[0]), uint64(n[1]), uint64(n[2])} }

// Run implements gpu.Host.
func (h *Host) Run(r gpu.Recording) (times [program.Stages]time.Duration, err error) {
	if h.lost != nil {
		return times, h.lost
	}
	rec := r.(*recording)
	err = h.pooled(func() error {
		var sent []object
		for _, s := range rec.stages {
			b := h.encode(s.steps)
			if b == 0 {
				break
			}
			h.objc.send(b, h.objc.selectors[msgCommit])
			sent = append(sent, b)
		}
		// All that was sent is waited for, whatever became of it: memory may be freed after an error.
		var first error
		for i, b := range sent {
			took, err := h.wait(b)
			times[rec.stages[i].stage] += took
			if first == nil {
				first = err
			}
		}
		if first == nil && len(sent) < len(rec.stages) {
			first = h.lose("Metal gives no command buffer")
		}
		return first
	})
	return times, err
}

// encode writes steps into a command buffer; 0 where Metal gives none. A serial encoder, which is the usual kind, lets
// each step see what those before it wrote.
func (h *Host) encode(steps []step) object {
	o := h.objc
	b := o.get(h.queue, o.selectors[msgCommandBuffer])
	e := o.get(b, o.selectors[msgComputeCommandEncoder])
	if e == 0 {
		return 0
	}
	var bound object
	for i := range steps {
		s := &steps[i]
		if s.pipeline != bound {
			o.setObject(e, o.selectors[msgSetPipeline], s.pipeline)
			bound = s.pipeline
		}
		if len(s.push) > 0 {
			o.setBytes(e, o.selectors[msgSetBytes], unsafe.Pointer(unsafe.SliceData(s.push)), uint64(len(s.push)), 0)
		}
		for n, x := range s.buffers {
			o.setBuffer(e, o.selectors[msgSetBuffer], x.buffer, x.offset, uint64(n+1))
		}
		o.dispatch(e, o.selectors[msgDispatch], s.groups, s.threads)
	}
	o.send(e, o.selectors[msgEndEncoding])
	return b
}

// What MTLCommandBufferStatus and MTLCommandBufferError number.
const (
	statusCompleted  = 4
	errorOutOfMemory = 8
)

// wait waits for a command buffer and returns how long the GPU took. Where it failed, the GPU's memory is not to be
// trusted any more; only that it was too little is no fault of the GPU's.
func (h *Host) wait(b object) (time.Duration, error) {
	o := h.objc
	o.send(b, o.selectors[msgWaitUntilCompleted])
	if o.getUint(b, o.selectors[msgStatus]) != statusCompleted {
		e := o.get(b, o.selectors[msgError])
		if e != 0 && o.getInt(e, o.selectors[msgCode]) == errorOutOfMemory {
			return 0, fmt.Errorf("run on the GPU: %s: %w", h.problem(e), device.ErrOutOfMemory)
		}
		return 0, h.lose(h.problem(e))
	}
	seconds := o.getFloat(b, o.selectors[msgGPUEndTime]) - o.getFloat(b, o.selectors[msgGPUStartTime])
	return time.Duration(max(seconds, 0) * float64(time.Second)), nil
}

// lose notes that the GPU cannot be used any more.
func (h *Host) lose(why string) error {
	h.lost = fmt.Errorf("run on the GPU: %s: %w", why, device.ErrLost)
	return h.lost
}

// Release implements gpu.Host. A recording holds nothing that is Metal's.
func (h *Host) Release(r gpu.Recording) { r.(*recording).stages = nil }
