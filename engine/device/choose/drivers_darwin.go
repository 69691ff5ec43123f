package choose

import (
	"context"

	"greenroom/engine/device/gpu"
	"greenroom/engine/device/metal"
)

// drivers lists the ways to GPUs on this system, best first.
func drivers() []driver {
	open := func() (gpu.Host, error) {
		h, err := metal.Open()
		if err != nil {
			return nil, err
		}
		return h, nil
	}
	return []driver{{
		name: Metal,
		list: func() []Using {
			h, err := open()
			if err != nil {
				return nil
			}
			defer h.Close()
			return []Using{found(h)}
		},
		open: func(ctx context.Context, _ string, o Options) (opened, error) { return prepare(ctx, open, o) },
	}}
}
