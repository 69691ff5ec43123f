package checkpoint

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestParseSidecar(t *testing.T) {
	const other = "0b6b202768725fda9f7953090a705262d9c9276e241360d15218357a27d95580"
	for _, c := range []struct {
		text string
		want string
	}{
		{hashOfABC, hashOfABC},
		{strings.ToUpper(hashOfABC) + "\r\n", hashOfABC},
		{"\ufeff" + hashOfABC + "  m.safetensors\n", hashOfABC},
		{hashOfABC + " *m.safetensors\n", hashOfABC},
		{hashOfABC + "  ./weights/m.safetensors\n", hashOfABC},
		{hashOfABC + "  renamed.safetensors\n", hashOfABC},
		{other + "  a\n" + hashOfABC + "  m.safetensors\n", hashOfABC},
		{"sha256:" + hashOfABC, hashOfABC},
		{"version https://git-lfs.github.com/spec/v1\noid sha256:" + hashOfABC + "\nsize 3\n", hashOfABC},
		{other + "  a\n" + hashOfABC + "  b\n", ""},
		{"<html>Not found</html>", ""},
		{hashOfABC[1:], ""},
		{hashOfABC + "0", ""},
		{"", ""},
		{strings.Repeat("x", 70000) + "\n" + hashOfABC, ""},
	} {
		got, ok := parseSidecar(c.text, "m.safetensors")
		if got != c.want || ok != (c.want != "") {
			t.Errorf("%.60q gave %q %v, want %q", c.text, got, ok, c.want)
		}
	}
}

func TestFetchPinsThePublishersHash(t *testing.T) {
	content, statement := published('1'), hashOf(published('1'))
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, ".sha256") {
			w.Write([]byte(statement + "  m.safetensors\n"))
			return
		}
		file(content, "")(w, r)
	})
	source := sourceOf(s, content)
	source.SHA256, source.SHA256URL = "", source.URL+".sha256"
	dir := t.TempDir()
	got, err := quick().fetch(context.Background(), modelFrom(source), dir, true)
	if err != nil || got.SHA256 != hashOf(content) {
		t.Fatalf("installed %+v, %v", got, err)
	}
	if names := strings.Join(folder(t, dir), " "); names != "m.safetensors m.safetensors.sha256" {
		t.Errorf("the folder holds %s", names)
	}
	if found, ok, err := FindInstalled(modelFrom(source), dir); !ok || err != nil || found != got {
		t.Errorf("found %+v %v %v", found, ok, err)
	}

	// From now on this machine holds to it, whatever the publisher says.
	if err := os.Remove(got.Path); err != nil {
		t.Fatal(err)
	}
	content, statement = published('2'), hashOf(published('2'))
	if _, err := quick().fetch(context.Background(), modelFrom(source), dir, true); !errors.Is(err, ErrHash) {
		t.Errorf("another file under a pinned hash: %v", err)
	}
	if len(s.got()) != 3 {
		t.Errorf("%d requests, want 3: hash, file, file", len(s.got()))
	}

	if err := os.WriteFile(filepath.Join(dir, "m.safetensors.sha256"), []byte("?"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := quick().fetch(context.Background(), modelFrom(source), dir, true); !errors.Is(err, ErrDamaged) {
		t.Errorf("a damaged pin: %v", err)
	}
}

func TestWithoutAHashNothingIsDownloaded(t *testing.T) {
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		kind   error
		says   string
	}{
		"missing":    {status(http.StatusNotFound), ErrNotFound, "404"},
		"a web page": {page, ErrServer, "no SHA-256"},
		"endless":    {unsized([]byte(strings.Repeat("x ", maxSidecar))), ErrServer, "no SHA-256"},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, c.answer)
			source := Source{URL: s.URL + "/m", File: "m", SHA256URL: s.URL + "/m.sha256"}
			fetchError(t, quick(), source, c.kind, c.says)
			if len(s.got()) != 1 {
				t.Errorf("%d requests", len(s.got()))
			}
		})
	}
}

func TestAHashOverAnUnprotectedConnection(t *testing.T) {
	plain := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte(hashOfABC)) })
	secure := httptest.NewTLSServer(http.RedirectHandler(plain.URL, http.StatusFound))
	defer secure.Close()
	f := quick()
	f.client = secure.Client()
	fetchError(t, f, Source{URL: secure.URL + "/m", File: "m", SHA256URL: secure.URL + "/m.sha256"}, ErrTLS, "unprotected")
}
