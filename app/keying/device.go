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

// DeviceFolder is where devices keep compiled kernels and the results of their self-tests; empty where the system has
// no place for such files.
func DeviceFolder() string {
	folder, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	name := "greenroom"
	if runtime.GOOS == "darwin" || runtime.GOOS == "windows" {
		name = "Greenroom"
	}
	return filepath.Join(folder, name, "devices")
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

// Machine reads what this machine is, with the device that keys run on.
func Machine(u choose.Using) (presets.Machine, error) {
	if !u.GPU() {
		return presets.Detect(nil)
	}
	g := presets.GPU{Name: u.Name, Discrete: u.Discrete, WorkingSet: u.Memory, MemoryGB: int(math.Round(float64(u.Memory) / presets.GiB))}
	m, err := presets.Detect([]presets.GPU{g})
	if !u.Discrete && m.MemoryGB > 0 {
		// What it shares with the processor, of which it advises to use a part.
		m.GPU.MemoryGB = m.MemoryGB
	}
	return m, err
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
