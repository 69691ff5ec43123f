package matte

// memo holds what a step made last, and of what. The zero memo holds nothing.
type memo[T any] struct {
	key   any
	value T
	// version tells one result from the next; steps that read the value have it in their keys. 0 is none.
	version int
}

// get makes the value if the key, of a comparable type, is another than last time. After an error the last
// value stays for its own key.
func (m *memo[T]) get(key any, make func() (T, error)) error {
	if m.version > 0 && m.key == key {
		return nil
	}
	value, err := make()
	if err != nil {
		return err
	}
	m.key, m.value = key, value
	m.version++
	return nil
}
