package vulkan

import (
	"fmt"
	"unsafe"

	"github.com/ebitengine/purego"
)

// Names of extensions and layers.
const (
	extensionDebugUtils     = "VK_EXT_debug_utils"
	extensionPushDescriptor = "VK_KHR_push_descriptor"
	extensionMemoryBudget   = "VK_EXT_memory_budget"
	extensionDriver         = "VK_KHR_driver_properties"
	layerValidation         = "VK_LAYER_KHRONOS_validation"
)

// connection is an instance of Vulkan.
type connection struct {
	*api
	instance  instance
	messenger debugMessenger
}

// connect makes an instance. With validate, the validation layer checks every call and reports what is wrong.
func connect(validate func(message string)) (*connection, error) {
	a, err := loadAPI()
	if err != nil {
		return nil, err
	}
	c := &connection{api: a}
	info := instanceCreateInfo{
		sType: typeInstanceCreateInfo,
		application: &applicationInfo{
			sType: typeApplicationInfo, applicationName: text("Greenroom"), engineName: text("Greenroom"),
			apiVersion: apiVersion11,
		},
	}
	if validate != nil {
		if !a.hasLayer(layerValidation) {
			return nil, fmt.Errorf("check calls of Vulkan: %w", ErrNoLayer)
		}
		layers, extensions := []*byte{text(layerValidation)}, []*byte{text(extensionDebugUtils)}
		info.layerCount, info.layers = 1, &layers[0]
		info.extensionCount, info.extensions = 1, &extensions[0]
		synchronise := uint32(validateSynchronise)
		info.next = unsafe.Pointer(&validationFeatures{
			sType: typeValidationFeatures, enabledCount: 1, enabled: &synchronise,
		})
	}
	switch result := a.CreateInstance(&info, nil, &c.instance); {
	case result == resultIncompatibleDriver:
		return nil, failed("open Vulkan", result)
	case result < 0:
		return nil, fmt.Errorf("open Vulkan: %w (Vulkan result %d)", ErrNoStart, result)
	}
	if err := a.bind(c.instance, false); err != nil {
		return nil, err
	}
	if validate != nil {
		return c, c.listen(validate)
	}
	return c, nil
}

// listen reports warnings and errors of the validation layer.
func (c *connection) listen(report func(string)) error {
	callback := func(_, _ uint32, m *debugMessage, _ uintptr) uintptr {
		report(goString(m.text))
		return 0
	}
	info := debugMessengerCreateInfo{
		sType: typeDebugMessengerCreateInfo, severities: severityWarning | severityError, kinds: messagesAll,
		callback: purego.NewCallback(callback),
	}
	if c.CreateDebugUtilsMessengerEXT == nil {
		return fmt.Errorf("check calls of Vulkan: the layer has no %s", extensionDebugUtils)
	}
	return failed("check calls of Vulkan", c.CreateDebugUtilsMessengerEXT(c.instance, &info, nil, &c.messenger))
}

func (c *connection) close() {
	if c.messenger != 0 {
		c.DestroyDebugUtilsMessengerEXT(c.instance, c.messenger, nil)
	}
	if c.instance != 0 {
		c.DestroyInstance(c.instance, nil)
	}
	c.messenger, c.instance = 0, 0
}

func (a *api) hasLayer(name string) bool {
	layers, err := list(func(n *uint32, p *layerProperties) int32 { return a.EnumerateInstanceLayerProperties(n, p) })
	if err != nil {
		return false
	}
	for i := range layers {
		if cString(layers[i].name[:]) == name {
			return true
		}
	}
	return false
}

// list calls a function that counts first and fills a slice then.
func list[T any](call func(*uint32, *T) int32) ([]T, error) {
	for {
		var n uint32
		if err := failed("count", call(&n, nil)); err != nil || n == 0 {
			return nil, err
		}
		all := make([]T, n)
		result := call(&n, &all[0])
		if result == resultIncomplete {
			continue // there are more now
		}
		return all[:n], failed("list", result)
	}
}

// text returns a C string.
func text(s string) *byte { return unsafe.StringData(s + "\x00") }

// cString returns the text before the first zero byte.
func cString(b []byte) string {
	for i, c := range b {
		if c == 0 {
			return string(b[:i])
		}
	}
	return string(b)
}

// goString copies a C string of the driver's.
func goString(p *byte) string {
	if p == nil {
		return ""
	}
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(p), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(p, n))
}
