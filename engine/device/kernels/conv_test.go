//go:build linux && (amd64 || arm64)

package kernels_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"greenroom/engine/device/kernels"
	"greenroom/engine/program"
)

type convCase struct {
	h, w, in, out int
	shape         program.ConvShape
	x, y, weight  program.DType
	bias          bool
	act           program.Act
	pre, groups   int
}

func (c convCase) String() string {
	return fmt.Sprintf("%dx%d %d->%d %v %s*%s to %s bias %v act %d pre %d statistics %d",
		c.w, c.h, c.in, c.out, c.shape, c.x, c.weight, c.y, c.bias, c.act, c.pre, c.groups)
}

// made is a convolution with its operands, before it has run.
type made struct {
	kernels.Conv
	x, y       tensor
	mem        memory
	reference  func(row, col int) value
	statistics []byte
}

func makeConv(t *testing.T, r *rand.Rand, c convCase) made {
	t.Helper()
	s := c.shape
	reach := s.Dilation*(s.Kernel-1) + 1
	oh, ow := (c.h+2*s.Pad-reach)/s.Stride+1, (c.w+2*s.Pad-reach)/s.Stride+1
	x, y := random(r, kernels.Dense(c.h*c.w, c.in, c.x)), random(r, kernels.Dense(oh*ow, c.out, c.y))
	op := kernels.Conv{
		X: x.Operand, Y: y.Operand, H: c.h, W: c.w, OutH: oh, OutW: ow, Shape: s, Weight: c.weight, Bias: c.bias, Act: c.act,
		PreGroups: c.pre, Groups: c.groups, Eps: 1e-5,
	}
	k := s.Kernel * s.Kernel * c.in
	w, b := floats(r, c.out*k), floats(r, c.out)
	packed, err := kernels.PackWeight(w, c.out, k, c.weight)
	if err != nil {
		t.Fatal(err)
	}
	mem := memory{kernels.X: x.bytes, kernels.Weight: packed, kernels.Y: y.bytes, kernels.Bias: float32Bytes(b)}
	stats, gamma, beta := floats(r, 2*max(c.pre, 1)), floats(r, c.in), floats(r, c.in)
	if c.pre > 0 {
		mem[kernels.PreStatistics], mem[kernels.PreWeight], mem[kernels.PreBias] = float32Bytes(stats), float32Bytes(gamma), float32Bytes(beta)
	}
	if c.groups > 0 {
		mem[kernels.Statistics] = make([]byte, 8*c.groups)
	}
	mem[kernels.Scratch] = bytes.Repeat([]byte{0xff}, int(op.Scratch())+4)
	read := func(pixel, ch int) float64 {
		v := x.at(pixel, ch)
		if c.pre > 0 {
			g := ch / (c.in / c.pre)
			v = max((v-float64(stats[2*g]))*float64(stats[2*g+1])*float64(gamma[ch])+float64(beta[ch]), 0)
		}
		return v
	}
	return made{Conv: op, x: x, y: y, mem: mem, statistics: mem[kernels.Statistics], reference: func(row, col int) value {
		var sum, size float64
		for ky := range s.Kernel {
			for kx := range s.Kernel {
				iy, ix := row/ow*s.Stride-s.Pad+ky*s.Dilation, row%ow*s.Stride-s.Pad+kx*s.Dilation
				if iy < 0 || ix < 0 || iy >= c.h || ix >= c.w {
					continue
				}
				for ch := range c.in {
					p := read(iy*c.w+ix, ch) * stored(w[((col*s.Kernel+ky)*s.Kernel+kx)*c.in+ch], c.weight)
					sum, size = sum+p, size+p*p
				}
			}
		}
		if c.bias {
			sum += float64(b[col])
		}
		return value{activation(c.act, sum), math.Sqrt(size)}
	}}
}

// each returns the case and, where it has half-width types, the same in float16.
func (c convCase) each() []convCase {
	other := c
	if toFloat16(&other.x, &other.y, &other.weight) {
		return []convCase{c, other}
	}
	return []convCase{c}
}

func (m *machine) conv(t *testing.T, r *rand.Rand, c convCase, l kernels.Limits) {
	t.Helper()
	op := makeConv(t, r, c)
	calls, err := op.Calls(l)
	if err != nil {
		t.Fatal(err)
	}
	before := bytes.Clone(op.y.bytes)
	m.run(t, calls, op.mem)
	check(t, op.y, before, op.reference)
	if c.groups > 0 {
		checkStatistics(t, op.statistics, op.y, c.groups, 1e-5)
	}
}

// three is a 3x3 convolution that keeps the map's size.
func three(dilation int) program.ConvShape {
	return program.ConvShape{Kernel: 3, Stride: 1, Pad: dilation, Dilation: dilation}
}

func TestConv(t *testing.T) {
	m := newMachine(t)
	r := rand.New(rand.NewPCG(5, 6))
	f, h := program.F32, program.BF16
	patches := program.ConvShape{Kernel: 7, Stride: 4, Pad: 3, Dilation: 1}
	aligned := []convCase{
		{h: 9, w: 13, in: 16, out: 72, shape: three(1), x: f, y: f, weight: f, bias: true},
		{h: 5, w: 4, in: 24, out: 8, shape: three(4), x: f, y: h, weight: h, bias: true, act: program.ReLU, pre: 8},
		{h: 12, w: 12, in: 8, out: 64, shape: three(8), x: h, y: h, weight: f, pre: 2, groups: 8},
		{h: 16, w: 24, in: 4, out: 12, shape: patches, x: f, y: f, weight: f, bias: true},
		{h: 7, w: 3, in: 12, out: 4, shape: program.ConvShape{Kernel: 1, Stride: 1, Dilation: 1}, x: h, y: f, weight: h, groups: 2},
	}
	any := []convCase{
		{h: 9, w: 7, in: 7, out: 65, shape: three(1), x: f, y: f, weight: f, bias: true, groups: 5},
		{h: 6, w: 5, in: 3, out: 5, shape: three(2), x: h, y: h, weight: h, bias: true, act: program.GELU, pre: 3},
		{h: 8, w: 11, in: 5, out: 3, shape: program.ConvShape{Kernel: 5, Stride: 2, Pad: 1, Dilation: 2}, x: f, y: h, weight: f},
	}
	for _, family := range []struct {
		kernel string
		cases  []convCase
	}{{"conv_128x64", aligned}, {"conv_128x128", aligned}, {"conv_any", append(any, aligned[1])}} {
		l := without(m.set, family.kernel, family.kernel+"_f16", "affine", "groupnorm_part", "groupnorm_merge")
		for _, both := range family.cases {
			for _, c := range both.each() {
				t.Run(family.kernel+" "+c.String(), func(t *testing.T) { m.conv(t, r, c, l) })
			}
		}
	}
}

func TestConvInPartsIsTheSame(t *testing.T) {
	m := newMachine(t)
	r := rand.New(rand.NewPCG(7, 8))
	c := convCase{
		h: 64, w: 32, in: 8, out: 8, shape: three(3), x: program.F32, y: program.F32, weight: program.F32,
		bias: true, pre: 4, groups: 4,
	}
	for name, l := range map[string]kernels.Limits{
		"by work":    {Work: 600 * 2 * 8 * 72},
		"by windows": {Binding: 60000},
	} {
		t.Run(name, func(t *testing.T) {
			if calls, err := makeConv(t, r, c).Calls(l); err != nil || len(calls) < 5 {
				t.Fatalf("%d calls (%v)", len(calls), err)
			}
			m.conv(t, r, c, l)
		})
	}
}

// TestConvOverItsOwnInput runs a convolution whose result begins a few rows before what it reads, wave by wave.
func TestConvOverItsOwnInput(t *testing.T) {
	m := newMachine(t)
	const wave, dilation = 4, 2
	c := convCase{h: 40, w: 16, in: 8, out: 8, shape: three(dilation), x: program.F32, y: program.F32, weight: program.F32, bias: true}
	op := makeConv(t, rand.New(rand.NewPCG(9, 10)), c)
	shift := (wave + dilation) * c.w * c.out * 4
	shared := make([]byte, shift+len(op.x.bytes))
	copy(shared[shift:], op.x.bytes)
	x := op.x
	x.bytes = bytes.Clone(op.x.bytes)
	op.Wave = wave
	calls, err := op.Calls(kernels.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if len(calls) != c.h/wave {
		t.Fatalf("%d calls for %d rows in waves of %d", len(calls), c.h, wave)
	}
	before := bytes.Clone(op.y.bytes)
	for i, call := range calls {
		if call.Wait != (i > 0) {
			t.Errorf("call %d waits: %v", i, call.Wait)
		}
		op.mem[kernels.X] = shared[shift:]
		op.mem[kernels.Y] = bytes.Clone(shared[:len(op.y.bytes)])
		m.call(t, call, op.mem, false)
		copy(shared, op.mem[kernels.Y])
	}
	op.y.bytes = shared[:len(op.y.bytes)]
	copy(op.x.bytes, x.bytes) // what the reference reads
	check(t, op.y, before, op.reference)
}
