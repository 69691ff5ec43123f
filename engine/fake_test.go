package engine

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"runtime"
	"sync"
	"testing"

	"greenroom/engine/colour"
	"greenroom/engine/device"
	"greenroom/engine/device/choose"
	"greenroom/engine/greenformer"
	"greenroom/engine/greenformer/greenformertest"
	"greenroom/engine/picture"
	"greenroom/engine/program"
	"greenroom/engine/settings"
)

// tiny is a network that is built in no time; the fake device does not run it.
var tiny = greenformer.Config{Embed: 8, Heads: 1, Stages: [4]int{1, 1, 2, 1}, Decoder: 8, Refiner: 8, Grid: 8}

// tinyModel returns a network with random weights.
func tinyModel(t testing.TB, seed uint64) *greenformer.Model {
	t.Helper()
	m, err := greenformertest.Model(tiny, seed)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// fake is a device that hands back what it sees: the matte is the plate's red, the foreground the plate.
type fake struct {
	// load and run, where set, come first; an error of theirs is returned.
	load func(size string) error
	run  func(ctx context.Context, n int, r *fakeRunner) error

	mu      sync.Mutex
	thread  string
	strange []string // calls that came from another goroutine
	sizes   []string // programs loaded, "WxH"
	half    []bool   // whether they were of half width
	runs    int
	live    int // runners not closed
	most    int
	closed  int
}

// called notes which goroutine called.
func (d *fake) called(what string) {
	buffer := make([]byte, 64)
	id := string(bytes.Fields(buffer[:runtime.Stack(buffer, false)])[1])
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.thread == "" {
		d.thread = id
	}
	if d.thread != id {
		d.strange = append(d.strange, what)
	}
}

func (d *fake) Info() device.Info {
	d.called("Info")
	return device.Info{Kind: "fake", Name: "the fake device"}
}

func (d *fake) Load(ctx context.Context, p *program.Program) (device.Runner, error) {
	d.called("Load")
	out := frameOf(p)
	size := fmt.Sprintf("%dx%d", out.X, out.Y)
	d.mu.Lock()
	d.sizes, d.half = append(d.sizes, size), append(d.half, halfWidth(p))
	d.mu.Unlock()
	if d.load != nil {
		if err := d.load(size); err != nil {
			return nil, err
		}
	}
	d.mu.Lock()
	d.live++
	d.most = max(d.most, d.live)
	d.mu.Unlock()
	return &fakeRunner{device: d, program: p}, nil
}

// frameOf returns the size of what the program sees.
func frameOf(p *program.Program) (out image.Point) {
	if id := p.Find("alpha"); id != program.None {
		return image.Pt(p.Tensors[id].W, p.Tensors[id].H)
	}
	coarse := p.Tensors[p.Find("coarse")]
	return image.Pt(4*coarse.W, 4*coarse.H)
}

func halfWidth(p *program.Program) bool {
	for _, t := range p.Tensors {
		if t.DType.Half() {
			return true
		}
	}
	return false
}

func (d *fake) Close() error {
	d.called("Close")
	d.mu.Lock()
	d.closed++
	d.mu.Unlock()
	return nil
}

type fakeRunner struct {
	device  *fake
	program *program.Program
	inputs  map[string][]float32
	outputs map[string][]float32
}

func (r *fakeRunner) Run(ctx context.Context, inputs, outputs map[string][]float32) error {
	r.device.called("Run")
	r.inputs, r.outputs = inputs, outputs
	r.device.mu.Lock()
	n := r.device.runs
	r.device.runs++
	r.device.mu.Unlock()
	r.reflect()
	if r.device.run != nil {
		return r.device.run(ctx, n, r)
	}
	return ctx.Err()
}

// reflect fills the outputs from the inputs.
func (r *fakeRunner) reflect() {
	out := frameOf(r.program)
	plate := picture.Image{W: out.X, H: out.Y, C: 3}
	if in, ok := r.inputs["input"]; ok {
		plate.Pix = make([]float32, out.X*out.Y*3)
		white, black := make([]float32, 4), make([]float32, 4)
		greenformer.Normalise(white, []float32{1, 1, 1}, []float32{0})
		greenformer.Normalise(black, []float32{0, 0, 0}, []float32{0})
		for i := range plate.Pix {
			c := i % 3
			plate.Pix[i] = (in[i/3*4+c] - black[c]) / (white[c] - black[c])
		}
	} else {
		from := r.program.Tensors[r.program.Find("plate")]
		plate = picture.ResampleBilinear(picture.Image{W: from.W, H: from.H, C: 3, Pix: r.inputs["plate"]}, out.X, out.Y)
	}
	copy(r.outputs["fg"], plate.Pix)
	for i := range r.outputs["alpha"] {
		r.outputs["alpha"][i] = plate.Pix[3*i]
	}
	coarse, ok := r.outputs["coarse"]
	if !ok {
		return
	}
	for i := range out.X / 4 * out.Y / 4 {
		x, y := i%(out.X/4)*4, i/(out.X/4)*4
		p := plate.Pix[(y*out.X+x)*3:]
		copy(coarse[4*i:], []float32{p[0], p[0], p[1], p[2]})
	}
}

func (r *fakeRunner) Stats() device.Stats {
	r.device.called("Stats")
	return device.Stats{Arena: 1000, Weights: 10, Scratch: 1}
}

func (r *fakeRunner) Close() error {
	r.device.called("Runner.Close")
	r.device.mu.Lock()
	r.device.live--
	r.device.mu.Unlock()
	return nil
}

// startFake starts an engine on a fake device and checks, when the test ends, that the device was only ever
// called from one goroutine, that nothing was left on it, and that it was closed once.
func startFake(t *testing.T, d *fake) *Engine {
	t.Helper()
	e, err := start(context.Background(), Options{}, func(context.Context, string, string) (device.Device, choose.Using, error) {
		d.called("open")
		return d, choose.Using{Info: d.Info(), Asked: "fake"}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
		d.mu.Lock()
		defer d.mu.Unlock()
		if len(d.strange) > 0 {
			t.Errorf("called from another goroutine: %v", d.strange)
		}
		if d.live != 0 || d.closed != 1 {
			t.Errorf("%d programs were left, the device was closed %d times", d.live, d.closed)
		}
		if d.most > 1 {
			t.Errorf("%d programs were loaded at once", d.most)
		}
	})
	return e
}

// testJob returns a job over a w x h plate whose pixels all differ.
func testJob(t testing.TB, w, h int) Job {
	t.Helper()
	plate, hint := picture.New(w, h, 3), picture.New(w, h, 1)
	for i := range plate.Pix {
		plate.Pix[i] = float32((i*7919)%9973) / 9973
	}
	for i := range hint.Pix {
		hint.Pix[i] = float32((i*31)%97) / 97
	}
	s := settings.Default()
	s.Tile, s.Overlap = 128, 32
	return Job{
		Plate: picture.Picture{RGB: plate, Space: colour.SRGB}, Hint: hint,
		Model: tinyModel(t, 1), ModelScreen: settings.ScreenAuto, Screen: settings.ScreenGreen, Settings: s,
	}
}

// drain collects a job's events.
func drain(t *Ticket) []Event {
	var all []Event
	for e := range t.Events() {
		all = append(all, e)
	}
	return all
}

// far returns the largest difference of two images of one size; another size is 1e9.
func far(a, b picture.Image) float64 {
	if a.W != b.W || a.H != b.H || a.C != b.C {
		return 1e9
	}
	worst := 0.0
	for i, v := range a.Pix {
		worst = max(worst, float64(max(v-b.Pix[i], b.Pix[i]-v)))
	}
	return worst
}

// red returns the first channel.
func red(m picture.Image) picture.Image {
	r := picture.New(m.W, m.H, 1)
	for i := range r.Pix {
		r.Pix[i] = m.Pix[3*i]
	}
	return r
}
