package command

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"

	"greenroom/app/keying"
	"greenroom/engine/device"
	"greenroom/engine/device/choose"
	"greenroom/engine/device/cpu"
	"greenroom/engine/device/gpu"
	"greenroom/engine/greenformer"
	"greenroom/engine/picture"
	"greenroom/engine/program"
	"greenroom/engine/settings"
	"greenroom/presets"
)

// selftestCommand is greenroom selftest.
type selftestCommand struct {
	Device deviceName `placeholder:"auto|cpu|vulkan|metal" default:"auto" help:"What to check. Default: auto, a GPU where there is one."`
}

// The largest differences that a check lets pass: float32 paths in every map, half width in the results, of which
// float16 has an eighth.
const (
	floatTolerance   = 1e-4
	halfMatte        = 2e-2
	halfForeground   = 3e-2
	float16Part      = 1. / 8
	testW, testH     = 192, 160
	testLeft, testUp = 392, 60
)

// check is one way of running the network.
type check struct {
	name     string
	settings settings.Settings
}

// checks are the plain network, every setting that changes no result alone, all together, and half width.
func checks() []check {
	plain := settings.Settings{Refine: settings.RefineTile}
	list := []check{{"plain", plain}}
	for _, name := range []string{"slim", "stage_gc", "sdpa", "fused_decode", "gpu_preprocess", "compile"} {
		s := plain
		if s.Set(name, "on") == nil {
			list = append(list, check{name, s})
		}
	}
	all := settings.Default()
	list = append(list, check{"all of these", all})
	all.BF16 = true
	list = append(list, check{"bf16 with these", all})
	all.Half = settings.Float16
	return append(list, check{"bf16 in float16", all})
}

// Run holds the device's paths against the unfused network on portable code, on a piece of the sample plate with
// the embedded model.
func (c *selftestCommand) Run(ctx context.Context, streams Streams) (err error) {
	model, err := keying.OpenModel(ctx, keying.DefaultModel)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, model.Close()) }()
	plate, hint, err := testPicture()
	if err != nil {
		return err
	}
	reference := cpu.New(cpu.Options{Scalar: true})
	defer func() { err = errors.Join(err, reference.Close()) }()
	want, err := runOnce(ctx, reference, model.Model, checks()[0].settings, plate, hint)
	if err != nil {
		return fmt.Errorf("run the reference: %w", err)
	}
	// What is checked is as new: results of earlier self-tests say nothing.
	tested, using, err := choose.Open(ctx, choose.Options{Device: string(c.Device), Version: Version})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, tested.Close()) }()
	describe(using, streams)
	failed, err := showKernels(tested, streams)
	if err != nil {
		return err
	}
	fmt.Fprintln(streams.Out, "\nThe network, against the plain one on portable code of the processor:")
	table := tabwriter.NewWriter(streams.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "CHECK\tLARGEST DIFFERENCE\tIN\tALLOWED\t")
	for _, k := range checks() {
		got, err := runOnce(ctx, tested, model.Model, k.settings, plate, hint)
		if err != nil {
			return fmt.Errorf("run %s: %w", k.name, err)
		}
		worst := compareMaps(got, want, k.settings)
		verdict := "ok"
		if !worst.passes() {
			verdict, failed = "FAILED", true
		}
		fmt.Fprintf(table, "%s\t%.2g\t%s\t%.0e\t%s\n", k.name, worst.difference, worst.name, worst.allowed, verdict)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if failed {
		return errors.New("self-test: this machine computes some paths wrongly (report it with the table above; --set NAME=off avoids a path)")
	}
	return nil
}

// describe says what is checked, so that the output can be sent to others as it is.
func describe(u choose.Using, streams Streams) {
	fmt.Fprintf(streams.Out, "Greenroom %s on %s/%s", Version, runtime.GOOS, runtime.GOARCH)
	if m, err := presets.Detect(nil); err == nil {
		fmt.Fprintf(streams.Out, ", %s, %s", m, m.OS)
	}
	fmt.Fprintf(streams.Out, "\nKeys run on %s (%s)", keying.DeviceWords(u), strings.Join(u.Features, " "))
	if u.Threads > 0 {
		fmt.Fprintf(streams.Out, ", %d threads", u.Threads)
	}
	fmt.Fprintln(streams.Out)
	if u.Why != "" {
		fmt.Fprintf(streams.Out, "No GPU is used: %s\n", printable(u.Why))
	}
}

// showKernels shows what came of every kernel of a GPU when it was opened, and reports whether one failed.
func showKernels(d device.Device, streams Streams) (failed bool, err error) {
	g, ok := d.(*gpu.Device)
	if !ok {
		return false, nil
	}
	report := g.Tested()
	fmt.Fprintf(streams.Out, "\nThe GPU's kernels, against the processor (%.1f s):\n", report.Took.Seconds())
	table := tabwriter.NewWriter(streams.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "KERNEL\tLARGEST DIFFERENCE\tALLOWED\t")
	for _, k := range report.Kernels {
		verdict := "ok"
		if k.Failure != "" {
			verdict, failed = "FAILED: "+printable(k.Failure), true
		}
		fmt.Fprintf(table, "%s\t%.2g\t%.0e\t%s\n", k.Name, k.Difference, k.Allowed, verdict)
	}
	return failed, table.Flush()
}

// testPicture is a piece of the sample plate with hair and screen in it, and its chroma hint, as the network
// takes them.
func testPicture() (plate, hint picture.Image, err error) {
	source, err := keying.Sample()
	if err != nil {
		return plate, hint, err
	}
	return picture.Crop(source.Plate, testLeft, testUp, testW, testH), picture.Crop(source.Hint, testLeft, testUp, testW, testH), nil
}

// runOnce runs the network once and returns every output by name.
func runOnce(ctx context.Context, d device.Device, m *greenformer.Model, s settings.Settings, plate, hint picture.Image) (map[string][]float32, error) {
	p, err := m.Build(greenformer.Size{H: plate.H, W: plate.W}, s)
	if err != nil {
		return nil, err
	}
	runner, err := d.Load(ctx, p)
	if err != nil {
		return nil, err
	}
	defer runner.Close()
	inputs, outputs := map[string][]float32{}, map[string][]float32{}
	for _, t := range p.Tensors {
		switch {
		case t.Role == program.Output:
			outputs[t.Name] = make([]float32, t.Rows*t.Cols)
		case t.Role != program.Input:
		case t.Name == "plate":
			inputs["plate"] = plate.Pix
		case t.Name == "hint":
			inputs["hint"] = hint.Pix
		case t.Name == "input":
			inputs["input"] = make([]float32, t.Rows*t.Cols)
			greenformer.Normalise(inputs["input"], plate.Pix, hint.Pix)
		}
	}
	return outputs, runner.Run(ctx, inputs, outputs)
}

// deviation is how far a map is off.
type deviation struct {
	name                string
	difference, allowed float64
}

// passes reports whether the difference is allowed.
func (d deviation) passes() bool { return d.difference <= d.allowed }

// ratio is the difference in units of what is allowed.
func (d deviation) ratio() float64 { return d.difference / d.allowed }

// compareMaps returns the map that comes nearest to its tolerance or exceeds it most. Maps that are not within 0..1
// may differ in proportion to their largest value. Half width is held only against the results.
func compareMaps(got, want map[string][]float32, s settings.Settings) deviation {
	var worst deviation
	names := make([]string, 0, len(got))
	for name := range got {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		d := deviation{name: name, allowed: floatTolerance}
		if s.BF16 {
			switch name {
			case "alpha":
				d.allowed = halfMatte
			case "fg":
				d.allowed = halfForeground
			default:
				continue
			}
			if s.Half == settings.Float16 {
				d.allowed *= float16Part
			}
		}
		largest := 1.0
		for i, w := range want[name] {
			diff := math.Abs(float64(got[name][i]) - float64(w))
			if diff != diff {
				diff = math.Inf(1)
			}
			d.difference = max(d.difference, diff)
			largest = max(largest, math.Abs(float64(w)))
		}
		if len(got[name]) != len(want[name]) {
			d.difference = math.Inf(1)
		}
		d.allowed *= largest
		if worst.name == "" || d.ratio() > worst.ratio() {
			worst = d
		}
	}
	return worst
}
