// Package choose opens the device that a name asks for, and for auto the best that this machine has: Metal on a Mac,
// Vulkan where there is a real GPU, else the processor. It keeps why the processor was taken instead of a GPU.
package choose

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"greenroom/engine/device"
	"greenroom/engine/device/cpu"
)

// What can be asked for.
const (
	Auto   = "auto"
	CPU    = "cpu"
	Vulkan = "vulkan"
	Metal  = "metal"
)

// Options say what to open. The zero value is a good choice on this machine.
type Options struct {
	// Device is auto, cpu, vulkan or metal; empty means auto. vulkan:NAME asks for the device whose name holds NAME,
	// a program that plays a GPU on the processor too, which nothing else chooses.
	Device string
	// Threads is the number of worker threads of the processor; 0 takes all it has.
	Threads int
	// CacheDir is the folder in which compiled kernels and the results of self-tests are kept; empty keeps none.
	CacheDir string
	// Version is the program's version: after an update the self-test runs again.
	Version string
	// Barred says why auto may not take a GPU; empty where it may.
	Barred string
	// Log receives what went wrong with a GPU; nil discards it.
	Log *slog.Logger
}

// Using says which device is in use.
type Using struct {
	device.Info
	// Asked is what was asked for.
	Asked string
	// Why says why auto took the processor and no GPU, in a sentence without a full stop; empty elsewhere.
	Why string
	// Memory is the bytes that keys can use of a GPU's memory; 0 for the processor, and where it is not known.
	Memory int64
	// Discrete says that the memory is the GPU's own.
	Discrete bool
	// Replaced names the GPU's kernels that failed their test; slower ones take their place.
	Replaced []string
}

// GPU reports whether it is a GPU.
func (u Using) GPU() bool { return u.Kind != CPU && u.Kind != "" }

// Validate returns an error for a name that asks for nothing this system can have.
func Validate(name string) error {
	base, _, found := strings.Cut(name, ":")
	if name == "" || slices.Contains(Names(), base) && (!found || base == Vulkan) {
		return nil
	}
	if base == Metal || base == Vulkan {
		return fmt.Errorf("there is no %s on this system: choose %s", base, strings.Join(Names(), ", "))
	}
	return fmt.Errorf("no device is called %q: choose %s", name, strings.Join(Names(), ", "))
}

// Names lists what can be asked for on this system.
func Names() []string {
	names := []string{Auto, CPU}
	for _, d := range drivers() {
		names = append(names, d.name)
	}
	return names
}

// List names the GPUs that auto would try, best first, without opening them. Asked and Why stay empty.
func List() []Using { return list(drivers()) }

func list(available []driver) []Using {
	var all []Using
	for _, d := range available {
		all = append(all, d.list()...)
	}
	return all
}

// driver is a way to GPUs.
type driver struct {
	name string
	// list names its GPUs, best first; none where it does not work.
	list func() []Using
	// open opens the best GPU, or the one whose name holds some text.
	open func(ctx context.Context, text string, o Options) (opened, error)
}

// opened is a GPU that is ready, and what is to be known of it.
type opened struct {
	device.Device
	about Using
}

// Open opens a device. A GPU is tested when it is opened for the first time, which takes a few seconds. With auto it
// always opens one. Ctx's error is returned where that ends first.
func Open(ctx context.Context, o Options) (device.Device, Using, error) {
	return open(ctx, o, drivers())
}

func open(ctx context.Context, o Options, available []driver) (device.Device, Using, error) {
	if o.Device == "" {
		o.Device = Auto
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	base, text, _ := strings.Cut(o.Device, ":")
	using := Using{Asked: o.Device, Why: o.Barred}
	if base != CPU && !(base == Auto && o.Barred != "") {
		var reasons []string
		for _, d := range available {
			if base != d.name && base != Auto {
				continue
			}
			g, err := d.open(ctx, text, o)
			switch {
			case ctx.Err() != nil:
				if err == nil {
					err = g.Close()
				}
				return nil, Using{}, errors.Join(context.Cause(ctx), err)
			case err == nil:
				g.about.Asked = o.Device
				return g.Device, g.about, nil
			case base != Auto:
				return nil, Using{}, fmt.Errorf("cannot use %s: %w (choose another device)", o.Device, err)
			}
			o.Log.Warn("a GPU is not used", "driver", d.name, "err", err)
			reasons = append(reasons, reason(err))
		}
		if base != Auto {
			return nil, Using{}, Validate(o.Device)
		}
		using.Why = strings.Join(reasons, "; ")
		if len(reasons) == 0 {
			using.Why = "there is no way to a GPU on this system"
		}
	}
	d := cpu.New(cpu.Options{Threads: o.Threads})
	using.Info = d.Info()
	return d, using, nil
}

// reason is an error in one line.
func reason(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }
