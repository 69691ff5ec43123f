package imageio

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"greenroom/engine/picture/picturetest"
)

func TestRealFiles(t *testing.T) {
	dir := picturetest.Shared(t, "plates", "formats")
	// What each file must come to: size, channels, depth and orientation, or a part of the error.
	want := map[string]string{
		"exr_AllHalfValues.exr":                  "OpenEXR 256x256 3x16",
		"exr_Carrots.exr":                        "OpenEXR 600x400 4x16",
		"exr_Flowers.exr":                        "luminance and chroma (Y, RY, BY) cannot be read",
		"exr_Garden.exr":                         "OpenEXR 874x493 1x16",
		"exr_LowResLeftView_composited.exr":      "OpenEXR 1024x576 4x16",
		"exr_Rec709_YC.exr":                      "luminance and chroma (Y, RY, BY) cannot be read",
		"exr_WideFloatRange.exr":                 "OpenEXR 500x500 1x32",
		"exr_comp_b44.exr":                       "luminance and chroma (Y, RY, BY) cannot be read",
		"exr_comp_bad_neg_bounds_pxr24.exr":      `its attribute "channels" claims`,
		"exr_comp_dwab_v2.exr":                   "OpenEXR 587x675 4x16",
		"exr_comp_invalid_unknown.exr":           `its attribute "displayWindow" claims`,
		"exr_comp_short_decode_piz.exr":          `its attribute "channels" claims`,
		"exr_damaged_1.exr":                      `its attribute "channels" claims`,
		"exr_damaged_3.exr":                      "a window is 0 bytes long",
		"exr_damaged_5.exr":                      "it has no displayWindow",
		"exr_damaged_7.exr":                      "claims 4194308 bytes",
		"exr_f16_b44a.exr":                       "OpenEXR 109x65 4x16",
		"exr_f16_dwab.exr":                       "OpenEXR 109x65 4x16",
		"exr_f16_pxr24.exr":                      "OpenEXR 109x65 4x16",
		"exr_f16_uncompressed.exr":               "OpenEXR 109x65 4x16",
		"exr_f16_zips.exr":                       "OpenEXR 109x65 4x16",
		"exr_f32_b44a.exr":                       "OpenEXR 109x65 4x32",
		"exr_f32_dwab.exr":                       "OpenEXR 109x65 4x32",
		"exr_f32_pxr24.exr":                      "OpenEXR 109x65 4x32",
		"exr_f32_uncompressed.exr":               "OpenEXR 109x65 4x32",
		"exr_f32_zips.exr":                       "OpenEXR 109x65 4x32",
		"exr_invalid_shared_attrs_multipart.exr": "part 1 does not say how many blocks it has",
		"exr_scanline_with_tiledimage_type.exr":  "OpenEXR 40x40 4x16",
		"exr_t04.exr":                            "OpenEXR 370x280 3x16",
		"exr_t07.exr":                            "OpenEXR 481x371 3x16",
		"exr_t09.exr":                            "OpenEXR 200x300 3x16",
		"exr_tiled.exr":                          "cut short",
		"exr_v1_7_test_planar.exr":               "OpenEXR 217x197 3x16",
		"jpg_cmyk_adobe.jpg":                     "JPEG 100x100 3x8",
		"jpg_exif_landscape_3.jpg":               "JPEG 1800x1200 3x8 orientation 3 4:2:0",
		"jpg_exif_landscape_8.jpg":               "JPEG 1800x1200 3x8 orientation 8 4:2:0",
		"png_apng.png":                           "PNG 128x64 4x8",
		"png_basi3p08.png":                       "PNG 32x32 3x8",
		"png_basi6a16.png":                       "PNG 32x32 4x16",
		"png_basn0g16.png":                       "PNG 32x32 1x16",
		"png_basn3p01.png":                       "PNG 32x32 3x8",
		"png_basn6a16.png":                       "PNG 32x32 4x16",
		"png_broken_stream.png":                  "cut short",
		"png_crasher_bad_iCCP.png":               "cut short",
		"png_crasher_badcrc.png":                 "invalid checksum",
		"png_crasher_huge_iCCP_chunk.png":        "cut short",
		"png_exif_orientation.png":               "PNG 512x512 3x8 orientation 3",
		"png_g03n2c08.png":                       "PNG 32x32 3x8",
		"png_gray-16-linear-tRNS.png":            "PNG 256x256 1x16",
		"png_p3.png":                             "PNG 8x8 4x8 profile of 548",
		"png_prophoto.png":                       "PNG 1x1 3x8 profile of 940",
		"png_rgb-alpha-16-linear.png":            "PNG 256x256 4x16",
		"png_s33i3p04.png":                       "PNG 33x33 3x8",
		"png_tbwn3p08.png":                       "PNG 32x32 4x8",
		"png_truncated.png":                      "cut short",
		"png_xc1n0g08.png":                       "colour type 1",
		"png_xcsn0g01.png":                       "invalid checksum",
		"png_xdtn0g01.png":                       "no picture data",
		"png_xs1n0g01.png":                       "not a picture that is known",
		"tif_12bit_cropped.tif":                  "TIFF 100x100 1x12",
		"tif_crash-0da013a13571cc8eb457.tif":     "damaged",
		"tif_crash-86214e58da443d2b8082.tif":     "JPEG compression",
		"tif_flower_palette_08.tif":              "TIFF 73x43 3x16",
		"tif_flower_rgb_contig_10.tif":           "TIFF 73x43 3x10",
		"tif_flower_rgb_contig_16.tif":           "TIFF 73x43 3x16",
		"tif_flower_rgb_planar_16.tif":           "TIFF 73x43 3x16",
		"tif_g4_orientation_6.tif":               "TIFF 590x88 1x1 orientation 6",
		"tif_off_luv24.tif":                      "LogLuv",
		"tif_quad_lzw.tif":                       "TIFF 512x384 3x8",
		"tif_tiff_strip_planar_raw.tif":          "TIFF 278x374 3x8",
		"dpx_10bit_rgb.dpx":                      "DPX 512x512 3x10",
		"pgm_16bit.pgm":                          "PNM",
		"tga_cbw8.tga":                           "TGA",
		"tga_ctc32.tga":                          "TGA",
		"tga_truncated.tga":                      "TGA",
		"tga_utc16.tga":                          "TGA",
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, e := range entries {
		name := e.Name()
		expected, ok := want[name]
		if !ok {
			continue
		}
		seen++
		got, err := describe(filepath.Join(dir, name))
		if err != nil {
			var known *Error
			if !errors.As(err, &known) || !strings.Contains(err.Error(), expected) {
				t.Errorf("%s: %v; want %q", name, err, expected)
			}
		} else if got != expected {
			t.Errorf("%s: %s; want %q", name, got, expected)
		}
	}
	if seen < len(want) {
		t.Logf("%d of %d files are there", seen, len(want))
	}
}

// describe opens a file and puts its header in a line.
func describe(path string) (string, error) {
	f, err := Open(path, Limits{})
	if err != nil {
		return "", err
	}
	s := fmt.Sprintf("%s %dx%d %dx%d", f.Format, f.W, f.H, f.Channels, f.Depth)
	if f.Orientation != 1 {
		s += fmt.Sprintf(" orientation %d", f.Orientation)
	}
	if f.Subsampling != "" {
		s += " " + f.Subsampling
	}
	if f.ICC != nil {
		s += fmt.Sprintf(" profile of %d", len(f.ICC))
	}
	if f.Picture.RGB.W != f.W || f.Picture.RGB.H != f.H || f.HasAlpha() == f.Picture.Alpha.Empty() {
		return s, fmt.Errorf("the picture is not what its header says")
	}
	return s, nil
}

func TestRotatedPhotographsShowTheSame(t *testing.T) {
	// The same scene, stored two ways round: upright they must agree.
	dir := picturetest.Shared(t, "plates", "formats")
	var means [2][]float32
	for i, name := range []string{"jpg_exif_landscape_3.jpg", "jpg_exif_landscape_8.jpg"} {
		f, err := Open(filepath.Join(dir, name), Limits{})
		if err != nil {
			t.Skip(err)
		}
		means[i] = blockMeans(f)
	}
	for i := range means[0] {
		if d := means[0][i] - means[1][i]; d > 0.05 || d < -0.05 {
			t.Fatalf("block %d differs by %v", i, d)
		}
	}
}

// blockMeans returns the means of 6 x 4 blocks.
func blockMeans(f *File) []float32 {
	out := make([]float32, 24)
	m := f.Picture.RGB
	for y := range m.H {
		for x := range m.W {
			out[y*4/m.H*6+x*6/m.W] += m.Row(y)[3*x+1] * 24 / float32(m.W*m.H)
		}
	}
	return out
}
