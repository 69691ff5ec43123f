//go:build !unix

package kernel

import "time"

// clock returns the time of day: this system has no simple processor time.
func clock() time.Duration { return time.Duration(time.Now().UnixNano()) }
