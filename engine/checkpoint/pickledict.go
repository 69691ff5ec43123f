package checkpoint

// list is a Python list. No list holds tensors that are read: its items are
// dropped.
type list struct{}

// dict is a Python dict or OrderedDict. Entries whose key is not a string,
// which optimisers have, are dropped.
type dict struct {
	names  []string // in the order of the file
	values map[string]any
}

// appendItems checks that a list is there and drops what would go into it.
func (m *pickleMachine) appendItems(several bool) error {
	if _, err := m.items(several, 1); err != nil {
		return err
	}
	target, err := m.top()
	if err != nil {
		return err
	}
	if _, ok := target.(list); !ok {
		return damaged("its pickle appends to something that is no list, at byte %d", m.at)
	}
	return nil
}

func (m *pickleMachine) items(several bool, otherwise int) ([]any, error) {
	if several {
		return m.popMark()
	}
	return m.pop(otherwise)
}

func (m *pickleMachine) setItems(several bool) error {
	items, err := m.items(several, 2)
	if err != nil {
		return err
	}
	value, err := m.top()
	if err != nil {
		return err
	}
	target, ok := value.(*dict)
	if !ok || len(items)%2 != 0 {
		return damaged("its pickle sets an entry of something that is no dict, at byte %d", m.at)
	}
	for i := 0; i < len(items); i += 2 {
		if name, ok := items[i].(string); ok {
			if err := target.set(name, items[i+1]); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d *dict) set(name string, value any) error {
	if _, twice := d.values[name]; twice {
		return damaged("its pickle sets %s twice", quoted(name))
	}
	if len(d.names) == maxTensors {
		return damaged("its pickle has a dict of more than %d entries", maxTensors)
	}
	if d.values == nil {
		d.values = map[string]any{}
	}
	d.names = append(d.names, name)
	d.values[name] = value
	return nil
}
