//go:build unix

package benchtest

import (
	"time"

	"golang.org/x/sys/unix"
)

// processorTime returns the processor time of this process.
func processorTime() (time.Duration, bool) {
	var u unix.Rusage
	err := unix.Getrusage(unix.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), err == nil
}
