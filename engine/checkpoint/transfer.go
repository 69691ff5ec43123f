package checkpoint

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"
	"strings"
	"time"
)

const (
	// maxDownload bounds a file whose size nobody has stated, in bytes.
	maxDownload = 4 << 30
	// maxRetries bounds how often a broken connection is taken up again within
	// one call, as long as each brings bytes.
	maxRetries = 5
)

// partNote is kept beside a partial file: what it is a part of.
type partNote struct {
	URL       string `json:"url"`
	Validator string `json:"validator"` // strong ETag or date, for If-Range
}

func (d *download) notePath() string { return d.part() + ".json" }

// forget removes the note; a note that is left over is harmless.
func (d *download) forget() { _ = os.Remove(d.notePath()) }

// resumable returns how many bytes are there already, and their validator.
func (d *download) resumable() (int64, string, error) {
	info, err := os.Lstat(d.part())
	if errors.Is(err, os.ErrNotExist) {
		return 0, "", nil
	}
	if err != nil {
		return 0, "", diskError(d.part(), err)
	}
	if !info.Mode().IsRegular() {
		return 0, "", &FileError{d.part(), "is in the way and no file", "remove it", ErrNotCheckpoint}
	}
	var note partNote
	raw, err := os.ReadFile(d.notePath())
	if err != nil || json.Unmarshal(raw, &note) != nil || note.URL != d.source.URL {
		return 0, "", nil // a part of something else: start anew
	}
	return info.Size(), note.Validator, nil
}

// errRestart is the cause of an error after which a download has to begin anew.
var errRestart = errors.New("the partial file does not fit")

// transfer brings all bytes into the partial file. It notes in d.resumed
// whether any of them came with an earlier request.
func (d *download) transfer(ctx context.Context) error {
	restarted := false
	for try := 0; ; try++ {
		offset, validator, err := d.resumable()
		if err != nil {
			return err
		}
		gained, err := d.attempt(ctx, offset, validator)
		switch {
		case errors.Is(err, errRestart) && !restarted:
			restarted = true
			continue
		case err == nil, !errors.Is(err, ErrInterrupted), gained == 0, try >= maxRetries:
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(d.pause << try):
		}
	}
}

// watched returns a context that also ends, with the cause errStalled, when
// the timer runs out. The caller winds the timer up with every byte.
func (d *download) watched(ctx context.Context) (context.Context, *time.Timer, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	watch := time.AfterFunc(d.stall, func() { cancel(errStalled) })
	return ctx, watch, func() {
		watch.Stop()
		cancel(nil)
	}
}

// do sends a request and tells apart why it does not get through.
func (d *download) do(request *http.Request) (*http.Response, error) {
	response, err := d.client.Do(request)
	if err == nil {
		return response, nil
	}
	e := transportError(request.Context(), request, err)
	// A proxy that refuses to connect is reported by net/http as bare text.
	if e.Kind == ErrNetwork && !isNetworkError(err) && usesProxy(d.client, request) {
		e.Kind, e.Problem, e.Remedy = ErrProxy, "the proxy refused: "+reason(err), "check HTTPS_PROXY and the proxy's settings"
	}
	return nil, e
}

func usesProxy(client *http.Client, request *http.Request) bool {
	transport := client.Transport
	if transport == nil {
		transport = http.DefaultTransport
	}
	t, ok := transport.(*http.Transport)
	if !ok || t.Proxy == nil {
		return false
	}
	proxy, err := t.Proxy(request)
	return err == nil && proxy != nil
}

// attempt makes one request and writes what it brings; gained counts the bytes.
func (d *download) attempt(ctx context.Context, offset int64, validator string) (gained int64, err error) {
	ctx, watch, stop := d.watched(ctx)
	defer stop()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, d.source.URL, nil)
	if err != nil {
		return 0, err
	}
	// Bytes as they are: a transparent gzip would change sizes and ranges.
	request.Header.Set("Accept-Encoding", "identity")
	if offset > 0 {
		request.Header.Set("Range", fmt.Sprintf("bytes=%d-", offset))
		if validator != "" {
			request.Header.Set("If-Range", validator)
		}
	}
	response, err := d.do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	begin, total, err := d.accept(response, offset)
	if err != nil {
		return 0, err
	}
	d.resumed = d.resumed || begin > 0
	if begin == total && response.StatusCode == http.StatusRequestedRangeNotSatisfiable {
		return 0, nil // all of it was there before
	}
	body := &watchedReader{response.Body, watch, d.stall}
	return d.save(ctx, request, body, begin, total)
}

// accept decides from the answer's header where the bytes begin and how many
// the file has in all; total is 0 where nobody says.
func (d *download) accept(response *http.Response, offset int64) (begin, total int64, err error) {
	switch response.StatusCode {
	case http.StatusOK:
		total = max(response.ContentLength, 0)
	case http.StatusPartialContent:
		if begin, total, err = contentRange(response); err != nil {
			return 0, 0, err
		}
		if begin != offset {
			return 0, 0, senseless(response, fmt.Sprintf("asked for bytes from %d on, the server sends them from %d on", offset, begin))
		}
	case http.StatusRequestedRangeNotSatisfiable:
		_, total, _ = contentRange(response)
		if offset > 0 && total == offset && (d.source.Size == 0 || total == d.source.Size) {
			return offset, total, nil
		}
		// What is there is longer than the file: it cannot be a part of it.
		if err := os.Remove(d.part()); err != nil && !errors.Is(err, os.ErrNotExist) {
			return 0, 0, diskError(d.part(), err)
		}
		return 0, 0, &DownloadError{
			URL: d.source.URL, Kind: ErrServer, Cause: errRestart,
			Problem: "the server does not send the part that is missing", Remedy: "try again later",
		}
	default:
		return 0, 0, statusError(response)
	}
	if kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type")); kind == "text/html" {
		return 0, 0, &DownloadError{
			URL: response.Request.URL.String(), Kind: ErrNotCheckpoint,
			Problem: "the answer is a web page, not the file", Remedy: "sign in to this network or proxy, then try again",
		}
	}
	if want := d.source.Size; want > 0 && total > 0 && total != want {
		return 0, 0, d.wrongSize(total, want)
	}
	if total > maxDownload {
		return 0, 0, d.wrongSize(total, maxDownload)
	}
	if total == 0 {
		total = d.source.Size
	}
	return begin, total, d.note(response)
}

func (d *download) wrongSize(got, want int64) error {
	return &DownloadError{
		URL: d.source.URL, Kind: ErrSize,
		Problem: fmt.Sprintf("the server's file has %d bytes, not %d", got, want),
		Remedy:  "the publisher may have replaced it: get it from there and point at the file",
	}
}

// note keeps what the partial file is a part of.
func (d *download) note(response *http.Response) error {
	validator := response.Header.Get("ETag")
	if strings.HasPrefix(validator, "W/") || validator == "" {
		// A weak tag promises no equal bytes (RFC 9110, 13.1.5).
		validator = response.Header.Get("Last-Modified")
	}
	raw, err := json.Marshal(partNote{d.source.URL, validator})
	if err != nil {
		return err
	}
	if err := os.WriteFile(d.notePath(), raw, 0o644); err != nil {
		return diskError(d.notePath(), err)
	}
	return nil
}

// contentRange reads "bytes BEGIN-END/TOTAL" or "bytes */TOTAL".
func contentRange(response *http.Response) (begin, total int64, err error) {
	text := response.Header.Get("Content-Range")
	var end int64
	if _, err := fmt.Sscanf(text, "bytes %d-%d/%d", &begin, &end, &total); err == nil && begin >= 0 && begin <= end && end < total {
		return begin, total, nil
	}
	if _, err := fmt.Sscanf(text, "bytes */%d", &total); err == nil && total >= 0 {
		return 0, total, nil
	}
	if _, err := fmt.Sscanf(text, "bytes %d-%d/*", &begin, &end); err == nil && begin >= 0 && begin <= end {
		return begin, 0, nil
	}
	return 0, 0, senseless(response, "it sends a part of the file but does not say which: "+quoted(text))
}

func senseless(response *http.Response, problem string) error {
	return &DownloadError{URL: response.Request.URL.String(), Kind: ErrServer, Problem: problem, Remedy: "try again later"}
}

// save writes the body behind the first begin bytes of the partial file.
func (d *download) save(ctx context.Context, request *http.Request, body io.Reader, begin, total int64) (gained int64, err error) {
	file, err := d.open(d.part(), begin)
	if err != nil {
		return 0, diskError(d.part(), err)
	}
	closed := false
	defer func() {
		if !closed {
			file.Close()
		}
	}()
	limit := total
	if limit == 0 {
		limit = maxDownload
	}
	chunk := make([]byte, chunkBytes)
	for {
		n, readErr := body.Read(chunk)
		if begin+gained+int64(n) > limit {
			return gained, d.wrongSize(begin+gained+int64(n), limit)
		}
		if n > 0 {
			if _, err := file.Write(chunk[:n]); err != nil {
				return gained, diskError(d.part(), err)
			}
			gained += int64(n)
			d.progress(Progress{Downloading, d.source.URL, begin + gained, total})
		}
		if errors.Is(readErr, io.EOF) {
			break
		}
		if readErr != nil {
			return gained, transportError(ctx, request, readErr)
		}
	}
	if total > 0 && begin+gained < total {
		return gained, transportError(ctx, request, io.ErrUnexpectedEOF)
	}
	closed = true
	if err := errors.Join(file.Sync(), file.Close()); err != nil {
		return gained, diskError(d.part(), err)
	}
	return gained, nil
}

// watchedReader winds the watch up again with each read that brings something.
type watchedReader struct {
	source io.Reader
	watch  *time.Timer
	limit  time.Duration
}

func (w *watchedReader) Read(p []byte) (int, error) {
	n, err := w.source.Read(p)
	if n > 0 {
		w.watch.Reset(w.limit)
	}
	return n, err
}
