//go:build !linux

package disktest

import "testing"

const onlyLinux = "disks are mounted for tests on Linux only"

// Small returns a folder on a disk of its own with room for so many bytes.
func Small(t testing.TB, bytes int) string {
	t.Skip(onlyLinux)
	return ""
}

// ReadOnly makes a folder a disk that may only be read, until the test ends.
func ReadOnly(t testing.TB, folder string) { t.Skip(onlyLinux) }

// InUse makes a file one that cannot be replaced until the returned function is called or the test ends.
func InUse(t testing.TB, path string) (release func()) {
	t.Skip(onlyLinux)
	return nil
}

// Silent returns a folder on a disk that never answers.
func Silent(t testing.TB) string {
	t.Skip(onlyLinux)
	return ""
}
