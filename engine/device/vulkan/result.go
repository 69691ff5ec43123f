package vulkan

import (
	"errors"
	"fmt"

	"greenroom/engine/device"
)

// ErrNoLoader is returned, wrapped, where the system has no Vulkan or one from before version 1.1.
var ErrNoLoader = errors.New("no Vulkan loader (install your GPU's driver; on Linux also the package libvulkan1)")

// ErrNoDevice is returned, wrapped, where Vulkan knows no GPU that can be used.
var ErrNoDevice = errors.New("no GPU with a Vulkan driver")

// ErrNoStart is returned, wrapped, where the loader is there and gives no instance. It says that it has no memory then,
// also where it cannot read what describes a driver.
var ErrNoStart = errors.New("what describes a driver cannot be read (install your GPU's driver anew; on Linux look at the .json files in vulkan/icd.d)")

// ErrNoLayer is returned, wrapped, where calls are to be checked and the validation layer is not installed.
var ErrNoLayer = errors.New("the layer " + layerValidation + " is not installed")

// Results of Vulkan functions.
const (
	resultSuccess            = 0
	resultIncomplete         = 5
	resultTimeout            = 2
	resultOutOfHostMemory    = -1
	resultOutOfDeviceMemory  = -2
	resultDeviceLost         = -4
	resultIncompatibleDriver = -9
	resultTooManyObjects     = -10
	resultOutOfPoolMemory    = -1000069000
)

// failed turns a result into an error that says what was being done, or nil for success.
func failed(doing string, result int32) error {
	switch {
	case result >= 0:
		return nil
	case result == resultOutOfHostMemory, result == resultOutOfDeviceMemory, result == resultTooManyObjects, result == resultOutOfPoolMemory:
		return fmt.Errorf("%s: %w (Vulkan result %d)", doing, device.ErrOutOfMemory, result)
	case result == resultDeviceLost:
		return fmt.Errorf("%s: %w (Vulkan result %d)", doing, device.ErrLost, result)
	case result == resultIncompatibleDriver:
		return fmt.Errorf("%s: %w (Vulkan result %d)", doing, ErrNoDevice, result)
	}
	return fmt.Errorf("%s: the driver says %d", doing, result)
}
