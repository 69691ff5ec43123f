package gpu

import (
	"context"
	"errors"
	"fmt"

	"greenroom/engine/device"
	"greenroom/engine/device/kernels"
	"greenroom/engine/program"
)

// Device runs programs on a host.
type Device struct {
	host    Host
	limits  Limits
	weights weights
	runners map[*runner]bool
	// without names kernels that are not used: those that failed the self-test, and those too large for the device.
	without map[string]bool
	set     *kernels.Set
	// lendFrom is lentWeight, or less in tests.
	lendFrom int64
	// rate is about how many operations a second the device does, for dividing work; see pace.
	rate float64
	// report is the self-test's result and kept the file it is kept in.
	report Report
	kept   string
	lost   error
}

// newDevice is a device that has not been tested.
func newDevice(h Host, set *kernels.Set) *Device {
	d := &Device{
		host: h, limits: h.Limits(), set: set,
		weights: weights{host: h, byKey: make(map[weightKey]*weight)},
		runners: make(map[*runner]bool),
		without: make(map[string]bool), lendFrom: lentWeight,
		rate: slowGPU,
	}
	if d.limits.Software {
		d.rate = slowSoftware
	}
	d.onlyFitting()
	return d
}

// onlyFitting allows every kernel whose workgroups the device can hold.
func (d *Device) onlyFitting() {
	clear(d.without)
	for _, k := range d.set.All() {
		threads := int(k.Workgroup[0] * k.Workgroup[1] * k.Workgroup[2])
		if d.limits.Threads > 0 && threads > d.limits.Threads || k.Shared > d.limits.Shared {
			d.without[k.Name] = true
		}
	}
}

// Info describes the device.
func (d *Device) Info() device.Info { return d.host.Info() }

// Limits returns what the GPU can hold and take.
func (d *Device) Limits() Limits { return d.host.Limits() }

// kernelLimits bound every call of a program.
func (d *Device) kernelLimits() kernels.Limits {
	return kernels.Limits{Binding: d.limits.MaxBinding, Work: d.rate * callSeconds, Without: d.without}
}

// Load lowers a program, uploads the weights that are not there yet and, unless the program releases memory
// between stages, takes its memory and, where the program asks for it, records it.
func (d *Device) Load(ctx context.Context, p *program.Program) (device.Runner, error) {
	if d.lost != nil {
		return nil, d.lost
	}
	p, constants, err := lend(p, d.lendFrom)
	if err != nil {
		return nil, err
	}
	r := &runner{device: d, program: p, lent: constants}
	d.runners[r] = true
	if err := r.load(ctx); err != nil {
		r.Close()
		return nil, d.note(err)
	}
	return r, nil
}

// note remembers that the device was lost, and returns err.
func (d *Device) note(err error) error {
	if errors.Is(err, device.ErrLost) && d.lost == nil {
		d.lost = err
	}
	return err
}

// Close frees every runner and gives the GPU back.
func (d *Device) Close() error {
	for r := range d.runners {
		r.Close()
	}
	return d.host.Close()
}

// PlanBytes returns the memory that a program takes on a GPU, known before it is loaded: for its tensors, its
// packed weights and the work space of its kernels, in bytes.
func PlanBytes(p *program.Program) (arena, weights, scratch int64, err error) {
	p, _, err = lend(p, lentWeight)
	if err != nil {
		return 0, 0, 0, err
	}
	layout, err := program.Plan(p)
	if err != nil {
		return 0, 0, 0, fmt.Errorf("plan memory: %w", err)
	}
	ops, err := lower(p, kernels.Limits{})
	if err != nil {
		return 0, 0, 0, err
	}
	for _, n := range needs(p, ops) {
		weights += roundUp(n.key.form.bytes(n.weight))
	}
	return layout.Peak, weights, scratchBytes(ops) + indexBytes(p), nil
}
