package checkpoint

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// isSHA256 reports whether the text is a SHA-256 in lower-case hexadecimal.
func isSHA256(text string) bool {
	return len(text) == 2*sha256.Size && strings.Trim(text, "0123456789abcdef") == ""
}

// Hash returns the SHA-256 of a file, as 64 lower-case hexadecimal digits. The
// progress, in bytes, is reported now and then and at the end; it may be nil.
// When the context ends, so does Hash, with the context's error.
func Hash(ctx context.Context, path string, progress func(done, total int64)) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", systemError(path, err)
	}
	if !info.Mode().IsRegular() {
		return "", &FileError{path, "is not a file", "point at a .safetensors or .pth file", ErrNotCheckpoint}
	}
	file, err := os.Open(path)
	if err != nil {
		return "", systemError(path, err)
	}
	defer file.Close()
	sum := sha256.New()
	chunk := make([]byte, 1<<20)
	for done := int64(0); ; {
		if err := ctx.Err(); err != nil {
			return "", fmt.Errorf("hash %s: %w", path, err)
		}
		n, err := file.Read(chunk)
		sum.Write(chunk[:n])
		done += int64(n)
		if progress != nil && n > 0 {
			progress(done, info.Size())
		}
		if errors.Is(err, io.EOF) {
			return hex.EncodeToString(sum.Sum(nil)), nil
		}
		if err != nil {
			return "", systemError(path, err)
		}
	}
}

// Verify checks that a file's SHA-256 is the wanted one, in hexadecimal. A file
// with another one gives a *FileError that wraps ErrHash. Progress and context
// are those of Hash.
func Verify(ctx context.Context, path, want string, progress func(done, total int64)) error {
	want = strings.ToLower(want)
	if !isSHA256(want) {
		return fmt.Errorf("verify %s: %s is not a SHA-256", path, quoted(want))
	}
	got, err := Hash(ctx, path, progress)
	if err != nil {
		return err
	}
	if got != want {
		return wrongHash(path, got, want)
	}
	return nil
}

func wrongHash(path, got, want string) error {
	return &FileError{
		File:    path,
		Problem: fmt.Sprintf("is not the published file: its SHA-256 is %s, not %s", got, want),
		Remedy:  "delete it and download it again",
		Kind:    ErrHash,
	}
}
