package vulkan

import (
	"fmt"

	"golang.org/x/sys/windows"
)

// loadLibrary opens the Vulkan loader, from the system's folder only, and returns the address of
// vkGetInstanceProcAddr, from which all else comes.
func loadLibrary() (uintptr, error) {
	const name = "vulkan-1.dll"
	loader := windows.NewLazySystemDLL(name)
	if err := loader.Load(); err != nil {
		return 0, fmt.Errorf("open %s: %w (%w)", name, ErrNoLoader, err)
	}
	p := loader.NewProc("vkGetInstanceProcAddr")
	if err := p.Find(); err != nil {
		return 0, fmt.Errorf("%s is no Vulkan loader: %w (%w)", name, ErrNoLoader, err)
	}
	return p.Addr(), nil
}
