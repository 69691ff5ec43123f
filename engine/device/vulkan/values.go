package vulkan

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
