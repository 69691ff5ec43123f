package cpu

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

func systemAllocate(n int) ([]byte, error) {
	p, err := windows.VirtualAlloc(0, uintptr(n), windows.MEM_RESERVE|windows.MEM_COMMIT, windows.PAGE_READWRITE)
	if err != nil {
		return nil, err
	}
	// The address is a fresh mapping outside Go's heap: it never moves and the collector does not scan it.
	return unsafe.Slice((*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&p))), n), nil
}

// systemFree ignores the error that a range which is no mapping would give: b is what systemAllocate returned.
func systemFree(b []byte) {
	_ = windows.VirtualFree(uintptr(unsafe.Pointer(&b[0])), 0, windows.MEM_RELEASE)
}
