// Package gpu is the device that every GPU shares: it lowers a program's ops to kernel calls, packs weights,
// places tensors as the program's plan says, records, splits and runs. What differs between Vulkan and Metal
// is behind Host.
package gpu

import (
	"time"

	"greenroom/engine/device"
	"greenroom/engine/device/kernels"
	"greenroom/engine/program"
)

// Limits is what a GPU can hold and take.
type Limits struct {
	// Total is the GPU's memory in bytes, or what of the machine's memory it may use.
	Total int64
	// Memory is how many bytes may be allocated now without pushing others out; 0 where the driver does not say.
	Memory int64
	// MaxAllocation is the most bytes that one buffer may have.
	MaxAllocation int64
	// MaxBinding is the most bytes that one binding of a kernel may span.
	MaxBinding int64
	// Align is what a binding's offset must be a multiple of, in bytes; at most 256.
	Align int64
	// Shared is the most bytes of shared memory that a workgroup may have.
	Shared int
	// Threads is the most invocations that a workgroup may have; 0 where that is known only of a compiled kernel.
	Threads int
	// Groups is the most workgroups in each direction of a dispatch.
	Groups [3]uint32
	// Unified says that the processor reads and writes the GPU's memory directly.
	Unified bool
	// Software says that it is no GPU but a program on the processor, thousands of times slower.
	Software bool
}

// Buffer is a run of device memory. Only the host that made it knows what it is.
type Buffer interface{}

// Binding is a range of a buffer that a kernel reads or writes.
type Binding struct {
	Buffer        Buffer
	Offset, Bytes int64
}

// Step is one dispatch with its memory. Steps run in order and each sees what those before it wrote.
type Step struct {
	Call     kernels.Call
	Bindings []Binding
	Stage    program.Stage
	// Beside says that the step neither reads nor writes what the step before it writes, nor writes what that one
	// reads, so that both may run at once.
	Beside bool
}

// Recording is a list of steps made ready to run, as often as wanted. Only the host that made it knows what it is.
type Recording interface{}

// Host is a GPU as a driver gives it. All methods are called from one goroutine. Errors wrap
// device.ErrOutOfMemory or device.ErrLost where that is the reason; after ErrLost only Free, Release and Close are
// called.
type Host interface {
	Info() device.Info
	// Identity names device, driver and their versions, for what is kept on disk about them.
	Identity() string
	Limits() Limits
	// Allocate takes device memory whose content is unspecified.
	Allocate(bytes int64) (Buffer, error)
	// Free gives memory back at once. Nothing that uses it may be recorded or running.
	Free(b Buffer)
	// Upload copies src to dst from offset, in bytes (a multiple of 4 long and far), before anything that runs later.
	Upload(dst Buffer, offset int64, src []byte) error
	// Download copies from src to dst, after everything that ran before.
	Download(dst []byte, src Buffer, offset int64) error
	// Record makes steps ready to run as one piece of work: pipelines compiled, commands written. The caller keeps
	// pieces short, because a driver ends work that holds the GPU for seconds.
	Record(steps []Step) (Recording, error)
	// Run runs a recording to its end and returns how long each stage took on the device.
	Run(r Recording) ([program.Stages]time.Duration, error)
	// Release gives up a recording.
	Release(r Recording)
	// Close waits for the device and frees everything.
	Close() error
}
