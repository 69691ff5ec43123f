//go:build !unix

package views

import "testing"

// measured runs do b.N times.
func measured(b *testing.B, do func()) {
	b.Helper()
	b.ReportAllocs()
	for b.Loop() {
		do()
	}
}
