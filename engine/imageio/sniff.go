package imageio

import (
	"bytes"
	"io"
	"unicode"
	"unicode/utf8"
)

// kinds lists formats by their first bytes; '?' stands for any byte. The first match wins.
var kinds = []struct {
	magic string
	// read is the format that is read; empty for one that is refused by its name.
	read Format
	name string
	fix  string
}{
	{magic: "\x89PNG\r\n\x1a\n", read: PNG},
	{magic: "\xff\xd8\xff", read: JPEG},
	{magic: "II*\x00????CR\x02", name: "a camera raw file (Canon CR2)", fix: fixRaw},
	{magic: "II*\x00", read: TIFF},
	{magic: "MM\x00*", read: TIFF},
	{magic: "II+\x00", read: TIFF},
	{magic: "MM\x00+", read: TIFF},
	{magic: "v/1\x01", read: EXR},
	{magic: "SDPX", read: DPX},
	{magic: "XPDS", read: DPX},
	{magic: "\x80\x2a\x5f\xd7", name: "Cineon"},
	{magic: "\xd7\x5f\x2a\x80", name: "Cineon"},
	{magic: "????ftypavif", name: "AVIF"},
	{magic: "????ftypavis", name: "AVIF"},
	{magic: "????ftyphei", name: "HEIC"},
	{magic: "????ftyphev", name: "HEIC"},
	{magic: "????ftypmif1", name: "HEIC"},
	{magic: "????ftypmsf1", name: "HEIC"},
	{magic: "????ftypcrx ", name: "a camera raw file (Canon CR3)", fix: fixRaw},
	{magic: "????ftyp", name: "a movie", fix: fixMovie},
	{magic: "????moov", name: "a movie", fix: fixMovie},
	{magic: "????mdat", name: "a movie", fix: fixMovie},
	{magic: "\x06\x0e\x2b\x34", name: "a movie (MXF)", fix: fixMovie},
	{magic: "\x1a\x45\xdf\xa3", name: "a movie (Matroska)", fix: fixMovie},
	{magic: "RIFF????AVI ", name: "a movie (AVI)", fix: fixMovie},
	{magic: "RIFF????WEBP", name: "WebP"},
	{magic: "8BPS", name: "Photoshop's PSD"},
	{magic: "GIF8", name: "GIF"},
	{magic: "BM????\x00\x00\x00\x00", name: "BMP"},
	{magic: "qoif", name: "QOI"},
	{magic: "DDS ", name: "DDS"},
	{magic: "\x00\x00\x01\x00", name: "ICO"},
	{magic: "#?RADIANCE", name: "Radiance HDR"},
	{magic: "#?RGBE", name: "Radiance HDR"},
	{magic: "\xff\x0a", name: "JPEG XL"},
	{magic: "\x00\x00\x00\x0cJXL ", name: "JPEG XL"},
	{magic: "\x00\x00\x00\x0cjP  ", name: "JPEG 2000"},
	{magic: "\xff\x4f\xff\x51", name: "JPEG 2000"},
	{magic: "FUJIFILMCCD-RAW", name: "a camera raw file (Fujifilm)", fix: fixRaw},
	{magic: "IIU\x00", name: "a camera raw file (Panasonic)", fix: fixRaw},
	{magic: "IIRO", name: "a camera raw file (Olympus)", fix: fixRaw},
	{magic: "IIRS", name: "a camera raw file (Olympus)", fix: fixRaw},
	{magic: "MMOR", name: "a camera raw file (Olympus)", fix: fixRaw},
	{magic: "%PDF", name: "PDF"},
	{magic: "PK\x03\x04", name: "a zip archive", fix: "unpack it and give a picture file"},
}

const (
	fixRaw   = "develop it in a raw converter and save a 16-bit PNG or TIFF"
	fixMovie = "export the frame as a 16-bit PNG or TIFF"
)

// identify tells the format of a file by its content. Formats that are not read are refused by name.
func identify(r io.ReaderAt, size int64) (Format, error) {
	if size == 0 {
		return "", damaged("it is empty")
	}
	head, err := readAt(r, 0, int(min(size, 512)))
	if err != nil {
		return "", err
	}
	for _, k := range kinds {
		if !matches(head, k.magic) {
			continue
		}
		if k.read != "" {
			return k.read, nil
		}
		return "", refused(k.name, k.fix)
	}
	switch {
	case isNetpbm(head):
		return "", refused("a PNM file (PBM, PGM, PPM, PAM or PFM)", "")
	case bytes.HasPrefix(head, []byte("version https://git-lfs")):
		return "", &Error{
			Why: "it is a Git LFS pointer, not the picture itself",
			Fix: "fetch the picture with git lfs pull", Err: ErrUnsupported,
		}
	case isText(head):
		return "", &Error{Why: "it is text, not a picture", Fix: "give a PNG, JPEG, TIFF, OpenEXR or DPX file", Err: ErrUnsupported}
	case isTarga(r, head, size):
		return "", refused("Targa (TGA)", "")
	}
	return "", &Error{
		Why: "it is not a picture that is known here",
		Fix: "give a PNG, JPEG, TIFF, OpenEXR or DPX file", Err: ErrUnsupported,
	}
}

// refused is the error for a format that is known and not read.
func refused(name, fix string) error {
	if fix == "" {
		fix = "save it as a 16-bit PNG or TIFF"
	}
	return &Error{Why: name + " cannot be read yet", Fix: fix, Err: ErrUnsupported}
}

func matches(head []byte, magic string) bool {
	if len(head) < len(magic) {
		return false
	}
	for i := range len(magic) {
		if magic[i] != '?' && head[i] != magic[i] {
			return false
		}
	}
	return true
}

// isNetpbm reports whether the file is of the PNM family: P, a kind, white space.
func isNetpbm(head []byte) bool {
	return len(head) > 2 && head[0] == 'P' && bytes.IndexByte([]byte("1234567Ff"), head[1]) >= 0 &&
		bytes.IndexByte([]byte(" \t\r\n"), head[2]) >= 0
}

// isTarga reports whether the file is a TGA: version 2 says so at its end; before that there was only a
// header whose fields must make sense (Truevision TGA 2.0 specification).
func isTarga(r io.ReaderAt, head []byte, size int64) bool {
	const footer = "TRUEVISION-XFILE.\x00"
	if size > 26 {
		if tail, err := readAt(r, size-int64(len(footer)), len(footer)); err == nil && string(tail) == footer {
			return true
		}
	}
	if len(head) < 18 {
		return false
	}
	mapped, kind, depth := head[1], head[2]&^8, head[16]
	return mapped <= 1 && kind >= 1 && kind <= 3 && head[2] <= 11 && (kind == 1) == (mapped == 1) &&
		(depth == 8 || depth == 15 || depth == 16 || depth == 24 || depth == 32) &&
		(head[12]|head[13]) != 0 && (head[14]|head[15]) != 0
}

// isText reports whether the file begins with readable UTF-8 and nothing else.
func isText(head []byte) bool {
	for i := 0; i < len(head); {
		c, n := utf8.DecodeRune(head[i:])
		if c == utf8.RuneError && n == 1 {
			return i > 0 && len(head)-i < utf8.UTFMax // a character cut by the end of the look
		}
		if unicode.IsControl(c) && c != '\n' && c != '\r' && c != '\t' {
			return false
		}
		i += n
	}
	return true
}
