package locale

import "testing"

func TestOnlyTheLocaleInEffectCounts(t *testing.T) {
	for _, c := range []struct {
		all, messages, lang string
		want                bool
	}{
		{"", "", "", false},
		{"", "", "C.UTF-8", true},
		{"", "", "C", false},
		{"C.utf8", "", "de_DE.UTF-8", true},
		{"", "de_DE.UTF-8", "C.UTF-8", false},
		{"en_GB.UTF-8", "", "C.UTF-8", false},
	} {
		env := map[string]string{"LC_ALL": c.all, "LC_MESSAGES": c.messages, "LANG": c.lang}
		got := plain(func(n string) string { return env[n] }, func(n, v string) error { env[n] = v; return nil })
		if got != c.want || got != (env["LC_ALL"] == "C") {
			t.Errorf("%+v: %v, LC_ALL is %q", c, got, env["LC_ALL"])
		}
	}
}
