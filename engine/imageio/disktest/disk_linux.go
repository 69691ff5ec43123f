package disktest

import (
	"fmt"
	"path/filepath"
	"syscall"
	"testing"
)

// Small returns a folder on a disk of its own with room for so many bytes.
func Small(t testing.TB, bytes int) string {
	t.Helper()
	folder := t.TempDir()
	mount(t, "tmpfs", folder, "tmpfs", 0, fmt.Sprintf("size=%d", bytes))
	return folder
}

// ReadOnly makes a folder a disk that may only be read, until the test ends.
func ReadOnly(t testing.TB, folder string) {
	t.Helper()
	mount(t, folder, folder, "", syscall.MS_BIND, "")
	if err := syscall.Mount("", folder, "", syscall.MS_BIND|syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Skipf("mounting a folder read-only: %v", err)
	}
}

// InUse makes a file one that cannot be replaced, as if a program held it open on Windows, until the returned function
// is called or the test ends: it becomes a mount point, and the system answers that it is busy.
func InUse(t testing.TB, path string) (release func()) {
	t.Helper()
	return mount(t, path, path, "", syscall.MS_BIND, "")
}

// Silent returns a folder on a disk that never answers, as a network share whose server is gone. When the test ends,
// whatever waits for it is told that it is not connected. What waits is best ended by a cleanup that was registered
// before the call.
func Silent(t testing.TB) string {
	t.Helper()
	folder := t.TempDir()
	// The test plays the server, and never reads what it is asked.
	server, err := syscall.Open("/dev/fuse", syscall.O_RDWR|syscall.O_CLOEXEC, 0)
	if err != nil {
		t.Skipf("opening /dev/fuse: %v", err)
	}
	// Cleanups run last first: the server goes before the disk is unmounted, which would wait for it.
	mount(t, "silent", folder, "fuse", syscall.MS_NOSUID|syscall.MS_NODEV, fmt.Sprintf("fd=%d,rootmode=40000,user_id=0,group_id=0", server))
	t.Cleanup(func() { syscall.Close(server) })
	return filepath.Join(folder, "share")
}

// mount mounts until the returned function is called or the test ends; where it may not, the test is skipped.
func mount(t testing.TB, source, target, kind string, flags uintptr, options string) (release func()) {
	t.Helper()
	if err := syscall.Mount(source, target, kind, flags, options); err != nil {
		t.Skipf("mounting a disk for this test: %v (it takes root's rights)", err)
	}
	released := false
	release = func() {
		if released {
			return
		}
		released = true
		if err := syscall.Unmount(target, syscall.MNT_DETACH); err != nil {
			t.Errorf("unmounting %s: %v", target, err)
		}
	}
	t.Cleanup(release)
	return release
}
