package checkpoint

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

// A sidecar is a small text that states a file's SHA-256: the digits alone, the
// lines of sha256sum ("digits  name" or "digits *name"), or a Git LFS pointer
// ("oid sha256:digits").

// maxSidecar bounds a sidecar, in bytes.
const maxSidecar = 64 << 10

// parseSidecar finds the hash of the named file; ok is false where there is
// none, or where several are and none carries the name.
func parseSidecar(text, file string) (hash string, ok bool) {
	var hashes []string
	lines := bufio.NewScanner(strings.NewReader(strings.TrimPrefix(text, "\ufeff")))
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) == 2 && fields[0] == "oid" {
			fields = fields[1:]
		}
		if len(fields) == 0 {
			continue
		}
		digits := strings.ToLower(strings.TrimPrefix(fields[0], "sha256:"))
		if !isSHA256(digits) {
			continue
		}
		if len(fields) > 1 && filepath.Base(strings.TrimPrefix(fields[1], "*")) == file {
			return digits, true
		}
		hashes = append(hashes, digits)
	}
	if len(hashes) != 1 || lines.Err() != nil {
		return "", false
	}
	return hashes[0], true
}

// pinPath is where the hash of a downloaded file is kept, in sha256sum's format.
func pinPath(dir string, source Source) string {
	return filepath.Join(dir, source.File+".sha256")
}

// knownHash returns the hash the catalogue gives, or the one pinned on this
// machine; empty where there is neither.
func knownHash(dir string, source Source) (string, error) {
	if source.SHA256 != "" {
		return source.SHA256, nil
	}
	path := pinPath(dir, source)
	raw, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", systemError(path, err)
	}
	hash, ok := parseSidecar(string(raw), source.File)
	if !ok {
		return "", &FileError{path, "holds no SHA-256", "delete it to ask the publisher again", ErrDamaged}
	}
	return hash, nil
}

// pin keeps the hash of a file for later.
func pin(dir string, source Source, hash string) error {
	path := pinPath(dir, source)
	part := path + ".part"
	if err := os.WriteFile(part, []byte(hash+"  "+source.File+"\n"), 0o644); err != nil {
		return diskError(part, err)
	}
	if err := os.Rename(part, path); err != nil {
		return diskError(path, err)
	}
	return nil
}

// fetchSidecar asks the publisher for the hash.
func (d *download) fetchSidecar(ctx context.Context) (string, error) {
	ctx, _, stop := d.watched(ctx)
	defer stop()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, d.source.SHA256URL, nil)
	if err != nil {
		return "", err
	}
	response, err := d.do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return "", statusError(response)
	}
	// The hash is only worth as much as the way it came.
	if request.URL.Scheme == "https" && response.Request.URL.Scheme != "https" {
		return "", &DownloadError{
			URL: d.source.SHA256URL, Kind: ErrTLS,
			Problem: "the server sends the hash over an unprotected connection",
			Remedy:  "get the file from its publisher and point at it",
		}
	}
	raw, err := io.ReadAll(io.LimitReader(response.Body, maxSidecar))
	if err != nil {
		return "", transportError(ctx, request, err)
	}
	hash, ok := parseSidecar(string(raw), d.source.File)
	if !ok {
		return "", &DownloadError{
			URL: d.source.SHA256URL, Kind: ErrServer,
			Problem: "the answer holds no SHA-256 of " + d.source.File,
			Remedy:  "get the file from its publisher and point at it",
		}
	}
	return hash, nil
}
