package presets

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/registry"
)

// memoryStatus is MEMORYSTATUSEX of the Windows API.
type memoryStatus struct {
	length, load                                       uint32
	totalPhysical, availablePhysical                   uint64
	totalPage, availablePage                           uint64
	totalVirtual, availableVirtual, availableExtension uint64
}

func readFacts() (facts, error) {
	v := windows.RtlGetVersion()
	f := facts{
		chip: "unknown processor",
		os:   fmt.Sprintf("Windows %d.%d.%d", v.MajorVersion, v.MinorVersion, v.BuildNumber),
	}
	key, err := registry.OpenKey(registry.LOCAL_MACHINE, `HARDWARE\DESCRIPTION\System\CentralProcessor\0`, registry.QUERY_VALUE)
	if err != nil {
		return f, fmt.Errorf("read the processor's name: %w", err)
	}
	defer key.Close()
	if f.chip, _, err = key.GetStringValue("ProcessorNameString"); err != nil {
		return f, fmt.Errorf("read the processor's name: %w", err)
	}
	var status memoryStatus
	status.length = uint32(unsafe.Sizeof(status))
	proc := windows.NewLazySystemDLL("kernel32.dll").NewProc("GlobalMemoryStatusEx")
	if ok, _, err := proc.Call(uintptr(unsafe.Pointer(&status))); ok == 0 {
		return f, fmt.Errorf("read the memory size: %w", err)
	}
	f.memory = status.totalPhysical
	return f, nil
}
