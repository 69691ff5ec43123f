package checkpoint

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// zipFile is one file of an archive that a test makes by hand.
type zipFile struct {
	name    string
	content string
	method  uint16
}

// zipped builds a zip archive.
func zipped(t testing.TB, files ...zipFile) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range files {
		entry, err := w.CreateHeader(&zip.FileHeader{Name: f.name, Method: f.method})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := entry.Write([]byte(f.content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// Pieces of pickles, written as Python's pickler would.

func textCode(s string) string {
	return "X" + string(binary.LittleEndian.AppendUint32(nil, uint32(len(s)))) + s
}

func intCode(n int64) string {
	return "\x8a\x08" + string(binary.LittleEndian.AppendUint64(nil, uint64(n)))
}

func tupleCode(list ...int64) string {
	var out strings.Builder
	out.WriteByte('(')
	for _, n := range list {
		out.WriteString(intCode(n))
	}
	out.WriteByte('t')
	return out.String()
}

const noHooks = "ccollections\nOrderedDict\n)R"

// tensorCode is a tensor of float32 that lies in the storage "0" of the given length.
func tensorCode(elements, offset int64, size, stride string) string {
	return "ctorch._utils\n_rebuild_tensor_v2\n((" + textCode("storage") + "ctorch\nFloatStorage\n" + textCode("0") + textCode("cpu") +
		intCode(elements) + "tQ" + intCode(offset) + size + stride + "\x89" + noHooks + "tR"
}

// saved is the pickle of a dict with one entry "w".
func saved(value string) string { return "\x80\x02}" + textCode("w") + value + "s." }

// torchZip is an archive with a pickle and one storage of n float32.
func torchZip(t testing.TB, code string, n int) []byte {
	return zipped(
		t,
		zipFile{"a/data.pkl", code, zip.Store},
		zipFile{"a/data/0", strings.Repeat("\x00\x00\x80\x3f", n), zip.Store},
	)
}

func TestHandMadeTorchZip(t *testing.T) {
	f, err := readBytes(torchZip(t, saved(tensorCode(6, 1, tupleCode(2, 2), tupleCode(1, 3))), 6))
	if err != nil {
		t.Fatal(err)
	}
	if got := values(t, f, "w"); len(got) != 4 || got[3] != 1 {
		t.Errorf("got %v", got)
	}
}

func TestHostilePickles(t *testing.T) {
	good := tensorCode(4, 0, tupleCode(2, 2), tupleCode(2, 1))
	for name, c := range map[string]struct {
		code string
		kind error
		says string
	}{
		"system call":           {saved("cos\nsystem\n(" + textCode("true") + "tR"), ErrUnsupported, `"os.system"`},
		"builtin eval":          {saved("c__builtin__\neval\n(" + textCode("1") + "tR"), ErrUnsupported, `"__builtin__.eval"`},
		"system call, protocol": {"\x80\x04\x8c\x02os.", ErrUnsupported, "protocol 4"},
		"stack global":          {saved(textCode("os") + textCode("system") + "\x93"), ErrUnsupported, "STACK_GLOBAL"},
		"instance":              {saved("(ios\nsystem\n"), ErrUnsupported, "INST"},
		"new object":            {saved(noHooks + ")\x81"), ErrUnsupported, "NEWOBJ"},
		"extension":             {saved("\x82\x01"), ErrUnsupported, "EXT1"},
		"unknown instruction":   {saved("\xff"), ErrUnsupported, "0xff"},
		"calling a dict":        {saved("})R"), ErrUnsupported, "not to be called"},
		"calling a storage":     {saved("ctorch\nFloatStorage\n)R"), ErrUnsupported, "not to be called"},
		"calling without args":  {saved("ccollections\nOrderedDict\n}R"), ErrDamaged, "without arguments"},
		"dict from pairs":       {saved("ccollections\nOrderedDict\n(]tR"), ErrUnsupported, "1 arguments"},
		"attributes of a list":  {saved("]}b"), ErrUnsupported, "sets attributes"},
		"another persistent id": {saved(textCode("x") + "Q"), ErrUnsupported, "no tensor storage"},
		"storage of no class": {
			saved("(" + textCode("storage") + textCode("torch") + textCode("0") + textCode("cpu") + intCode(4) + "tQ"), ErrDamaged, "storage wrongly",
		},
		"storage of a callable": {
			saved("(" + textCode("storage") + "ccollections\nOrderedDict\n" + textCode("0") + textCode("cpu") + intCode(4) + "tQ"), ErrDamaged, "storage wrongly",
		},
		"storage of -1":           {saved(tensorCode(-1, 0, tupleCode(), tupleCode())), ErrDamaged, "storage wrongly"},
		"parameter of a dict":     {saved("ctorch._utils\n_rebuild_parameter\n(}\x88" + noHooks + "tR"), ErrDamaged, "parameter wrongly"},
		"parameter without args":  {saved("ctorch._utils\n_rebuild_parameter\n)R"), ErrDamaged, "parameter wrongly"},
		"tensor without args":     {saved("ctorch._utils\n_rebuild_tensor_v2\n)R"), ErrDamaged, "tensor wrongly"},
		"tensor of a text":        {saved(strings.Replace(good, "tQ", "t", 1)), ErrDamaged, "tensor wrongly"},
		"size of text":            {saved(tensorCode(4, 0, "("+textCode("2")+"t", tupleCode(1))), ErrDamaged, "tensor wrongly"},
		"size of seventeen":       {saved(tensorCode(4, 0, tupleCode(make([]int64, 17)...), tupleCode(make([]int64, 17)...))), ErrDamaged, "tensor wrongly"},
		"no stop":                 {"\x80\x02}", ErrDamaged, "too early"},
		"empty":                   {"", ErrDamaged, "too early"},
		"only stop":               {".", ErrDamaged, "0 values"},
		"two values":              {"\x80\x02}}.", ErrDamaged, "2 values"},
		"an open mark":            {"\x80\x02}(.", ErrDamaged, "1 values"},
		"after the end":           {saved(good) + "N", ErrDamaged, "after its end"},
		"stack underflow":         {"\x80\x02s.", ErrDamaged, "never there"},
		"tuple of nothing":        {"\x80\x02\x87.", ErrDamaged, "never there"},
		"reaching under a mark":   {"\x80\x02}(" + textCode("a") + "s.", ErrDamaged, "never there"},
		"mark never set":          {"\x80\x02t.", ErrDamaged, "never set"},
		"memo never set":          {"\x80\x02h\x05.", ErrDamaged, "value 5"},
		"memo of nothing":         {"\x80\x02q\x05.", ErrDamaged, "never there"},
		"append to a dict":        {"\x80\x02}Na.", ErrDamaged, "no list"},
		"entry of a list":         {"\x80\x02]" + textCode("a") + "Ns.", ErrDamaged, "no dict"},
		"odd entries":             {"\x80\x02}(" + textCode("a") + "u.", ErrDamaged, "no dict"},
		"text longer than all":    {"\x80\x02X\xff\xff\xff\xffabc.", ErrDamaged, "4294967295"},
		"text not UTF-8":          {"\x80\x02X\x01\x00\x00\x00\xff.", ErrDamaged, "UTF-8"},
		"name without end":        {"\x80\x02ctorch\nFloatStorage", ErrDamaged, "inside a name"},
		"integer of 9 bytes":      {"\x80\x02\x8a\x09123456789.", ErrUnsupported, "9 bytes"},
		"the same name twice":     {"\x80\x02}(" + textCode("w") + good + textCode("w") + good + "u.", ErrDamaged, `"w" twice`},
		"no name":                 {"\x80\x02}" + textCode("") + good + "s.", ErrDamaged, "without a name"},
		"no tensors":              {saved("N"), ErrUnsupported, `it has "w"`},
		"nothing":                 {"\x80\x02}.", ErrUnsupported, "it has nothing"},
		"a text":                  {"\x80\x02" + textCode("hello") + ".", ErrUnsupported, "no dict"},
		"a dict in itself":        {"\x80\x02}q\x00" + textCode("state_dict") + "h\x00s.", ErrUnsupported, "no tensors"},
		"another storage":         {saved(strings.Replace(good, textCode("0"), textCode("1"), 1)), ErrDamaged, `"1" is not in the archive`},
		"a path as storage":       {saved(strings.Replace(good, textCode("0"), textCode("../data.pkl"), 1)), ErrDamaged, "not in the archive"},
		"storage of another size": {saved(tensorCode(5, 0, tupleCode(2, 2), tupleCode(2, 1))), ErrDamaged, "5 elements of type F32, but is 16 bytes"},
		"storage of 2^62":         {saved(tensorCode(1<<62, 0, tupleCode(1<<62), tupleCode(1))), ErrDamaged, "but is 16 bytes"},
		"beyond the storage":      {saved(tensorCode(4, 0, tupleCode(5), tupleCode(1))), ErrDamaged, "beyond"},
		"offset beyond":           {saved(tensorCode(4, 1, tupleCode(2, 2), tupleCode(2, 1))), ErrDamaged, "beyond"},
		"offset far beyond":       {saved(tensorCode(4, 1<<62, tupleCode(1), tupleCode(1))), ErrDamaged, "begins at element"},
		"negative offset":         {saved(tensorCode(4, -1, tupleCode(1), tupleCode(1))), ErrDamaged, "begins at element"},
		"offset at the end":       {saved(tensorCode(4, 4, tupleCode(), tupleCode())), ErrDamaged, "beyond"},
		"negative size":           {saved(tensorCode(4, 0, tupleCode(-2), tupleCode(1))), ErrDamaged, "impossible size"},
		"negative stride":         {saved(tensorCode(4, 3, tupleCode(4), tupleCode(-1))), ErrDamaged, "impossible stride"},
		"huge stride":             {saved(tensorCode(4, 0, tupleCode(2), tupleCode(1<<62))), ErrDamaged, "impossible stride"},
		"overflowing size":        {saved(tensorCode(4, 0, tupleCode(1<<31, 1<<31, 1<<31), tupleCode(0, 0, 0))), ErrDamaged, "absurd"},
		"expanded to 2^40":        {saved(tensorCode(4, 0, tupleCode(1<<40), tupleCode(0))), ErrUnsupported, "overlap"},
		"overlapping windows":     {saved(tensorCode(4, 0, tupleCode(2, 3), tupleCode(1, 1))), ErrUnsupported, "overlap"},
		"overlapping rows":        {saved(tensorCode(4, 0, tupleCode(2, 3), tupleCode(2, 1))), ErrUnsupported, "overlap"},
		"a stride too few":        {saved(tensorCode(4, 0, tupleCode(2, 2), tupleCode(2))), ErrDamaged, "2 sizes but 1 strides"},
		"deep marks":              {"\x80\x02" + strings.Repeat("(", maxStack+1), ErrDamaged, "absurdly deep"},
		"a high stack":            {"\x80\x02" + strings.Repeat("N", maxStack+1), ErrDamaged, "more than 65536 values"},
		"eleven bytes":            {"\x80\x02}(" + "K\x01e0u.", ErrDamaged, ""},
	} {
		t.Run(name, func(t *testing.T) { wantFlaw(t, torchZip(t, c.code, 4), c.kind, c.says) })
	}
}

func TestPickleMemoIsBounded(t *testing.T) {
	var code bytes.Buffer
	code.WriteString("\x80\x02N")
	for i := range maxMemo + 1 {
		code.WriteString("r" + string(binary.LittleEndian.AppendUint32(nil, uint32(i))))
	}
	wantFlaw(t, torchZip(t, code.String(), 1), ErrDamaged, "remembers more than")
}

// One long tuple made into sizes again and again would take memory far beyond
// the file's.
func TestPickleDoesNotMultiply(t *testing.T) {
	code := "\x80\x02" + tupleCode(make([]int64, 60000)...) + "q\x01" + "ctorch._utils\n_rebuild_tensor_v2\nq\x02"
	call := "h\x02((" + textCode("storage") + "ctorch\nFloatStorage\n" + textCode("0") + textCode("cpu") + "K\x01tQK\x00h\x01h\x01\x89}tR"
	file := torchZip(t, code+strings.Repeat(call, 2000), 1)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	wantFlaw(t, file, ErrDamaged, "tensor wrongly")
	runtime.ReadMemStats(&after)
	if spent := after.TotalAlloc - before.TotalAlloc; spent > 64<<20 {
		t.Errorf("%d bytes allocated for a file of %d", spent, len(file))
	}
}

// Many tensors that are all the same large storage.
func TestSharedStoragesAreBounded(t *testing.T) {
	const elements = 1 << 20
	var code strings.Builder
	code.WriteString("\x80\x02}(" + textCode("w0") + tensorCode(elements, 0, tupleCode(elements), tupleCode(1)) + "q\x07")
	for i := range 100 {
		fmt.Fprintf(&code, "%sh\x07", textCode(fmt.Sprint("w", i+1)))
	}
	code.WriteString("u.")
	wantFlaw(t, torchZip(t, code.String(), elements), ErrDamaged, "share storages")
	few := strings.Replace(code.String(), code.String()[strings.Index(code.String(), textCode("w5")):], "u.", 1)
	if _, err := readBytes(torchZip(t, few, elements)); err != nil {
		t.Errorf("five tensors of one storage: %v", err)
	}
}

func TestHostileZips(t *testing.T) {
	good := zipFile{"a/data.pkl", saved(tensorCode(4, 0, tupleCode(4), tupleCode(1))), zip.Store}
	storage := zipFile{"a/data/0", strings.Repeat("\x00\x00\x80\x3f", 4), zip.Store}
	whole := zipped(t, good, storage)
	for name, c := range map[string]struct {
		file []byte
		kind error
		says string
	}{
		"half a download":      {whole[:len(whole)/2], ErrIncomplete, "half a download"},
		"only a signature":     {[]byte("PK\x03\x04"), ErrIncomplete, "half a download"},
		"no data.pkl":          {zipped(t, storage), ErrNotCheckpoint, "no data.pkl"},
		"data.pkl at the root": {zipped(t, zipFile{"data.pkl", good.content, zip.Store}), ErrNotCheckpoint, "no data.pkl"},
		"two folders":          {zipped(t, good, zipFile{"b/data.pkl", good.content, zip.Store}, storage), ErrDamaged, `"a/" and "b/"`},
		"a name twice":         {zipped(t, good, storage, storage), ErrDamaged, `"a/data/0" twice`},
		"NumPy":                {zipped(t, zipFile{"w.npy", "x", zip.Store}), ErrUnsupported, "NumPy"},
		"TorchScript":          {zipped(t, good, zipFile{"a/constants.pkl", "x", zip.Store}), ErrUnsupported, "TorchScript"},
		"big-endian":           {zipped(t, good, zipFile{"a/byteorder", "big", zip.Store}, storage), ErrUnsupported, `"big" byte order`},
		"long byte order":      {zipped(t, good, zipFile{"a/byteorder", strings.Repeat("x", 65), zip.Store}), ErrDamaged, "65 bytes"},
		"long pickle":          {zipped(t, zipFile{"a/data.pkl", strings.Repeat("N", maxPickle+1), zip.Deflate}), ErrDamaged, "never needed"},
		"bomb in one":          {centralPatch(t, whole, "a/data/0", 27, 0x06), ErrDamaged, "claims to unpack to 1006"},
		"bomb in parts": {
			centralPatch(t, centralPatch(t, whole, "a/data/0", 27, 0x03), "a/data.pkl", 27, 0x03), ErrDamaged, "claims to unpack to more",
		},
		"encrypted":       {centralPatch(t, whole, "a/data.pkl", 8, 0x09), ErrUnsupported, "encrypted"},
		"zip method 12":   {centralPatch(t, whole, "a/data.pkl", 10, 12), ErrUnsupported, "method 12"},
		"storage method":  {centralPatch(t, whole, "a/data/0", 10, 93), ErrUnsupported, "method 93"},
		"two sizes":       {centralPatch(t, whole, "a/data/0", 20, 15), ErrDamaged, "two sizes"},
		"another place":   {centralPatch(t, whole, "a/data/0", 42, 1), ErrDamaged, "does not lie where"},
		"beyond the file": {centralPatch(t, centralPatch(t, whole, "a/data/0", 21, 2), "a/data/0", 25, 2), ErrDamaged, "beyond the end"},
		"wrong checksum":  {centralPatch(t, whole, "a/data.pkl", 16, 0x77), ErrDamaged, "checksum"},
	} {
		t.Run(name, func(t *testing.T) { wantFlaw(t, c.file, c.kind, c.says) })
	}
}

// centralPatch sets one byte of an entry in the zip directory; the offsets are
// those of the zip format's central directory header.
func centralPatch(t *testing.T, file []byte, name string, offset int, value byte) []byte {
	t.Helper()
	at := bytes.LastIndex(file, []byte(name)) - 46
	if at < 0 || string(file[at:at+4]) != "PK\x01\x02" {
		t.Fatalf("no directory entry for %s", name)
	}
	out := bytes.Clone(file)
	out[at+offset] = value
	return out
}

func TestLongZipDirectoryIsRefused(t *testing.T) {
	var files []zipFile
	long := strings.Repeat("n", 60000)
	for i := range 300 {
		files = append(files, zipFile{fmt.Sprint(i, long), "", zip.Store})
	}
	wantFlaw(t, zipped(t, files...), ErrDamaged, "directory of more than")
}

func TestWrongChecksumOfWeights(t *testing.T) {
	for _, method := range []uint16{zip.Store, zip.Deflate} {
		whole := zipped(
			t,
			zipFile{"a/data.pkl", saved(tensorCode(4, 0, tupleCode(4), tupleCode(1))), zip.Store},
			zipFile{"a/data/0", strings.Repeat("\x00\x00\x80\x3f", 4), method},
		)
		for _, c := range []struct {
			file []byte
			says string
		}{
			{whole, ""},
			{centralPatch(t, whole, "a/data/0", 16, 0x77), "checksum"},
		} {
			f, err := readBytes(c.file)
			if err != nil {
				t.Fatal(err)
			}
			err = f.ReadFloat32("w", make([]float32, 4))
			if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
				t.Errorf("method %d: %v, want %q", method, err, c.says)
			}
		}
		// PyTorch can be told not to compute checksums; it then writes zeros.
		without := whole
		for i := range 4 {
			without = centralPatch(t, without, "a/data/0", 16+i, 0)
		}
		f, err := readBytes(without)
		if err != nil {
			t.Fatal(err)
		}
		if got := values(t, f, "w"); got[3] != 1 {
			t.Errorf("without a checksum: %v", got)
		}
	}
}

func TestCorruptDeflateIsAnError(t *testing.T) {
	var weights strings.Builder
	for i := range 4096 {
		weights.WriteByte(byte(i * i >> 3))
	}
	whole := zipped(
		t,
		zipFile{"a/data.pkl", saved(tensorCode(1024, 0, tupleCode(1024), tupleCode(1))), zip.Store},
		zipFile{"a/data/0", weights.String(), zip.Deflate},
	)
	at := bytes.Index(whole, []byte("a/data/0")) + 8
	want := values(t, must(t, whole), "w")
	for i := range 200 {
		bad := bytes.Clone(whole)
		bad[at+i] ^= 0x40
		f, err := readBytes(bad)
		if err != nil {
			continue
		}
		got := make([]float32, len(want))
		if err := f.ReadFloat32("w", got); err == nil {
			t.Errorf("byte %d flipped went unnoticed", i)
		} else if !strings.Contains(err.Error(), `tensor "w"`) {
			t.Errorf("%v does not name the tensor", err)
		}
	}
}

func must(t *testing.T, file []byte) *File {
	t.Helper()
	f, err := readBytes(file)
	if err != nil {
		t.Fatal(err)
	}
	return f
}
