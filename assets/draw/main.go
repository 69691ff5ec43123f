// Draw remakes the pictures of the assets folder: the sample plate and the icon. Both are drawn here, by
// formulas, so that Greenroom ships no picture of anyone. Run it in the assets folder:
//
//	go run ./draw
package main

import (
	"bufio"
	"fmt"
	"image"
	"image/png"
	"os"
)

func main() {
	for name, draw := range map[string]func() image.Image{
		"sample.png": func() image.Image { return samplePlate(960, 540) },
		"icon.png":   func() image.Image { return icon(512) },
	} {
		if err := write(name, draw()); err != nil {
			fmt.Fprintf(os.Stderr, "draw: %s: %v\n", name, err)
			os.Exit(1)
		}
	}
}

func write(name string, m image.Image) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(f)
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err = encoder.Encode(out, m); err == nil {
		err = out.Flush()
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	return err
}
