//go:build unix

package kernel

import (
	"time"

	"golang.org/x/sys/unix"
)

// clock returns the processor time of this process: a rate by it holds on a machine that does other work too.
func clock() time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
