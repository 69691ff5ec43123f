package kernel

import (
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// fence hands out memory that ends right before, or starts right after, a page that must not be touched: reading
// or writing one byte outside faults.
type fence struct {
	t   *testing.T
	end bool
}

func (f fence) bytes(n int) unsafe.Pointer {
	page := unix.Getpagesize()
	size := roundUp(n, page)
	m, err := unix.Mmap(-1, 0, size+2*page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		f.t.Skip("no memory map: ", err)
	}
	f.t.Cleanup(func() { _ = unix.Munmap(m) })
	for _, side := range [][]byte{m[:page], m[page+size:]} {
		if err := unix.Mprotect(side, unix.PROT_NONE); err != nil {
			f.t.Skip("no page protection: ", err)
		}
	}
	if f.end {
		return unsafe.Pointer(&m[page+size-n])
	}
	return unsafe.Pointer(&m[page])
}

func (f fence) floats(n int) []float32 {
	x := unsafe.Slice((*float32)(f.bytes(4*n)), n)
	copy(x, normal(random(uint64(n)), n))
	return x
}

func (f fence) halves(n int) []uint16 { return unsafe.Slice((*uint16)(f.bytes(2*n)), n) }

func (f fence) ints(n int) []int32 { return unsafe.Slice((*int32)(f.bytes(4*n)), n) }

// TestNoKernelTouchesMemoryOutsideItsOperands runs every primitive at odd sizes with each operand at a fence.
func TestNoKernelTouchesMemoryOutsideItsOperands(t *testing.T) {
	p := Best().p
	for _, end := range []bool{false, true} {
		f := fence{t, end}
		for n := 1; n <= 41; n++ {
			rows := 1 + n%7
			x, y, z := f.floats(n*rows), f.floats(n*rows), f.floats(n*rows)
			h := f.halves(n * rows)
			one, two, each := f.floats(n), f.floats(n), f.floats(rows)
			p.scale(x, y, 2)
			p.add(x, y, z)
			p.relu(x, y)
			p.gelu(x, y)
			p.exp(x, y)
			p.sigmoid(x, y)
			for _, half := range p.halves {
				half.round(h, x, n, n, rows, n)
				half.expand(x, h, n, n, rows, n)
			}
			p.copy(x, y, n, n, rows, n)
			p.divide(x, y, each, n, n, rows, n)
			p.lerpRows(x, y, z, 0.5)
			p.affine(x, y, one, two, z, n, n, n, rows, true)
			p.affine(x, y, one, two, nil, n, n, 0, rows, false)
			p.layerNorm(x, y, one, two, 1e-6, n, n, rows)
			p.moments(f.floats(n), f.floats(n), one, x, n, rows)
			p.maxPool4(f.floats(n), f.floats(4*n), n, n, 1, n)
			p.softmaxBlock(&softmaxBlock{
				scores: x, stride: n, rows: rows, cols: n, scale: 1, peak: each, sum: f.floats(rows),
				out: f.floats(rows * 8), outStride: 8,
			})
			left, right := f.ints(rows), f.ints(rows)
			for i := range left {
				left[i], right[i] = int32(i*n), int32(max(0, i-1)*n)
			}
			p.lerpColumns(x, y, left, right, each, n, n, true)
			p.lerpColumns(x, y, left, right, each, n, n, false)
			p.transpose(f.floats(16*n), f.floats(16*n), n, 16, n, 16)
			p.transpose(f.floats(16*n), f.floats(3*n), n, 3, n, 16)
			for _, width := range []int{panelWidth, wideWidth} {
				cols := min(n, width)
				for act := Identity; act <= ReLU; act++ {
					q := panel{
						a: f.floats(rows * 5), aStride: 5, steps: []int{0, 1}, segLen: 2, b: f.floats(4 * width), width: width,
						c: f.floats(rows * cols), cStride: cols, rows: rows, cols: cols, act: act,
					}
					p.panel(&q)
					q.bias, q.residual, q.resStride = f.floats(cols), f.floats(rows*cols), cols
					p.panel(&q)
				}
			}
		}
	}
}
