// Package command is the command line: greenroom key, machine, preset, bench, model and selftest. Exit codes: 0 done, 1 a
// plate or a check failed, 2 bad usage, 130 interrupted. Errors go to the error stream as
// "greenroom: WHAT: WHY (what to do)".
package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"unicode"

	"github.com/alecthomas/kong"

	"greenroom/app/keying"
	"greenroom/engine/settings"
	"greenroom/presets"
)

// The exit codes.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitInterrupted = 130
)

// grammar is everything that can be typed, but for the window's own arguments.
type grammar struct {
	Help    helpFlag    `short:"h" help:"Show what can be typed here."`
	Version versionFlag `help:"Show the version."`

	Key      keyCommand      `cmd:"" help:"Key plates without a window. Without a PLATE, the sample plate is keyed into keys/."`
	Machine  machineCommand  `cmd:"" help:"Show what this machine is."`
	Preset   presetCommand   `cmd:"" help:"Keep settings and looks under a name, and show which suit a machine."`
	Bench    benchCommand    `cmd:"" help:"Measure what settings cost on this machine."`
	Model    modelCommand    `cmd:"" help:"List, fetch and verify models."`
	Selftest selftestCommand `cmd:"" help:"Check this machine's fast paths against the plain reference."`
}

const description = `Greenroom keys green- and blue-screen plates: a plate and a rough hint go in, a matte and a clean foreground come out.

greenroom [PLATE] opens the window. The commands below work without one.

Exit codes: 0 done, 1 a plate or a check failed (the other plates are still done), 2 bad usage, 130 interrupted.`

// Streams are where a command talks to.
type Streams struct {
	Out, Err io.Writer
	// Live says that Err is a terminal, on which progress may be drawn.
	Live bool

	// detector names another machine than this one; nil for this one.
	detector presets.Detector
}

// Terminal returns the streams of this process.
func Terminal() Streams {
	info, err := os.Stderr.Stat()
	return Streams{Out: os.Stdout, Err: os.Stderr, Live: err == nil && info.Mode()&os.ModeCharDevice != 0}
}

// Wanted reports whether arguments are for the command line: they begin with a command or a flag. Other arguments
// are the window's.
func Wanted(arguments []string) bool {
	if len(arguments) == 0 {
		return false
	}
	first := arguments[0]
	return strings.HasPrefix(first, "-") || slices.Contains([]string{"key", "machine", "preset", "bench", "model", "selftest", "help"}, first)
}

// Run does what arguments say and returns the exit code. An interrupt (Ctrl-C), a closed terminal or a termination signal stops it
// within a second; a second one at once.
func Run(arguments []string, streams Streams) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	context.AfterFunc(ctx, stop)
	return run(ctx, arguments, streams)
}

// errFailed is returned by a command that has told what failed already.
var errFailed = errors.New("failed")

// usageError is bad usage that the grammar itself cannot find.
type usageError struct{ error }

func badUsage(format string, values ...any) error { return usageError{fmt.Errorf(format, values...)} }

func run(ctx context.Context, arguments []string, streams Streams) int {
	if len(arguments) > 0 && arguments[0] == "help" {
		arguments = append(slices.Clone(arguments[1:]), "--help")
	}
	parser, err := newParser(&grammar{}, streams)
	if err != nil {
		return fail(streams, err)
	}
	parsed, err := parser.Parse(joinNegative(arguments))
	if errors.Is(err, errShown) {
		return exitDone
	}
	if err != nil {
		var parse *kong.ParseError
		if errors.As(err, &parse) {
			parsed = parse.Context
		}
		return misuse(streams, parsed, err)
	}
	parsed.BindTo(ctx, (*context.Context)(nil))
	parsed.Bind(streams)
	err = parsed.Run()
	var usage usageError
	switch {
	case ctx.Err() != nil:
		fmt.Fprintln(streams.Err, "greenroom: interrupted")
		return exitInterrupted
	case err == nil:
		return exitDone
	case errors.As(err, &usage):
		return misuse(streams, parsed, err)
	case errors.Is(err, errFailed):
		return exitFailed
	}
	return fail(streams, err)
}

// joinNegative writes a flag and the negative number after it as one word: by itself "--grow -0.5" looks like two
// flags.
func joinNegative(arguments []string) []string {
	var joined []string
	for _, a := range arguments {
		last := len(joined) - 1
		negative := len(a) > 1 && a[0] == '-' && (a[1] == '.' || a[1] >= '0' && a[1] <= '9')
		if negative && last >= 0 && len(joined[last]) > 2 && strings.HasPrefix(joined[last], "--") && !strings.Contains(joined[last], "=") {
			joined[last] += "=" + a
			continue
		}
		joined = append(joined, a)
	}
	return joined
}

func newParser(g *grammar, streams Streams) (*kong.Kong, error) {
	return kong.New(g,
		kong.Name("greenroom"), kong.Description(description), kong.NoDefaultHelp(),
		kong.Writers(streams.Out, streams.Err),
		defaults(),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: true, WrapUpperBound: 100}),
	)
}

// defaults are the values of the engine's own defaults that the grammar's tags name.
func defaults() kong.Vars {
	look := settings.DefaultLook()
	return kong.Vars{
		"settings":       strings.Join(toggles(), ", "),
		"spaces":         spaces(),
		"hint_channels":  strings.Join(hintChannels(), ", "),
		"refiner":        fmt.Sprint(look.Refiner),
		"clip":           fmt.Sprintf("%v,%v", look.ClipBlack, look.ClipWhite),
		"gamma":          fmt.Sprint(look.Gamma),
		"grow":           fmt.Sprint(look.Grow),
		"soften":         fmt.Sprint(look.Soften),
		"despeckle":      fmt.Sprint(look.Despeckle),
		"despeckle_by":   string(look.DespeckleBy),
		"edge_colour":    string(look.EdgeColour),
		"edge_extend":    fmt.Sprint(look.EdgeExtend),
		"despill_limit":  string(look.DespillLimit),
		"despill":        fmt.Sprint(look.Despill),
		"neutral_return": fmt.Sprint(look.NeutralReturn),
		"background":     string(look.Background),
		"place":          string(look.Comp.Placement),
		"blend":          string(look.Comp.Blend),
	}
}

// toggles names the settings that are on or off.
func toggles() []string {
	var names []string
	s := settings.Default()
	for _, n := range settings.Names() {
		if v, _ := s.Get(n); v == true || v == false {
			names = append(names, n)
		}
	}
	return names
}

// fail tells of an error and returns its exit code.
func fail(streams Streams, err error) int {
	complain(streams, err)
	return exitFailed
}

// misuse tells of bad usage and returns its exit code. Parsed is what was understood of it; it may be nil.
func misuse(streams Streams, parsed *kong.Context, err error) int {
	command := "greenroom --help"
	if parsed != nil && parsed.Command() != "" {
		command = "greenroom " + strings.Fields(parsed.Command())[0] + " --help"
	}
	fmt.Fprintf(streams.Err, "greenroom: bad usage: %v (see %s)\n", err, command)
	return exitUsage
}

// complain tells of an error in one line.
func complain(streams Streams, err error) {
	fmt.Fprintf(streams.Err, "greenroom: %s\n", printable(err.Error()))
}

// printable returns text on one line and in UTF-8, without what a terminal would obey: names of files can hold anything.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text)
}

// errShown ends parsing after help or the version was shown.
var errShown = errors.New("shown")

// Version is Greenroom's version, the same as in FyneApp.toml.
const Version = keying.Version

// versionFlag shows the version.
type versionFlag bool

// BeforeReset runs before anything else is looked at, so that no command is needed.
func (versionFlag) BeforeReset(parsed *kong.Context) error {
	fmt.Fprintln(parsed.Stdout, "greenroom", Version)
	return errShown
}

// helpFlag shows the help of the command it stands behind.
type helpFlag bool

// BeforeReset runs before anything else is looked at, so that help needs no valid command line.
func (helpFlag) BeforeReset(parsed *kong.Context) error {
	if err := parsed.PrintUsage(false); err != nil {
		return err
	}
	return errShown
}
