//go:build !headless

package views

import (
	"time"

	"fyne.io/fyne/v2"
)

// press is the last key that did something which is done once for a press. The toolkit does not say whether a shortcut
// comes of a press or of a key that is held, and tells of a release only while nothing has the focus: what comes again
// within the time that a keyboard waits before it repeats is taken for a held key.
type press struct {
	key fyne.KeyName
	mod fyne.KeyModifier
	at  time.Time
}

// beforeRepeat is longer than keyboards wait before they repeat a held key, and than they wait between repeats.
const beforeRepeat = 700 * time.Millisecond

// again takes in that a key came and reports whether it is still held from the time before.
func (p *press) again(key fyne.KeyName, mod fyne.KeyModifier, now time.Time) bool {
	held := p.key == key && p.mod == mod && now.Sub(p.at) < beforeRepeat
	*p = press{key, mod, now}
	return held
}

// release takes in that a key came up.
func (p *press) release(key fyne.KeyName) {
	if p.key == key {
		*p = press{}
	}
}

// oncePress lets the actions that are done once for a press ask whether their key is held.
func (s *Screen) oncePress(list []action) []action {
	for i := range list {
		if a := &list[i]; a.once {
			key, mod := a.key, a.mod
			a.held = func() bool { return s.press.again(key, mod, s.now()) }
		}
	}
	return list
}
