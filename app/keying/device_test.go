package keying

import (
	"testing"

	"greenroom/engine/device"
	"greenroom/engine/device/choose"
	"greenroom/presets"
)

func TestTheMachineHasTheGPUThatKeysRunOn(t *testing.T) {
	had := presets.Machine{Chip: "Some processor", MemoryGB: 64, GPU: &presets.GPU{Name: "Another", MemoryGB: 4, Discrete: true}}
	if m := On(had, choose.Using{Info: device.Info{Kind: choose.CPU, Name: "CPU"}}); m.GPU != nil {
		t.Errorf("on the processor the machine has the GPU %+v", m.GPU)
	}
	own := choose.Using{Info: device.Info{Kind: choose.Vulkan, Name: "Some Card"}, Memory: 8<<30 - 100<<20, Discrete: true}
	if m := On(had, own); *m.GPU != (presets.GPU{Name: "Some Card", MemoryGB: 8, Discrete: true, WorkingSet: own.Memory}) || m.Limit() != own.Memory {
		t.Errorf("with a card: %+v, limit %d", m.GPU, m.Limit())
	}
	shared := choose.Using{Info: device.Info{Kind: choose.Metal, Name: "Apple M4"}, Memory: 48 << 30}
	if m := On(had, shared); *m.GPU != (presets.GPU{Name: "Apple M4", MemoryGB: 64, WorkingSet: shared.Memory}) || m.Limit() != shared.Memory {
		t.Errorf("with shared memory: %+v, limit %d", m.GPU, m.Limit())
	}
	had.GPU = &presets.GPU{Name: "Some Card", MemoryGB: 12, Discrete: true}
	if m := On(had, own); m.GPU.MemoryGB != 12 || m.Limit() != own.Memory || m.String() != had.String() {
		t.Errorf("with a part of the card's memory in use: %+v, limit %d", m.GPU, m.Limit())
	}
	had.GPU.Name = "Another"
	if On(had, own); had.GPU.Name != "Another" {
		t.Error("the machine that was given has changed")
	}
}

func TestDevicesAreNamedInWords(t *testing.T) {
	for kind, want := range map[string]string{choose.Metal: "X through Metal", choose.Vulkan: "X through Vulkan", choose.CPU: "the processor"} {
		if got := DeviceWords(choose.Using{Info: device.Info{Kind: kind, Name: "X"}}); got != want {
			t.Errorf("%s is %q", kind, got)
		}
	}
}
