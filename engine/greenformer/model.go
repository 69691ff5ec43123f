package greenformer

import (
	"fmt"

	"greenroom/engine/checkpoint"
)

// Model is a GreenFormer in a checkpoint: its sizes, and its weights where they are, read when a device packs
// them. It keeps the checkpoint open; Close closes it.
type Model struct {
	Config Config
	// Hash names the weights: the checkpoint's SHA-256 in hex. Programs of equal Hash share packed weights.
	Hash string

	file   *checkpoint.File
	layout layout
	shapes map[string]tensor
}

// New reads the network's sizes from an open checkpoint and checks every tensor's name and shape. Hash is the
// checkpoint's SHA-256 in hex. On an error the file stays open and the caller's.
func New(f *checkpoint.File, hash string) (*Model, error) {
	c, err := readConfig(f)
	if err != nil {
		return nil, fmt.Errorf("%s: it does not hold a GreenFormer: %w (choose a CorridorKey checkpoint)", f.Name(), err)
	}
	m := &Model{Config: c, Hash: hash, file: f, layout: readLayout(f), shapes: make(map[string]tensor)}
	if err := compare(f, c, m.layout); err != nil {
		return nil, err
	}
	for _, t := range c.tensors() {
		m.shapes[t.name] = t
	}
	return m, nil
}

// Name returns the checkpoint's name.
func (m *Model) Name() string { return m.file.Name() }

// Close closes the checkpoint. Programs that are loaded on a device stay usable.
func (m *Model) Close() error { return m.file.Close() }

// read fills dst with a tensor by its torch-layout name: convolutions as [out, height, width, in].
func (m *Model) read(name string, dst []float32) error {
	t := m.shapes[name]
	if err := m.file.ReadFloat32(m.layout.inFile(name), dst); err != nil {
		return err
	}
	if t.convolution() && !m.layout.channelsLast {
		channelsLast(dst, t.shape)
	}
	return nil
}

// channelsLast reorders a convolution's weight from [out, in, height, width] to [out, height, width, in].
func channelsLast(w []float32, shape []int) {
	in, area := shape[1], shape[2]*shape[3]
	if in == 1 || area == 1 {
		return
	}
	from := make([]float32, in*area)
	for o := range shape[0] {
		row := w[o*in*area : (o+1)*in*area]
		copy(from, row)
		for i := range in {
			for a := range area {
				row[a*in+i] = from[i*area+a]
			}
		}
	}
}
