// Package checkpointtest writes checkpoints as PyTorch does, for tests of the
// packages that load them.
package checkpointtest

import (
	"archive/zip"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strconv"

	"greenroom/engine/checkpoint"
)

// TorchOptions says how a state dict is wrapped. The zero value is what
// torch.save writes for module.state_dict().
type TorchOptions struct {
	Root       string            // the archive's folder; "archive" where empty
	Wrap       string            // key of an outer dict that holds the state dict, such as "state_dict"; none where empty
	Prefix     string            // put before every name, such as "_orig_mod."
	Parameters bool              // each tensor is a torch.nn.Parameter, as in dict(module.named_parameters())
	Deflate    bool              // packed, as after unpacking and packing again; PyTorch only stores
	Notes      map[string]string // plain strings beside the state dict; needs Wrap
	// Columns names tensors of two or more axes that are saved as transposed
	// views: their first and last axes lie exchanged in the storage.
	Columns map[string]bool
}

// storageAlignment is the boundary, in bytes, that PyTorch lays storages on.
const storageAlignment = 64

// WriteTorchZip writes tensors as torch.save would since PyTorch 1.6: a zip
// archive with a pickle of protocol 2 and one file a storage. The tensors'
// element types may be Float32, Float16 and BFloat16. The same arguments give
// the same bytes.
func WriteTorchZip(w io.Writer, tensors []checkpoint.Weights, options TorchOptions) error {
	if options.Root == "" {
		options.Root = "archive"
	}
	if len(options.Notes) > 0 && options.Wrap == "" {
		return errors.New("write PyTorch zip: notes need a dict around the state dict")
	}
	counted := &countingWriter{w: w}
	archive := zipWriter{zip.NewWriter(counted), counted, options}
	if err := archive.writeAll(tensors); err != nil {
		return fmt.Errorf("write PyTorch zip: %w", err)
	}
	return nil
}

type zipWriter struct {
	zip     *zip.Writer
	counted *countingWriter
	options TorchOptions
}

func (z zipWriter) writeAll(tensors []checkpoint.Weights) error {
	raw, err := stateDictPickle(tensors, z.options)
	if err != nil {
		return err
	}
	if err := z.writeText("data.pkl", string(raw)); err != nil {
		return err
	}
	if err := z.writeText("byteorder", "little"); err != nil {
		return err
	}
	for i, t := range tensors {
		if z.options.Columns[t.Name] {
			t = exchangeAxes(t)
		}
		size := len(t.Data) * t.DType.Size()
		err := z.write("data/"+strconv.Itoa(i), size, func(w io.Writer) error { return checkpoint.WriteElements(w, t) })
		if err != nil {
			return err
		}
	}
	if err := z.writeText("version", "3\n"); err != nil {
		return err
	}
	return z.zip.Close()
}

func (z zipWriter) writeText(name, text string) error {
	return z.write(name, len(text), func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
}

// write adds an entry of the given size in bytes. It calls content twice, the
// first time for the checksum, which goes before the bytes. As PyTorch does, it
// aligns the bytes with an extra field "FB" of the right length.
func (z zipWriter) write(name string, size int, content func(io.Writer) error) error {
	header := &zip.FileHeader{Name: z.options.Root + "/" + name, Method: zip.Store}
	if z.options.Deflate {
		header.Method = zip.Deflate
		entry, err := z.zip.CreateHeader(header)
		if err != nil {
			return err
		}
		return content(entry)
	}
	sum := crc32.NewIEEE()
	if err := content(sum); err != nil {
		return err
	}
	header.CRC32 = sum.Sum32()
	header.CompressedSize64, header.UncompressedSize64 = uint64(size), uint64(size)
	if err := z.zip.Flush(); err != nil { // so that counted is right
		return err
	}
	const localHeader, fieldHeader = 30, 4
	begin := z.counted.written + localHeader + len(header.Name) + fieldHeader
	padding := (storageAlignment - begin%storageAlignment) % storageAlignment
	header.Extra = append([]byte{'F', 'B', byte(padding), 0}, make([]byte, padding)...)
	entry, err := z.zip.CreateRaw(header)
	if err != nil {
		return err
	}
	return content(entry)
}

// countingWriter knows how much has been written.
type countingWriter struct {
	w       io.Writer
	written int
}

func (c *countingWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.written += n
	return n, err
}

// exchangeAxes returns the tensor with its first and last axes exchanged,
// elements and all.
func exchangeAxes(t checkpoint.Weights) checkpoint.Weights {
	last := len(t.Shape) - 1
	if last < 1 {
		return t
	}
	rows, columns := t.Shape[0], t.Shape[last]
	middle := 1
	for _, size := range t.Shape[1:last] {
		middle *= size
	}
	out := t
	out.Shape = append([]int(nil), t.Shape...)
	out.Shape[0], out.Shape[last] = columns, rows
	out.Data = make([]float32, len(t.Data))
	for r := range rows {
		for m := range middle {
			for c := range columns {
				out.Data[(c*middle+m)*rows+r] = t.Data[(r*middle+m)*columns+c]
			}
		}
	}
	return out
}
