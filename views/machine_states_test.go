//go:build !headless

package views

import "strconv"

// toggle is a setting that is on or off.
func toggle(name, asked, used string, reasons ...SettingReason) SettingState {
	return SettingState{
		Name: name, Asked: asked, Used: used, Reasons: reasons,
		Choices: []SettingChoice{{Value: "on", Label: "on"}, {Value: "off", Label: "off"}},
	}
}

// sizes is a setting with sizes to choose from; zero is what 0 is called.
func sizes(name, asked, used, zero string, values ...int) SettingState {
	s := SettingState{Name: name, Asked: asked, Used: used}
	for _, v := range values {
		label := strconv.Itoa(v)
		if v == 0 {
			label = zero
		}
		s.Choices = append(s.Choices, SettingChoice{Value: strconv.Itoa(v), Label: label})
	}
	return s
}

var outputs = SettingReason{
	Rule: "outputs: only the matte, the foreground and the coarse logits are kept, and the plate is prepared on the device",
	Evidence: []string{
		"wave 2: 1.05x at 1024, 1.06x at 2048 with both on",
		"fleet: the Ultras disagree; M1 Ultra at 2048: 5128 ms with, 4823 ms without gpu_preprocess",
	},
}

// machineState is a machine with the settings that it gets for a plate of size 2048.
func machineState(name, details, tile string) MachineState {
	return MachineState{
		Name: name, Details: details,
		Others: []string{"Apple M1, 8 GB", "Apple M4 Pro, 24 GB"},
		Preset: PresetState{
			Name: "Recommended", BuiltIn: true,
			Choices: []PresetChoice{{"Recommended", true}, {"M4 Pro, 24 GB", true}, {"lantern, hair", false}},
		},
		Settings: []SettingState{
			toggle("slim", "on", "on", outputs), toggle("stage_gc", "off", "off"), toggle("sdpa", "on", "on"),
			toggle("bf16", "off", "off"), toggle("fused_decode", "on", "on"), toggle("gpu_preprocess", "on", "on", outputs),
			toggle("compile", "on", "on"),
			sizes("tile", tile, tile, "Whole frame", 0, 256, 512, 768, 1024), sizes("overlap", "64", "64", "", 32, 64, 128),
			sizes("frame", "0", "0", "Own size", 0, 1024, 2048),
			{Name: "refine", Asked: "tile", Used: "tile", Choices: []SettingChoice{
				{Value: "tile", Label: "tile"}, {Value: "frame", Label: "frame", Locked: "not with tiles yet"},
			}},
			{Name: "half", Asked: "bfloat16", Used: "bfloat16", Choices: []SettingChoice{
				{Value: "bfloat16", Label: "bfloat16"}, {Value: "float16", Label: "float16", Locked: "bf16 is off, and nothing is stored in half width"},
			}},
		},
		Memory:  MemoryState{Level: MemoryFits, Part: 0.16, Words: "2.3 GB of 14.4 GB: fits"},
		Time:    "not measured yet",
		Measure: MeasureState{Left: -1},
	}
}

const swaps = "a full frame of this size needs more than 32 GB and would swap"

// smallMac is a Mac with 24 GB, which must not key a large plate whole.
func smallMac() MachineState {
	m := machineState("Apple M4 Pro, 24 GB", "macOS 15.6, 20 GPU cores", "768")
	m.Settings[7].Choices[0].Locked = swaps
	m.Settings[7].Reasons = []SettingReason{{
		Rule: "24 GB tiles: " + swaps, Required: true,
		Evidence: []string{"fleet, M4 Pro 24 GB at 2048: 20 to 24 s a frame, swapping", "26.7 GB working set, full frame at 2048"},
	}}
	m.Settings[6].Choices[1].Locked = swaps
	return m
}

// largeMac has memory for whole frames, and settings that its artist chose.
func largeMac() MachineState {
	m := machineState("Apple M3 Ultra, 256 GB", "macOS 15.6, 80 GPU cores", "0")
	m.Preset = PresetState{
		Name: "Lantern, hair and glass, whole frames for the big machine in the corner", Edited: true, File: true,
		Choices: m.Preset.Choices,
	}
	m.Settings[2].Asked, m.Settings[2].Used = "off", "off"
	m.Notes = []string{"sdpa is off; on is recommended here (whole frames: M3 Ultra at 2048: 1763 ms with, 1743 ms without)"}
	m.Memory = MemoryState{Level: MemoryTight, Part: 0.93, Words: "27.9 GB of 30.0 GB: tight"}
	m.Time = "about 9 s, measured here on 2026-11-30"
	return m
}

// plainPC keys on its processor and is being measured.
func plainPC() MachineState {
	m := machineState("AMD Ryzen Threadripper PRO 7995WX 96-Cores, 24 GB", "Debian GNU/Linux 12, keys on the processor", "512")
	m.Settings[7].Asked = "1024"
	m.Memory = MemoryState{Level: MemoryFits, Part: 0.3, Words: "4.3 GB of 14.4 GB: fits"}
	m.Busy = "This machine is being measured"
	m.Measure = MeasureState{WhyNot: m.Busy, Running: true, Done: 4, All: 15, Doing: "tiled 512/64 at 1024", Left: 40e9}
	return m
}

// gpuPC is another machine, looked at.
func gpuPC() MachineState {
	m := machineState("Intel Xeon Platinum 8480C, 512 GB, NVIDIA H200 141 GB", "A preview", "0")
	m.Preview, m.Busy = true, "This is a preview of another machine"
	m.Memory = MemoryState{Level: MemoryFits, Part: 0.19, Words: "27.2 GB of 141.0 GB: fits"}
	m.Time = "not measured on this machine"
	m.Measure = MeasureState{WhyNot: m.Busy, Left: -1}
	return m
}

// measuredMac has been measured, and is asked for a name.
func measuredMac() MachineState {
	m := smallMac()
	m.Measure = MeasureState{
		Left: -1, Offer: true, Result: "Fastest: tiled 768/64+compile, 1.9 s at 2048",
		Rows: []MeasuredRow{
			{Name: "tiled 768/64+compile", Time: "1949 ms", Memory: "2.4 GB"}, {Name: "tiled 512/64+compile", Time: "2478 ms", Memory: "2.3 GB"},
			{Name: "full frame", Time: "it would need 27.9 GB and this machine has 14.4 GB for it", Failed: true},
		},
	}
	m.Ask = &Ask{Title: "Name of the preset", Text: "M4 Pro, 24 GB, measured", Button: "Save", Problem: "There is a preset of that name: give another"}
	return m
}
