package exr

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"greenroom/engine/imageio/disktest"
	"greenroom/engine/picture"
	"greenroom/engine/picture/half"
)

// noisy is an image with values of all sizes, over 1 and under 0 too.
func noisy(w, h, c int) picture.Image {
	m := picture.New(w, h, c)
	random := rand.New(rand.NewPCG(uint64(w), uint64(h)))
	for i := range m.Pix {
		m.Pix[i] = float32(random.NormFloat64() * math.Pow(2, float64(random.IntN(20)-14)))
	}
	return m
}

func wrote(t testing.TB, o Output) []byte {
	t.Helper()
	var w disktest.File
	if err := Write(&w, o); err != nil {
		t.Fatal(err)
	}
	return w.Bytes
}

func TestWrittenPicturesAreReadBack(t *testing.T) {
	for _, size := range [][2]int{{1, 1}, {7, 16}, {16, 17}, {300, 50}} {
		for _, kind := range []PixelType{Half, Float} {
			m := noisy(size[0], size[1], 4)
			o := output(m, kind)
			o.X, o.Y = -5, 1001
			f := opened(t, wrote(t, o))
			p := f.Parts[0]
			if want := box(-5, 1001, int32(m.W), int32(m.H)); p.Data != want || p.Display != want || p.Compression != ZIP || p.Tiled {
				t.Fatalf("part %+v", p)
			}
			for c, name := range []string{"A", "B", "G", "R"} {
				if p.Channels[c].Name != name || p.Channels[c].Type != kind {
					t.Fatalf("channels %+v", p.Channels)
				}
				for i, v := range readChannel(t, f, 0, c).Pix {
					// A, B, G, R are components 3, 2, 1, 0.
					want := m.Pix[4*i+3-c]
					if kind == Half {
						want = half.FromFloat16(half.Float16(want))
					}
					if v != want {
						t.Fatalf("%s: value %d is %v, want %v", name, i, v, want)
					}
				}
			}
		}
	}
}

func TestWrittenHeadersAreReadBack(t *testing.T) {
	o := output(noisy(4, 4, 1), Half)
	o.PixelAspect = 2
	o.Chromaticities = &Chromaticities{0.7347, 0.2653, 0, 1, 0.0001, -0.077, 0.32168, 0.33767}
	o.Text = map[string]string{
		"comments": "grün, despill 0.5", "software": "Greenroom",
		"aNameThatIsLongerThanThirtyOneBytesAllInAll": "yes",
	}
	p := opened(t, wrote(t, o)).Parts[0]
	if p.PixelAspect != 2 || p.Chromaticities == nil || *p.Chromaticities != *o.Chromaticities || p.Chromaticities.IsRec709() {
		t.Errorf("part %+v", p)
	}
	for name, want := range o.Text {
		if p.Text[name] != want {
			t.Errorf("%s is %q", name, p.Text[name])
		}
	}
}

func TestValuesBeyondAHalfAreWrittenAsItsEnds(t *testing.T) {
	m := picture.Image{W: 4, H: 1, C: 1, Pix: []float32{1e9, -1e9, float32(math.Inf(1)), 65504}}
	got := readChannel(t, opened(t, wrote(t, output(m, Half))), 0, 0).Pix
	for i, want := range []float32{65504, -65504, 65504, 65504} {
		if got[i] != want {
			t.Errorf("value %d is %v, want %v", i, got[i], want)
		}
	}
}

func TestNaNIsNotWritten(t *testing.T) {
	for _, kind := range []PixelType{Half, Float} {
		m := noisy(40, 40, 3)
		m.Pix[2000] = float32(math.NaN())
		var w disktest.File
		if err := Write(&w, output(m, kind)); !errors.Is(err, ErrNotFinite) {
			t.Errorf("error %v", err)
		}
	}
}

func TestWhatIsWrittenDoesNotDependOnProcessors(t *testing.T) {
	o := output(noisy(200, 100, 3), Half)
	many := wrote(t, o)
	before := runtime.GOMAXPROCS(1)
	one := wrote(t, o)
	runtime.GOMAXPROCS(before)
	if !bytes.Equal(one, many) {
		t.Error("the files differ")
	}
}

func TestFaultsOfWritingAreTold(t *testing.T) {
	for _, o := range []Output{{}, {W: 3, H: 3, Type: Half}, {W: 3, H: 3, Type: Uint, Channels: make([]Samples, 1)}} {
		if err := Write(&disktest.File{}, o); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
	if err := Write(full{}, output(noisy(9, 9, 1), Half)); !errors.Is(err, errFull) {
		t.Errorf("error %v", err)
	}
}

var errFull = errors.New("the disk is full")

// full is a disk that is full.
type full struct{}

func (full) Write([]byte) (int, error)      { return 0, errFull }
func (full) Seek(int64, int) (int64, error) { return 0, nil }

func TestDestinationsOfAnotherSizeAreRefused(t *testing.T) {
	f := opened(t, wrote(t, output(noisy(9, 9, 1), Half)))
	for _, d := range []Destination{{0, picture.New(8, 9, 1), 0}, {0, picture.New(9, 9, 1), 1}} {
		if _, err := f.Read(context.Background(), 0, []Destination{d}); err == nil {
			t.Errorf("no error for %d x %d, component %d", d.Image.W, d.Image.H, d.Component)
		}
	}
}
