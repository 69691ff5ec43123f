package checkpoint

import "io"

func readTorchZip(source io.ReaderAt, size int64) (contents, error) {
	return contents{}, unsupported("is a PyTorch zip")
}
