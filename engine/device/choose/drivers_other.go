//go:build !darwin

package choose

import (
	"context"

	"greenroom/engine/device"
	"greenroom/engine/device/gpu"
	"greenroom/engine/device/vulkan"
)

// drivers lists the ways to GPUs on this system, best first.
func drivers() []driver {
	return []driver{{
		name: Vulkan,
		list: func() []Using {
			all, err := vulkan.List()
			if err != nil {
				return nil
			}
			var usable []Using
			for _, f := range all {
				if f.Unusable == "" && !f.Software {
					info := device.Info{Kind: Vulkan, Name: f.Name}
					usable = append(usable, Using{Info: info, Memory: f.Memory, Discrete: f.Discrete})
				}
			}
			return usable
		},
		open: func(ctx context.Context, text string, o Options) (opened, error) {
			return prepare(ctx, func() (gpu.Host, error) {
				h, err := vulkan.Open(vulkan.Options{Name: text, CacheDir: o.CacheDir})
				if err != nil {
					return nil, err
				}
				return h, nil
			}, o)
		},
	}}
}
