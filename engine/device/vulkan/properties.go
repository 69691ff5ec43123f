//lint:file-ignore U1000 Fields that nothing reads keep the others where C has them.

package vulkan

import "unsafe"

// The structs in which drivers say what a device is, like those of structs.go.

type queueFamilyProperties struct {
	flags              uint32
	count              uint32
	timestampValidBits uint32
	granularity        [3]uint32
}

type physicalDeviceProperties struct {
	apiVersion        uint32
	driverVersion     uint32
	vendor            uint32
	device            uint32
	deviceType        uint32
	name              [256]byte
	pipelineCacheUUID [16]byte
	limits            physicalDeviceLimits
	sparse            [5]uint32
}

// physicalDeviceLimits names the limits that are read; the others are padding of their size.
type physicalDeviceLimits struct {
	images                    [6]uint32
	maxUniformBufferRange     uint32
	maxStorageBufferRange     uint32
	maxPushConstantsSize      uint32
	maxMemoryAllocationCount  uint32
	maxSamplerAllocationCount uint32
	bufferImageGranularity    uint64
	sparseAddressSpaceSize    uint64
	descriptors               [16]uint32
	vertices                  [5]uint32
	tessellation              [8]uint32
	geometry                  [5]uint32
	fragment                  [4]uint32
	maxComputeSharedMemory    uint32
	maxComputeGroupCount      [3]uint32
	maxComputeInvocations     uint32
	maxComputeGroupSize       [3]uint32
	precision                 [3]uint32
	draw                      [2]uint32
	sampler                   [2]float32
	maxViewports              uint32
	viewport                  [2]uint32
	viewportBounds            [2]float32
	viewportBits              uint32
	minMemoryMapAlignment     uint
	minTexelBufferAlignment   uint64
	minUniformBufferAlignment uint64
	minStorageBufferAlignment uint64
	texels                    [4]int32
	interpolation             [2]float32
	interpolationBits         uint32
	framebuffer               [3]uint32
	sampleCounts              [4]uint32
	attachments               uint32
	imageSamples              [5]uint32
	maxSampleMaskWords        uint32
	timestampComputeAndGfx    uint32
	timestampPeriod           float32
	clip                      [3]uint32
	discreteQueuePriorities   uint32
	pointsAndLines            [6]float32
	lines                     [2]uint32
	copyAlignments            [2]uint64
	nonCoherentAtomSize       uint64
}

type physicalDeviceProperties2 struct {
	sType      structType
	next       unsafe.Pointer
	properties physicalDeviceProperties
}

type idProperties struct {
	sType      structType
	next       unsafe.Pointer
	deviceUUID [16]byte
	driverUUID [16]byte
	luid       [8]byte
	nodeMask   uint32
	luidValid  uint32
}

type driverProperties struct {
	sType       structType
	next        unsafe.Pointer
	id          uint32
	name        [256]byte
	info        [256]byte
	conformance [4]byte
}

type maintenance3Properties struct {
	sType                   structType
	next                    unsafe.Pointer
	maxPerSetDescriptors    uint32
	maxMemoryAllocationSize uint64
}

type memoryType struct {
	flags uint32
	heap  uint32
}

type memoryHeap struct {
	size  uint64
	flags uint32
}

type memoryProperties struct {
	typeCount uint32
	types     [32]memoryType
	heapCount uint32
	heaps     [16]memoryHeap
}

type memoryProperties2 struct {
	sType      structType
	next       unsafe.Pointer
	properties memoryProperties
}

type memoryBudgetProperties struct {
	sType  structType
	next   unsafe.Pointer
	budget [16]uint64
	usage  [16]uint64
}

type features2 struct {
	sType    structType
	next     unsafe.Pointer
	features [55]uint32
}

type storage16Features struct {
	sType                                                 structType
	next                                                  unsafe.Pointer
	storageBuffer, uniformAndStorage, push, inputsOutputs uint32
}

type float16Features struct {
	sType         structType
	next          unsafe.Pointer
	float16, int8 uint32
}
