package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"greenroom/engine"
	"greenroom/engine/colour"
	"greenroom/engine/picture"
	"greenroom/engine/truth"
)

// all measures every resolution. An error ends the bench: ctx, an engine that takes no more jobs, or another device.
func (r *run) all(ctx context.Context) error {
	for _, g := range r.groups {
		if !slices.ContainsFunc(g.lanes, func(l *lane) bool { return l.Err == "" }) {
			continue
		}
		if r.o.Truth {
			if err := r.score(ctx, g); err != nil {
				return err
			}
		}
		r.tell(Progress{Doing: Drawing, Resolution: g.resolution})
		plate, err := draw(ctx, timingScene(g.resolution))
		if err != nil {
			return err
		}
		plate.Matte, plate.FG = picture.Image{}, picture.Image{} // large, and not looked at
		for round := range r.o.Runs {
			if err := r.round(ctx, g, plate, round); err != nil {
				return err
			}
		}
	}
	r.tell(Progress{Doing: Finished})
	return nil
}

// round times every configuration once. Rounds go forth and back in turn, so that drift within a round does not
// always fall on the same ones, and so that one program less has to be loaded.
func (r *run) round(ctx context.Context, g *group, plate truth.Plate, round int) error {
	lanes := slices.Clone(g.lanes)
	if round%2 != 0 {
		slices.Reverse(lanes)
	}
	for _, l := range lanes {
		if l.Err != "" {
			continue
		}
		if err := r.visit(ctx, l, plate, round); err != nil {
			return err
		}
	}
	return nil
}

// visit times a configuration once, after what runs it needs before that.
func (r *run) visit(ctx context.Context, l *lane, plate truth.Plate, round int) error {
	untimed := r.settling()
	switch {
	case round == 0:
		untimed = r.o.Warmup
	case r.loaded == l:
		untimed = 0
	}
	l.left = untimed + 1 + (r.o.Runs-1-round)*(1+r.settling())
	for range untimed {
		if _, err := r.key(ctx, l, plate, WarmingUp); err != nil || l.Err != "" {
			return err
		}
	}
	result, err := r.key(ctx, l, plate, Timing)
	if err != nil || l.Err != "" {
		return err
	}
	ms := 1000 * result.Seconds.Key
	l.runs = append(l.runs, ms)
	r.tell(Progress{Doing: Timing, Resolution: l.Resolution, Config: l.Name, LastMS: ms})
	return nil
}

// key runs a configuration once on a plate. A failure of the configuration is noted in the lane's Err, without a result;
// the error is one that ends the bench.
func (r *run) key(ctx context.Context, l *lane, plate truth.Plate, doing Doing) (*engine.Result, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	r.tell(Progress{Doing: doing, Resolution: l.Resolution, Config: l.Name})
	result, err := r.keyer.Key(ctx, engine.Job{
		Plate: picture.Picture{RGB: plate.RGB, Space: colour.SRGB}, Hint: plate.Hint, Screen: plate.Screen,
		Model: r.o.Model, ModelScreen: r.o.ModelScreen, Settings: l.Settings,
	})
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case errors.Is(err, engine.ErrClosed):
		return nil, err
	case err != nil:
		r.fail(l, oneLine(err))
		return nil, nil
	case result.Device.Kind != r.device.Kind || result.Device.Name != r.device.Name:
		err := otherDevice(r.device.Name, result)
		r.fail(l, err.Error())
		return nil, fmt.Errorf("bench: %w", err)
	case result.Used != l.Settings:
		r.fail(l, "it did not run as asked: "+changes(result.Adjusted))
		return nil, nil
	}
	r.loaded = l
	l.left--
	r.count.add(l.Resolution)
	l.PeakBytes = max(l.PeakBytes, result.PeakBytes)
	return result, nil
}

// otherDevice says that an engine turned to another device: what would be measured from there on is not comparable.
func otherDevice(asked string, result *engine.Result) error {
	why := ""
	if result.Why != "" {
		why = ": " + result.Why
	}
	return fmt.Errorf("%s ran instead of %s%s (choose the device, and measure again)", result.Device.Name, asked, why)
}

// fail takes a configuration out of the sweep.
func (r *run) fail(l *lane, why string) {
	l.Err, l.left, r.loaded = why, 0, nil
}

// changes says what the engine ran instead.
func changes(list []engine.Adjustment) string {
	var words []string
	for _, a := range list {
		words = append(words, fmt.Sprintf("%s %v instead of %v, because %s", a.Setting, a.Used, a.Asked, a.Why))
	}
	return strings.Join(words, "; ")
}

// oneLine is an error without the stack that may follow its first line.
func oneLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
