package checkpointtest

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"greenroom/engine/checkpoint"
)

// stateDictPickle writes the data.pkl of a state dict, instruction for
// instruction as Python's pickler (protocol 2) does for torch.save, except that
// it remembers only what it refers to again.
func stateDictPickle(tensors []checkpoint.Weights, options TorchOptions) ([]byte, error) {
	p := pickler{code: []byte{0x80, 2}, memo: map[string]int{}}
	if options.Wrap != "" {
		p.code = append(p.code, '}', '(')
		p.text(options.Wrap)
	}
	p.global("collections OrderedDict")
	p.code = append(p.code, ')', 'R', '(')
	for i, t := range tensors {
		p.text(options.Prefix + t.Name)
		if err := p.tensor(i, t, options); err != nil {
			return nil, err
		}
	}
	p.code = append(p.code, 'u')
	p.moduleVersions()
	if options.Wrap != "" {
		for _, name := range slices.Sorted(maps.Keys(options.Notes)) {
			p.text(name)
			p.text(options.Notes[name])
		}
		p.code = append(p.code, 'u')
	}
	return append(p.code, '.'), nil
}

type pickler struct {
	code []byte
	memo map[string]int
}

// again refers to a value made before, or makes it and remembers it.
func (p *pickler) again(value string, emit func()) {
	index, known := p.memo[value]
	if known {
		p.code = append(p.code, 'j')
		p.code = binary.LittleEndian.AppendUint32(p.code, uint32(index))
		return
	}
	emit()
	index = len(p.memo)
	p.memo[value] = index
	if index < 256 {
		p.code = append(p.code, 'q', byte(index))
		return
	}
	p.code = append(p.code, 'r')
	p.code = binary.LittleEndian.AppendUint32(p.code, uint32(index))
}

func (p *pickler) text(text string) {
	p.again("text "+text, func() {
		p.code = append(p.code, 'X')
		p.code = binary.LittleEndian.AppendUint32(p.code, uint32(len(text)))
		p.code = append(p.code, text...)
	})
}

// global takes "module name".
func (p *pickler) global(name string) {
	p.again("global "+name, func() {
		module, class, _ := strings.Cut(name, " ")
		p.code = append(p.code, "c"+module+"\n"+class+"\n"...)
	})
}

func (p *pickler) integer(n int) {
	switch {
	case n >= 0 && n < 1<<8:
		p.code = append(p.code, 'K', byte(n))
	case n >= 0 && n < 1<<16:
		p.code = append(p.code, 'M', byte(n), byte(n>>8))
	case n >= -1<<31 && n < 1<<31:
		p.code = append(p.code, 'J')
		p.code = binary.LittleEndian.AppendUint32(p.code, uint32(n))
	default:
		p.code = append(p.code, 0x8a, 8)
		p.code = binary.LittleEndian.AppendUint64(p.code, uint64(n))
	}
}

func (p *pickler) integers(list []int) {
	switch n := len(list); {
	case n == 0:
		p.code = append(p.code, ')')
	case n <= 3:
		for _, v := range list {
			p.integer(v)
		}
		p.code = append(p.code, 0x85+byte(n-1))
	default:
		p.code = append(p.code, '(')
		for _, v := range list {
			p.integer(v)
		}
		p.code = append(p.code, 't')
	}
}

// tensor writes the call of _rebuild_tensor_v2 for storage i.
func (p *pickler) tensor(i int, t checkpoint.Weights, options TorchOptions) error {
	var class string
	switch t.DType {
	case checkpoint.Float32:
		class = "torch FloatStorage"
	case checkpoint.Float16:
		class = "torch HalfStorage"
	case checkpoint.BFloat16:
		class = "torch BFloat16Storage"
	default:
		return fmt.Errorf("tensor %q: type %v cannot be written", t.Name, t.DType)
	}
	if options.Parameters {
		p.global("torch._utils _rebuild_parameter")
	}
	p.global("torch._utils _rebuild_tensor_v2")
	p.code = append(p.code, '(', '(')
	p.text("storage")
	p.global(class)
	p.text(strconv.Itoa(i))
	p.text("cpu")
	p.integer(len(t.Data))
	p.code = append(p.code, 't', 'Q')
	p.integer(0)
	p.integers(t.Shape)
	p.integers(strides(t.Shape, options.Columns[t.Name]))
	p.code = append(p.code, 0x89) // requires_grad
	p.noHooks()
	p.code = append(p.code, 't', 'R')
	if options.Parameters {
		p.code = append(p.code, 0x88)
		p.noHooks()
		p.code = append(p.code, 0x87, 'R')
	}
	return nil
}

func (p *pickler) noHooks() {
	p.global("collections OrderedDict")
	p.code = append(p.code, ')', 'R')
}

// moduleVersions sets _metadata on the state dict, as torch.nn.Module does.
func (p *pickler) moduleVersions() {
	p.code = append(p.code, '}')
	p.text("_metadata")
	p.noHooks()
	p.code = append(p.code, '(')
	p.text("")
	p.code = append(p.code, '}')
	p.text("version")
	p.integer(1)
	p.code = append(p.code, 's', 'u', 's', 'b')
}

// strides returns the row-major strides of a shape, in elements, or those of a
// view whose first and last axes lie exchanged.
func strides(shape []int, columns bool) []int {
	lies := slices.Clone(shape)
	last := len(shape) - 1
	if columns && last > 0 {
		lies[0], lies[last] = lies[last], lies[0]
	}
	out := make([]int, len(shape))
	step := 1
	for i, size := range slices.Backward(lies) {
		out[i] = step
		step *= size
	}
	if columns && last > 0 {
		out[0], out[last] = out[last], out[0]
	}
	return out
}
