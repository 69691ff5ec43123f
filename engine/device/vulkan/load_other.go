//go:build !linux && !windows

package vulkan

import "fmt"

// loadLibrary says that there is no Vulkan: a Mac keys on Metal.
func loadLibrary() (uintptr, error) {
	return 0, fmt.Errorf("open Vulkan on this system: %w", ErrNoLoader)
}
