//go:build !unix

package benchtest

import "time"

// processorTime returns nothing: this system has no simple processor time.
func processorTime() (time.Duration, bool) { return 0, false }
