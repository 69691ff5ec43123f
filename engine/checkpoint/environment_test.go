package checkpoint

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/pem"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"greenroom/engine/imageio/disktest"
)

// TestAFullDiskIsToldAndGoneOnWith downloads 3 MB to a disk with room for 2 MB, and the rest when there is room.
func TestAFullDiskIsToldAndGoneOnWith(t *testing.T) {
	content := bytes.Repeat([]byte("weights, "), 3<<20/9)
	s := serve(t, file(content, `"v1"`))
	dir := disktest.Small(t, 4<<20)
	ballast := filepath.Join(dir, "ballast")
	if err := os.WriteFile(ballast, make([]byte, 2<<20), 0o644); err != nil {
		t.Fatal(err)
	}
	model := modelFrom(sourceOf(s, content))
	for range 2 {
		_, err := quick().fetch(context.Background(), model, dir, true)
		var local *FileError
		if !errors.Is(err, ErrDiskFull) || !errors.As(err, &local) || !strings.Contains(err.Error(), "no room left") || errors.Is(err, ErrNetwork) {
			t.Fatalf("got %v", err)
		}
		if names := folder(t, dir); slices.Contains(names, "m.safetensors") {
			t.Errorf("the folder holds %q", names)
		}
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	if _, err := quick().fetch(context.Background(), model, dir, true); err != nil {
		t.Fatal(err)
	}
	wantFile(t, dir, content)
	asked := s.got()
	if last := asked[len(asked)-1]; !strings.HasPrefix(last, "bytes=") {
		t.Errorf("what had arrived was asked for again: %q", asked)
	}
}

// childFetch is the environment variable that makes this test program fetch a source, given as JSON, into a folder.
const childFetch = "GREENROOM_TEST_FETCH"

// order is what a child is to fetch.
type order struct {
	Source Source
	Dir    string
}

// TestFetchInAChild is what the child of TestTheEnvironmentsProxyIsUsed runs; without its order it has nothing to do.
func TestFetchInAChild(t *testing.T) {
	text := os.Getenv(childFetch)
	if text == "" {
		t.Skip("this is for the child process of another test")
	}
	var o order
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		t.Fatal(err)
	}
	if _, err := Fetch(context.Background(), nil, modelFrom(o.Source), o.Dir, true, nil); err != nil {
		t.Fatal(err)
	}
}

// proxy is an HTTP proxy that sends every request, whatever its host, to one server.
type proxy struct {
	*httptest.Server
	plain, tunnels atomic.Int64
}

// newProxy starts a proxy to the server of a listener. What it passes on in the plain goes through change.
func newProxy(t *testing.T, to net.Listener, change func([]byte) []byte) *proxy {
	p := &proxy{}
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodConnect {
			p.plain.Add(1)
			r.URL.Host, r.RequestURI = to.Addr().String(), ""
			response, err := (&http.Transport{}).RoundTrip(r)
			if err != nil {
				http.Error(w, err.Error(), http.StatusBadGateway)
				return
			}
			defer response.Body.Close()
			body, _ := io.ReadAll(response.Body)
			w.Write(change(body))
			return
		}
		p.tunnels.Add(1)
		server, err := net.Dial("tcp", to.Addr().String())
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		defer server.Close()
		client, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		defer client.Close()
		io.WriteString(client, "HTTP/1.1 200 OK\r\n\r\n")
		go io.Copy(server, client)
		io.Copy(client, server)
	}))
	t.Cleanup(p.Close)
	return p
}

// TestTheEnvironmentsProxyIsUsed fetches, as the program itself does, through the proxies that HTTP_PROXY and
// HTTPS_PROXY name, in a process of its own: the environment is read once in each. What a proxy has changed is not
// taken.
func TestTheEnvironmentsProxyIsUsed(t *testing.T) {
	content := published('1')
	plain := serve(t, file(content, ""))
	secure := httptest.NewUnstartedServer(file(content, ""))
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	t.Cleanup(secure.Close)
	authority := filepath.Join(t.TempDir(), "authority.pem")
	block := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: secure.Certificate().Raw})
	if err := os.WriteFile(authority, block, 0o644); err != nil {
		t.Fatal(err)
	}
	same := func(b []byte) []byte { return b }
	other := func(b []byte) []byte { b[len(b)/2] ^= 1; return b }

	for name, c := range map[string]struct {
		url    string
		to     net.Listener
		change func([]byte) []byte
		trust  bool
		says   string // empty where it succeeds
	}{
		"plain":                   {"http://models.example.com/m", plain.Listener, same, false, ""},
		"plain, changed":          {"http://models.example.com/m", plain.Listener, other, false, "SHA-256"},
		"secure":                  {"https://example.com/m", secure.Listener, same, true, ""},
		"secure, of another host": {"https://models.example.org/m", secure.Listener, same, true, "cannot be trusted"},
		"secure, not trusted":     {"https://example.com/m", secure.Listener, same, false, "cannot be trusted"},
	} {
		t.Run(name, func(t *testing.T) {
			if c.trust && runtime.GOOS != "linux" {
				t.Skip("only Linux takes its authorities from a file that a variable names")
			}
			p := newProxy(t, c.to, c.change)
			dir := t.TempDir()
			text, err := json.Marshal(order{Source{URL: c.url, File: "m.safetensors", SHA256: hashOf(content), Size: int64(len(content))}, dir})
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(os.Args[0], "-test.run=^TestFetchInAChild$")
			cmd.Env = append(os.Environ(), childFetch+"="+string(text), "HTTP_PROXY="+p.URL, "HTTPS_PROXY="+p.URL,
				"http_proxy="+p.URL, "https_proxy="+p.URL, "NO_PROXY=", "no_proxy=")
			if c.trust {
				cmd.Env = append(cmd.Env, "SSL_CERT_FILE="+authority)
			}
			out, err := cmd.CombinedOutput()
			if p.plain.Load()+p.tunnels.Load() == 0 {
				t.Error("the proxy was not asked")
			}
			if c.says != "" {
				if err == nil || !strings.Contains(string(out), c.says) {
					t.Errorf("%v: %s", err, out)
				}
				if names := folder(t, dir); slices.Contains(names, "m.safetensors") {
					t.Errorf("the folder holds %q", names)
				}
				return
			}
			if err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			wantFile(t, dir, content)
		})
	}
}
