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
