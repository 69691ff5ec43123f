package checkpoint

import (
	"slices"
	"strconv"
	"strings"
)

// torchStorage is a run of elements that tensors of PyTorch lie in.
type torchStorage struct {
	dtype    DType
	key      string // of the file under data/
	elements int64
}

// torchTensor is a view of a storage: offset, sizes and strides in elements.
// Nothing of it has been checked.
type torchTensor struct {
	storage      *torchStorage
	offset       int64
	size, stride []int64
}

// The callables of a state dict. They are understood, never run.
const (
	orderedDict      = global("collections.OrderedDict")
	rebuildTensor    = global("torch._utils._rebuild_tensor_v2")
	rebuildParameter = global("torch._utils._rebuild_parameter")
)

func callable(name global) bool {
	return name == orderedDict || name == rebuildTensor || name == rebuildParameter
}

// storageTypes returns the element type of a storage class of PyTorch.
func storageTypes(name global) (DType, bool) {
	switch name {
	case "torch.FloatStorage":
		return Float32, true
	case "torch.HalfStorage":
		return Float16, true
	case "torch.BFloat16Storage":
		return BFloat16, true
	case "torch.DoubleStorage":
		return Float64, true
	case "torch.ComplexFloatStorage":
		return Complex64, true
	case "torch.ComplexDoubleStorage":
		return Complex128, true
	case "torch.LongStorage":
		return Int64, true
	case "torch.IntStorage":
		return Int32, true
	case "torch.ShortStorage":
		return Int16, true
	case "torch.CharStorage":
		return Int8, true
	case "torch.ByteStorage":
		return Uint8, true
	case "torch.BoolStorage":
		return Bool, true
	}
	return 0, false
}

// persistent turns ("storage", class, key, device, elements) into a storage.
func (m *pickleMachine) persistent() error {
	top, err := m.pop(1)
	if err != nil {
		return err
	}
	id, ok := top[0].(tuple)
	if !ok || len(id) != 5 || id[0] != "storage" {
		return unsupported("its pickle refers to something outside it that is no tensor storage")
	}
	class, isGlobal := id[1].(global)
	key, isText := id[2].(string)
	elements, isInteger := id[4].(int64)
	dtype, isStorage := storageTypes(class)
	if !isGlobal || !isText || !isInteger || !isStorage || elements < 0 {
		return damaged("its pickle describes a tensor storage wrongly, at byte %d", m.at)
	}
	return m.push(&torchStorage{dtype, key, elements})
}

// reduce understands a call of one of the known callables.
func (m *pickleMachine) reduce() error {
	call, err := m.pop(2)
	if err != nil {
		return err
	}
	args, ok := call[1].(tuple)
	if !ok {
		return damaged("its pickle makes a call without arguments, at byte %d", m.at)
	}
	switch call[0] {
	case orderedDict:
		if len(args) != 0 {
			return unsupported("its pickle builds an OrderedDict from %d arguments", len(args))
		}
		return m.push(&dict{})
	case rebuildTensor:
		tensor, ok := tensorFrom(args)
		if !ok {
			return damaged("its pickle describes a tensor wrongly, at byte %d", m.at)
		}
		return m.push(tensor)
	case rebuildParameter:
		// (tensor, requires_grad, hooks)
		if len(args) != 3 {
			return damaged("its pickle describes a parameter wrongly, at byte %d", m.at)
		}
		tensor, ok := args[0].(*torchTensor)
		if !ok {
			return damaged("its pickle describes a parameter wrongly, at byte %d", m.at)
		}
		return m.push(tensor)
	}
	return unsupported("its pickle calls something that is not to be called, at byte %d", m.at)
}

// tensorFrom reads the arguments of _rebuild_tensor_v2: storage, offset, size,
// stride, requires_grad, hooks and, since PyTorch 2.0, optional metadata.
func tensorFrom(args tuple) (*torchTensor, bool) {
	if len(args) != 6 && len(args) != 7 {
		return nil, false
	}
	storage, isStorage := args[0].(*torchStorage)
	offset, isInteger := args[1].(int64)
	size, isSize := integers(args[2])
	stride, isStride := integers(args[3])
	if !isStorage || !isInteger || !isSize || !isStride || len(args) == 7 && args[6] != nil {
		return nil, false
	}
	return &torchTensor{storage, offset, size, stride}, true
}

// integers reads a tuple of sizes or strides. Its bound keeps a pickle from
// turning one long tuple into copy after copy.
func integers(value any) ([]int64, bool) {
	items, ok := value.(tuple)
	if !ok || len(items) > maxRank {
		return nil, false
	}
	out := make([]int64, len(items))
	for i, item := range items {
		if out[i], ok = item.(int64); !ok {
			return nil, false
		}
	}
	return out, true
}

// build sets attributes of an object: an OrderedDict of PyTorch carries the
// versions of its modules, which nothing here needs.
func (m *pickleMachine) build() error {
	if _, err := m.pop(1); err != nil {
		return err
	}
	value, err := m.top()
	if err != nil {
		return err
	}
	if _, ok := value.(*dict); !ok {
		return unsupported("its pickle sets attributes of something that is no dict, at byte %d", m.at)
	}
	return nil
}

// stateDict finds the tensors in what was saved: a dict of tensors, or a dict
// that holds one under one of the names that training programs use. The plain
// strings and numbers beside the tensors come back as metadata.
func stateDict(root any) (map[string]*torchTensor, map[string]string, error) {
	outer, ok := root.(*dict)
	if !ok {
		return nil, nil, unsupported("was saved from something that is no dict of tensors")
	}
	metadata := map[string]string{}
	inner := outer
	for _, name := range []string{"state_dict", "model_state_dict", "model"} {
		if d, ok := outer.values[name].(*dict); ok {
			inner = d
			addScalars(metadata, outer)
			break
		}
	}
	addScalars(metadata, inner)
	tensors := map[string]*torchTensor{}
	for name, value := range inner.values {
		if t, ok := value.(*torchTensor); ok {
			if name == "" {
				return nil, nil, damaged("its pickle has a tensor without a name")
			}
			tensors[name] = t
		}
	}
	if len(tensors) == 0 {
		return nil, nil, unsupported("holds no tensors where a state dict has them; it has %s", someNames(inner.names))
	}
	if len(metadata) == 0 {
		metadata = nil
	}
	return tensors, metadata, nil
}

// someNames lists the first few names of a dict.
func someNames(names []string) string {
	if len(names) == 0 {
		return "nothing"
	}
	const most = 6
	var parts []string
	for _, name := range slices.Sorted(slices.Values(names)) {
		if len(parts) == most {
			parts = append(parts, "...")
			break
		}
		parts = append(parts, quoted(name))
	}
	return strings.Join(parts, ", ")
}

// addScalars collects the plain values of a dict as text.
func addScalars(metadata map[string]string, from *dict) {
	for name, value := range from.values {
		switch v := value.(type) {
		case string:
			metadata[name] = v
		case bool:
			metadata[name] = strconv.FormatBool(v)
		case int64:
			metadata[name] = strconv.FormatInt(v, 10)
		case float64:
			metadata[name] = strconv.FormatFloat(v, 'g', -1, 64)
		}
	}
}
