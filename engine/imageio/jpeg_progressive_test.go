package imageio

import (
	"bytes"
	"encoding/base64"
	"testing"
)

// progressive is a progressive JPEG of 9 x 7 pixels, from red at the top to blue at the bottom, which the standard
// library reads and does not write.
const progressive = "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAIBAQEBAQIBAQECAgICAgQDAgICAgUEBAMEBgUGBgYFBgYGBwkIBgcJBwYGCAsICQoKCgoKBggLDA" +
	"sKDAkKCgr/2wBDAQICAgICAgUDAwUKBwYHCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgr/wgARCAAH" +
	"AAkDAREAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAj/xAAVAQEBAAAAAAAAAAAAAAAAAAAAB//aAAwDAQACEAMQAAABmK01gf/EABYQAA" +
	"MAAAAAAAAAAAAAAAAAAAACFv/aAAgBAQABBQKhYoWP/8QAGBEAAgMAAAAAAAAAAAAAAAAAAAEDF1L/2gAIAQMBAT8BuifTLon0z//EABgRAAID" +
	"AAAAAAAAAAAAAAAAAAABBBdS/9oACAECAQE/AaIjZRREbKP/xAAWEAADAAAAAAAAAAAAAAAAAAAAATH/2gAIAQEABj8CrKz/xAAUEAEAAAAAAA" +
	"AAAAAAAAAAAAAQ/9oACAEBAAE/IQA//9oADAMBAAIAAwAAABD/AP/EABYRAAMAAAAAAAAAAAAAAAAAAAAB8f/aAAgBAwEBPxCKyKz/xAAWEQAD" +
	"AAAAAAAAAAAAAAAAAAAAAfH/2gAIAQIBAT8Quouo/8QAFhAAAwAAAAAAAAAAAAAAAAAAAAHx/9oACAEBAAE/EIzIzP/Z"

func TestJPEGProgressiveIsRead(t *testing.T) {
	b, err := base64.StdEncoding.DecodeString(progressive)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(b, []byte{0xff, 0xc2}) {
		t.Fatal("it is not progressive")
	}
	f := decode(t, b)
	if f.W != 9 || f.H != 7 || f.Channels != 3 || f.Subsampling != "4:4:4" {
		t.Errorf("header %+v", f.Header)
	}
	for y := range 7 {
		for x := range 9 {
			got := f.Picture.RGB.Row(y)[3*x : 3*x+3]
			share := float32(y) / 6
			for c, want := range []float32{1 - share, 0, share} {
				if d := got[c] - want; d > 0.03 || d < -0.03 {
					t.Fatalf("%d, %d is %v, want %v of red and the rest of blue", x, y, got, 1-share)
				}
			}
		}
	}
	for n := 4; n < len(b)-2; n += 7 {
		if _, err := Decode(bytes.NewReader(b[:n]), int64(n), "x", Limits{}); err == nil {
			t.Errorf("no error for %d of %d bytes", n, len(b))
		}
	}
}
