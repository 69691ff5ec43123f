//lint:file-ignore U1000 Fields that nothing reads keep the others where C has them.

package vulkan

import "unsafe"

// The structs of the Vulkan headers that this package passes, field for field, without the prefix Vk. Pointers to
// further structs stay typed pointers, so that the garbage collector keeps what they point to.

// Handles: pointers to the driver's objects, or numbers that it gave.
type (
	instance            uintptr
	physicalDevice      uintptr
	logicalDevice       uintptr
	queue               uintptr
	commandBuffer       uintptr
	commandPool         uint64
	fence               uint64
	buffer              uint64
	deviceMemory        uint64
	shaderModule        uint64
	pipeline            uint64
	pipelineCache       uint64
	pipelineLayout      uint64
	descriptorSetLayout uint64
	descriptorPool      uint64
	descriptorSet       uint64
	queryPool           uint64
	debugMessenger      uint64
)

// structType says which struct a pointer points to.
type structType uint32

const (
	typeApplicationInfo               structType = 0
	typeInstanceCreateInfo            structType = 1
	typeDeviceQueueCreateInfo         structType = 2
	typeDeviceCreateInfo              structType = 3
	typeSubmitInfo                    structType = 4
	typeMemoryAllocateInfo            structType = 5
	typeFenceCreateInfo               structType = 8
	typeQueryPoolCreateInfo           structType = 11
	typeBufferCreateInfo              structType = 12
	typeShaderModuleCreateInfo        structType = 16
	typePipelineCacheCreateInfo       structType = 17
	typePipelineShaderStageCreateInfo structType = 18
	typeComputePipelineCreateInfo     structType = 29
	typePipelineLayoutCreateInfo      structType = 30
	typeDescriptorSetLayoutCreateInfo structType = 32
	typeDescriptorPoolCreateInfo      structType = 33
	typeDescriptorSetAllocateInfo     structType = 34
	typeWriteDescriptorSet            structType = 35
	typeCommandPoolCreateInfo         structType = 39
	typeCommandBufferAllocateInfo     structType = 40
	typeCommandBufferBeginInfo        structType = 42
	typeMemoryBarrier                 structType = 46
	typeFeatures2                     structType = 1000059000
	typeProperties2                   structType = 1000059001
	typeMemoryProperties2             structType = 1000059006
	typeIDProperties                  structType = 1000071004
	typeStorage16Features             structType = 1000083000
	typeFloat16Features               structType = 1000082000
	typeDebugMessengerCreateInfo      structType = 1000128004
	typeMaintenance3Properties        structType = 1000168000
	typeDriverProperties              structType = 1000196000
	typeMemoryBudgetProperties        structType = 1000237000
	typeValidationFeatures            structType = 1000247000
)

type applicationInfo struct {
	sType              structType
	next               unsafe.Pointer
	applicationName    *byte
	applicationVersion uint32
	engineName         *byte
	engineVersion      uint32
	apiVersion         uint32
}

type instanceCreateInfo struct {
	sType          structType
	next           unsafe.Pointer
	flags          uint32
	application    *applicationInfo
	layerCount     uint32
	layers         **byte
	extensionCount uint32
	extensions     **byte
}

type extensionProperties struct {
	name    [256]byte
	version uint32
}

type layerProperties struct {
	name                  [256]byte
	specification, number uint32
	description           [256]byte
}

type deviceQueueCreateInfo struct {
	sType      structType
	next       unsafe.Pointer
	flags      uint32
	family     uint32
	count      uint32
	priorities *float32
}

type deviceCreateInfo struct {
	sType          structType
	next           unsafe.Pointer
	flags          uint32
	queueCount     uint32
	queues         *deviceQueueCreateInfo
	layerCount     uint32
	layers         **byte
	extensionCount uint32
	extensions     **byte
	features       unsafe.Pointer
}

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

type bufferCreateInfo struct {
	sType       structType
	next        unsafe.Pointer
	flags       uint32
	size        uint64
	usage       uint32
	sharing     uint32
	familyCount uint32
	families    *uint32
}

type memoryRequirements struct {
	size      uint64
	alignment uint64
	typeBits  uint32
}

type memoryAllocateInfo struct {
	sType      structType
	next       unsafe.Pointer
	size       uint64
	memoryType uint32
}

type commandPoolCreateInfo struct {
	sType  structType
	next   unsafe.Pointer
	flags  uint32
	family uint32
}

type commandBufferAllocateInfo struct {
	sType structType
	next  unsafe.Pointer
	pool  commandPool
	level uint32
	count uint32
}

type commandBufferBeginInfo struct {
	sType       structType
	next        unsafe.Pointer
	flags       uint32
	inheritance unsafe.Pointer
}

type submitInfo struct {
	sType       structType
	next        unsafe.Pointer
	waitCount   uint32
	waits       unsafe.Pointer
	waitStages  *uint32
	bufferCount uint32
	buffers     *commandBuffer
	signalCount uint32
	signals     unsafe.Pointer
}

type fenceCreateInfo struct {
	sType structType
	next  unsafe.Pointer
	flags uint32
}

type shaderModuleCreateInfo struct {
	sType structType
	next  unsafe.Pointer
	flags uint32
	size  uint
	code  *byte
}

type shaderStageCreateInfo struct {
	sType          structType
	next           unsafe.Pointer
	flags          uint32
	stage          uint32
	module         shaderModule
	name           *byte
	specialisation unsafe.Pointer
}

type computePipelineCreateInfo struct {
	sType     structType
	next      unsafe.Pointer
	flags     uint32
	stage     shaderStageCreateInfo
	layout    pipelineLayout
	base      pipeline
	baseIndex int32
}

type pushConstantRange struct{ stages, offset, size uint32 }

type pipelineLayoutCreateInfo struct {
	sType      structType
	next       unsafe.Pointer
	flags      uint32
	setCount   uint32
	sets       *descriptorSetLayout
	rangeCount uint32
	ranges     *pushConstantRange
}

type descriptorSetLayoutBinding struct {
	binding        uint32
	descriptorType uint32
	count          uint32
	stages         uint32
	samplers       unsafe.Pointer
}

type descriptorSetLayoutCreateInfo struct {
	sType    structType
	next     unsafe.Pointer
	flags    uint32
	count    uint32
	bindings *descriptorSetLayoutBinding
}

type descriptorPoolSize struct{ descriptorType, count uint32 }

type descriptorPoolCreateInfo struct {
	sType     structType
	next      unsafe.Pointer
	flags     uint32
	maxSets   uint32
	sizeCount uint32
	sizes     *descriptorPoolSize
}

type descriptorSetAllocateInfo struct {
	sType   structType
	next    unsafe.Pointer
	pool    descriptorPool
	count   uint32
	layouts *descriptorSetLayout
}

type descriptorBufferInfo struct {
	buffer        buffer
	offset, bytes uint64
}

type writeDescriptorSet struct {
	sType          structType
	next           unsafe.Pointer
	set            descriptorSet
	binding        uint32
	element        uint32
	count          uint32
	descriptorType uint32
	images         unsafe.Pointer
	buffers        *descriptorBufferInfo
	texels         unsafe.Pointer
}

type memoryBarrier struct {
	sType    structType
	next     unsafe.Pointer
	from, to uint32
}

type bufferCopy struct{ from, to, size uint64 }

type queryPoolCreateInfo struct {
	sType      structType
	next       unsafe.Pointer
	flags      uint32
	queryType  uint32
	count      uint32
	statistics uint32
}

type pipelineCacheCreateInfo struct {
	sType structType
	next  unsafe.Pointer
	flags uint32
	size  uint
	data  *byte
}

type debugMessengerCreateInfo struct {
	sType      structType
	next       unsafe.Pointer
	flags      uint32
	severities uint32
	kinds      uint32
	callback   uintptr
	user       unsafe.Pointer
}

// debugMessage is the start of VkDebugUtilsMessengerCallbackDataEXT, as far as it is read.
type debugMessage struct {
	sType  structType
	next   unsafe.Pointer
	flags  uint32
	name   *byte
	number int32
	text   *byte
}

type validationFeatures struct {
	sType         structType
	next          unsafe.Pointer
	enabledCount  uint32
	enabled       *uint32
	disabledCount uint32
	disabled      *uint32
}

// Values of the enumerations in use.
const (
	apiVersion11 = 1<<22 | 1<<12
	apiVersion12 = 1<<22 | 2<<12

	deviceTypeIntegrated = 1
	deviceTypeDiscrete   = 2
	deviceTypeVirtual    = 3
	deviceTypeCPU        = 4

	queueCompute = 2

	memoryDeviceLocal  = 1
	memoryHostVisible  = 2
	memoryHostCoherent = 4
	memoryHostCached   = 8

	heapDeviceLocal = 1

	usageTransferSource      = 1
	usageTransferDestination = 2
	usageStorage             = 0x20

	commandPoolResettable = 2
	commandOneTime        = 1

	stageTop          = 0x1
	stageCompute      = 0x800
	stageTransfer     = 0x1000
	stageBottom       = 0x2000
	stageHost         = 0x4000
	accessShaderRead  = 0x20
	accessShaderWrite = 0x40
	accessTransferIn  = 0x800
	accessTransferOut = 0x1000
	accessHostRead    = 0x2000

	shaderStageCompute  = 0x20
	bindPointCompute    = 1
	descriptorStorage   = 7
	setLayoutPush       = 1
	queryTimestamp      = 2
	queryResult64       = 1
	queryResultWait     = 2
	wholeSize           = ^uint64(0)
	severityWarning     = 0x100
	severityError       = 0x1000
	messagesAll         = 7
	validateSynchronise = 4
)
