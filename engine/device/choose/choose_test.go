package choose

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"

	"greenroom/engine/device"
	"greenroom/engine/program"
)

// fakeGPU is a device that does nothing.
type fakeGPU struct {
	name   string
	closed bool
}

func (g *fakeGPU) Info() device.Info { return device.Info{Kind: Vulkan, Name: g.name} }

func (g *fakeGPU) Load(context.Context, *program.Program) (device.Runner, error) {
	return nil, errors.New("it runs nothing")
}

func (g *fakeGPU) Close() error {
	g.closed = true
	return nil
}

// ways returns one driver with the given outcome, which notes what it was asked for.
func ways(g *fakeGPU, err error, asked *[]string) []driver {
	return []driver{{name: Vulkan, open: func(_ context.Context, text string, o Options) (opened, error) {
		*asked = append(*asked, text)
		if err != nil {
			return opened{}, err
		}
		return opened{g, Using{Info: g.Info(), Memory: 8 << 30, Discrete: true}}, nil
	}}}
}

func TestAutoTakesAGPUWhereThereIsOne(t *testing.T) {
	for _, name := range []string{"", Auto, Vulkan, "vulkan:Some"} {
		var asked []string
		d, u, err := open(t.Context(), Options{Device: name}, ways(&fakeGPU{name: "Some GPU"}, nil, &asked))
		if err != nil {
			t.Fatal(err)
		}
		want := name
		if want == "" {
			want = Auto
		}
		if u.Asked != want || !u.GPU() || u.Name != "Some GPU" || u.Why != "" || u.Memory != 8<<30 || !u.Discrete {
			t.Errorf("%q: %+v", name, u)
		}
		_, text, _ := strings.Cut(name, ":")
		if !slices.Equal(asked, []string{text}) {
			t.Errorf("%q: the driver was asked for %q", name, asked)
		}
		d.Close()
	}
}

func TestAutoTakesTheProcessorAndSaysWhy(t *testing.T) {
	for _, c := range []struct {
		options Options
		err     error
		why     string
	}{
		{Options{}, errors.New("no Vulkan loader\n(install it)"), "no Vulkan loader (install it)"},
		{Options{Barred: "it stopped working 2 times"}, nil, "it stopped working 2 times"},
		{Options{Device: CPU}, errors.New("not asked"), ""},
	} {
		var asked []string
		d, u, err := open(t.Context(), c.options, ways(&fakeGPU{}, c.err, &asked))
		if err != nil {
			t.Fatal(err)
		}
		if u.GPU() || u.Kind != CPU || u.Why != c.why || u.Threads < 1 || u.Memory != 0 {
			t.Errorf("%+v: %+v", c.options, u)
		}
		if tried := len(asked) > 0; tried != (c.err != nil && c.why != "") {
			t.Errorf("%+v: a GPU was tried: %v", c.options, tried)
		}
		d.Close()
	}
	d, u, err := open(t.Context(), Options{}, nil)
	if err != nil || u.Why == "" {
		t.Errorf("without a way to a GPU: %+v, %v", u, err)
	}
	d.Close()
}

func TestADeviceThatWasAskedForIsNotReplaced(t *testing.T) {
	var asked []string
	broken := errors.New("no GPU with a Vulkan driver")
	_, _, err := open(t.Context(), Options{Device: Vulkan}, ways(nil, broken, &asked))
	if !errors.Is(err, broken) || !strings.HasPrefix(err.Error(), "cannot use vulkan: ") {
		t.Errorf("the error is %v", err)
	}
	if _, _, err := open(t.Context(), Options{Device: "abacus"}, ways(nil, broken, &asked)); err == nil || !strings.Contains(err.Error(), "abacus") {
		t.Errorf("an unknown device: %v", err)
	}
}

func TestACancelledOpeningLeavesNothingOpen(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var asked []string
	g := &fakeGPU{}
	if _, _, err := open(ctx, Options{}, ways(g, nil, &asked)); !errors.Is(err, context.Canceled) || !g.closed {
		t.Errorf("%v, closed: %v", err, g.closed)
	}
}

func TestAllDriversAreListed(t *testing.T) {
	one := func(name string) driver {
		return driver{list: func() []Using { return []Using{{Info: device.Info{Kind: Vulkan, Name: name}}} }}
	}
	none := driver{list: func() []Using { return nil }}
	all := list([]driver{one("a"), none, one("b")})
	if len(all) != 2 || all[0].Name != "a" || all[1].Name != "b" {
		t.Errorf("listed %+v", all)
	}
}

func TestNamesAreThoseOfTheSystem(t *testing.T) {
	for _, name := range append(Names(), "") {
		if err := Validate(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, name := range []string{"gpu", "cpu:4", "auto:x", ":", "vulkan:", "METAL"} {
		if runtime.GOOS != "darwin" && name == "vulkan:" {
			continue
		}
		if Validate(name) == nil {
			t.Errorf("%q passes", name)
		}
	}
}

// TestThisMachineOpens opens what auto takes here. It is never a program that plays a GPU on the processor.
func TestThisMachineOpens(t *testing.T) {
	d, u, err := Open(t.Context(), Options{CacheDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if strings.Contains(strings.ToLower(u.Name), "llvmpipe") || u.GPU() == (u.Why != "") || u.Kind != d.Info().Kind {
		t.Errorf("auto uses %+v", u)
	}
	if listed := List(); u.GPU() && (len(listed) == 0 || listed[0].Name != u.Name) {
		t.Errorf("listed %+v, in use %+v", listed, u)
	}
	t.Logf("using %+v", u)
}
