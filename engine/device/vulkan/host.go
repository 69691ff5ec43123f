package vulkan

import (
	"crypto/sha256"
	"fmt"
	"unsafe"

	"greenroom/engine/device"
	"greenroom/engine/device/gpu"
	"greenroom/engine/device/kernels"
)

// Options chooses a GPU and how it is used.
type Options struct {
	// Name asks for the device whose name holds this text, a program on the processor (llvmpipe) too. Empty takes
	// the best real GPU.
	Name string
	// CacheDir is the folder in which compiled kernels are kept from one start to the next; empty keeps none.
	CacheDir string
	// Validate, where not nil, has the validation layer check every call, and is told what it finds.
	Validate func(message string)

	// sets uses descriptor sets also where the driver takes descriptors without; staged copies through a staging
	// buffer also where memory is mapped. For tests.
	sets, staged bool
}

// Host is a GPU opened through Vulkan; it implements gpu.Host.
type Host struct {
	*connection
	found  candidate
	info   device.Info
	set    *kernels.Set
	device logicalDevice
	queue  queue
	pool   commandPool
	fence  fence

	budget, push, unified bool

	staging   *memory
	transfer  commandBuffer
	pipelines pipelines
	hung      bool
}

var _ gpu.Host = (*Host)(nil)

// Open opens a GPU. It returns ErrNoLoader or ErrNoDevice, wrapped, where there is none to open.
func Open(o Options) (*Host, error) {
	set, err := kernels.Open()
	if err != nil {
		return nil, err
	}
	c, err := connect(o.Validate)
	if err != nil {
		return nil, err
	}
	found, err := c.choose(o.Name)
	if err != nil {
		c.close()
		return nil, err
	}
	h := &Host{connection: c, found: *found, set: set}
	if err := h.open(o); err != nil {
		h.Close()
		return nil, fmt.Errorf("open %s: %w", found.Name, err)
	}
	return h, nil
}

func (h *Host) open(o Options) error {
	d := &h.found
	var extensions []*byte
	use := func(name string) bool {
		if d.has(name) {
			extensions = append(extensions, text(name))
		}
		return d.has(name)
	}
	h.budget = use(extensionMemoryBudget)
	h.push = !o.sets && use(extensionPushDescriptor)
	h.info.Kind, h.info.Name, h.info.Features = "vulkan", d.Name, []string{d.Driver}
	h.unified = !d.Discrete && !o.staged

	priority := float32(1)
	info := deviceCreateInfo{
		sType: typeDeviceCreateInfo, queueCount: 1,
		queues:         &deviceQueueCreateInfo{sType: typeDeviceQueueCreateInfo, family: d.family, count: 1, priorities: &priority},
		extensionCount: uint32(len(extensions)),
	}
	if len(extensions) > 0 {
		info.extensions = &extensions[0]
	}
	if err := failed("take the device", h.CreateDevice(d.handle, &info, nil, &h.device)); err != nil {
		return err
	}
	h.GetDeviceQueue(h.device, d.family, 0, &h.queue)
	poolInfo := commandPoolCreateInfo{sType: typeCommandPoolCreateInfo, flags: commandPoolResettable, family: d.family}
	if err := failed("make room for commands", h.CreateCommandPool(h.device, &poolInfo, nil, &h.pool)); err != nil {
		return err
	}
	fenceInfo := fenceCreateInfo{sType: typeFenceCreateInfo}
	if err := failed("make a fence", h.CreateFence(h.device, &fenceInfo, nil, &h.fence)); err != nil {
		return err
	}
	var err error
	if h.transfer, err = h.commands(); err != nil {
		return err
	}
	return h.openPipelines(o.CacheDir)
}

// Info implements gpu.Host.
func (h *Host) Info() device.Info { return h.info }

// Identity implements gpu.Host.
func (h *Host) Identity() string {
	d := &h.found
	sum := sha256.Sum256(fmt.Appendf(nil, "%x %x %x %x", d.id.deviceUUID, d.id.driverUUID, d.properties.driverVersion, d.properties.apiVersion))
	return fmt.Sprintf("vulkan %s, %s, %x", d.Name, d.Driver, sum[:8])
}

// Limits implements gpu.Host.
func (h *Host) Limits() gpu.Limits {
	d := &h.found
	p := &d.properties.limits
	l := gpu.Limits{
		Total:         d.Memory,
		MaxBinding:    int64(p.maxStorageBufferRange),
		MaxAllocation: int64(min(d.allocation, 1<<62)),
		Align:         int64(p.minStorageBufferAlignment),
		Shared:        int(p.maxComputeSharedMemory),
		Threads:       int(p.maxComputeInvocations),
		Groups:        p.maxComputeGroupCount,
		Unified:       !d.Discrete,
		Software:      d.Software,
	}
	if free, ok := h.free(); ok {
		l.Memory = free
	}
	return l
}

// free returns how much of the device's own memory may be taken now, where the driver says.
func (h *Host) free() (int64, bool) {
	if !h.budget {
		return 0, false
	}
	budget := memoryBudgetProperties{sType: typeMemoryBudgetProperties}
	all := memoryProperties2{sType: typeMemoryProperties2, next: unsafe.Pointer(&budget)}
	h.GetPhysicalDeviceMemoryProperties2(h.found.handle, &all)
	heap := h.found.heap()
	if budget.budget[heap] == 0 {
		return 0, false
	}
	return max(0, int64(budget.budget[heap])-int64(budget.usage[heap])), true
}

// Close implements gpu.Host.
func (h *Host) Close() error {
	if h.device != 0 && !h.hung {
		h.DeviceWaitIdle(h.device)
		h.closePipelines()
		if h.staging != nil {
			h.Free(h.staging)
		}
		if h.fence != 0 {
			h.DestroyFence(h.device, h.fence, nil)
		}
		if h.pool != 0 {
			h.DestroyCommandPool(h.device, h.pool, nil)
		}
		h.DestroyDevice(h.device, nil)
	}
	h.device = 0
	// A device that never answers still uses what it was given: nothing of it can be taken apart.
	if !h.hung {
		h.connection.close()
	}
	return nil
}
