//go:build unix

package views

import (
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// processorTime returns the processor time of this process: a figure by it holds on a machine that does
// other work too.
func processorTime() time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// measured runs do b.N times and reports, beside the time, the processor time of one run as cpu-ms/op.
func measured(b *testing.B, do func()) {
	b.Helper()
	b.ReportAllocs()
	start := processorTime()
	for b.Loop() {
		do()
	}
	b.ReportMetric(float64(processorTime()-start)/1e6/float64(b.N), "cpu-ms/op")
}
