package imageio

import "io"

func inspectTIFF(r io.ReaderAt, size int64, limits Limits) (*source, error) {
	return nil, unsupported("TIFF")
}
