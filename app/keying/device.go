package keying

import (
	"context"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"runtime"

	"greenroom/engine"
	"greenroom/engine/device/choose"
	"greenroom/presets"
)

// Version is Greenroom's version, the same as in FyneApp.toml.
const Version = "0.1.0"

// CacheFolder is this machine's folder for files that can be made again; empty where the system has no place for such
// files.
func CacheFolder() string {
	folder, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	name := "greenroom"
	if runtime.GOOS == "darwin" || runtime.GOOS == "windows" {
		name = "Greenroom"
	}
	return filepath.Join(folder, name)
}

// DeviceFolder is where devices keep compiled kernels and the results of their self-tests; empty where the system has
// no place for such files.
func DeviceFolder() string {
	folder := CacheFolder()
	if folder == "" {
		return ""
	}
	return filepath.Join(folder, "devices")
}

// DeviceOptions are how the program opens a device by its name.
func DeviceOptions(name string) choose.Options {
	return choose.Options{Device: name, CacheDir: DeviceFolder(), Version: Version}
}

// NewEngine starts an engine on a device by its name. Changed is told when keys go to another device; nil is not.
func NewEngine(ctx context.Context, name string, changed func(choose.Using), log *slog.Logger) (*engine.Engine, error) {
	o := DeviceOptions(name)
	return engine.New(ctx, engine.Options{
		Device: o.Device, CacheDir: o.CacheDir, Version: o.Version, Changed: changed, Log: log,
	})
}

// GPUs lists the GPUs that keys can run on, best first, for presets.Detect. None are found where no driver works.
func GPUs() []presets.GPU {
	var list []presets.GPU
	for _, u := range choose.List() {
		list = append(list, gpu(u))
	}
	return list
}

// On returns the machine as it is when keys run on a device: with that GPU, or with none.
func On(m presets.Machine, u choose.Using) presets.Machine {
	had := m.GPU
	m.GPU = nil
	if u.GPU() {
		g := gpu(u)
		switch {
		case had != nil && had.Name == g.Name:
			g.MemoryGB = had.MemoryGB // all that it has, of which some may be in use
		case !u.Discrete && m.MemoryGB > 0:
			g.MemoryGB = m.MemoryGB // what it shares with the processor, of which it advises to use a part
		}
		m.GPU = &g
	}
	return m
}

func gpu(u choose.Using) presets.GPU {
	return presets.GPU{
		Name: u.Name, Discrete: u.Discrete, WorkingSet: u.Memory, MemoryGB: int(math.Round(float64(u.Memory) / presets.GiB)),
	}
}

// DeviceWords says what keys run on: "Apple M4 Pro through Metal", "the processor".
func DeviceWords(u choose.Using) string {
	switch u.Kind {
	case choose.Metal:
		return u.Name + " through Metal"
	case choose.Vulkan:
		return u.Name + " through Vulkan"
	}
	return "the processor"
}
