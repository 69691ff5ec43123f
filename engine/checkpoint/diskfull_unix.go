//go:build !windows

package checkpoint

import (
	"errors"
	"syscall"
)

// isDiskFull reports whether writing failed for want of room.
func isDiskFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}
