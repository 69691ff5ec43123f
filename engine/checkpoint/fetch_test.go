package checkpoint

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// publishedSize is several chunks.
const publishedSize = 3*chunkBytes + 123

// published is a file on a test server.
func published(version byte) []byte {
	content := bytes.Repeat([]byte("weights of version "+string(version)+"\n"), publishedSize/21+1)
	return content[:publishedSize]
}

func hashOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// server serves with handle and keeps the requests it got.
type server struct {
	*httptest.Server
	mutex    sync.Mutex
	requests []*http.Request
}

func serve(t *testing.T, handle http.HandlerFunc) *server {
	s := &server{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mutex.Lock()
		s.requests = append(s.requests, r)
		s.mutex.Unlock()
		handle(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

// got returns the Range headers of all requests so far.
func (s *server) got() []string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	ranges := []string{}
	for _, r := range s.requests {
		ranges = append(ranges, r.Header.Get("Range"))
	}
	return ranges
}

// file serves content as a good file server does.
func file(content []byte, tag string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if tag != "" {
			w.Header().Set("ETag", tag)
		}
		http.ServeContent(w, r, "m.safetensors", time.Time{}, bytes.NewReader(content))
	}
}

func modelFrom(sources ...Source) Model {
	return Model{
		Name:    "m",
		Licence: Licence{Name: "CC BY-NC-SA 4.0", URL: "https://example.org/licence", Accept: "I accept."},
		Sources: sources,
	}
}

func sourceOf(s *server, content []byte) Source {
	return Source{URL: s.URL + "/m.safetensors", File: "m.safetensors", SHA256: hashOf(content), Size: int64(len(content))}
}

// quick is the fetcher of Fetch with short waits.
func quick() fetcher {
	return fetcher{stall: 5 * time.Second, pause: time.Millisecond, open: openPart}
}

// folder returns the sorted names in a folder.
func folder(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// wantFile wants the folder to hold nothing but the one file.
func wantFile(t *testing.T, dir string, content []byte) {
	t.Helper()
	if names := folder(t, dir); !slices.Equal(names, []string{"m.safetensors"}) {
		t.Errorf("the folder holds %q", names)
	}
	got, err := os.ReadFile(filepath.Join(dir, "m.safetensors"))
	if err != nil || !bytes.Equal(got, content) {
		t.Errorf("the file differs from the published one (%v)", err)
	}
}

func TestFetch(t *testing.T) {
	content := published('1')
	s := serve(t, file(content, `"v1"`))
	dir := filepath.Join(t.TempDir(), "models", "deep")
	var seen []Progress
	model := modelFrom(sourceOf(s, content))
	got, err := Fetch(context.Background(), nil, model, dir, true, func(p Progress) { seen = append(seen, p) })
	if err != nil {
		t.Fatal(err)
	}
	if got.Path != filepath.Join(dir, "m.safetensors") || got.SHA256 != hashOf(content) {
		t.Errorf("installed %+v", got)
	}
	wantFile(t, dir, content)
	size := int64(len(content))
	if last := seen[len(seen)-1]; last.Phase != Verifying || last.Done != size || last.Total != size {
		t.Errorf("the last progress is %+v", last)
	}
	if first := seen[0]; first.Phase != Downloading || first.Done == 0 || first.Total != size {
		t.Errorf("the first progress is %+v", first)
	}
	found, ok, err := FindInstalled(model, dir)
	if !ok || err != nil || found != got {
		t.Errorf("found %+v %v %v", found, ok, err)
	}

	// The second time, nothing is asked of the network.
	if again, err := Fetch(context.Background(), nil, model, dir, true, nil); err != nil || again != got {
		t.Errorf("again: %+v %v", again, err)
	}
	if len(s.got()) != 1 {
		t.Errorf("%d requests", len(s.got()))
	}
}

func TestFetchNeedsTheLicenceAccepted(t *testing.T) {
	s := serve(t, file(published('1'), ""))
	dir := filepath.Join(t.TempDir(), "models")
	model := modelFrom(sourceOf(s, published('1')))
	_, err := Fetch(context.Background(), nil, model, dir, false, nil)
	if !errors.Is(err, ErrLicence) || !strings.Contains(err.Error(), model.Licence.Name) || !strings.Contains(err.Error(), model.Licence.URL) {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(dir); err == nil || len(s.got()) != 0 {
		t.Error("something was done without consent")
	}
	model.Licence.Accept = ""
	if _, err := Fetch(context.Background(), nil, model, dir, false, nil); err != nil {
		t.Errorf("with nothing to accept: %v", err)
	}
}

func TestFetchOfTheEmbeddedModel(t *testing.T) {
	if _, err := Fetch(context.Background(), nil, Model{Name: "nano", Embedded: true}, t.TempDir(), true, nil); err == nil {
		t.Error("the embedded model was downloaded")
	}
}

// begun makes a folder with a partial file and its note.
func begun(t *testing.T, part []byte, note string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range map[string][]byte{"m.safetensors.part": part, "m.safetensors.part.json": []byte(note)} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestFetchGoesOnWithAPart(t *testing.T) {
	content := published('1')
	other := published('2')
	half := len(content) / 2
	rest := fmt.Sprintf("bytes=%d-", half)
	for name, c := range map[string]struct {
		part   []byte
		tag    string // that the note has
		serve  http.HandlerFunc
		ranges []string
	}{
		"the same file":            {content[:half], `"v1"`, file(content, `"v1"`), []string{rest}},
		"the file has changed":     {other[:half], `"v2"`, file(content, `"v1"`), []string{rest}},
		"changed, without a tag":   {other[:half], "", file(content, ""), []string{rest, ""}},
		"no ranges on this server": {content[:half], `"v1"`, func(w http.ResponseWriter, _ *http.Request) { w.Write(content) }, []string{rest}},
		"all of it there":          {content, `"v1"`, file(content, `"v1"`), []string{fmt.Sprintf("bytes=%d-", len(content))}},
		"all there, but damaged":   {other, `"v1"`, file(content, `"v1"`), []string{fmt.Sprintf("bytes=%d-", len(content)), ""}},
		"more than all":            {append(bytes.Clone(content), "more"...), `"v1"`, file(content, `"v1"`), []string{fmt.Sprintf("bytes=%d-", len(content)+4), ""}},
		"nothing yet":              {nil, `"v1"`, file(content, `"v1"`), []string{""}},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, c.serve)
			dir := begun(t, c.part, fmt.Sprintf(`{"url":%q,"validator":%q}`, s.URL+"/m.safetensors", c.tag))
			if _, err := quick().fetch(context.Background(), modelFrom(sourceOf(s, content)), dir, true); err != nil {
				t.Fatal(err)
			}
			wantFile(t, dir, content)
			if !slices.Equal(s.got(), c.ranges) {
				t.Errorf("asked for %q, want %q", s.got(), c.ranges)
			}
			if got := s.requests[0].Header.Get("If-Range"); len(c.part) > 0 && got != c.tag {
				t.Errorf("If-Range %q, want %q", got, c.tag)
			}
		})
	}
}

func TestAPartOfSomethingElseIsNotTaken(t *testing.T) {
	content := published('1')
	for name, note := range map[string]string{
		"another address": `{"url":"https://example.org/m.safetensors","validator":"\"v1\""}`,
		"a broken note":   `{"url"`,
	} {
		s := serve(t, file(content, `"v1"`))
		dir := begun(t, content[:100], note)
		if _, err := quick().fetch(context.Background(), modelFrom(sourceOf(s, content)), dir, true); err != nil {
			t.Fatal(err)
		}
		wantFile(t, dir, content)
		if !slices.Equal(s.got(), []string{""}) {
			t.Errorf("%s: asked for %q", name, s.got())
		}
	}
}

// breaking serves content, but breaks the connection after some bytes of each
// of the first answers.
func breaking(content []byte, after, times int) http.HandlerFunc {
	var mutex sync.Mutex
	return func(w http.ResponseWriter, r *http.Request) {
		mutex.Lock()
		times--
		breaks := times >= 0
		mutex.Unlock()
		if breaks {
			w = &breakingWriter{w, after}
		}
		file(content, `"v1"`)(w, r)
	}
}

type breakingWriter struct {
	http.ResponseWriter
	left int
}

func (w *breakingWriter) Write(p []byte) (int, error) {
	if len(p) <= w.left {
		w.left -= len(p)
		return w.ResponseWriter.Write(p)
	}
	w.ResponseWriter.Write(p[:w.left])
	w.ResponseWriter.(http.Flusher).Flush()
	panic(http.ErrAbortHandler)
}

func TestBrokenConnectionsAreTakenUpAgain(t *testing.T) {
	content := published('1')
	s := serve(t, breaking(content, 100000, 3))
	dir := t.TempDir()
	if _, err := quick().fetch(context.Background(), modelFrom(sourceOf(s, content)), dir, true); err != nil {
		t.Fatal(err)
	}
	wantFile(t, dir, content)
	if want := []string{"", "bytes=100000-", "bytes=200000-", "bytes=300000-"}; !slices.Equal(s.got(), want) {
		t.Errorf("asked for %q, want %q", s.got(), want)
	}
}

func TestAfterTooManyBreaksTheNextCallGoesOn(t *testing.T) {
	content := published('1')
	s := serve(t, breaking(content, 10000, maxRetries+1))
	dir := t.TempDir()
	model := modelFrom(sourceOf(s, content))
	_, err := quick().fetch(context.Background(), model, dir, true)
	if !errors.Is(err, ErrInterrupted) {
		t.Fatalf("got %v", err)
	}
	if names := folder(t, dir); !slices.Equal(names, []string{"m.safetensors.part", "m.safetensors.part.json"}) {
		t.Errorf("the folder holds %q", names)
	}
	if _, err := quick().fetch(context.Background(), model, dir, true); err != nil {
		t.Fatal(err)
	}
	wantFile(t, dir, content)
	if last := s.got()[len(s.got())-1]; last != fmt.Sprintf("bytes=%d-", 10000*(maxRetries+1)) {
		t.Errorf("the last request was for %q", last)
	}
}

func TestCancelledFetchKeepsItsPart(t *testing.T) {
	content := published('1')
	s := serve(t, file(content, `"v1"`))
	dir := t.TempDir()
	model := modelFrom(sourceOf(s, content), Source{URL: s.URL + "/second", File: "second", SHA256: hashOf(content)})
	for _, phase := range []Phase{Downloading, Verifying} {
		ctx, cancel := context.WithCancel(context.Background())
		f := quick()
		f.progress = func(p Progress) {
			if p.Phase == phase && p.Done > 0 {
				cancel()
			}
		}
		_, err := f.fetch(ctx, model, dir, true)
		if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "cancelled") {
			t.Errorf("got %v", err)
		}
		if names := folder(t, dir); !slices.Equal(names, []string{"m.safetensors.part", "m.safetensors.part.json"}) {
			t.Errorf("the folder holds %q", names)
		}
	}
	if _, err := quick().fetch(context.Background(), model, dir, true); err != nil {
		t.Fatal(err)
	}
	wantFile(t, dir, content)
}

func TestAServerThatStandsStill(t *testing.T) {
	content := published('1')
	release := make(chan struct{})
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Range") == "" {
			w.Header().Set("Content-Length", fmt.Sprint(len(content)))
			w.Write(content[:1000])
			w.(http.Flusher).Flush()
		}
		<-release
	})
	defer close(release)
	f := quick()
	f.stall = 50 * time.Millisecond
	_, err := f.fetch(context.Background(), modelFrom(sourceOf(s, content)), t.TempDir(), true)
	if !errors.Is(err, ErrInterrupted) || !strings.Contains(err.Error(), "stopped sending") || errors.Is(err, ErrNetwork) {
		t.Errorf("got %v", err)
	}
}

func TestADamagedFileIsReplaced(t *testing.T) {
	content := published('1')
	s := serve(t, file(content, `"v1"`))
	dir := t.TempDir()
	path := filepath.Join(dir, "m.safetensors")
	if err := os.WriteFile(path, published('2'), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := quick().fetch(context.Background(), modelFrom(sourceOf(s, content)), dir, true); err != nil {
		t.Fatal(err)
	}
	wantFile(t, dir, content)
}

func TestTheSecondSource(t *testing.T) {
	content := published('1')
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/second" {
			http.NotFound(w, r)
			return
		}
		file(content, "")(w, r)
	})
	first := sourceOf(s, content)
	second := Source{URL: s.URL + "/second", File: "other.safetensors", SHA256: hashOf(content)}
	dir := t.TempDir()
	got, err := quick().fetch(context.Background(), modelFrom(first, second), dir, true)
	if err != nil || got.Source != second || filepath.Base(got.Path) != "other.safetensors" {
		t.Errorf("installed %+v, %v", got, err)
	}
	// Once it is here, the first source is not tried again.
	before := len(s.got())
	if _, err := quick().fetch(context.Background(), modelFrom(first, second), dir, true); err != nil || len(s.got()) != before {
		t.Errorf("%v, and %d requests more", err, len(s.got())-before)
	}

	third := Source{URL: s.URL + "/third", File: "third.safetensors", SHA256: hashOf(content)}
	_, err = quick().fetch(context.Background(), modelFrom(first, third), t.TempDir(), true)
	var all *SourcesError
	if !errors.As(err, &all) || len(all.Errs) != 2 || !errors.Is(err, ErrNotFound) || !strings.Contains(err.Error(), "/third") {
		t.Errorf("got %v", err)
	}
}
