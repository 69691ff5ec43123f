package checkpoint

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
)

// sniffLength is how far sniff looks: the mark of a tar archive ends at 262.
const sniffLength = 512

// sniff decides the container by content. What is plainly something else is
// named, because "not a checkpoint" helps nobody who has downloaded a pointer.
func sniff(source io.ReaderAt, size int64) (Container, error) {
	if size == 0 {
		return 0, incomplete("is empty")
	}
	head := make([]byte, min(size, sniffLength))
	if err := readAt(source, head, 0); err != nil {
		return 0, err
	}
	if bytes.HasPrefix(head, []byte("PK\x03\x04")) {
		return TorchZip, nil
	}
	if err := sniffForeign(head); err != nil {
		return 0, err
	}
	if len(bytes.Trim(head, "\x00")) == 0 {
		return 0, incomplete("begins with %d zeros: a download that was given room but never filled", len(head))
	}
	if looksLikeText(head) {
		return 0, &flaw{ErrNotCheckpoint, "is a text file, not a checkpoint", "point at a .safetensors or .pth file"}
	}
	if len(head) < 8 {
		return 0, incomplete("is %d bytes long, too short for any checkpoint", len(head))
	}
	headerSize := binary.LittleEndian.Uint64(head)
	if len(head) > 8 && head[8] == '{' || headerSize <= uint64(size) {
		return Safetensors, nil
	}
	return 0, &flaw{
		ErrNotCheckpoint,
		fmt.Sprintf("is neither a safetensors file (its header would be %d bytes of a %d byte file) nor a PyTorch zip", headerSize, size),
		"point at a .safetensors or .pth file, or download it again",
	}
}

// sniffForeign recognises by their first bytes the files that are commonly
// taken for a checkpoint.
func sniffForeign(head []byte) error {
	foreign := func(kind error, problem, remedy string) error { return &flaw{kind, problem, remedy} }
	text := strings.ToLower(strings.TrimLeft(strings.TrimPrefix(string(head), "\ufeff"), " \t\r\n"))
	starts := func(magic string) bool { return bytes.HasPrefix(head, []byte(magic)) }
	switch {
	case starts("version https://git-lfs.github.com/"), starts("version https://hawser.github.com/"):
		return foreign(ErrNotCheckpoint, "is a Git LFS pointer, not the weights it stands for", "run git lfs pull, or download the file itself")
	case strings.HasPrefix(text, "<!doctype"), strings.HasPrefix(text, "<html"), strings.HasPrefix(text, "<?xml"), strings.HasPrefix(text, "<head"):
		return foreign(ErrNotCheckpoint, "is a web page, not a checkpoint: the download was answered with an error or a sign-in page", remedyAgain)
	case starts("PK\x05\x06"):
		return foreign(ErrNotCheckpoint, "is an empty zip archive", remedyAgain)
	case starts("\x80\x02\x8a\x0al\xfc\x9cF\xf9 j\xa8P\x19."):
		return foreign(ErrUnsupported, "is in PyTorch's old format from before 1.6", remedyConvert)
	case len(head) > 0 && head[0] == 0x80 && len(head) > 1 && head[1] <= 5 && (len(head) <= 8 || head[8] != '{'):
		return foreign(ErrUnsupported, fmt.Sprintf("is a bare Python pickle (protocol %d), not a PyTorch zip", head[1]), remedyConvert)
	case len(head) >= 262 && string(head[257:262]) == "ustar":
		return foreign(ErrUnsupported, "is a tar archive: PyTorch's format from before 0.4, or a packed download", "unpack it; "+remedyConvert)
	case starts("\x1f\x8b"), starts("BZh"), starts("\xfd7zXZ"), starts("7z\xbc\xaf"), starts("\x28\xb5\x2f\xfd"):
		return foreign(ErrNotCheckpoint, "is a compressed archive", "unpack it first")
	case starts("GGUF"):
		return foreign(ErrUnsupported, "is a GGUF file", "download the .safetensors or .pth instead")
	case starts("\x89HDF"):
		return foreign(ErrUnsupported, "is an HDF5 file", "download the .safetensors or .pth instead")
	case starts("\x93NUMPY"):
		return foreign(ErrUnsupported, "is a NumPy array", "download the .safetensors or .pth instead")
	case starts("\x89PNG"), starts("\xff\xd8\xff"), starts("II*\x00"), starts("MM\x00*"), starts("\x76\x2f\x31\x01"):
		return foreign(ErrNotCheckpoint, "is a picture, not a checkpoint", "point at a .safetensors or .pth file")
	}
	return nil
}

// looksLikeText reports whether the bytes are printable ASCII. The size that
// begins a safetensors file has zero bytes in it and never is.
func looksLikeText(head []byte) bool {
	for _, b := range head {
		if b < ' ' && b != '\t' && b != '\r' && b != '\n' && b != '\f' || b == 0x7f {
			return false
		}
	}
	return head[0] < 0x80
}

// readAt fills p from the given offset; a file that is shorter than it was
// said to be is incomplete.
func readAt(source io.ReaderAt, p []byte, offset int64) error {
	n, err := source.ReadAt(p, offset)
	if n == len(p) {
		return nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		return incomplete("ended at byte %d, before byte %d", offset+int64(n), offset+int64(len(p)))
	}
	return err
}
