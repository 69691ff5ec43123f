package checkpoint

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"time"
)

// Phase is what a download is busy with.
type Phase uint8

// The phases of a download.
const (
	Downloading Phase = iota
	Verifying
)

// Progress is how far a download has come, in bytes. Total is 0 where it is
// not known.
type Progress struct {
	Phase       Phase
	URL         string
	Done, Total int64
}

// Installed is a checkpoint on this machine.
type Installed struct {
	Path   string
	SHA256 string // that it has to have; empty where neither the catalogue nor this machine knows
	Source Source
}

// FindInstalled looks in a folder for a file of the model, in the order of its
// sources. It looks at names only; ok is false where there is none.
func FindInstalled(model Model, dir string) (found Installed, ok bool, err error) {
	for _, source := range model.Sources {
		path := filepath.Join(dir, source.File)
		info, err := os.Stat(path)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return Installed{}, false, systemError(path, err)
		}
		if !info.Mode().IsRegular() {
			continue
		}
		hash, err := knownHash(dir, source)
		return Installed{path, hash, source}, err == nil, err
	}
	return Installed{}, false, nil
}

// Fetch downloads a model into a folder, which it makes where needed, and
// returns the file. A file that is there already and has the right hash is
// returned without asking the network; one with a wrong hash is replaced once
// the right one has arrived.
//
// Accepted says that the user has agreed to model.Licence.Accept. The sources
// are tried in order until one succeeds. The bytes go to NAME.part, where a
// later call goes on; only a file of the right size and SHA-256 gets its name.
// Where the catalogue has no hash, the publisher's is fetched first, and pinned
// in NAME.sha256 for good. A nil client is http.DefaultClient; progress may be
// nil and is called on the caller's goroutine.
//
// The errors are *DownloadError, *FileError for trouble on this machine, or
// *SourcesError with those of all sources; errors.Is finds the kinds.
func Fetch(ctx context.Context, client *http.Client, model Model, dir string, accepted bool, progress func(Progress)) (Installed, error) {
	f := fetcher{
		client:   client,
		progress: progress,
		stall:    time.Minute,
		pause:    time.Second,
		open:     openPart,
	}
	return f.fetch(ctx, model, dir, accepted)
}

// fetcher is Fetch with what tests change.
type fetcher struct {
	client   *http.Client
	progress func(Progress)
	stall    time.Duration // without a byte, until the server counts as gone
	pause    time.Duration // before the first retry of a broken connection; then longer
	open     func(path string, offset int64) (partFile, error)
}

func (f fetcher) fetch(ctx context.Context, model Model, dir string, accepted bool) (Installed, error) {
	if f.client == nil {
		f.client = http.DefaultClient
	}
	if f.progress == nil {
		f.progress = func(Progress) {}
	}
	if model.Embedded {
		return Installed{}, fmt.Errorf("fetch %s: it is part of the program, there is nothing to download", model.Name)
	}
	if model.Licence.Accept != "" && !accepted {
		return Installed{}, &licenceError{model}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return Installed{}, diskError(dir, err)
	}
	for _, source := range model.Sources {
		d := download{fetcher: f, source: source, dir: dir}
		if installed, ok, err := d.installed(ctx); ok || err != nil {
			return installed, err
		}
	}
	var failed []error
	for _, source := range model.Sources {
		d := download{fetcher: f, source: source, dir: dir}
		installed, err := d.run(ctx)
		if err == nil {
			return installed, nil
		}
		failed = append(failed, err)
		var local *FileError
		if ctx.Err() != nil || errors.As(err, &local) {
			return Installed{}, err // another source would fare no better
		}
	}
	if len(failed) == 1 {
		return Installed{}, failed[0]
	}
	return Installed{}, &SourcesError{model.Name, failed}
}

// licenceError is ErrLicence with what has to be accepted.
type licenceError struct{ model Model }

func (e *licenceError) Error() string {
	l := e.model.Licence
	return fmt.Sprintf("download %s: its licence has not been accepted: %s (read %s and accept it first)", e.model.Name, l.Name, l.URL)
}

func (e *licenceError) Unwrap() error { return ErrLicence }

// download is the download of one source.
type download struct {
	fetcher
	source  Source
	dir     string
	hash    string // that the file has to have
	resumed bool   // some of the bytes came with an earlier request
}

func (d *download) path() string { return filepath.Join(d.dir, d.source.File) }

func (d *download) part() string { return d.path() + ".part" }

// installed reports whether the file is there already, and sound.
func (d *download) installed(ctx context.Context) (Installed, bool, error) {
	if info, err := os.Stat(d.path()); err != nil || !info.Mode().IsRegular() {
		return Installed{}, false, nil
	}
	hash, err := knownHash(d.dir, d.source)
	if err != nil || hash == "" {
		return Installed{}, false, err
	}
	err = Verify(ctx, d.path(), hash, d.verifying)
	if errors.Is(err, ErrHash) {
		return Installed{}, false, nil
	}
	return Installed{d.path(), hash, d.source}, err == nil, err
}

func (d *download) verifying(done, total int64) {
	d.progress(Progress{Verifying, d.source.URL, done, total})
}

// run downloads, checks and installs the file.
func (d *download) run(ctx context.Context) (Installed, error) {
	var err error
	if d.hash, err = knownHash(d.dir, d.source); err != nil {
		return Installed{}, err
	}
	asked := d.hash == ""
	if asked {
		if d.hash, err = d.fetchSidecar(ctx); err != nil {
			return Installed{}, err
		}
	}
	if err = d.transfer(ctx); err == nil {
		err = d.check(ctx)
	}
	if errors.Is(err, ErrHash) && d.resumed {
		// The beginning may be of another version of the file: once more, whole.
		if err = d.transfer(ctx); err == nil {
			err = d.check(ctx)
		}
	}
	if err != nil {
		return Installed{}, err
	}
	if asked {
		if err := pin(d.dir, d.source, d.hash); err != nil {
			return Installed{}, err
		}
	}
	if err := os.Rename(d.part(), d.path()); err != nil {
		return Installed{}, diskError(d.path(), err)
	}
	d.forget()
	return Installed{d.path(), d.hash, d.source}, nil
}

// check compares the hash of what has arrived; what is wrong is removed, so
// that nobody goes on from it.
func (d *download) check(ctx context.Context) error {
	got, err := Hash(ctx, d.part(), d.verifying)
	if err != nil {
		if ctx.Err() != nil {
			return cancelled(ctx, d.source.URL, err)
		}
		return err
	}
	if got == d.hash {
		return nil
	}
	if err := os.Remove(d.part()); err != nil {
		return diskError(d.part(), err)
	}
	d.forget()
	return &DownloadError{
		URL: d.source.URL, Kind: ErrHash,
		Problem: fmt.Sprintf("what arrived is not the published file: its SHA-256 is %s, not %s", got, d.hash),
		Remedy:  "try again later, or get it from its publisher and point at the file",
	}
}

// partFile is the file that a download grows in.
type partFile interface {
	io.Writer
	Sync() error
	Close() error
}

// openPart opens a partial file to go on at the offset; what lies behind is cut off.
func openPart(path string, offset int64) (partFile, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	err = file.Truncate(offset)
	if err == nil {
		_, err = file.Seek(offset, io.SeekStart)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}
