// Package conformancetest holds devices against the reference in tests: random ops and whole networks.
package conformancetest

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"greenroom/engine/device"
	"greenroom/engine/device/conformance"
	"greenroom/engine/device/cpu"
	"greenroom/engine/program"
)

// Reference opens the device that others are held against: portable code, one worker.
func Reference(t testing.TB) device.Device {
	t.Helper()
	d := cpu.New(cpu.Options{Scalar: true, Threads: 1})
	t.Cleanup(func() { d.Close() })
	return d
}

// Ops holds a device against the reference over n random ops, the same for the same seed.
func Ops(t *testing.T, d device.Device, seed uint64, n int) {
	t.Helper()
	reference := Reference(t)
	worst := make(map[program.Kind]float64)
	for i := range n {
		c := conformance.Random(rand.New(rand.NewPCG(seed, uint64(i))))
		if err := program.Check(c.Program); err != nil {
			t.Fatalf("case %d, %s: %v", i, c.Name, err)
		}
		want, err := c.Run(context.Background(), reference)
		if err != nil {
			t.Fatalf("case %d, %s: the reference: %v", i, c.Name, err)
		}
		got, err := c.Run(context.Background(), d)
		if err != nil {
			t.Errorf("case %d, %s: %v", i, c.Name, err)
			if errors.Is(err, device.ErrLost) {
				t.FailNow()
			}
			continue
		}
		far := conformance.Compare(got, want)
		if !(far <= c.Allowed) {
			t.Errorf("case %d, %s: off by %.3g, %.3g are allowed", i, c.Name, far, c.Allowed)
		}
		kind := c.Program.Ops[0].Kind
		worst[kind] = max(worst[kind], far/c.Allowed)
	}
}
