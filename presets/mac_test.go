package presets

import "testing"

func TestAMacsChipHasItsName(t *testing.T) {
	for _, c := range []struct {
		brand, model string
		arm          bool
		want         string
	}{
		{"Apple M4 Pro", "Mac16,11", true, "Apple M4 Pro"},
		{"", "VirtualMac2,1", true, "Apple VirtualMac2.1"},
		{"Virtual CPU", "VirtualMac2,1", true, "Apple Virtual CPU"},
		{"Intel(R) Core(TM) i9-9980HK CPU @ 2.40GHz", "MacBookPro16,1", false, "Intel(R) Core(TM) i9-9980HK CPU @ 2.40GHz"},
	} {
		got := macChip(c.brand, c.model, c.arm)
		if got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
		// The rules of the newest chip are for those whose name says nothing.
		m := facts{chip: got, memory: 16 << 30}.machine(nil)
		if m.Apple() != c.arm {
			t.Errorf("%s is Apple's: %v", got, m.Apple())
		}
		if note := m.unknown(4); (note != "") != (c.arm && c.brand != "Apple M4 Pro") {
			t.Errorf("%s: %q", got, note)
		}
		if s, err := Recommend(Request{Machine: m, Size: 512}); err != nil || !s.Settings.SDPA {
			t.Errorf("%s: %+v, %v", got, s.Settings, err)
		}
	}
}

func TestGPUCoresAreReadFromTheRegistry(t *testing.T) {
	const text = `+-o AGXAcceleratorG16X  <class AGXAcceleratorG16X, id 0x100000466, registered, matched, active, busy 0>
    {
      "gpu-core-count" = 20
      "IOClass" = "AGXAcceleratorG16X"
      "model" = "Apple M4 Pro"
    }
`
	for text, want := range map[string]int{text: 20, "": 0, `"gpu-core-count" = many`: 0, `"gpu-core-count" = 99999999`: 0} {
		if got := gpuCores(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
	if m := (facts{chip: "Apple M4 Pro", gpuCores: 20}).machine(nil); m.GPUCores != 20 {
		t.Errorf("%+v", m)
	}
}
