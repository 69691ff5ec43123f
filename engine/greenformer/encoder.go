package greenformer

import "greenroom/engine/program"

// layerNormEps is Hiera's epsilon.
const layerNormEps = 1e-6

// block is the shape of one encoder block.
type block struct {
	index   int
	stage   int // 0 to 3
	in, out int // channels
	// pools says that the block halves both sides of the token grid, by a maximum over 2x2 tokens.
	pools bool
	// windowed says that attention stays inside mask units; otherwise it is global.
	windowed bool
	// last says that the block ends its stage.
	last bool
}

// blocks lists the encoder's blocks. Attention is windowed by the stage of the block before: in stages 1 and
// 2, and in the first block of stage 3.
func (c Config) blocks() []block {
	var list []block
	width := c.Embed
	for stage, n := range c.Stages {
		for i := range n {
			before := stage
			if i == 0 && stage > 0 {
				before = stage - 1
			}
			list = append(list, block{
				index: len(list), stage: stage, in: width, out: c.Width(stage),
				pools: i == 0 && stage > 0, windowed: before < 2, last: i == n-1,
			})
			width = c.Width(stage)
		}
	}
	return list
}

// encoder adds the Hiera encoder: the network's input [H, W, 4] to four row-major maps, stage s with
// [H/4/2^s, W/4/2^s] tokens of Width(s) channels.
func (b *builder) encoder(input program.ID) [4]program.ID {
	b.Stage = program.Encoder
	c := b.model.Config
	h, w := b.h/4, b.w/4

	patches := b.TempMap("patches", h, w, c.Embed)
	op := b.Op(program.Conv2D, "encoder.patch_embed", patches, input)
	op.Conv = program.ConvShape{Kernel: 7, Stride: 4, Pad: 3, Dilation: 1}
	op.W, op.B = b.affine("encoder.model.patch_embed.proj", c.Embed, 7, 7, 4)
	b.Do(op)

	order := unitOrder(h, w, unitEdge)
	ordered := b.Temp("tokens", h*w, c.Embed)
	op = b.Op(program.Gather, "encoder.unroll", ordered, patches)
	op.Index = b.Index(order)
	b.Do(op)

	x := b.Temp("tokens+position", h*w, c.Embed)
	op = b.Op(program.Add, "encoder.pos_embed", x, ordered)
	op.B = b.position(h, w, order)
	b.Do(op)

	var features [4]program.ID
	for _, blk := range c.blocks() {
		if blk.stage > 0 {
			b.Storage = storage(b.settings)
		}
		x = b.block(blk, x)
		if blk.last {
			features[blk.stage] = b.feature(blk.stage, x)
		}
	}
	return features
}

// block adds one encoder block to tokens x and returns its result.
func (b *builder) block(k block, x program.ID) program.ID {
	name := func(rest string) string { return blockName(k.index, rest) }
	n := b.norm(name("norm1"), x, k.in)
	if k.in != k.out {
		x = b.linear(name("proj"), n, k.out)
	}
	qkv := b.linear(name("attn.qkv"), n, 3*k.out)
	q := program.View{Tensor: qkv, Cols: k.out}
	if k.pools {
		if k.in != k.out {
			x = b.pool(name("pool"), b.Program.All(x))
		}
		q = b.Program.All(b.pool(name("attn.q_pool"), q))
	}
	x = b.add(name("attn.residual"), b.linear(name("attn.proj"), b.attention(k, q, qkv), k.out), x)
	n = b.norm(name("norm2"), x, k.out)
	hidden := b.activate(name("mlp.act"), b.linear(name("mlp.fc1"), n, 4*k.out), program.GELU)
	return b.add(name("mlp.residual"), b.linear(name("mlp.fc2"), hidden, k.out), x)
}

// attention adds a block's attention of queries q over the keys and values in qkv, [N, 3*out].
func (b *builder) attention(k block, q program.View, qkv program.ID) program.ID {
	queries, keys := b.Program.Tensors[q.Tensor].Rows, b.Program.Tensors[qkv].Rows
	shape := program.AttentionShape{
		Windows: 1, Queries: queries, Keys: keys,
		Heads: k.out / b.model.Config.HeadDim(), HeadDim: b.model.Config.HeadDim(),
	}
	if k.windowed {
		// A window is a mask unit: 64 tokens in stage 1, a quarter of that after each pooling.
		shape.Windows = (b.h / 32) * (b.w / 32)
		shape.Queries, shape.Keys = queries/shape.Windows, keys/shape.Windows
	}
	kv := func(part int) program.View {
		return program.View{Tensor: qkv, Col: part * k.out, Cols: k.out}
	}
	name := func(rest string) string { return blockName(k.index, "attn"+rest) }
	out := b.Temp(name(""), queries, k.out)
	if b.settings.SDPA {
		op := b.Op(program.Attention, name(""), out)
		op.X, op.Attention = []program.View{q, kv(1), kv(2)}, shape
		b.Do(op)
		return out
	}
	rows := shape.Windows * shape.Heads * shape.Queries
	scores := b.Tensor(name(".scores"), rows, shape.Keys, program.F32, program.Temp)
	op := b.Op(program.Scores, name(".scores"), scores)
	op.X, op.Attention = []program.View{q, kv(1)}, shape
	b.Do(op)
	b.Do(b.Op(program.Softmax, name(".softmax"), scores, scores))
	op = b.Op(program.Product, name(".product"), out, scores)
	op.X, op.Attention = append(op.X, kv(2)), shape
	b.Do(op)
	return out
}

// pool adds the maximum over each 2x2 group of tokens.
func (b *builder) pool(name string, x program.View) program.ID {
	y := b.Temp(name, b.Program.Tensors[x.Tensor].Rows/4, x.Cols)
	op := b.Op(program.MaxPool, name, y)
	op.X = []program.View{x}
	b.Do(op)
	return y
}

// feature adds the roll back from mask-unit order to a row-major map at the end of a stage.
func (b *builder) feature(stage int, x program.ID) program.ID {
	h, w := b.h/4>>stage, b.w/4>>stage
	name := [...]string{"feature1", "feature2", "feature3", "feature4"}[stage]
	y := b.kept(name, h, w, b.model.Config.Width(stage))
	op := b.Op(program.Gather, name, y, x)
	op.Index = b.Index(inverse(unitOrder(h, w, unitEdge>>stage)))
	b.Do(op)
	return y
}

// norm adds a LayerNorm over n channels.
func (b *builder) norm(name string, x program.ID, n int) program.ID {
	y := b.Temp(name, b.Program.Tensors[x].Rows, n)
	op := b.Op(program.LayerNorm, name, y, x)
	op.Eps = layerNormEps
	op.W, op.B = b.weight(name+".weight", n), b.weight(name+".bias", n)
	b.Do(op)
	return y
}

// linear adds a linear map with bias to n channels.
func (b *builder) linear(name string, x program.ID, n int) program.ID {
	y := b.Temp(name, b.Program.Tensors[x].Rows, n)
	op := b.Op(program.Gemm, name, y, x)
	op.W, op.B = b.affine(name, n, b.Program.Tensors[x].Cols)
	b.Do(op)
	return y
}

// activate adds an activation.
func (b *builder) activate(name string, x program.ID, act program.Act) program.ID {
	y := b.like(name, x)
	op := b.Op(program.Activate, name, y, x)
	op.Act = act
	b.Do(op)
	return y
}

// add adds two tensors.
func (b *builder) add(name string, x, z program.ID) program.ID {
	y := b.like(name, x)
	b.Do(b.Op(program.Add, name, y, x, z))
	return y
}
