package vulkan

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/ebitengine/purego"
)

// functions are the Vulkan functions in use. A field is the function of its name with the prefix vk. The tag
// global marks those that need no instance, optional those that not every driver has.
type functions struct {
	CreateInstance                         func(*instanceCreateInfo, unsafe.Pointer, *instance) int32 `vk:"global"`
	EnumerateInstanceLayerProperties       func(*uint32, *layerProperties) int32                      `vk:"global"`
	EnumerateInstanceExtensionProperties   func(*byte, *uint32, *extensionProperties) int32           `vk:"global"`
	DestroyInstance                        func(instance, unsafe.Pointer)
	EnumeratePhysicalDevices               func(instance, *uint32, *physicalDevice) int32
	EnumerateDeviceExtensionProperties     func(physicalDevice, *byte, *uint32, *extensionProperties) int32
	GetPhysicalDeviceProperties            func(physicalDevice, *physicalDeviceProperties)
	GetPhysicalDeviceProperties2           func(physicalDevice, *physicalDeviceProperties2)
	GetPhysicalDeviceFeatures2             func(physicalDevice, *features2)
	GetPhysicalDeviceMemoryProperties2     func(physicalDevice, *memoryProperties2)
	GetPhysicalDeviceQueueFamilyProperties func(physicalDevice, *uint32, *queueFamilyProperties)
	CreateDebugUtilsMessengerEXT           func(instance, *debugMessengerCreateInfo, unsafe.Pointer, *debugMessenger) int32 `vk:"optional"`
	DestroyDebugUtilsMessengerEXT          func(instance, debugMessenger, unsafe.Pointer)                                   `vk:"optional"`
	CreateDevice                           func(physicalDevice, *deviceCreateInfo, unsafe.Pointer, *logicalDevice) int32
	DestroyDevice                          func(logicalDevice, unsafe.Pointer)
	GetDeviceQueue                         func(logicalDevice, uint32, uint32, *queue)
	DeviceWaitIdle                         func(logicalDevice) int32
	CreateBuffer                           func(logicalDevice, *bufferCreateInfo, unsafe.Pointer, *buffer) int32
	DestroyBuffer                          func(logicalDevice, buffer, unsafe.Pointer)
	GetBufferMemoryRequirements            func(logicalDevice, buffer, *memoryRequirements)
	AllocateMemory                         func(logicalDevice, *memoryAllocateInfo, unsafe.Pointer, *deviceMemory) int32
	FreeMemory                             func(logicalDevice, deviceMemory, unsafe.Pointer)
	BindBufferMemory                       func(logicalDevice, buffer, deviceMemory, uint64) int32
	MapMemory                              func(logicalDevice, deviceMemory, uint64, uint64, uint32, *unsafe.Pointer) int32
	CreateShaderModule                     func(logicalDevice, *shaderModuleCreateInfo, unsafe.Pointer, *shaderModule) int32
	DestroyShaderModule                    func(logicalDevice, shaderModule, unsafe.Pointer)
	CreatePipelineCache                    func(logicalDevice, *pipelineCacheCreateInfo, unsafe.Pointer, *pipelineCache) int32
	DestroyPipelineCache                   func(logicalDevice, pipelineCache, unsafe.Pointer)
	GetPipelineCacheData                   func(logicalDevice, pipelineCache, *uint, *byte) int32
	CreateDescriptorSetLayout              func(logicalDevice, *descriptorSetLayoutCreateInfo, unsafe.Pointer, *descriptorSetLayout) int32
	DestroyDescriptorSetLayout             func(logicalDevice, descriptorSetLayout, unsafe.Pointer)
	CreatePipelineLayout                   func(logicalDevice, *pipelineLayoutCreateInfo, unsafe.Pointer, *pipelineLayout) int32
	DestroyPipelineLayout                  func(logicalDevice, pipelineLayout, unsafe.Pointer)
	CreateComputePipelines                 func(logicalDevice, pipelineCache, uint32, *computePipelineCreateInfo, unsafe.Pointer, *pipeline) int32
	DestroyPipeline                        func(logicalDevice, pipeline, unsafe.Pointer)
	CreateDescriptorPool                   func(logicalDevice, *descriptorPoolCreateInfo, unsafe.Pointer, *descriptorPool) int32
	DestroyDescriptorPool                  func(logicalDevice, descriptorPool, unsafe.Pointer)
	AllocateDescriptorSets                 func(logicalDevice, *descriptorSetAllocateInfo, *descriptorSet) int32
	UpdateDescriptorSets                   func(logicalDevice, uint32, *writeDescriptorSet, uint32, unsafe.Pointer)
	CreateCommandPool                      func(logicalDevice, *commandPoolCreateInfo, unsafe.Pointer, *commandPool) int32
	DestroyCommandPool                     func(logicalDevice, commandPool, unsafe.Pointer)
	AllocateCommandBuffers                 func(logicalDevice, *commandBufferAllocateInfo, *commandBuffer) int32
	FreeCommandBuffers                     func(logicalDevice, commandPool, uint32, *commandBuffer)
	BeginCommandBuffer                     func(commandBuffer, *commandBufferBeginInfo) int32
	EndCommandBuffer                       func(commandBuffer) int32
	CmdBindPipeline                        func(commandBuffer, uint32, pipeline)
	CmdBindDescriptorSets                  func(commandBuffer, uint32, pipelineLayout, uint32, uint32, *descriptorSet, uint32, *uint32)
	CmdPushDescriptorSetKHR                func(commandBuffer, uint32, pipelineLayout, uint32, uint32, *writeDescriptorSet) `vk:"optional"`
	CmdPushConstants                       func(commandBuffer, pipelineLayout, uint32, uint32, uint32, *byte)
	CmdDispatch                            func(commandBuffer, uint32, uint32, uint32)
	CmdPipelineBarrier                     func(commandBuffer, uint32, uint32, uint32, uint32, *memoryBarrier, uint32, unsafe.Pointer, uint32, unsafe.Pointer)
	CmdCopyBuffer                          func(commandBuffer, buffer, buffer, uint32, *bufferCopy)
	CreateQueryPool                        func(logicalDevice, *queryPoolCreateInfo, unsafe.Pointer, *queryPool) int32
	DestroyQueryPool                       func(logicalDevice, queryPool, unsafe.Pointer)
	CmdResetQueryPool                      func(commandBuffer, queryPool, uint32, uint32)
	CmdWriteTimestamp                      func(commandBuffer, uint32, queryPool, uint32)
	GetQueryPoolResults                    func(logicalDevice, queryPool, uint32, uint32, uint, *uint64, uint64, uint32) int32
	CreateFence                            func(logicalDevice, *fenceCreateInfo, unsafe.Pointer, *fence) int32
	DestroyFence                           func(logicalDevice, fence, unsafe.Pointer)
	ResetFences                            func(logicalDevice, uint32, *fence) int32
	WaitForFences                          func(logicalDevice, uint32, *fence, uint32, uint64) int32
	QueueSubmit                            func(queue, uint32, *submitInfo, fence) int32
}

// api is the functions of one instance.
type api struct {
	functions
	lookup func(instance, string) uintptr
}

// loadAPI opens the loader and finds the functions that need no instance.
func loadAPI() (*api, error) {
	address, err := loadLibrary()
	if err != nil {
		return nil, err
	}
	a := &api{}
	purego.RegisterFunc(&a.lookup, address)
	if err := a.bind(0, true); err != nil {
		return nil, err
	}
	return a, nil
}

// bind finds the functions of an instance, or those that need none.
func (a *api) bind(of instance, global bool) error {
	fields := reflect.ValueOf(&a.functions).Elem()
	for i := range fields.NumField() {
		field := fields.Type().Field(i)
		name, kind := "vk"+field.Name, field.Tag.Get("vk")
		if (kind == "global") != global {
			continue
		}
		address := a.lookup(of, name+"\x00")
		if address == 0 && kind == "optional" {
			continue
		}
		if address == 0 {
			return fmt.Errorf("find %s: the Vulkan loader is too old: %w", name, ErrNoLoader)
		}
		purego.RegisterFunc(fields.Field(i).Addr().Interface(), address)
	}
	return nil
}
