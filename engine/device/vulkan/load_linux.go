package vulkan

import (
	"fmt"

	"github.com/ebitengine/purego"
)

// loadLibrary opens the Vulkan loader and returns the address of vkGetInstanceProcAddr, from which all else comes.
func loadLibrary() (uintptr, error) {
	const name = "libvulkan.so.1"
	loader, err := purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return 0, fmt.Errorf("open %s: %w (%w)", name, ErrNoLoader, err)
	}
	address, err := purego.Dlsym(loader, "vkGetInstanceProcAddr")
	if err != nil {
		return 0, fmt.Errorf("%s is no Vulkan loader: %w (%w)", name, ErrNoLoader, err)
	}
	return address, nil
}
