package presets

import (
	"errors"
	"strings"

	"github.com/BurntSushi/toml"
)

// errTooDeep says that text nests deeper than anything that Greenroom writes.
var errTooDeep = errors.New("it is nested too deeply")

// mostNested is how deep Decode lets text nest: what Greenroom writes has at most four brackets or parts of a key.
const mostNested = 8

// Decode reads TOML text that anybody may have written. Text whose nesting would take the machine down is refused before
// it is parsed; how long text may be is for the caller to say.
func Decode(text string, to any) (toml.MetaData, error) {
	if tooDeep(text, mostNested) >= 0 {
		return toml.MetaData{}, errTooDeep
	}
	return toml.Decode(text, to)
}

// tooDeep returns where TOML text opens more brackets, or a key has more parts, than most; -1 where it never does.
// The parser's time and memory grow with the square of either. Strings and comments are passed over as TOML's
// own rules have it; text that is no TOML may be taken one way or the other.
func tooDeep(text string, most int) int {
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
		if depth > most || parts > most {
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
