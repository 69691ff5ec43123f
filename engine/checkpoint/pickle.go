package checkpoint

import (
	"bytes"
	"encoding/binary"
	"math"
	"unicode/utf8"
)

// unpickle reads the part of Python's pickle format (protocol 2, described in
// CPython's Lib/pickletools.py) that PyTorch writes for dictionaries of
// tensors. A pickle is a program that may call anything in Python; this
// machine runs nothing: it knows the four callables of a state dict and builds
// plain values for them. Every other instruction and name is refused.
//
// Values are nil, bool, int64, float64, string, tuple, list, *dict, global,
// *torchStorage and *torchTensor.
func unpickle(raw []byte) (any, error) {
	m := pickleMachine{code: raw, memo: map[uint32]any{}}
	for !m.stopped {
		if err := m.step(); err != nil {
			return nil, err
		}
	}
	if len(m.stack) != 1 || len(m.marks) != 0 {
		return nil, damaged("its pickle ends with %d values instead of one", len(m.stack))
	}
	if len(m.code) != m.at {
		return nil, damaged("its pickle goes on for %d bytes after its end", len(m.code)-m.at)
	}
	return m.stack[0], nil
}

type (
	tuple  []any
	global string // module.name
)

const (
	// maxStack bounds the values waiting to be put together. PyTorch appends
	// dictionaries in lots of 1000 entries.
	maxStack = 1 << 16
	// maxMemo bounds the values that can be referred to again. A tensor adds
	// about ten.
	maxMemo = 1 << 18
)

// pickleMachine is a stack machine with a memo.
type pickleMachine struct {
	code    []byte
	at      int // of the next byte
	stack   []any
	marks   []int // stack heights
	memo    map[uint32]any
	stopped bool
}

// step runs one instruction.
func (m *pickleMachine) step() error {
	code, err := m.take(1)
	if err != nil {
		return err
	}
	known, err := m.scalar(code[0])
	if !known && err == nil {
		known, err = m.container(code[0])
	}
	if !known && err == nil {
		known, err = m.control(code[0])
	}
	if known || err != nil {
		return err
	}
	return unsupported("its pickle uses %s, which no state dict of protocol 2 needs", opcodeName(code[0]))
}

// scalar runs the instructions that push a constant.
func (m *pickleMachine) scalar(code byte) (bool, error) {
	switch code {
	case 'N':
		return true, m.push(nil)
	case '\x88':
		return true, m.push(true)
	case '\x89':
		return true, m.push(false)
	case 'K', 'M', 'J', '\x8a':
		return true, m.integer(code)
	case 'G':
		raw, err := m.take(8)
		if err != nil {
			return true, err
		}
		return true, m.push(math.Float64frombits(binary.BigEndian.Uint64(raw)))
	case 'X':
		return true, m.text()
	case 'c':
		return true, m.global()
	}
	return false, nil
}

// container runs the instructions that build tuples, lists and dicts.
func (m *pickleMachine) container(code byte) (bool, error) {
	switch code {
	case ')':
		return true, m.push(tuple(nil))
	case '\x85', '\x86', '\x87':
		items, err := m.pop(int(code-'\x85') + 1)
		if err != nil {
			return true, err
		}
		return true, m.push(tuple(items))
	case 't':
		items, err := m.popMark()
		if err != nil {
			return true, err
		}
		return true, m.push(tuple(items))
	case ']':
		return true, m.push(list{})
	case 'a', 'e':
		return true, m.appendItems(code == 'e')
	case '}':
		return true, m.push(&dict{})
	case 's', 'u':
		return true, m.setItems(code == 'u')
	}
	return false, nil
}

// control runs the rest: memo, marks, calls, start and stop.
func (m *pickleMachine) control(code byte) (bool, error) {
	switch code {
	case '\x80':
		return true, m.protocol()
	case '.':
		m.stopped = true
		return true, nil
	case '(':
		if len(m.marks) == maxStack {
			return true, damaged("its pickle is nested absurdly deep")
		}
		m.marks = append(m.marks, len(m.stack))
		return true, nil
	case 'q', 'r':
		return true, m.remember(code == 'r')
	case 'h', 'j':
		return true, m.recall(code == 'j')
	case 'Q':
		return true, m.persistent()
	case 'R':
		return true, m.reduce()
	case 'b':
		return true, m.build()
	}
	return false, nil
}

// take returns the next n bytes of the code.
func (m *pickleMachine) take(n int) ([]byte, error) {
	if n > len(m.code)-m.at {
		return nil, damaged("its pickle ends too early, at byte %d", len(m.code))
	}
	m.at += n
	return m.code[m.at-n : m.at], nil
}

func (m *pickleMachine) push(value any) error {
	if len(m.stack) == maxStack {
		return damaged("its pickle piles up more than %d values", maxStack)
	}
	m.stack = append(m.stack, value)
	return nil
}

// floor is the height that a pop must not go below: what lies under a mark
// belongs to someone else.
func (m *pickleMachine) floor() int {
	if len(m.marks) == 0 {
		return 0
	}
	return m.marks[len(m.marks)-1]
}

// pop takes n values off the stack, the lowest first. The slice is the
// caller's to keep.
func (m *pickleMachine) pop(n int) ([]any, error) {
	height := len(m.stack) - n
	if height < m.floor() {
		return nil, damaged("its pickle takes a value that was never there, at byte %d", m.at)
	}
	items := append([]any(nil), m.stack[height:]...)
	clear(m.stack[height:])
	m.stack = m.stack[:height]
	return items, nil
}

// popMark takes all values above the last mark, and the mark.
func (m *pickleMachine) popMark() ([]any, error) {
	if len(m.marks) == 0 {
		return nil, damaged("its pickle takes a mark that was never set, at byte %d", m.at)
	}
	items, err := m.pop(len(m.stack) - m.floor())
	m.marks = m.marks[:len(m.marks)-1]
	return items, err
}

// top returns the value on top of the stack, where it stays.
func (m *pickleMachine) top() (any, error) {
	if len(m.stack) <= m.floor() {
		return nil, damaged("its pickle needs a value that was never there, at byte %d", m.at)
	}
	return m.stack[len(m.stack)-1], nil
}

func (m *pickleMachine) protocol() error {
	version, err := m.take(1)
	if err != nil {
		return err
	}
	if version[0] != 2 {
		return unsupported("its pickle is of protocol %d, not 2", version[0])
	}
	return nil
}

// integer pushes an integer of 1, 2 or 4 bytes, or of a stated length. Those of
// 1 and 2 bytes have no sign.
func (m *pickleMachine) integer(code byte) error {
	var width int
	switch code {
	case 'K':
		width = 1
	case 'M':
		width = 2
	case 'J':
		width = 4
	default:
		length, err := m.take(1)
		if err != nil {
			return err
		}
		if width = int(length[0]); width > 8 {
			return unsupported("its pickle holds an integer of %d bytes", width)
		}
	}
	raw, err := m.take(width)
	if err != nil {
		return err
	}
	value := uint64(0)
	for i, b := range raw {
		value |= uint64(b) << (8 * i)
	}
	if signed := code == 'J' || code == '\x8a'; signed && width > 0 {
		unused := 64 - 8*width
		return m.push(int64(value<<unused) >> unused)
	}
	return m.push(int64(value))
}

func (m *pickleMachine) text() error {
	length, err := m.take(4)
	if err != nil {
		return err
	}
	size := binary.LittleEndian.Uint32(length)
	if uint64(size) > uint64(len(m.code)) {
		return damaged("its pickle holds a text of %d bytes, but is only %d long", size, len(m.code))
	}
	raw, err := m.take(int(size))
	if err != nil {
		return err
	}
	if !utf8.Valid(raw) {
		return damaged("its pickle holds a text that is not UTF-8, before byte %d", m.at)
	}
	return m.push(string(raw))
}

// global pushes a name of Python; reduce and persistent decide what is known.
func (m *pickleMachine) global() error {
	var parts [2]string
	for i := range parts {
		end := bytes.IndexByte(m.code[m.at:], '\n')
		if end < 0 {
			return damaged("its pickle ends inside a name")
		}
		raw, err := m.take(end + 1)
		if err != nil {
			return err
		}
		parts[i] = string(raw[:end])
	}
	name := global(parts[0] + "." + parts[1])
	if _, isStorage := storageTypes(name); !isStorage && !callable(name) {
		return unsupported("its pickle asks for the Python object %s, which no state dict needs and is never run here", quoted(string(name)))
	}
	return m.push(name)
}

func (m *pickleMachine) remember(long bool) error {
	index, err := m.index(long)
	if err != nil {
		return err
	}
	value, err := m.top()
	if err != nil {
		return err
	}
	if m.memo[index] = value; len(m.memo) > maxMemo {
		return damaged("its pickle remembers more than %d values", maxMemo)
	}
	return nil
}

func (m *pickleMachine) recall(long bool) error {
	index, err := m.index(long)
	if err != nil {
		return err
	}
	value, ok := m.memo[index]
	if !ok {
		return damaged("its pickle recalls value %d, which it never remembered", index)
	}
	return m.push(value)
}

func (m *pickleMachine) index(long bool) (uint32, error) {
	if !long {
		raw, err := m.take(1)
		if err != nil {
			return 0, err
		}
		return uint32(raw[0]), nil
	}
	raw, err := m.take(4)
	if err != nil {
		return 0, err
	}
	return binary.LittleEndian.Uint32(raw), nil
}
