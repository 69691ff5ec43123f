package app

import (
	"testing"

	"greenroom/app/keying"
	"greenroom/engine/device"
	"greenroom/engine/device/choose"
	"greenroom/presets"
)

func TestTheWindowSaysWhatKeysRunOn(t *testing.T) {
	w := NewWorkspace(func(State) {})
	t.Cleanup(func() { w.Close() })
	for want, u := range map[string]choose.Using{
		"":                              {},
		"on Apple M4 Pro through Metal": {Info: device.Info{Kind: choose.Metal, Name: "Apple M4 Pro"}},
		"on the processor":              {Info: device.Info{Kind: choose.CPU, Name: "CPU"}, Asked: choose.CPU},
		"on the processor: no GPU with a Vulkan driver": {
			Info: device.Info{Kind: choose.CPU, Name: "CPU"}, Asked: choose.Auto, Why: "no GPU with a Vulkan driver",
		},
		"on Some Card through Vulkan (slower: 2 of its kernels failed their test)": {
			Info: device.Info{Kind: choose.Vulkan, Name: "Some Card"}, Replaced: []string{"gemm_64x64", "softmax"},
		},
	} {
		if got := w.show(State{Setup: Setup{Device: u}}).Device; got != want {
			t.Errorf("%+v: %q, want %q", u, got, want)
		}
	}
}

func TestTheMachineFollowsTheDevice(t *testing.T) {
	w := NewWorkspace(func(State) {})
	t.Cleanup(func() { w.Close() })
	w.change(func(*State) { w.detected = presets.Machine{Chip: "Some processor", MemoryGB: 64} })
	card := choose.Using{Info: device.Info{Kind: choose.Vulkan, Name: "Some Card"}, Memory: 8 << 30, Discrete: true}
	w.keyOn(card)
	if s := w.State(); s.Machine.GPU == nil || s.Machine.Limit() != 8<<30 || s.Setup.Device.Name != "Some Card" {
		t.Errorf("on the card: %+v, %+v", s.Machine, s.Setup.Device)
	}
	w.keyOn(choose.Using{Info: device.Info{Kind: choose.CPU, Name: "CPU"}, Why: "it stopped working 2 times"})
	if s := w.State(); s.Machine.GPU != nil || s.Setup.Device.Why == "" {
		t.Errorf("on the processor: %+v, %+v", s.Machine, s.Setup.Device)
	}
}

func TestAPresetsDeviceIsTurnedTo(t *testing.T) {
	w := NewWorkspace(func(State) {})
	t.Cleanup(func() { w.Close() })
	e, err := keying.NewEngine(t.Context(), w.deviceOf(nil), w.keyOn, nil)
	if err != nil {
		t.Fatal(err)
	}
	w.change(func(*State) { w.engine = e })
	for _, c := range []struct {
		preset *presets.Preset
		asked  string
	}{
		{&presets.Preset{Engine: presets.Engine{Device: choose.CPU}}, choose.CPU},
		{nil, choose.Auto},
		{&presets.Preset{}, choose.Auto},
	} {
		w.wantDevice(c.preset)
		if u := w.State().Setup.Device; u.Asked != c.asked {
			t.Errorf("%+v: keys run on %+v", c.preset, u)
		}
	}
	if p := w.State().Problem; p != nil {
		t.Errorf("a problem: %+v", p)
	}
}
