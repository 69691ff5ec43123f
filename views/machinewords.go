//go:build !headless

package views

// setting returns a setting by its name.
func (m MachineState) setting(name string) SettingState {
	for _, s := range m.Settings {
		if s.Name == name {
			return s
		}
	}
	return SettingState{Name: name}
}

// label is what the artist reads for a value.
func (s SettingState) label(value string) string {
	for _, c := range s.Choices {
		if c.Value == value {
			return c.Label
		}
	}
	return value
}

// locked returns the values that cannot be chosen, with the reason of each; a reason that several values share is
// told once.
func (s SettingState) locked() []string {
	var order []string
	labels := map[string][]string{}
	for _, c := range s.Choices {
		if c.Locked == "" {
			continue
		}
		if _, known := labels[c.Locked]; !known {
			order = append(order, c.Locked)
		}
		labels[c.Locked] = append(labels[c.Locked], c.Label)
	}
	var list []string
	for _, why := range order {
		list = append(list, listWords(labels[why])+" locked: "+why)
	}
	return list
}

// listWords writes "a", "a and b", "a, b and c".
func listWords(words []string) string {
	text := ""
	for i, w := range words {
		switch {
		case i == 0:
			text = w
		case i == len(words)-1:
			text += " and " + w
		default:
			text += ", " + w
		}
	}
	return text
}

// lock returns the reason why a setting's other values cannot be chosen; empty when one can.
func (s SettingState) lock() string {
	why := ""
	for _, c := range s.Choices {
		switch {
		case c.Value == s.Asked:
		case c.Locked == "":
			return ""
		case why == "":
			why = c.Locked
		}
	}
	return why
}
