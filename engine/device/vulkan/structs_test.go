package vulkan

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unsafe"
)

// TestStructsAreThoseOfTheHeaders compiles a program that prints the sizes that the C headers give to structs, and the
// places of the fields that are read among others.
func TestStructsAreThoseOfTheHeaders(t *testing.T) {
	compiler, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("there is no C compiler")
	}
	if _, err := os.Stat("/usr/include/vulkan/vulkan.h"); err != nil {
		t.Skip("the Vulkan headers are not installed (libvulkan-dev)")
	}
	var l physicalDeviceLimits
	var p physicalDeviceProperties
	want := []struct {
		c    string
		size uintptr
	}{
		{"sizeof(VkApplicationInfo)", unsafe.Sizeof(applicationInfo{})},
		{"sizeof(VkInstanceCreateInfo)", unsafe.Sizeof(instanceCreateInfo{})},
		{"sizeof(VkExtensionProperties)", unsafe.Sizeof(extensionProperties{})},
		{"sizeof(VkLayerProperties)", unsafe.Sizeof(layerProperties{})},
		{"sizeof(VkDeviceQueueCreateInfo)", unsafe.Sizeof(deviceQueueCreateInfo{})},
		{"sizeof(VkDeviceCreateInfo)", unsafe.Sizeof(deviceCreateInfo{})},
		{"sizeof(VkQueueFamilyProperties)", unsafe.Sizeof(queueFamilyProperties{})},
		{"sizeof(VkPhysicalDeviceProperties)", unsafe.Sizeof(p)},
		{"sizeof(VkPhysicalDeviceLimits)", unsafe.Sizeof(l)},
		{"offsetof(VkPhysicalDeviceProperties, pipelineCacheUUID)", unsafe.Offsetof(p.pipelineCacheUUID)},
		{"offsetof(VkPhysicalDeviceProperties, limits)", unsafe.Offsetof(p.limits)},
		{"offsetof(VkPhysicalDeviceLimits, maxStorageBufferRange)", unsafe.Offsetof(l.maxStorageBufferRange)},
		{"offsetof(VkPhysicalDeviceLimits, maxPushConstantsSize)", unsafe.Offsetof(l.maxPushConstantsSize)},
		{"offsetof(VkPhysicalDeviceLimits, maxComputeSharedMemorySize)", unsafe.Offsetof(l.maxComputeSharedMemory)},
		{"offsetof(VkPhysicalDeviceLimits, maxComputeWorkGroupCount)", unsafe.Offsetof(l.maxComputeGroupCount)},
		{"offsetof(VkPhysicalDeviceLimits, maxComputeWorkGroupInvocations)", unsafe.Offsetof(l.maxComputeInvocations)},
		{"offsetof(VkPhysicalDeviceLimits, minStorageBufferOffsetAlignment)", unsafe.Offsetof(l.minStorageBufferAlignment)},
		{"offsetof(VkPhysicalDeviceLimits, timestampPeriod)", unsafe.Offsetof(l.timestampPeriod)},
		{"sizeof(VkPhysicalDeviceProperties2)", unsafe.Sizeof(physicalDeviceProperties2{})},
		{"sizeof(VkPhysicalDeviceIDProperties)", unsafe.Sizeof(idProperties{})},
		{"sizeof(VkPhysicalDeviceDriverProperties)", unsafe.Sizeof(driverProperties{})},
		{"sizeof(VkPhysicalDeviceMaintenance3Properties)", unsafe.Sizeof(maintenance3Properties{})},
		{"sizeof(VkPhysicalDeviceMemoryProperties)", unsafe.Sizeof(memoryProperties{})},
		{"sizeof(VkPhysicalDeviceMemoryProperties2)", unsafe.Sizeof(memoryProperties2{})},
		{"sizeof(VkPhysicalDeviceMemoryBudgetPropertiesEXT)", unsafe.Sizeof(memoryBudgetProperties{})},
		{"sizeof(VkBufferCreateInfo)", unsafe.Sizeof(bufferCreateInfo{})},
		{"sizeof(VkMemoryRequirements)", unsafe.Sizeof(memoryRequirements{})},
		{"sizeof(VkMemoryAllocateInfo)", unsafe.Sizeof(memoryAllocateInfo{})},
		{"sizeof(VkCommandPoolCreateInfo)", unsafe.Sizeof(commandPoolCreateInfo{})},
		{"sizeof(VkCommandBufferAllocateInfo)", unsafe.Sizeof(commandBufferAllocateInfo{})},
		{"sizeof(VkCommandBufferBeginInfo)", unsafe.Sizeof(commandBufferBeginInfo{})},
		{"sizeof(VkSubmitInfo)", unsafe.Sizeof(submitInfo{})},
		{"sizeof(VkFenceCreateInfo)", unsafe.Sizeof(fenceCreateInfo{})},
		{"sizeof(VkShaderModuleCreateInfo)", unsafe.Sizeof(shaderModuleCreateInfo{})},
		{"sizeof(VkPipelineShaderStageCreateInfo)", unsafe.Sizeof(shaderStageCreateInfo{})},
		{"sizeof(VkComputePipelineCreateInfo)", unsafe.Sizeof(computePipelineCreateInfo{})},
		{"sizeof(VkPushConstantRange)", unsafe.Sizeof(pushConstantRange{})},
		{"sizeof(VkPipelineLayoutCreateInfo)", unsafe.Sizeof(pipelineLayoutCreateInfo{})},
		{"sizeof(VkDescriptorSetLayoutBinding)", unsafe.Sizeof(descriptorSetLayoutBinding{})},
		{"sizeof(VkDescriptorSetLayoutCreateInfo)", unsafe.Sizeof(descriptorSetLayoutCreateInfo{})},
		{"sizeof(VkDescriptorPoolSize)", unsafe.Sizeof(descriptorPoolSize{})},
		{"sizeof(VkDescriptorPoolCreateInfo)", unsafe.Sizeof(descriptorPoolCreateInfo{})},
		{"sizeof(VkDescriptorSetAllocateInfo)", unsafe.Sizeof(descriptorSetAllocateInfo{})},
		{"sizeof(VkDescriptorBufferInfo)", unsafe.Sizeof(descriptorBufferInfo{})},
		{"sizeof(VkWriteDescriptorSet)", unsafe.Sizeof(writeDescriptorSet{})},
		{"sizeof(VkMemoryBarrier)", unsafe.Sizeof(memoryBarrier{})},
		{"sizeof(VkBufferCopy)", unsafe.Sizeof(bufferCopy{})},
		{"sizeof(VkQueryPoolCreateInfo)", unsafe.Sizeof(queryPoolCreateInfo{})},
		{"sizeof(VkPipelineCacheCreateInfo)", unsafe.Sizeof(pipelineCacheCreateInfo{})},
		{"sizeof(VkDebugUtilsMessengerCreateInfoEXT)", unsafe.Sizeof(debugMessengerCreateInfo{})},
		{"offsetof(VkDebugUtilsMessengerCallbackDataEXT, pMessage)", unsafe.Offsetof(debugMessage{}.text)},
		{"sizeof(VkValidationFeaturesEXT)", unsafe.Sizeof(validationFeatures{})},
	}
	var source strings.Builder
	source.WriteString("#include <stddef.h>\n#include <stdio.h>\n#include <vulkan/vulkan.h>\nint main(void) {\n")
	for _, w := range want {
		fmt.Fprintf(&source, "printf(\"%%zu\\n\", %s);\n", w.c)
	}
	source.WriteString("return 0;\n}\n")
	program := filepath.Join(t.TempDir(), "sizes")
	cmd := exec.Command(compiler, "-x", "c", "-", "-o", program)
	cmd.Stdin = strings.NewReader(source.String())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("compile: %v\n%s", err, out)
	}
	out, err := exec.Command(program).Output()
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Fields(string(out))
	if len(got) != len(want) {
		t.Fatalf("%d numbers for %d questions", len(got), len(want))
	}
	for i, w := range want {
		if got[i] != fmt.Sprint(w.size) {
			t.Errorf("%s is %s, here %d", w.c, got[i], w.size)
		}
	}
}
