//go:build !headless

package views

import (
	"slices"

	"fyne.io/fyne/v2"
)

// remedyMenu are the remedies in the menu of seams, under its actions: they come and go with the plan.
type remedyMenu struct {
	menu *fyne.Menu
	// actions is how many items of the menu lie over them.
	actions int
	shown   []Remedy
	blocked bool
}

// newRemedyMenu returns the remedies of a menu that has all its actions.
func newRemedyMenu(list []*fyne.Menu) *remedyMenu {
	i := slices.IndexFunc(list, func(m *fyne.Menu) bool { return m.Label == "Seams" })
	return &remedyMenu{menu: list[i], actions: len(list[i].Items)}
}

// widestRemedy is the width to which an item is cut.
const widestRemedy = 420

// show offers the remedies of a state, with what they cost or why they cannot be chosen, and reports whether the menu
// changed.
func (m *remedyMenu) show(s *Screen) bool {
	list, blocked := s.state.Seams.Remedies, s.state.asks()
	if slices.Equal(m.shown, list) && m.blocked == blocked {
		return false
	}
	m.shown, m.blocked = slices.Clone(list), blocked
	items := slices.Clone(m.menu.Items[:m.actions])
	if len(list) > 0 {
		items = append(items, fyne.NewMenuItemSeparator())
	}
	for _, r := range list {
		about := r.Cost
		if r.WhyNot != "" {
			about = r.WhyNot
		}
		item := fyne.NewMenuItem(cutEnd(r.Label+":  "+about, widestRemedy, sizeText), func() { s.UseRemedy(r.Setting, r.Value) })
		item.Disabled = r.WhyNot != "" || blocked
		items = append(items, item)
	}
	m.menu.Items = items
	return true
}

// UseRemedy sets a setting under which seams are fainter and keys, and keeps the remedies where they are in the panel.
func (s *Screen) UseRemedy(setting, value string) {
	s.panel.held = true
	s.intents.UseRemedy(setting, value)
}
