package checkpoint

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The SHA-256 of "abc", from FIPS 180-2, appendix B.1.
const hashOfABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

func TestHashAndVerify(t *testing.T) {
	path := filepath.Join(t.TempDir(), "abc")
	if err := os.WriteFile(path, []byte("abc"), 0o644); err != nil {
		t.Fatal(err)
	}
	var done, total int64
	got, err := Hash(context.Background(), path, func(d, of int64) { done, total = d, of })
	if err != nil || got != hashOfABC {
		t.Errorf("hash %s, %v", got, err)
	}
	if done != 3 || total != 3 {
		t.Errorf("progress ended at %d of %d", done, total)
	}
	if err := Verify(context.Background(), path, strings.ToUpper(hashOfABC), nil); err != nil {
		t.Error(err)
	}
	other := strings.Replace(hashOfABC, "ba", "bb", 1)
	err = Verify(context.Background(), path, other, nil)
	if !errors.Is(err, ErrHash) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), hashOfABC) {
		t.Errorf("another hash: %v", err)
	}
	if err := Verify(context.Background(), path, "abc", nil); err == nil || errors.Is(err, ErrHash) {
		t.Errorf("a wanted hash that is none: %v", err)
	}
}

func TestHashEndsWithItsContext(t *testing.T) {
	path := filepath.Join(t.TempDir(), "long")
	if err := os.WriteFile(path, make([]byte, 5<<20), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	calls := 0
	_, err := Hash(ctx, path, func(done, total int64) {
		calls++
		cancel()
	})
	if !errors.Is(err, context.Canceled) || calls != 1 {
		t.Errorf("%v after %d reports", err, calls)
	}
}

func TestHashOfNoFile(t *testing.T) {
	if _, err := Hash(context.Background(), filepath.Join(t.TempDir(), "none"), nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	if _, err := Hash(context.Background(), t.TempDir(), nil); !errors.Is(err, ErrNotCheckpoint) {
		t.Errorf("a folder: %v", err)
	}
}
