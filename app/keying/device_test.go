package keying

import (
	"testing"

	"greenroom/engine/device"
	"greenroom/engine/device/choose"
)

func TestTheMachineHasTheGPUThatKeysRunOn(t *testing.T) {
	plain, err := Machine(choose.Using{Info: device.Info{Kind: choose.CPU, Name: "CPU"}})
	if err != nil {
		t.Skip(err)
	}
	if plain.GPU != nil {
		t.Errorf("on the processor the machine has the GPU %+v", plain.GPU)
	}
	own := choose.Using{Info: device.Info{Kind: choose.Vulkan, Name: "Some Card"}, Memory: 8<<30 - 100<<20, Discrete: true}
	m, err := Machine(own)
	if err != nil || m.GPU == nil || m.GPU.Name != "Some Card" || m.GPU.MemoryGB != 8 || !m.GPU.Discrete || m.Limit() != own.Memory {
		t.Errorf("with a card: %+v, limit %d, %v", m.GPU, m.Limit(), err)
	}
	shared := choose.Using{Info: device.Info{Kind: choose.Metal, Name: "Apple M4"}, Memory: 1 << 30}
	m, err = Machine(shared)
	if err != nil || m.GPU == nil || m.GPU.MemoryGB != m.MemoryGB || m.GPU.Discrete || m.Limit() != shared.Memory {
		t.Errorf("with shared memory: %+v, limit %d, %v", m.GPU, m.Limit(), err)
	}
}

func TestDevicesAreNamedInWords(t *testing.T) {
	for kind, want := range map[string]string{choose.Metal: "X through Metal", choose.Vulkan: "X through Vulkan", choose.CPU: "the processor"} {
		if got := DeviceWords(choose.Using{Info: device.Info{Kind: kind, Name: "X"}}); got != want {
			t.Errorf("%s is %q", kind, got)
		}
	}
}
