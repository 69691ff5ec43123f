// Package greenformertest makes GreenFormers with random weights, for tests and benchmarks of any size.
package greenformertest

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"greenroom/engine/checkpoint"
	"greenroom/engine/greenformer"
)

var (
	// BasePlus is the size of the published CorridorKey network.
	BasePlus = greenformer.Config{Embed: 112, Heads: 2, Stages: [4]int{2, 3, 16, 3}, Decoder: 256, Refiner: 64, Grid: 512}
	// Nano is the size of the embedded network.
	Nano = greenformer.Config{Embed: 32, Heads: 1, Stages: [4]int{1, 2, 4, 1}, Decoder: 64, Refiner: 24, Grid: 32}
)

// Random returns weights in the PyTorch layout, the same for the same seed. They are scaled so that signals
// neither vanish nor explode on their way through the network.
func Random(c greenformer.Config, seed uint64) []checkpoint.Weights {
	rng := rand.New(rand.NewPCG(seed, 1))
	var all []checkpoint.Weights
	for _, t := range c.Tensors() {
		w := checkpoint.Weights{Tensor: t, Data: make([]float32, t.Elements())}
		centre, spread := 0.0, 0.1
		switch {
		case strings.HasSuffix(t.Name, ".running_var"):
			centre, spread = 1, 0.2
		case len(t.Shape) > 1 && !strings.HasSuffix(t.Name, "pos_embed"):
			spread = 1 / math.Sqrt(float64(t.Elements()/t.Shape[0]))
		case strings.HasSuffix(t.Name, ".weight"):
			centre = 1
		}
		if strings.HasPrefix(t.Name, "refiner.final.") {
			spread /= 10 // the network multiplies by 10 again
		}
		for i := range w.Data {
			// Uniform over the standard deviation: cheap, and bounded away from a negative variance.
			w.Data[i] = float32(centre + spread*(2*rng.Float64()-1)*math.Sqrt(3))
		}
		all = append(all, w)
	}
	return all
}

// MLX returns the same weights in the layout of corridorkey-mlx: convolutions channels last, two names changed.
func MLX(weights []checkpoint.Weights) []checkpoint.Weights {
	var all []checkpoint.Weights
	for _, w := range weights {
		w.Name = strings.Replace(w.Name, "refiner.stem.0.", "refiner.stem_conv.", 1)
		w.Name = strings.Replace(w.Name, "refiner.stem.1.", "refiner.stem_gn.", 1)
		if len(w.Shape) == 4 {
			out, in, h, wide := w.Shape[0], w.Shape[1], w.Shape[2], w.Shape[3]
			moved := make([]float32, len(w.Data))
			for o := range out {
				for i := range in {
					for a := range h * wide {
						moved[(o*h*wide+a)*in+i] = w.Data[(o*in+i)*h*wide+a]
					}
				}
			}
			w.Shape, w.Data = []int{out, h, wide, in}, moved
		}
		all = append(all, w)
	}
	return all
}

// Metadata returns what a checkpoint of that size says of itself.
func Metadata(c greenformer.Config) map[string]string {
	return map[string]string{"greenformer.heads": fmt.Sprint(c.Heads)}
}

// Model returns a network with random weights, held in memory.
func Model(c greenformer.Config, seed uint64) (*greenformer.Model, error) {
	return open(c, Random(c, seed), fmt.Sprintf("random %d", seed))
}

// Loud returns Model with the tensor of that name times a factor, so that what comes after it is as much larger.
func Loud(c greenformer.Config, seed uint64, tensor string, times float32) (*greenformer.Model, error) {
	weights := Random(c, seed)
	for _, w := range weights {
		if w.Name == tensor {
			for i := range w.Data {
				w.Data[i] *= times
			}
			return open(c, weights, fmt.Sprintf("random %d, %s times %g", seed, tensor, times))
		}
	}
	return nil, fmt.Errorf("no tensor %s", tensor)
}

func open(c greenformer.Config, weights []checkpoint.Weights, name string) (*greenformer.Model, error) {
	var b bytes.Buffer
	if err := checkpoint.WriteSafetensors(&b, weights, Metadata(c)); err != nil {
		return nil, err
	}
	f, err := checkpoint.Read(bytes.NewReader(b.Bytes()), int64(b.Len()), name)
	if err != nil {
		return nil, err
	}
	return greenformer.New(f, name+fmt.Sprint(c))
}
