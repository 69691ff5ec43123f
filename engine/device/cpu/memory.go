package cpu

import (
	"fmt"
	"unsafe"

	"greenroom/engine/device"
	"greenroom/engine/program"
)

// memory is a run of bytes outside Go's heap. It goes back to the system the moment it is freed, so that what
// a machine shows is what the plan says.
type memory struct{ bytes []byte }

// allocate takes n bytes, all zero. It returns device.ErrOutOfMemory, wrapped, when the system has none.
func allocate(n int64) (memory, error) {
	if n == 0 {
		return memory{}, nil
	}
	if n < 0 || n != int64(int(n)) {
		return memory{}, fmt.Errorf("take %d bytes: %w", n, device.ErrOutOfMemory)
	}
	b, err := systemAllocate(int(n))
	if err != nil {
		return memory{}, fmt.Errorf("take %d MB: %w (%w)", n>>20, device.ErrOutOfMemory, err)
	}
	return memory{bytes: b}, nil
}

// free returns the memory. Slices of it must not be used afterwards.
func (m *memory) free() {
	if m.bytes != nil {
		systemFree(m.bytes)
		m.bytes = nil
	}
}

// float32s returns n floats at a byte offset that is a multiple of 4.
func (m memory) float32s(offset int64, n int) []float32 {
	if n == 0 {
		return nil
	}
	b := m.bytes[offset : offset+4*int64(n)]
	return unsafe.Slice((*float32)(unsafe.Pointer(&b[0])), n)
}

// uint16s returns n 16-bit words at a byte offset that is a multiple of 2.
func (m memory) uint16s(offset int64, n int) []uint16 {
	if n == 0 {
		return nil
	}
	b := m.bytes[offset : offset+2*int64(n)]
	return unsafe.Slice((*uint16)(unsafe.Pointer(&b[0])), n)
}

// arenas is the memory of a program's tensors while it runs.
type arenas struct {
	layout program.Layout
	taken  []memory
	now    int64
	peak   int64
}

// take allocates arena i if it is not there.
func (a *arenas) take(i int) error {
	if a.taken[i].bytes != nil {
		return nil
	}
	m, err := allocate(a.layout.Arenas[i].Bytes)
	if err != nil {
		return err
	}
	a.taken[i] = m
	a.now += a.layout.Arenas[i].Bytes
	a.peak = max(a.peak, a.now)
	return nil
}

// release frees arena i.
func (a *arenas) release(i int) {
	if a.taken[i].bytes != nil {
		a.now -= a.layout.Arenas[i].Bytes
		a.taken[i].free()
	}
}

// enter makes the memory of the op at that place in the program ready and frees what no later op needs.
func (a *arenas) enter(at int) error {
	for i, arena := range a.layout.Arenas {
		if at > arena.Last {
			a.release(i)
		}
	}
	for i, arena := range a.layout.Arenas {
		if arena.First <= at && at <= arena.Last {
			if err := a.take(i); err != nil {
				return err
			}
		}
	}
	return nil
}

// releaseAll frees everything.
func (a *arenas) releaseAll() {
	for i := range a.taken {
		a.release(i)
	}
}
