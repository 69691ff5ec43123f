package presets

import (
	"context"
	"fmt"
	"os/exec"
	"time"

	"golang.org/x/sys/unix"
)

// coresTime is how long the registry may take to say how many GPU cores there are. It takes a few milliseconds.
const coresTime = 2 * time.Second

func readFacts() (facts, error) {
	f := facts{os: "macOS"}
	if v, err := unix.Sysctl("kern.osproductversion"); err == nil {
		f.os += " " + v
	}
	// A virtual machine may hide the brand; the model name is always there.
	brand, err := unix.Sysctl("machdep.cpu.brand_string")
	model, modelErr := unix.Sysctl("hw.model")
	arm, _ := unix.SysctlUint32("hw.optional.arm64")
	if brand == "" && model == "" {
		if err == nil {
			err = modelErr
		}
		return f, fmt.Errorf("read the processor's name: %w", err)
	}
	f.chip = macChip(brand, model, arm == 1)
	if f.memory, err = unix.SysctlUint64("hw.memsize"); err != nil {
		return f, fmt.Errorf("read the memory size: %w", err)
	}
	if arm == 1 {
		f.gpuCores = readGPUCores()
	}
	return f, nil
}

// readGPUCores asks the registry of devices, whose answer no system call gives; 0 where it does not say.
func readGPUCores() int {
	ctx, cancel := context.WithTimeout(context.Background(), coresTime)
	defer cancel()
	text, err := exec.CommandContext(ctx, "/usr/sbin/ioreg", "-r", "-d", "1", "-c", "AGXAccelerator").Output()
	if err != nil {
		return 0
	}
	return gpuCores(string(text))
}
