package choose

import (
	"context"
	"errors"
	"fmt"

	"greenroom/engine/device/gpu"
)

// prepare opens a GPU and makes a device of it, tested.
func prepare(ctx context.Context, open func() (gpu.Host, error), o Options) (opened, error) {
	host, err := open()
	if err != nil {
		return opened{}, err
	}
	u := found(host)
	d, err := gpu.New(ctx, host, gpu.Options{CacheDir: o.CacheDir, Version: o.Version})
	if err != nil {
		return opened{}, fmt.Errorf("%s: %w", u.Name, errors.Join(err, host.Close()))
	}
	if u.Replaced = d.Tested().Replaced(); len(u.Replaced) > 0 && o.Log != nil {
		o.Log.Warn("kernels failed the GPU's self-test and are not used", "gpu", u.Name, "kernels", u.Replaced)
	}
	return opened{d, u}, nil
}

// found describes an open GPU. Its memory is what is free now, as far as the driver says.
func found(h gpu.Host) Using {
	l := h.Limits()
	u := Using{Info: h.Info(), Memory: l.Total, Discrete: !l.Unified}
	if l.Memory > 0 {
		u.Memory = l.Memory
	}
	return u
}
