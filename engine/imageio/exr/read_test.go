package exr

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"greenroom/engine/picture"
	"greenroom/engine/picture/half"
)

// lossless lists the compressions that lose nothing of halves.
var lossless = []Compression{None, RLE, ZIPS, ZIP, PIZ, PXR24}

func rgba(c Compression) testPart {
	return testPart{
		channels:    []testChannel{halfChannel("R", 1), halfChannel("G", 0.7), halfChannel("B", 0.4), halfChannel("A", 0.5)},
		data:        box(0, 0, 37, 71),
		display:     box(0, 0, 37, 71),
		compression: c,
	}
}

func TestEveryLosslessCompressionIsReadExactly(t *testing.T) {
	for _, c := range lossless {
		scan := rgba(c)
		scan.channels = append(scan.channels, uintChannel("id"), floatChannel("Z", 100))
		if c == PXR24 {
			// Its floats keep 24 bits.
			scan.channels[len(scan.channels)-1] = testChannel{floatChannel("Z", 1).Channel, func(x, y int) uint32 {
				return math.Float32bits(smooth(x, y)*100) &^ 0xff
			}}
		}
		backwards := scan
		backwards.backwards = true
		tiled := scan
		tiled.tileW, tiled.tileH = 16, 20
		for _, p := range []testPart{scan, backwards, tiled} {
			checkPart(t, opened(t, testFile(t, p)), 0, p, 0)
		}
	}
}

func TestPicturesOfEveryShapeAreRead(t *testing.T) {
	for _, size := range [][2]int32{{1, 1}, {1, 40}, {40, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 31}, {31, 33}, {64, 32}, {65, 17}} {
		for c := None; c <= DWAB; c++ {
			p := rgba(c)
			p.data = box(-3, 5, size[0], size[1])
			p.display = p.data
			within := 0.0
			if c >= B44 {
				within = 0.03
			}
			checkPart(t, opened(t, testFile(t, p)), 0, p, within)
		}
	}
}

func TestB44IsReadWithinItsLoss(t *testing.T) {
	for _, c := range []Compression{B44, B44A} {
		p := rgba(c)
		p.channels = append(p.channels, floatChannel("Z", 100), uintChannel("id"))
		p.channels = append(p.channels, testChannel{Channel{Name: "flat", Type: Half, XSampling: 1, YSampling: 1},
			func(int, int) uint32 { return uint32(half.Float16(-2.5)) }})
		perceptual := halfChannel("X", 3)
		perceptual.Perceptual = true
		p.channels = append(p.channels, perceptual)
		f := opened(t, testFile(t, p))
		checkPart(t, f, 0, p, 0.03)
		// What is equal all over, and what is not half, loses nothing.
		for i, c := range p.sorted() {
			if c.Name != "flat" && c.Name != "Z" && c.Name != "id" {
				continue
			}
			for j, v := range readChannel(t, f, 0, i).Pix {
				if want := c.value(j%37, j/37); v != want {
					t.Fatalf("%s: %v, want %v", c.Name, v, want)
				}
			}
		}
	}
}

func TestDWAIsReadWithinItsLoss(t *testing.T) {
	for _, c := range []Compression{DWAA, DWAB} {
		for _, byDeflate := range []bool{false, true} {
			for _, old := range []bool{false, true} {
				p := rgba(c)
				p.acByDeflate, p.oldDWA = byDeflate, old
				p.channels[1] = floatChannel("G", 0.7)
				p.channels = append(p.channels, halfChannel("Y", 4), uintChannel("id"), floatChannel("Z", 100))
				f := opened(t, testFile(t, p))
				checkPart(t, f, 0, p, 0.01)
				exact := p
				exact.channels = []testChannel{p.channels[3]} // alpha
				if m, want := readChannel(t, f, 0, 0), exact.channels[0]; m.Pix[40] != want.value(3, 1) {
					t.Errorf("alpha is %v, want %v", m.Pix[40], want.value(3, 1))
				}
				checkSame(t, f, p, "id", "Z", "A")
			}
		}
	}
}

// checkSame holds that channels are exactly what was built.
func checkSame(t *testing.T, f *File, p testPart, names ...string) {
	t.Helper()
	for i, c := range p.sorted() {
		for _, name := range names {
			if c.Name != name {
				continue
			}
			m := readChannel(t, f, 0, i)
			for j, v := range m.Pix {
				if want := c.value(j%m.W, j/m.W); v != want {
					t.Fatalf("%s at %d: %v, want %v", name, j, v, want)
				}
			}
		}
	}
}

func TestDataWindowIsPlacedExactly(t *testing.T) {
	display := box(0, 0, 40, 30)
	for name, data := range map[string]Box{
		"inside": box(7, 5, 20, 11), "offset": box(-6, -9, 40, 30), "larger": box(-10, -20, 70, 64), "beside": box(40, 0, 20, 30),
		"above": box(0, -50, 40, 50), "one pixel": box(39, 29, 1, 1), "the same": display,
	} {
		for _, tile := range []int{0, 16} {
			for _, c := range []Compression{None, ZIP, PIZ} {
				p := rgba(c)
				p.data, p.display, p.tileW, p.tileH = data, display, tile, tile
				t.Run(fmt.Sprintf("%s %s %d", name, c, tile), func(t *testing.T) {
					checkPart(t, opened(t, testFile(t, p)), 0, p, 0)
				})
			}
		}
	}
	p := rgba(ZIP)
	p.data, p.display = box(0, 0, 20, 20), box(-5, -7, 30, 40)
	checkPart(t, opened(t, testFile(t, p)), 0, p, 0)
}

func TestSubsampledChannelsAreStoredBesideWholeOnes(t *testing.T) {
	for c := None; c <= DWAB; c++ {
		p := rgba(c)
		p.channels = []testChannel{halfChannel("Y", 1), halfChannel("BY", 0.1), halfChannel("RY", 0.2)}
		for i := 1; i < 3; i++ {
			p.channels[i].XSampling, p.channels[i].YSampling = 2, 2
		}
		p.data = box(-3, -5, 41, 37)
		p.display = p.data
		f := opened(t, testFile(t, p))
		within := 0.0
		if c >= B44 {
			within = 0.03
		}
		checkPart(t, f, 0, p, within)
		m := picture.New(41, 37, 1)
		if _, err := f.Read(context.Background(), 0, []Destination{{0, m, 0}}); !errors.Is(err, ErrUnsupported) || !strings.Contains(err.Error(), "subsampled channel \"BY\"") {
			t.Errorf("%s: the subsampled channel gives %v", c, err)
		}
	}
}

func TestOtherLevelsOfTilesAreLeftAlone(t *testing.T) {
	for _, levels := range []byte{1, 2, 0x11} {
		p := rgba(ZIP)
		p.tileW, p.tileH, p.levels = 16, 16, levels
		f := opened(t, testFile(t, p))
		if !f.Parts[0].Levels {
			t.Error("levels are not told")
		}
		checkPart(t, f, 0, p, 0)
	}
}

func TestPartsAreReadEachForItself(t *testing.T) {
	first, second := rgba(ZIP), rgba(PIZ)
	first.kind, first.name = "scanlineimage", "beauty"
	second.kind, second.name, second.tileW, second.tileH = "tiledimage", "depth", 16, 8
	second.channels = []testChannel{floatChannel("Z", 30)}
	f := opened(t, testFile(t, first, second))
	if len(f.Parts) != 2 || f.Parts[0].Name != "beauty" || !f.Parts[1].Tiled {
		t.Fatalf("parts %+v", f.Parts)
	}
	checkPart(t, f, 0, first, 0)
	checkPart(t, f, 1, second, 0)
	alone := first
	f = opened(t, testFile(t, alone))
	checkPart(t, f, 0, alone, 0)
}

func TestNotFiniteValuesAreReplacedAndCounted(t *testing.T) {
	halves := []uint32{0x7c00, 0xfc00, 0x7e01, 0x3c00, 0xc000, 0x7bff, 0x0001, 0x8000}
	floats := []uint32{0x7f800000, 0xff800000, 0x7fc00001, 0x3f800000, 0xc0000000, 0x477fe000, 0x33800000, 0x80000000}
	want := []float32{65504, 0, 0, 1, -2, 65504, 0x1p-24, 0}
	at := func(list []uint32) func(x, y int) uint32 { return func(x, y int) uint32 { return list[x] } }
	p := testPart{
		channels: []testChannel{
			{Channel{Name: "H", Type: Half, XSampling: 1, YSampling: 1}, at(halves)},
			{Channel{Name: "F", Type: Float, XSampling: 1, YSampling: 1}, at(floats)},
		},
		data: box(0, 0, 8, 3), display: box(0, 0, 8, 3), compression: ZIP,
	}
	f := opened(t, testFile(t, p))
	for c := range p.channels {
		m := picture.New(8, 3, 1)
		n, err := f.Read(context.Background(), 0, []Destination{{c, m, 0}})
		if err != nil || n != 9 {
			t.Errorf("counted %d, error %v", n, err)
		}
		for i, v := range m.Pix {
			if v != want[i%8] {
				t.Errorf("channel %d, value %d is %v, want %v", c, i%8, v, want[i%8])
			}
		}
	}
}

func TestReadingStopsWhenItIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	f := opened(t, testFile(t, rgba(ZIP)))
	if _, err := f.Read(ctx, 0, []Destination{{0, picture.New(37, 71, 1), 0}}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
