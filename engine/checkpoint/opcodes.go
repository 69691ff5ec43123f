package checkpoint

import "fmt"

// opcodeName names an instruction of Python's pickle format, all protocols, as
// CPython's Lib/pickletools.py does. Only for messages: the table is built when
// one is needed.
func opcodeName(code byte) string {
	name, known := map[byte]string{
		'I': "INT", 'J': "BININT", 'K': "BININT1", 'M': "BININT2", 'L': "LONG", '\x8a': "LONG1", '\x8b': "LONG4",
		'S': "STRING", 'T': "BINSTRING", 'U': "SHORT_BINSTRING",
		'B': "BINBYTES", 'C': "SHORT_BINBYTES", '\x8e': "BINBYTES8", '\x96': "BYTEARRAY8",
		'\x97': "NEXT_BUFFER", '\x98': "READONLY_BUFFER",
		'N': "NONE", '\x88': "NEWTRUE", '\x89': "NEWFALSE",
		'V': "UNICODE", '\x8c': "SHORT_BINUNICODE", 'X': "BINUNICODE", '\x8d': "BINUNICODE8",
		'F': "FLOAT", 'G': "BINFLOAT",
		']': "EMPTY_LIST", 'a': "APPEND", 'e': "APPENDS", 'l': "LIST",
		')': "EMPTY_TUPLE", 't': "TUPLE", '\x85': "TUPLE1", '\x86': "TUPLE2", '\x87': "TUPLE3",
		'}': "EMPTY_DICT", 'd': "DICT", 's': "SETITEM", 'u': "SETITEMS",
		'\x8f': "EMPTY_SET", '\x90': "ADDITEMS", '\x91': "FROZENSET",
		'0': "POP", '2': "DUP", '(': "MARK", '1': "POP_MARK",
		'g': "GET", 'h': "BINGET", 'j': "LONG_BINGET", 'p': "PUT", 'q': "BINPUT", 'r': "LONG_BINPUT", '\x94': "MEMOIZE",
		'\x82': "EXT1", '\x83': "EXT2", '\x84': "EXT4",
		'c': "GLOBAL", '\x93': "STACK_GLOBAL", 'R': "REDUCE", 'b': "BUILD", 'i': "INST", 'o': "OBJ",
		'\x81': "NEWOBJ", '\x92': "NEWOBJ_EX",
		'\x80': "PROTO", '.': "STOP", '\x95': "FRAME", 'P': "PERSID", 'Q': "BINPERSID",
	}[code]
	if !known {
		return fmt.Sprintf("the unknown instruction 0x%02x", code)
	}
	return "the instruction " + name
}
