//go:build darwin || linux

package metal

import (
	"errors"
	"fmt"
	"unsafe"

	"greenroom/engine/device"
	"greenroom/engine/device/gpu"
)

// buffer is an MTLBuffer that the processor reads and writes in place.
type buffer struct {
	object object // +1
	bytes  []byte // its contents
}

// storageModeShared is MTLResourceStorageModeShared, with the default cache mode and hazard tracking.
const storageModeShared = 0

// Allocate implements gpu.Host. Memory is shared with the processor, which costs nothing where it is unified.
func (h *Host) Allocate(bytes int64) (gpu.Buffer, error) {
	if h.lost != nil {
		return nil, h.lost
	}
	if bytes < 1 {
		return nil, fmt.Errorf("allocate %d bytes", bytes)
	}
	l := h.Limits()
	switch {
	case bytes > l.MaxAllocation:
		return nil, fmt.Errorf("allocate %d bytes: Metal's buffers hold %d at most: %w", bytes, l.MaxAllocation, device.ErrOutOfMemory)
	case l.Total > 0 && bytes > l.Memory:
		return nil, fmt.Errorf("allocate %d bytes: %d are left of the %d that Metal advises to use: %w", bytes, l.Memory, l.Total, device.ErrOutOfMemory)
	}
	b := &buffer{}
	err := h.pooled(func() error {
		o := h.objc
		if b.object = o.newBuffer(h.device, o.selectors[msgNewBuffer], uint64(bytes), storageModeShared); b.object == 0 {
			return fmt.Errorf("allocate %d bytes: Metal gives none: %w", bytes, device.ErrOutOfMemory)
		}
		contents := o.getPointer(b.object, o.selectors[msgContents])
		if contents == nil {
			h.release(b.object)
			return fmt.Errorf("allocate %d bytes: the processor does not see them", bytes)
		}
		b.bytes = unsafe.Slice((*byte)(contents), bytes)
		return nil
	})
	if err != nil {
		return nil, err
	}
	h.buffers[b] = true
	return b, nil
}

// Free implements gpu.Host.
func (h *Host) Free(b gpu.Buffer) {
	_ = h.pooled(func() error { // the work returns no error
		h.free(b.(*buffer))
		return nil
	})
}

func (h *Host) free(b *buffer) {
	if h.buffers[b] {
		delete(h.buffers, b)
		h.release(b.object)
		b.object, b.bytes = 0, nil
	}
}

// within returns the bytes of a range of a buffer.
func (h *Host) within(b gpu.Buffer, offset int64, n int) ([]byte, error) {
	own, ok := b.(*buffer)
	switch {
	case h.lost != nil:
		return nil, h.lost
	case !ok || !h.buffers[own]:
		return nil, errors.New("it is no buffer of this device")
	case offset < 0 || offset > int64(len(own.bytes)) || int64(n) > int64(len(own.bytes))-offset:
		return nil, fmt.Errorf("%d bytes at %d of a buffer of %d", n, offset, len(own.bytes))
	}
	return own.bytes[offset : offset+int64(n)], nil
}

// Upload implements gpu.Host. Nothing is running, so that memory can be written at once.
func (h *Host) Upload(dst gpu.Buffer, offset int64, src []byte) error {
	to, err := h.within(dst, offset, len(src))
	if err != nil {
		return fmt.Errorf("upload: %w", err)
	}
	copy(to, src)
	return nil
}

// Download implements gpu.Host.
func (h *Host) Download(dst []byte, src gpu.Buffer, offset int64) error {
	from, err := h.within(src, offset, len(dst))
	if err != nil {
		return fmt.Errorf("download: %w", err)
	}
	copy(dst, from)
	return nil
}
