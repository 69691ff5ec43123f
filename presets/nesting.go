package presets

import "strings"

// tooDeep returns where TOML text opens more brackets, or a key has more parts, than mostDepth; -1 where it never does.
// The parser's time and memory grow with the square of either. Strings and comments are passed over as TOML's
// own rules have it; text that is no TOML may be taken one way or the other.
func tooDeep(text string) int {
	depth, parts := 0, 0
	for at := 0; at < len(text); at++ {
		switch c := text[at]; c {
		case '#':
			end := strings.IndexByte(text[at:], '\n')
			if end < 0 {
				return -1
			}
			at += end - 1 // the end of the line counts by itself
		case '"', '\'':
			at = stringEnd(text, at)
		case '[', '{':
			depth++
			parts = 0
		case ']', '}':
			depth = max(depth-1, 0)
			parts = 0
		case '=', ',', '\n':
			parts = 0
		case '.':
			parts++
		}
		if depth > mostDepth || parts > mostDepth {
			return min(at, len(text)-1)
		}
	}
	return -1
}

// stringEnd returns the last byte of the string that begins at a quote: the text's last byte where it never ends, and
// the end of the line where a string of one line does not.
func stringEnd(text string, at int) int {
	quote := text[at]
	three := strings.Repeat(string(quote), 3)
	long := strings.HasPrefix(text[at:], three)
	i := at + 1
	if long {
		i = at + 3
	}
	for ; i < len(text); i++ {
		switch {
		case text[i] == '\\' && quote == '"':
			i++
		case long && strings.HasPrefix(text[i:], three):
			return i + 2
		case !long && (text[i] == quote || text[i] == '\n'):
			return i
		}
	}
	return len(text) - 1
}
