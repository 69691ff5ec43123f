//go:build !amd64

package views

// acrossColour reads what the columns show between the colours, [W, 3], of a row.
func acrossColour(out []quad, from []float32, columns []stop) { acrossColourPlain(out, from, columns) }

// acrossPixels reads what the columns show between the pixels of a row.
func acrossPixels(out []quad, from []pixel, columns []stop) { acrossPixelsPlain(out, from, columns) }

// acrossMatte adds what the columns show between the samples of a row of one channel.
func acrossMatte(out []quad, from []float32, columns []stop) { acrossMattePlain(out, from, columns) }

// downBytes rounds to 8 bits what lies part of the way from one row to another, R G B M, and sets the bits of alpha,
// a pixel's from the lowest byte.
func downBytes(out []uint8, upper, lower []quad, part float32, alpha uint32) {
	downBytesPlain(out, upper, lower, part, alpha)
}

// downPixels makes pixels of what lies part of the way from one row to another.
func downPixels(out []pixel, upper, lower []quad, part float32) {
	downPixelsPlain(out, upper, lower, part)
}

// downQuads writes what lies part of the way from one row to another as it is.
func downQuads(out, upper, lower []quad, part float32) { downQuadsPlain(out, upper, lower, part) }
