package engine

import (
	"context"
	"errors"
	"fmt"

	"greenroom/engine/device"
	"greenroom/engine/device/choose"
)

// mostLosses is how often a GPU may be lost before auto takes the processor for good: a driver that was reset once
// goes on working, one that is reset again does so at every key.
const mostLosses = 2

// ready opens the device unless it is open.
func (w *worker) ready(ctx context.Context) error {
	if w.device != nil {
		return nil
	}
	var d device.Device
	var using choose.Using
	if err := guard(func() (err error) {
		d, using, err = w.open(ctx, w.name, w.barred)
		return err
	}); err != nil {
		return err
	}
	w.device, w.using = d, using
	w.log.Info("device opened", "kind", using.Kind, "name", using.Name, "why", using.Why)
	w.changed(using)
	return nil
}

// turn opens another device in the place of the one that is open. Where that fails, the next job opens the one before.
func (w *worker) turn(ctx context.Context, name string) error {
	if name == "" {
		name = choose.Auto
	}
	if err := context.Cause(ctx); err != nil {
		return err // nobody waits for it any more
	}
	if w.device != nil && w.using.Asked == name {
		return nil
	}
	before, barred, losses := w.name, w.barred, w.losses
	_ = w.shut() // it is noted
	w.name, w.barred, w.losses = name, "", 0
	if err := w.ready(ctx); err != nil {
		w.name, w.barred, w.losses = before, barred, losses
		return fmt.Errorf("open the device: %w", err)
	}
	return nil
}

// shut frees the device and everything on it; the next job opens one.
func (w *worker) shut() error {
	w.drop()
	w.memo.clear()
	if w.device == nil {
		return nil
	}
	d := w.device
	w.device = nil
	if err := guard(d.Close); err != nil {
		w.log.Warn("a device could not be freed", "err", err)
		return fmt.Errorf("free the device: %w", err)
	}
	return nil
}

// replace gives up the device after a failed attempt where it was lost, or where auto chose it and it cannot run the
// network. In the latter case it returns what the job changes to: the processor. It returns the job's error, as it is
// now.
func (w *worker) replace(err error) ([]Adjustment, error) {
	var failed *DeviceError
	if !errors.As(err, &failed) {
		return nil, err
	}
	auto, using := w.using.Asked == choose.Auto && w.using.GPU(), w.using
	switch {
	case errors.Is(err, device.ErrLost):
		w.losses++
		if auto && w.losses >= mostLosses {
			w.barred = fmt.Sprintf("%s stopped working %d times", using.Name, w.losses)
		}
		_ = w.shut() // it is noted, and a lost device has little left to free
		return nil, &LostError{Device: using.Name, Barred: w.barred != "", Err: failed.Err}
	case auto && failed.Doing == doingLoad:
		w.barred = fmt.Sprintf("%s cannot run the network: %v", using.Name, failed.Err)
		_ = w.shut() // it is noted
		return []Adjustment{{"device", using.Kind, choose.CPU, w.barred}}, err
	}
	return nil, err
}
