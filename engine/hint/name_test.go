package hint

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestHintNames(t *testing.T) {
	tests := []struct {
		name       string
		hint, asks bool
	}{
		{"shot-hint.png", true, false},
		{"shot_AlphaHint.exr", true, false},
		{"shot.mask.tif", true, false},
		{"shot roto.png", true, false},
		{"hint.png", true, false},
		{"/a.hint/shot.png", false, false},
		{"hint-shot.png", false, false},
		{"shot_hint_old.png", false, false},
		{"unmask.png", false, false},
		{"shot.hint", false, false},
		{"shot_matte.png", false, true},
		{"shot alpha.exr", false, true},
		{"shot_key.png", false, false},
		{"plate.png", false, false},
		{"", false, false},
	}
	for _, tt := range tests {
		if got := IsHintName(tt.name); got != tt.hint {
			t.Errorf("IsHintName(%q) is %v", tt.name, got)
		}
		if got := AsksName(tt.name); got != tt.asks {
			t.Errorf("AsksName(%q) is %v", tt.name, got)
		}
	}
}

func TestBeside(t *testing.T) {
	tests := []struct {
		name  string
		plate string
		files []string
		ours  string
		want  string
	}{
		{name: "none", plate: "a.png", files: []string{"b-hint.png", "a_hint.png", "a-hint.txt"}},
		{name: "one", plate: "a.jpg", files: []string{"a-hint.png"}, want: "a-hint.png"},
		{name: "another ending in capitals", plate: "a.exr", files: []string{"a-hint.TIF"}, want: "a-hint.TIF"},
		{name: "a name of a pattern", plate: "a[1]*.png", files: []string{"a[1]*-hint.png", "a1x-hint.exr"}, want: "a[1]*-hint.png"},
		{name: "accents and dots", plate: "é.v2 .png", files: []string{"é.v2 -hint.png"}, want: "é.v2 -hint.png"},
		{name: "our own", plate: "a.png", files: []string{"a-hint.png", "a-hint.tif"}, ours: "a-hint.png", want: "a-hint.tif"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			for _, f := range append(tt.files, tt.plate) {
				if err := os.WriteFile(filepath.Join(dir, f), nil, 0o600); err != nil {
					t.Skip("this file system does not take the name:", err)
				}
			}
			got, err := Beside(filepath.Join(dir, tt.plate), func(path string) bool { return filepath.Base(path) == tt.ours })
			if err != nil {
				t.Fatal(err)
			}
			want := tt.want
			if want != "" {
				want = filepath.Join(dir, want)
			}
			if !strings.EqualFold(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func TestBesideOfSeveral(t *testing.T) {
	dir := t.TempDir()
	for _, f := range []string{"a-hint.png", "a-hint.exr"} {
		if err := os.WriteFile(filepath.Join(dir, f), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	_, err := Beside(filepath.Join(dir, "a.png"), nil)
	if err == nil || !strings.Contains(err.Error(), "a-hint.png") || !strings.Contains(err.Error(), "a-hint.exr") {
		t.Fatalf("error is %v", err)
	}
}

func TestBesidePassesOverFolders(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "a-hint.png"), 0o700); err != nil {
		t.Fatal(err)
	}
	if got, err := Beside(filepath.Join(dir, "a.png"), nil); got != "" || err != nil {
		t.Fatalf("got %q, %v", got, err)
	}
}
