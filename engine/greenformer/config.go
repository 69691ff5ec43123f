// Package greenformer is the network: its sizes read from a checkpoint, and the program that runs it for one
// input size. It reads top to bottom like its description: encoder.go (Hiera: Ryali et al. 2023, "Hiera: A
// Hierarchical Vision Transformer without the Bells-and-Whistles"), decoder.go (two heads in the manner of
// SegFormer: Xie et al. 2021), refiner.go (dilated residual blocks). Nothing here computes pixels.
package greenformer

import (
	"fmt"
	"math"
	"strconv"

	"greenroom/engine/checkpoint"
)

// Config holds the sizes of a GreenFormer. The published CorridorKey network is
// Config{Embed: 112, Heads: 2, Stages: {2, 3, 16, 3}, Decoder: 256, Refiner: 64, Grid: 512}.
type Config struct {
	// Embed is the width of stage 1; each later stage is twice as wide.
	Embed int
	// Heads is the number of attention heads in stage 1; each later stage has twice as many.
	Heads int
	// Stages is the number of blocks in each stage.
	Stages [4]int
	// Decoder is the width of each decoder head.
	Decoder int
	// Refiner is the width of the refiner.
	Refiner int
	// Grid is the edge of the square position grid, in tokens of 4x4 pixels.
	Grid int
}

// refinerGroups is the number of groups of every GroupNorm.
const refinerGroups = 8

// Blocks returns the number of encoder blocks.
func (c Config) Blocks() int { return c.Stages[0] + c.Stages[1] + c.Stages[2] + c.Stages[3] }

// Width returns the channels of a stage, 0 to 3.
func (c Config) Width(stage int) int { return c.Embed << stage }

// HeadDim returns the columns of one attention head, the same in every stage.
func (c Config) HeadDim() int { return c.Embed / c.Heads }

// Parameters returns the number of weights, without BatchNorm's running statistics.
func (c Config) Parameters() int {
	n := 0
	for _, t := range c.tensors() {
		if !t.statistic {
			n += t.elements()
		}
	}
	return n
}

// Limits on sizes read from a file, far over the published network's, so that a hostile checkpoint cannot ask
// for absurd memory.
const (
	maxEmbed  = 1024
	maxBlocks = 128
	maxWidth  = 2048
	maxGrid   = 2048
)

// validate reports the first size that the network cannot have.
func (c Config) validate() error {
	switch {
	case c.Embed < 1 || c.Embed > maxEmbed:
		return fmt.Errorf("an embedding of %d channels: 1 to %d are possible", c.Embed, maxEmbed)
	case c.Heads < 1 || c.Embed%c.Heads != 0 || c.HeadDim() > 128:
		return fmt.Errorf("%d heads over %d channels: heads must divide the channels into at most 128 each", c.Heads, c.Embed)
	case c.Blocks() > maxBlocks:
		return fmt.Errorf("%d blocks: at most %d are possible", c.Blocks(), maxBlocks)
	case c.Decoder < 1 || c.Decoder > maxWidth:
		return fmt.Errorf("a decoder of %d channels: 1 to %d are possible", c.Decoder, maxWidth)
	case c.Refiner < 1 || c.Refiner > maxWidth || c.Refiner%refinerGroups != 0:
		return fmt.Errorf("a refiner of %d channels: multiples of %d up to %d are possible", c.Refiner, refinerGroups, maxWidth)
	case c.Grid < 1 || c.Grid > maxGrid:
		return fmt.Errorf("a position grid of %d tokens: 1 to %d are possible", c.Grid, maxGrid)
	}
	for i, n := range c.Stages {
		if n < 1 {
			return fmt.Errorf("stage %d has no blocks", i+1)
		}
	}
	return nil
}

// publishedHeadDim is the head dimension of the published network, assumed where a checkpoint does not say
// how many heads it has.
const publishedHeadDim = 56

// readConfig finds the sizes from the tensors' shapes and the metadata entry greenformer.heads.
func readConfig(f *checkpoint.File) (Config, error) {
	var c Config
	var err error
	axis := func(name string, rank, i int) int {
		t, ok := f.Tensor(name)
		switch {
		case err != nil:
		case !ok:
			err = fmt.Errorf("it has no tensor %s", name)
		case len(t.Shape) != rank:
			err = fmt.Errorf("tensor %s has %d axes, not %d", name, len(t.Shape), rank)
		default:
			return t.Shape[i]
		}
		return 0
	}
	c.Embed = axis("encoder.model.patch_embed.proj.weight", 4, 0)
	c.Decoder = axis("alpha_decoder.linear_c1.proj.weight", 2, 0)
	c.Refiner = axis("refiner.res1.conv1.weight", 4, 0)
	c.Grid = int(math.Round(math.Sqrt(float64(axis("encoder.model.pos_embed", 3, 1)))))
	if err != nil {
		return Config{}, err
	}
	for i := 0; i < maxBlocks+1; i++ {
		t, ok := f.Tensor(blockName(i, "attn.proj.weight"))
		if !ok {
			break
		}
		stage := 0
		for stage < 4 && (len(t.Shape) != 2 || t.Shape[0] != c.Width(stage)) {
			stage++
		}
		if stage == 4 || i > 0 && c.Stages[stage] == 0 && stage > 0 && c.Stages[stage-1] == 0 {
			return Config{}, fmt.Errorf("tensor %s has the shape %v, which is no stage of a network of embedding %d", t.Name, t.Shape, c.Embed)
		}
		c.Stages[stage]++
	}
	c.Heads = c.Embed / publishedHeadDim
	if v, ok := f.Metadata()["greenformer.heads"]; ok {
		if c.Heads, err = strconv.Atoi(v); err != nil {
			return Config{}, fmt.Errorf("its metadata greenformer.heads is %q, not a number", v)
		}
	} else if c.Embed%publishedHeadDim != 0 {
		return Config{}, fmt.Errorf("it does not say how many attention heads it has (metadata greenformer.heads), and its embedding of %d is not one of %d a head", c.Embed, publishedHeadDim)
	}
	return c, c.validate()
}
