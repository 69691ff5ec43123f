// Package device says what every device can do: load a program, run it, report what it is. The CPU, Vulkan
// and Metal devices live in rooms below it.
package device

import (
	"context"
	"errors"
	"time"

	"greenroom/engine/program"
)

// ErrOutOfMemory is returned, wrapped, when a device cannot hold a program. A smaller tile may fit.
var ErrOutOfMemory = errors.New("out of memory")

// ErrLost is returned, wrapped, when a device stopped working: its driver was reset or the device was taken away.
// Close it and open it again, or use another.
var ErrLost = errors.New("the device was lost")

// Info describes a device.
type Info struct {
	// Kind is cpu, vulkan or metal.
	Kind string
	// Name is the maker's name of it.
	Name string
	// Threads is how many worker threads a CPU device uses; 0 elsewhere.
	Threads int
	// Features lists the instruction sets or extensions in use, for reports.
	Features []string
}

// Device owns a processor. All its methods, and those of its runners, are called from one goroutine.
type Device interface {
	Info() Info
	// Load makes a program ready to run: weights packed (shared among programs of one model), memory taken.
	// It returns ErrOutOfMemory, wrapped, when the program does not fit, and ctx's error when cancelled.
	Load(ctx context.Context, p *program.Program) (Runner, error)
	// Close waits for the device and frees everything, runners included.
	Close() error
}

// Runner is a program loaded on a device.
type Runner interface {
	// Run copies inputs in, runs every op and copies outputs out. Both maps go by tensor name, with slices of
	// exactly rows*cols float32; outputs that are not asked for are not copied. A cancelled ctx abandons the
	// run within 0.2 s on a CPU; outputs are then unspecified.
	Run(ctx context.Context, inputs, outputs map[string][]float32) error
	// Stats reports the last run.
	Stats() Stats
	// Close frees the runner's memory.
	Close() error
}

// Stats is what a run took.
type Stats struct {
	// Arena is the memory for tensors that was in use at most, in bytes; it equals the program's plan.
	Arena int64
	// Scratch is the memory that the device took beside the arena and the weights, in bytes.
	Scratch int64
	// Weights is the memory of the packed weights, in bytes.
	Weights int64
	// Stage is the time each stage took.
	Stage [program.Stages]time.Duration
}
