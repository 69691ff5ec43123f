package imageio

import (
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"greenroom/engine/picture/picturetest"
)

// TestPNGTIFFAndDPXAreReadAsOpenImageIOReadsThem holds every real file of whole numbers that is read against another
// decoder, to a step of 16 bits.
func TestPNGTIFFAndDPXAreReadAsOpenImageIOReadsThem(t *testing.T) {
	dir := picturetest.Shared(t, "plates", "formats")
	out := t.TempDir()
	var args []string
	theirs, ours := map[string]string{}, map[string]*File{}
	for _, pattern := range []string{"png_*", "tif_*", "dpx_*"} {
		files, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range files {
			f, err := Open(path, Limits{})
			if err != nil {
				continue // TestRealFiles says with which words
			}
			// OpenImageIO 2.4 makes black of this one, which ImageMagick reads as it is read here.
			if filepath.Base(path) == "png_p3.png" {
				continue
			}
			ours[path], theirs[path] = f, filepath.Join(out, filepath.Base(path)+".exr")
			args = append(args, "--iconfig", "oiio:UnassociatedAlpha", "1", path, "--reorient", "-d", "float", "--compression", "none", "-o", theirs[path])
		}
	}
	if len(args) == 0 {
		t.Skip("no files here")
	}
	output(t, tool(t, "oiiotool", args...))
	for path, f := range ours {
		channels := channelsOf(t, theirs[path])
		most := 0.0
		for c, names := range [][]string{{"R", "Y"}, {"G", "Y"}, {"B", "Y"}, {"A"}} {
			for _, name := range names {
				m, ok := channels[name]
				if !ok {
					continue
				}
				if m.W != f.W || m.H != f.H {
					t.Fatalf("%s: %d x %d, want %d x %d", filepath.Base(path), f.W, f.H, m.W, m.H)
				}
				for i, want := range m.Pix {
					got := float32(0)
					switch {
					case c < 3:
						got = f.Picture.RGB.Pix[3*i+c]
					case f.Picture.Alpha.Empty():
						got = 1
					default:
						got = f.Picture.Alpha.Pix[i]
					}
					most = max(most, math.Abs(float64(got-want)))
				}
				break
			}
		}
		// A palette's 16 bits are cut to 8 there.
		if most > 1.0/65535 && (most > 1.0/255 || !strings.Contains(path, "tif_flower_palette")) {
			t.Errorf("%s (%s): differs by up to %v", filepath.Base(path), strings.Join(slices.Sorted(maps.Keys(channels)), " "), most)
		}
	}
}
