//go:build darwin || linux

package metal

import (
	"errors"
	"fmt"

	"greenroom/engine/device/kernels"
)

// pipeline is a kernel that Metal has compiled.
type pipeline struct {
	state  object // +1
	kernel kernels.Kernel
}

// languageVersion is MTLLanguageVersion2_3, which the kernels are written in and macOS 11 knows.
const languageVersion = 2<<16 | 3

// pipeline returns a kernel's pipeline, compiled on first use. Metal itself keeps compiled kernels on disk. Call it
// within a pool.
func (h *Host) pipeline(name string) (pipeline, error) {
	if p, ok := h.pipelines[name]; ok {
		return p, nil
	}
	k, ok := h.lookup(name)
	if !ok {
		return pipeline{}, fmt.Errorf("there is no kernel %s", name)
	}
	state, err := h.compile(k)
	if err != nil {
		return pipeline{}, fmt.Errorf("compile kernel %s: %w", name, err)
	}
	p := pipeline{state, k}
	h.pipelines[name] = p
	return p, nil
}

// compile returns a pipeline state that the caller owns.
func (h *Host) compile(k kernels.Kernel) (object, error) {
	o := h.objc
	options := o.get(o.get(o.class("MTLCompileOptions"), o.selectors[msgAlloc]), o.selectors[msgInit])
	defer h.release(options)
	// Fast math would let the compiler take numbers for finite and sums for associative.
	o.setBool(options, o.selectors[msgSetFastMathEnabled], false)
	o.setUint(options, o.selectors[msgSetLanguageVersion], languageVersion)
	var problem object
	compiled := o.newLibrary(h.device, o.selectors[msgNewLibrary], h.string(k.MSL), options, &problem)
	if compiled == 0 {
		return 0, errors.New(h.problem(problem))
	}
	defer h.release(compiled)
	function := o.getNamed(compiled, o.selectors[msgNewFunction], h.string(k.Entry))
	if function == 0 {
		return 0, fmt.Errorf("it has no function %s", k.Entry)
	}
	defer h.release(function)
	descriptor := o.get(o.get(o.class("MTLComputePipelineDescriptor"), o.selectors[msgAlloc]), o.selectors[msgInit])
	defer h.release(descriptor)
	threads := uint64(k.Workgroup[0]) * uint64(k.Workgroup[1]) * uint64(k.Workgroup[2])
	o.setObject(descriptor, o.selectors[msgSetComputeFunction], function)
	// Without this the compiler may use so many registers that fewer threads fit than the kernel is written for.
	o.setUint(descriptor, o.selectors[msgSetMaxTotalThreads], threads)
	problem = 0
	state := o.newPipeline(h.device, o.selectors[msgNewPipeline], descriptor, 0, nil, &problem)
	if state == 0 {
		return 0, errors.New(h.problem(problem))
	}
	if most := o.getUint(state, o.selectors[msgMaxTotalThreads]); threads > most {
		h.release(state)
		return 0, fmt.Errorf("the GPU runs %d threads of it in a group, and it needs %d", most, threads)
	}
	return state, nil
}
