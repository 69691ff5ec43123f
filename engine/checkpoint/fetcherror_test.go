package checkpoint

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fetchError fetches into an empty folder and wants an error of the given kind
// that says something, advises something, and leaves no file.
func fetchError(t *testing.T, f fetcher, source Source, kind error, says string) {
	t.Helper()
	dir := t.TempDir()
	_, err := f.fetch(context.Background(), modelFrom(source), dir, true)
	var known *DownloadError
	if !errors.Is(err, kind) || !errors.As(err, &known) {
		t.Fatalf("got %v, want a *DownloadError of kind %q", err, kind)
	}
	if !strings.Contains(err.Error(), says) || known.Remedy == "" || !strings.Contains(err.Error(), source.URL) && !strings.Contains(err.Error(), source.SHA256URL) {
		t.Errorf("%q does not say %q, or lacks address or advice", err, says)
	}
	for _, other := range []error{
		ErrNotFound, ErrForbidden, ErrServer, ErrNetwork, ErrProxy, ErrTLS, ErrInterrupted, ErrSize, ErrDiskFull, ErrHash, ErrNotCheckpoint,
	} {
		if other != kind && errors.Is(err, other) {
			t.Errorf("%q is of kind %q too", err, other)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, source.File)); err == nil {
		t.Error("a file was installed")
	}
}

func TestAnswersThatAreNoFile(t *testing.T) {
	content := published('1')
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		kind   error
		says   string
	}{
		"404":           {status(http.StatusNotFound), ErrNotFound, "404"},
		"410":           {status(http.StatusGone), ErrNotFound, "410"},
		"401":           {status(http.StatusUnauthorized), ErrForbidden, "401"},
		"403":           {status(http.StatusForbidden), ErrForbidden, "403"},
		"407":           {status(http.StatusProxyAuthRequired), ErrProxy, "407"},
		"429":           {status(http.StatusTooManyRequests), ErrServer, "429"},
		"500":           {status(http.StatusInternalServerError), ErrServer, "500"},
		"304":           {status(http.StatusNotModified), ErrServer, "304"},
		"a sign-in":     {page, ErrNotCheckpoint, "web page"},
		"another file":  {file(published('2'), ""), ErrHash, hashOf(content)},
		"a short file":  {file(content[1:], ""), ErrSize, "bytes, not"},
		"no size, long": {unsized(append(content[:len(content):len(content)], 'x')), ErrSize, "bytes, not"},
		"half of it": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Range", "bytes 5-9/"+"9999")
			w.WriteHeader(http.StatusPartialContent)
		}, ErrServer, "from 5 on"},
		"some part": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Range", "pages 1-2")
			w.WriteHeader(http.StatusPartialContent)
		}, ErrServer, "pages 1-2"},
		"a range never asked for": {status(http.StatusRequestedRangeNotSatisfiable), ErrServer, "missing"},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, c.answer)
			fetchError(t, quick(), sourceOf(s, content), c.kind, c.says)
		})
	}
}

func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}

func page(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Write([]byte("<html>Please sign in"))
}

// unsized serves without saying how long.
func unsized(content []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.(http.Flusher).Flush()
		w.Write(content)
	}
}

func TestAFileOfUnstatedSize(t *testing.T) {
	content := published('1')
	s := serve(t, unsized(content))
	source := sourceOf(s, content)
	source.Size = 0
	dir := t.TempDir()
	if _, err := quick().fetch(context.Background(), modelFrom(source), dir, true); err != nil {
		t.Fatal(err)
	}
	wantFile(t, dir, content)
}

// closedPort returns the address of a port that nobody listens on.
func closedPort(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

func TestNoNetwork(t *testing.T) {
	source := Source{URL: "http://" + closedPort(t) + "/m", File: "m", SHA256: hashOfABC}
	fetchError(t, quick(), source, ErrNetwork, "refused")

	f := quick()
	f.client = &http.Client{Transport: &http.Transport{
		DialContext: func(context.Context, string, string) (net.Conn, error) {
			return nil, &net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Err: "no such host", Name: "models.example.org", IsNotFound: true}}
		},
	}}
	fetchError(t, f, Source{URL: "https://models.example.org/m", File: "m", SHA256: hashOfABC}, ErrNetwork, "lookup models.example.org: no such host")
}

func TestUntrustworthyConnections(t *testing.T) {
	content := published('1')
	trusted := httptest.NewUnstartedServer(file(content, ""))
	trusted.Config.ErrorLog = log.New(io.Discard, "", 0) // it complains of the client that hangs up
	trusted.StartTLS()
	defer trusted.Close()
	source := Source{URL: trusted.URL + "/m", File: "m", SHA256: hashOf(content)}
	// The default client does not know the test server's authority.
	fetchError(t, quick(), source, ErrTLS, "certificate")

	f := quick()
	f.client = trusted.Client()
	if _, err := f.fetch(context.Background(), modelFrom(source), t.TempDir(), true); err != nil {
		t.Errorf("with the right authority: %v", err)
	}

	plain := serve(t, file(content, ""))
	source.URL = strings.Replace(plain.URL, "http://", "https://", 1) + "/m"
	fetchError(t, quick(), source, ErrTLS, "HTTP")
}

func TestProxies(t *testing.T) {
	through := func(address string) fetcher {
		f := quick()
		f.client = &http.Client{Transport: &http.Transport{
			Proxy: http.ProxyURL(&url.URL{Scheme: "http", Host: address}),
		}}
		return f
	}
	source := Source{URL: "https://models.example.org/m", File: "m", SHA256: hashOfABC}
	fetchError(t, through(closedPort(t)), source, ErrProxy, "refused")
	for _, code := range []int{http.StatusProxyAuthRequired, http.StatusBadGateway, http.StatusForbidden} {
		proxy := serve(t, status(code))
		fetchError(t, through(proxy.Listener.Addr().String()), source, ErrProxy, http.StatusText(code))
	}
	proxy := serve(t, status(http.StatusProxyAuthRequired))
	source.URL = "http://models.example.org/m"
	fetchError(t, through(proxy.Listener.Addr().String()), source, ErrProxy, "login")
}

func TestWrongHashLeavesNothingToGoOnFrom(t *testing.T) {
	content := published('1')
	s := serve(t, file(published('2'), `"v2"`))
	dir := t.TempDir()
	if _, err := quick().fetch(context.Background(), modelFrom(sourceOf(s, content)), dir, true); !errors.Is(err, ErrHash) {
		t.Fatal(err)
	}
	if names := folder(t, dir); len(names) != 0 {
		t.Errorf("the folder holds %q", names)
	}
}

func TestDiskFull(t *testing.T) {
	const full = "/dev/full"
	if _, err := os.Stat(full); err != nil {
		t.Skip("this system has no " + full)
	}
	content := published('1')
	s := serve(t, file(content, ""))
	second := Source{URL: s.URL + "/second", File: "second", SHA256: hashOf(content)}
	f := quick()
	f.open = func(string, int64) (partFile, error) { return os.OpenFile(full, os.O_WRONLY, 0) }
	_, err := f.fetch(context.Background(), modelFrom(sourceOf(s, content), second), t.TempDir(), true)
	if !errors.Is(err, ErrDiskFull) || !strings.Contains(err.Error(), "room") || !strings.Contains(err.Error(), "m.safetensors.part") {
		t.Errorf("got %v", err)
	}
	if len(s.got()) != 1 {
		t.Error("another source was tried on a full disk")
	}
}

func TestFoldersThatCannotBeUsed(t *testing.T) {
	content := published('1')
	s := serve(t, file(content, ""))
	model := modelFrom(sourceOf(s, content))
	base := t.TempDir()
	if err := os.WriteFile(filepath.Join(base, "file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	var local *FileError
	if _, err := quick().fetch(context.Background(), model, filepath.Join(base, "file", "models"), true); !errors.As(err, &local) {
		t.Errorf("a folder under a file: %v", err)
	}
	if err := os.Mkdir(filepath.Join(base, "m.safetensors.part"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := quick().fetch(context.Background(), model, base, true); !errors.As(err, &local) || !strings.Contains(err.Error(), "in the way") {
		t.Errorf("a folder where the part belongs: %v", err)
	}
	readOnly := filepath.Join(base, "readonly")
	if err := os.Mkdir(readOnly, 0o555); err != nil {
		t.Fatal(err)
	}
	if file, err := os.Create(filepath.Join(readOnly, "probe")); err == nil {
		file.Close()
		t.Skip("this user may write everywhere")
	}
	if _, err := quick().fetch(context.Background(), model, readOnly, true); !errors.As(err, &local) || !errors.Is(err, os.ErrPermission) {
		t.Errorf("a read-only folder: %v", err)
	}
}
