package imageio

import (
	"bytes"
	"crypto/md5"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"greenroom/engine/colour"
)

// stated are spaces that a profile can state: those without a logarithm, and linear light over any primaries.
func stated(t *testing.T) []colour.Space {
	t.Helper()
	rec2020, err := colour.LinearLight(colour.Primaries{0.708, 0.292, 0.170, 0.797, 0.131, 0.046, 0.3127, 0.3290})
	if err != nil {
		t.Fatal(err)
	}
	return []colour.Space{
		colour.SRGB, colour.Rec709, colour.LinearRec709, colour.ACEScg, colour.ACES, colour.DisplayP3, colour.AdobeRGB,
		linearOf(colour.DisplayP3), linearOf(colour.Log3G10), rec2020,
	}
}

func TestAMadeProfileStatesItsSpace(t *testing.T) {
	for _, space := range stated(t) {
		icc := profileOf(space)
		if int(binary.BigEndian.Uint32(icc)) != len(icc) || string(icc[36:40]) != "acsp" || string(icc[12:24]) != "mntrRGB XYZ " {
			t.Fatalf("%s: the header is % x", space, icc[:128])
		}
		unsigned := bytes.Clone(icc)
		clear(unsigned[44:48])
		clear(unsigned[64:68])
		clear(unsigned[84:100])
		if identity := md5.Sum(unsigned); !bytes.Equal(icc[84:100], identity[:]) {
			t.Errorf("%s: the identity is % x, want % x", space, icc[84:100], identity)
		}
		for at := 132; at < 132+12*10; at += 12 {
			if from := binary.BigEndian.Uint32(icc[at+4:]); from%4 != 0 {
				t.Errorf("%s: %s begins at %d", space, icc[at:at+4], from)
			}
		}
		if got := profileName(icc); got != space.Title() {
			t.Errorf("%s calls itself %q", space, got)
		}
		m, _ := profileMatrix(icc)
		p, err := space.Primaries()
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range p.ToXYZUnder(d50) {
			if math.Abs(m[i]-want) > 2.0/65536 {
				t.Errorf("%s: the matrix is %v, want %v", space, m, p.ToXYZUnder(d50))
			}
		}
		for r, want := range []uint32{0xf6d6, 0x10000, 0xd32d} {
			if got := uint32((m[3*r] + m[3*r+1] + m[3*r+2]) * 65536); got != want {
				t.Errorf("%s: white is %#x in row %d, want %#x", space, got, r, want)
			}
		}
		curve, _ := profileCurve(icc)
		exact, err := colour.NewCurve(space)
		if err != nil {
			t.Fatal(err)
		}
		if d := curveDistance(curve, func(v float64) float64 { return float64(exact.ToLinear(float32(v))) }); d > 2e-5 {
			t.Errorf("%s: the curve is off by %v", space, d)
		}
		for _, primary := range []int{0, 1, 2, 3, 4, 5, 6, 7} {
			got, err := profileSpace(icc).Primaries()
			if err != nil || math.Abs(got[primary]-p[primary]) > 3e-4 {
				t.Fatalf("%s is read as %s", space, profileSpace(icc))
			}
		}
		if got := profileSpace(icc); !strings.HasPrefix(string(space), "linear:") && got != space {
			t.Errorf("%s is read as %s", space, got)
		}
	}
	for _, space := range []colour.Space{colour.ACEScct, colour.LogC3, colour.LogC4, colour.SLog3, colour.Log3G10, colour.Cineon, "teal", ""} {
		if profileOf(space) != nil {
			t.Errorf("%s has a profile", space)
		}
	}
}

// TestOpenImageIOReadsTheProfilesThatAreMade in TIFF and PNG, and takes nothing else for the colour.
func TestOpenImageIOReadsTheProfilesThatAreMade(t *testing.T) {
	tool(t, "oiiotool")
	dir := t.TempDir()
	for _, space := range []colour.Space{colour.DisplayP3, colour.AdobeRGB, colour.Rec709, colour.ACEScg} {
		meta := Meta{Pass: "key", Space: space}
		for ending, b := range map[string][]byte{
			"tif": written(t, WriteTIFF16, levels(8, 8, 3), levels(8, 8, 1), meta),
			"png": written(t, WritePNG16, levels(8, 8, 3), levels(8, 8, 1), meta),
		} {
			path := filepath.Join(dir, string(space)+"."+ending)
			if err := os.WriteFile(path, b, 0o666); err != nil {
				t.Fatal(err)
			}
			said := output(t, tool(t, "oiiotool", "--info", "-v", path))
			for _, want := range []string{
				`ICCProfile:profile_description: "` + space.Title() + `"`, `ICCProfile:profile_version: "4.4.0"`,
				`ICCProfile:device_class: "Display device profile"`, `ICCProfile:color_space: "RGB"`,
			} {
				if !strings.Contains(said, want) {
					t.Errorf("%s in %s: oiiotool does not say %s but\n%s", space, ending, want, said)
				}
			}
		}
	}
}
