package hint

import (
	"fmt"
	"testing"

	"greenroom/engine/settings"
)

func BenchmarkFromChroma(b *testing.B) {
	for _, d := range []drawn{
		{w: 1920, h: 1080, screen: hsv(0.37, 0.8, 0.7), subject: 0.8, uneven: 0.5, grain: 0.01},
		{w: 4096, h: 2160, screen: hsv(0.37, 0.8, 0.7), subject: 0.8, uneven: 0.5, grain: 0.01},
		{w: 4096, h: 2160, screen: hsv(0.62, 0.8, 0.7), subject: 0.8, uneven: 0.5, grain: 0.01, linear: true},
	} {
		p, _ := d.plate()
		b.Run(fmt.Sprintf("%dx%d %s", d.w, d.h, p.Space), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := FromChroma(p, settings.ScreenAuto, 0); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkFromPicture(b *testing.B) {
	p, _ := drawn{w: 2048, h: 1080, screen: hsv(0.37, 0.8, 0.7), subject: 0.8}.plate()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := FromPicture(p, 4096, 2160); err != nil {
			b.Fatal(err)
		}
	}
}
