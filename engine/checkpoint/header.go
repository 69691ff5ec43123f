package checkpoint

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"unicode/utf8"
)

// header is the JSON of a safetensors file, not yet checked against the file.
type header struct {
	tensors  []placed
	metadata map[string]string
}

// parseHeader reads the JSON token by token: unmarshalling into maps would
// silently keep the last of two equal names, and would spend many times the
// header's size on a hostile one.
func parseHeader(raw []byte) (header, error) {
	if !utf8.Valid(raw) {
		return header{}, damaged("its safetensors header is not UTF-8 text")
	}
	if raw[0] != '{' {
		return header{}, damaged("its safetensors header does not begin with {")
	}
	p := headerParser{json: json.NewDecoder(bytes.NewReader(raw)), seen: map[string]bool{}}
	p.json.UseNumber()
	if err := p.object(p.entry); err != nil {
		return header{}, err
	}
	if _, err := p.json.Token(); !errors.Is(err, io.EOF) {
		return header{}, damaged("its safetensors header goes on after its end")
	}
	return p.header, nil
}

type headerParser struct {
	json   *json.Decoder
	seen   map[string]bool
	header header
}

func (p *headerParser) token() (json.Token, error) {
	token, err := p.json.Token()
	if err != nil {
		return nil, damaged("its safetensors header is not JSON near byte %d: %v", p.json.InputOffset(), err)
	}
	return token, nil
}

func (p *headerParser) delimiter(want json.Delim) error {
	token, err := p.token()
	if err != nil {
		return err
	}
	if token != want {
		return damaged("its safetensors header has something else than %q near byte %d", want.String(), p.json.InputOffset())
	}
	return nil
}

// object reads an object, calling field for each key.
func (p *headerParser) object(field func(key string) error) error {
	if err := p.delimiter('{'); err != nil {
		return err
	}
	for p.json.More() {
		key, err := p.text()
		if err != nil {
			return err
		}
		if err := field(key); err != nil {
			return err
		}
	}
	return p.delimiter('}')
}

func (p *headerParser) text() (string, error) {
	token, err := p.token()
	if err != nil {
		return "", err
	}
	text, ok := token.(string)
	if !ok {
		return "", damaged("its safetensors header has no text near byte %d", p.json.InputOffset())
	}
	return text, nil
}

// integers reads an array of at most limit integers.
func (p *headerParser) integers(limit int) ([]int64, error) {
	if err := p.delimiter('['); err != nil {
		return nil, err
	}
	var list []int64
	for p.json.More() {
		token, err := p.token()
		if err != nil {
			return nil, err
		}
		number, ok := token.(json.Number)
		if !ok {
			return nil, damaged("its safetensors header has no number near byte %d", p.json.InputOffset())
		}
		value, err := strconv.ParseInt(number.String(), 10, 64)
		if err != nil {
			return nil, damaged("its safetensors header has the impossible number %s", quoted(number.String()))
		}
		if len(list) == limit {
			return nil, damaged("its safetensors header has a list of more than %d numbers near byte %d", limit, p.json.InputOffset())
		}
		list = append(list, value)
	}
	return list, p.delimiter(']')
}

// entry reads one member of the header: a tensor, or the metadata.
func (p *headerParser) entry(name string) error {
	if p.seen[name] {
		return damaged("its safetensors header names %s twice", quoted(name))
	}
	if len(p.seen) == maxTensors {
		return damaged("its safetensors header names more than %d tensors", maxTensors)
	}
	p.seen[name] = true
	if name == "__metadata__" {
		return p.readMetadata()
	}
	if name == "" {
		return damaged("its safetensors header has a tensor without a name")
	}
	return p.readTensor(name)
}

func (p *headerParser) readMetadata() error {
	p.header.metadata = map[string]string{}
	return p.object(func(key string) error {
		if _, twice := p.header.metadata[key]; twice {
			return damaged("its metadata names %s twice", quoted(key))
		}
		value, err := p.text()
		if err != nil {
			return err
		}
		p.header.metadata[key] = value
		return nil
	})
}

func (p *headerParser) readTensor(name string) error {
	t := placed{Tensor: Tensor{Name: name}}
	var dtype string
	got := map[string]bool{}
	err := p.object(func(key string) (err error) {
		if got[key] {
			return damaged("tensor %s has %s twice in the header", quoted(name), quoted(key))
		}
		got[key] = true
		switch key {
		case "dtype":
			dtype, err = p.text()
		case "shape":
			t.Shape, err = p.shape(name)
		case "data_offsets":
			t.begin, t.end, err = p.offsets(name)
		default:
			return damaged("tensor %s has the unknown field %s in the header", quoted(name), quoted(key))
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, key := range []string{"dtype", "shape", "data_offsets"} {
		if !got[key] {
			return damaged("tensor %s has no %s in the header", quoted(name), key)
		}
	}
	known := false
	if t.DType, known = safetensorsDType(dtype); !known {
		return unsupported("tensor %s is of the unknown type %s", quoted(name), quoted(dtype))
	}
	p.header.tensors = append(p.header.tensors, t)
	return nil
}

func (p *headerParser) shape(name string) ([]int, error) {
	sizes, err := p.integers(maxRank)
	if err != nil {
		return nil, err
	}
	return toShape(name, sizes)
}

func (p *headerParser) offsets(name string) (begin, end int64, err error) {
	list, err := p.integers(2)
	if err != nil {
		return 0, 0, err
	}
	if len(list) != 2 {
		return 0, 0, damaged("tensor %s has %d data offsets instead of 2", quoted(name), len(list))
	}
	return list[0], list[1], nil
}

// toShape narrows sizes to int, which has 32 bits on some machines.
func toShape(name string, sizes []int64) ([]int, error) {
	shape := make([]int, len(sizes))
	for i, size := range sizes {
		shape[i] = int(size)
		if size < 0 || int64(shape[i]) != size {
			return nil, damaged("tensor %s has an axis of impossible size %d", quoted(name), size)
		}
	}
	return shape, nil
}
