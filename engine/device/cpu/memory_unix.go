//go:build unix

package cpu

import "golang.org/x/sys/unix"

func systemAllocate(n int) ([]byte, error) {
	return unix.Mmap(-1, 0, n, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
}

// systemFree ignores the error that a range which is no mapping would give: b is what systemAllocate returned.
func systemFree(b []byte) { _ = unix.Munmap(b) }
