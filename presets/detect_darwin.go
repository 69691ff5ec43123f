package presets

import (
	"fmt"

	"golang.org/x/sys/unix"
)

func readFacts() (facts, error) {
	f := facts{os: "macOS"}
	if v, err := unix.Sysctl("kern.osproductversion"); err == nil {
		f.os += " " + v
	}
	chip, err := unix.Sysctl("machdep.cpu.brand_string")
	if err != nil {
		// A virtual machine may hide the brand; the model name is always there.
		chip, err = unix.Sysctl("hw.model")
	}
	if err != nil {
		return f, fmt.Errorf("read the processor's name: %w", err)
	}
	f.chip = chip
	if f.memory, err = unix.SysctlUint64("hw.memsize"); err != nil {
		return f, fmt.Errorf("read the memory size: %w", err)
	}
	return f, nil
}
