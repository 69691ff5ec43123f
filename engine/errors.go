package engine

import (
	"errors"
	"fmt"
	"image"
	"runtime/debug"

	"greenroom/engine/device"
)

// ErrClosed is what jobs end with when the engine is closed under them, and what later ones are refused with.
var ErrClosed = errors.New("the engine is closed")

// JobError says that a job cannot be run as it was given, and what to do.
type JobError struct {
	// Problem and Remedy are sentences without a full stop.
	Problem, Remedy string
}

func (e *JobError) Error() string { return e.Problem + " (" + e.Remedy + ")" }

// MemoryError says that the device could not hold the program, neither at the asked tile nor at the next
// smaller one. It wraps device.ErrOutOfMemory.
type MemoryError struct {
	// Device is the device's name, TileW x TileH the last size that was tried.
	Device       string
	TileW, TileH int
	Err          error
}

func (e *MemoryError) Error() string {
	return fmt.Sprintf("%s has too little memory for tiles of %d x %d: %v (choose a smaller tile, or close other programs)",
		e.Device, e.TileW, e.TileH, e.Err)
}

func (e *MemoryError) Unwrap() error { return e.Err }

// DeviceError says that the device failed while it loaded or ran the network.
type DeviceError struct {
	// Device is the device's name, Doing what it was doing.
	Device, Doing string
	Err           error
}

func (e *DeviceError) Error() string {
	return fmt.Sprintf("%s failed to %s: %v (try another device, or report it)", e.Device, e.Doing, e.Err)
}

func (e *DeviceError) Unwrap() error { return e.Err }

// LostError says that the device stopped working while the network was loaded or run: its driver was reset, or it was
// taken away. It wraps device.ErrLost. The engine goes on: the next job opens the device again.
type LostError struct {
	// Device is the device's name.
	Device string
	// Barred says that it stopped so often that the next job takes the processor.
	Barred bool
	Err    error
}

func (e *LostError) Error() string {
	advice := "key again: it is opened anew"
	if e.Barred {
		advice = "key again: the processor takes over"
	}
	return fmt.Sprintf("%s stopped working: %v (%s)", e.Device, e.Err, advice)
}

func (e *LostError) Unwrap() error { return e.Err }

// NonFiniteError says that the network returned values that are no numbers, in float32 too.
type NonFiniteError struct {
	// Output is alpha, fg or coarse; Count how many of its values are NaN or infinite in the tile at Rect
	// (pixels of the padded plate).
	Output string
	Count  int
	Rect   image.Rectangle
}

func (e *NonFiniteError) Error() string {
	return fmt.Sprintf("the network returned %d values of %s that are not numbers in the tile at (%d, %d) (the model file may be damaged: verify it)",
		e.Count, e.Output, e.Rect.Min.X, e.Rect.Min.Y)
}

// PanicError is a panic of the engine's goroutine. It fails the job that it happened in, not the program.
type PanicError struct {
	// Value is what was passed to panic, Stack the goroutine's stack at that point.
	Value any
	Stack []byte
}

func (e *PanicError) Error() string {
	return fmt.Sprintf("the engine failed: %v (this is a fault of the program: report it with the log)\n%s", e.Value, e.Stack)
}

// Unwrap returns the panic's value where it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// guard calls work and returns a panic in it as an error.
func guard(work func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &PanicError{Value: v, Stack: debug.Stack()}
		}
	}()
	return work()
}

// deviceError wraps an error of the device; an error of memory keeps its own type.
func deviceError(info device.Info, doing string, size image.Point, err error) error {
	if errors.Is(err, device.ErrOutOfMemory) {
		return &MemoryError{Device: info.Name, TileW: size.X, TileH: size.Y, Err: err}
	}
	return &DeviceError{Device: info.Name, Doing: doing, Err: err}
}
