package vulkan

import (
	"errors"
	"fmt"
	"sync"
	"unsafe"

	"greenroom/engine/device"
	"greenroom/engine/device/gpu"
)

// stagingBytes is the size of the buffer through which memory of the GPU's own is reached.
const stagingBytes = 16 << 20

// memory is a buffer with memory of its own.
type memory struct {
	buffer buffer
	memory deviceMemory
	mapped []byte // where the processor reaches it
}

// Allocate implements gpu.Host.
func (h *Host) Allocate(bytes int64) (gpu.Buffer, error) {
	if free, ok := h.free(); ok && bytes > free {
		return nil, fmt.Errorf("take %d MB of GPU memory, %d MB are free: %w", bytes>>20, free>>20, device.ErrOutOfMemory)
	}
	heap := int(h.found.heap())
	kinds := []kind{{memoryDeviceLocal, heap}, {memoryDeviceLocal, -1}}
	if h.unified {
		visible := uint32(memoryHostVisible | memoryHostCoherent)
		kinds = []kind{{memoryDeviceLocal | memoryHostCached | visible, -1}, {memoryDeviceLocal | visible, -1}, {visible, -1}}
	}
	m, err := h.take(bytes, usageStorage|usageTransferSource|usageTransferDestination, kinds)
	if err != nil {
		return nil, fmt.Errorf("take %d MB of GPU memory: %w", bytes>>20, err)
	}
	return m, nil
}

// kind is a wish for a type of memory: flags that it must have, and a heap where not negative.
type kind struct {
	flags uint32
	heap  int
}

// take makes a buffer in the first of the given kinds of memory that has room, mapped if that is visible.
func (h *Host) take(bytes int64, usage uint32, kinds []kind) (_ *memory, err error) {
	m := &memory{}
	defer func() {
		if err != nil {
			h.Free(m)
		}
	}()
	info := bufferCreateInfo{sType: typeBufferCreateInfo, size: uint64(max(bytes, 4)), usage: usage}
	if err := failed("make a buffer", h.CreateBuffer(h.device, &info, nil, &m.buffer)); err != nil {
		return nil, err
	}
	var needs memoryRequirements
	h.GetBufferMemoryRequirements(h.device, m.buffer, &needs)
	visible := false
	err = fmt.Errorf("no memory of a suitable type: %w", device.ErrOutOfMemory)
	for _, k := range kinds {
		t, ok := h.found.memoryType(needs.typeBits, k.flags, k.heap)
		if !ok {
			continue
		}
		allocate := memoryAllocateInfo{sType: typeMemoryAllocateInfo, size: needs.size, memoryType: t}
		err = failed("allocate", h.AllocateMemory(h.device, &allocate, nil, &m.memory))
		if !errors.Is(err, device.ErrOutOfMemory) {
			visible = k.flags&memoryHostVisible != 0
			break
		}
	}
	if err != nil {
		return nil, err
	}
	if err := failed("bind memory", h.BindBufferMemory(h.device, m.buffer, m.memory, 0)); err != nil {
		return nil, err
	}
	if !visible {
		return m, nil
	}
	var p unsafe.Pointer
	if err := failed("map memory", h.MapMemory(h.device, m.memory, 0, wholeSize, 0, &p)); err != nil {
		return nil, err
	}
	m.mapped = unsafe.Slice((*byte)(p), bytes)
	return m, nil
}

// Free implements gpu.Host.
func (h *Host) Free(b gpu.Buffer) {
	m := b.(*memory)
	if h.hung {
		return
	}
	if m.buffer != 0 {
		h.DestroyBuffer(h.device, m.buffer, nil)
	}
	if m.memory != 0 {
		h.FreeMemory(h.device, m.memory, nil)
	}
	*m = memory{}
}

// stage returns the staging buffer.
func (h *Host) stage() (*memory, error) {
	if h.staging != nil {
		return h.staging, nil
	}
	visible := uint32(memoryHostVisible | memoryHostCoherent)
	m, err := h.take(stagingBytes, usageTransferSource|usageTransferDestination,
		[]kind{{visible | memoryHostCached, -1}, {visible, -1}})
	if err != nil {
		return nil, fmt.Errorf("take a staging buffer: %w", err)
	}
	h.staging = m
	return m, nil
}

// Upload implements gpu.Host.
func (h *Host) Upload(dst gpu.Buffer, offset int64, src []byte) error {
	m := dst.(*memory)
	if m.mapped != nil {
		copyBytes(m.mapped[offset:], src)
		return nil
	}
	s, err := h.stage()
	if err != nil {
		return err
	}
	for len(src) > 0 {
		n := copyBytes(s.mapped, src)
		if err := h.copy(s.buffer, m.buffer, bufferCopy{to: uint64(offset), size: uint64(n)}); err != nil {
			return fmt.Errorf("copy to the GPU: %w", err)
		}
		src, offset = src[n:], offset+int64(n)
	}
	return nil
}

// Download implements gpu.Host.
func (h *Host) Download(dst []byte, src gpu.Buffer, offset int64) error {
	m := src.(*memory)
	if m.mapped != nil {
		copyBytes(dst, m.mapped[offset:])
		return nil
	}
	s, err := h.stage()
	if err != nil {
		return err
	}
	for len(dst) > 0 {
		n := min(len(dst), len(s.mapped))
		if err := h.copy(m.buffer, s.buffer, bufferCopy{from: uint64(offset), size: uint64(n)}); err != nil {
			return fmt.Errorf("copy from the GPU: %w", err)
		}
		copyBytes(dst[:n], s.mapped)
		dst, offset = dst[n:], offset+int64(n)
	}
	return nil
}

// copy copies between buffers and waits for it.
func (h *Host) copy(from, to buffer, region bufferCopy) error {
	if err := h.begin(h.transfer, commandOneTime); err != nil {
		return err
	}
	h.barrier(h.transfer)
	h.CmdCopyBuffer(h.transfer, from, to, 1, &region)
	h.publish(h.transfer)
	if err := failed("end commands", h.EndCommandBuffer(h.transfer)); err != nil {
		return err
	}
	return h.submit(h.transfer)
}

// copyBytes is copy, by several processors where that is faster: one alone moves a fraction of what memory can.
func copyBytes(dst, src []byte) int {
	const hands, least = 4, 1 << 20
	n := min(len(dst), len(src))
	if n < hands*least {
		return copy(dst, src)
	}
	var all sync.WaitGroup
	part := (n/hands + 63) &^ 63
	for from := 0; from < n; from += part {
		to := min(from+part, n)
		all.Go(func() { copy(dst[from:to], src[from:to]) })
	}
	all.Wait()
	return n
}
