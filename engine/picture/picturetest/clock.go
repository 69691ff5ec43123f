package picturetest

import "testing"

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
