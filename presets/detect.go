package presets

// facts is what a system says of itself, before it is put into a Machine.
type facts struct {
	chip   string
	memory uint64 // bytes that a program can use at most
	os     string
	// gpuCores is the number of GPU cores of an Apple chip; 0 when unknown.
	gpuCores int
}

// machine puts facts and the GPU that keys run on together.
func (f facts) machine(gpu *GPU) Machine {
	m := named(f.chip)
	m.MemoryGB, m.OS, m.GPU, m.GPUCores = gigabytes(f.memory), f.os, gpu, f.gpuCores
	return m
}

// Detect reads what this machine is. gpus are those that devices can key on, best first; with none, keys run
// on the CPU. What the system does not tell stays empty or 0; the error names the first thing that it refused.
func Detect(gpus []GPU) (Machine, error) {
	f, err := readFacts()
	var gpu *GPU
	if len(gpus) > 0 {
		g := gpus[0]
		if !g.Discrete && f.memory > 0 {
			g.MemoryGB = gigabytes(f.memory)
		}
		gpu = &g
	}
	return f.machine(gpu), err
}
