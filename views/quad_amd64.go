package views

import "unsafe"

// stopSize is the distance of columns in memory that the assembly knows; this does not compile where it is another.
const stopSize = 24

var _ [stopSize]byte = [unsafe.Sizeof(stop{})]byte{}

// acrossColour reads what the columns show between the colours, [W, 3], of a row.
func acrossColour(out []quad, from []float32, columns []stop) {
	// Four floats are read for three.
	n := reaching(columns, len(from)/3-1)
	if n > 0 {
		acrossColourSSE2(&out[:n][0], &from[0], &columns[0], n)
	}
	acrossColourPlain(out[n:], from, columns[n:])
}

// acrossPixels reads what the columns show between the pixels of a row.
func acrossPixels(out []quad, from []pixel, columns []stop) {
	n := reaching(columns, len(from))
	if n > 0 {
		acrossPixelsSSE2(&out[:n][0], &from[0], &columns[0], n)
	}
	acrossPixelsPlain(out[n:], from, columns[n:])
}

// acrossMatte adds what the columns show between the samples of a row of one channel.
func acrossMatte(out []quad, from []float32, columns []stop) {
	n := reaching(columns, len(from))
	if n > 0 {
		acrossMatteSSE2(&out[:n][0], &from[0], &columns[0], n)
	}
	acrossMattePlain(out[n:], from, columns[n:])
}

// reaching returns how many of the columns, which ascend, lie inside a row of the given width.
func reaching(columns []stop, width int) int {
	n := len(columns)
	for n > 0 && columns[n-1].next >= width {
		n--
	}
	return n
}

// downBytes rounds to 8 bits what lies part of the way from one row to another, R G B M, and sets the bits of alpha,
// a pixel's from the lowest byte.
func downBytes(out []uint8, upper, lower []quad, part float32, alpha uint32) {
	if n := len(upper); n > 0 {
		downBytesSSE2(&out[:4*n][0], &upper[0], &lower[:n][0], n, part, alpha)
	}
}

// downPixels makes pixels of what lies part of the way from one row to another.
func downPixels(out []pixel, upper, lower []quad, part float32) {
	if n := len(upper); n > 0 {
		downPixelsSSE2(&out[:n][0], &upper[0], &lower[:n][0], n, part)
	}
}

// downQuads writes what lies part of the way from one row to another as it is.
func downQuads(out, upper, lower []quad, part float32) {
	if n := len(upper); n > 0 {
		downQuadsSSE2(&out[:n][0], &upper[0], &lower[:n][0], n, part)
	}
}

//go:noescape
func acrossColourSSE2(out *quad, from *float32, columns *stop, n int)

//go:noescape
func acrossPixelsSSE2(out *quad, from *pixel, columns *stop, n int)

//go:noescape
func acrossMatteSSE2(out *quad, from *float32, columns *stop, n int)

//go:noescape
func downBytesSSE2(out *uint8, upper, lower *quad, n int, part float32, alpha uint32)

//go:noescape
func downPixelsSSE2(out *pixel, upper, lower *quad, n int, part float32)

//go:noescape
func downQuadsSSE2(out, upper, lower *quad, n int, part float32)
