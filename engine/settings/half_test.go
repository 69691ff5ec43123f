package settings

import (
	"bytes"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
)

func TestHalfIsOneOfTwoFormats(t *testing.T) {
	s := Default()
	if v, ok := s.Get("half"); !ok || v != "bfloat16" || s.Half != BFloat16 {
		t.Errorf("by itself half is %v", v)
	}
	if err := s.Set("half", "Float16"); err != nil || s.Half != Float16 || s.Map()["half"] != "float16" {
		t.Errorf("set to %s: %v", s.Half, err)
	}
	if err := s.Set("half", "float8"); err == nil || s.Half != Float16 || !strings.Contains(err.Error(), "bfloat16 or float16") {
		t.Errorf("a format that is not: %s, %v", s.Half, err)
	}
	s.Half = 7
	if err := s.Validate(); err == nil || !strings.Contains(err.Error(), "bfloat16 or float16") {
		t.Errorf("a format of no name: %v", err)
	}
}

func TestHalfInATable(t *testing.T) {
	s := Default()
	s.Half = Float16
	var text bytes.Buffer
	if err := toml.NewEncoder(&text).Encode(s); err != nil || !strings.Contains(text.String(), `half = "float16"`) {
		t.Fatalf("%s, %v", text.String(), err)
	}
	var back Settings
	if _, err := toml.Decode(text.String(), &back); err != nil || back != s {
		t.Errorf("%+v came back as %+v (%v)", s, back, err)
	}
	// A table of before there was a choice.
	back = Settings{}
	if _, err := toml.Decode("bf16 = true", &back); err != nil || back.Half != BFloat16 {
		t.Errorf("without half: %s, %v", back.Half, err)
	}
	if _, err := toml.Decode(`half = "float8"`, &back); err == nil {
		t.Error("float8 is taken")
	}
}
