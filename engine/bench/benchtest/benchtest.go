// Package benchtest measures what tests and benchmarks use: processor time and memory.
package benchtest

import (
	"runtime"
	"testing"
	"time"
)

// Measure runs do b.N times and reports, beside the time, the processor time of one run as cpu-ms/op where the system
// tells it: a figure by it holds on a machine that does other work too.
func Measure(b *testing.B, do func()) {
	b.Helper()
	b.ReportAllocs()
	start, told := processorTime()
	for b.Loop() {
		do()
	}
	if end, _ := processorTime(); told {
		b.ReportMetric(float64(end-start)/1e6/float64(b.N), "cpu-ms/op")
	}
}

// Clock returns the processor time of this process, or the time of day where the system does not tell it.
func Clock() time.Duration {
	if spent, told := processorTime(); told {
		return spent
	}
	return time.Duration(time.Now().UnixNano())
}

// InUse returns how much of the heap is in use, in bytes, once all that nothing holds is let go.
func InUse() float64 {
	runtime.GC()
	runtime.GC() // what pools let go in the first is freed in the second
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return float64(stats.HeapAlloc)
}
