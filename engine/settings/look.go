package settings

import (
	"fmt"
	"slices"
	"strings"
)

// Screen is the colour of the screen behind the subject.
type Screen string

const (
	// ScreenAuto finds the screen colour in the plate.
	ScreenAuto Screen = "auto"
	// ScreenGreen is a green screen.
	ScreenGreen Screen = "green"
	// ScreenBlue is a blue screen.
	ScreenBlue Screen = "blue"
)

// Despeckling is a way to remove specks.
type Despeckling string

const (
	// DespeckleIslands removes faint lonely islands and touches nothing else.
	DespeckleIslands Despeckling = "islands"
	// DespeckleReference is what the reference tool does: it also cuts away what lies far from solid areas.
	DespeckleReference Despeckling = "reference"
)

// EdgeColour is where the colour of an edge comes from.
type EdgeColour string

const (
	// EdgeNetwork takes the network's colour.
	EdgeNetwork EdgeColour = "network"
	// EdgePlate takes the plate's colour with the screen unmixed from it, which keeps detail and grain.
	EdgePlate EdgeColour = "plate"
)

// DespillLimit is how much of the screen's colour a pixel may keep.
type DespillLimit string

const (
	// DespillAverage limits the screen's channel to the mean of the two others.
	DespillAverage DespillLimit = "average"
	// DespillMax limits it to the greater of the two others.
	DespillMax DespillLimit = "max"
	// DespillScreen limits it to the mean by subtracting the screen's own colour.
	DespillScreen DespillLimit = "screen"
	// DespillReference is what the reference tool does: the mean in sRGB, half of it added to the others.
	DespillReference DespillLimit = "reference"
)

// DespillLimits lists every limit.
func DespillLimits() []DespillLimit {
	return []DespillLimit{DespillAverage, DespillMax, DespillScreen, DespillReference}
}

// Validate reports a limit that there is not.
func (d DespillLimit) Validate() error { return oneOf("despill limit", d, DespillLimits()...) }

// Background is what a comp shows behind the subject.
type Background string

const (
	// BackgroundChecker is a grey checker of 16-pixel squares.
	BackgroundChecker Background = "checker"
	// BackgroundBlack is black.
	BackgroundBlack Background = "black"
	// BackgroundGrey is middle grey, 0.18 in linear light.
	BackgroundGrey Background = "grey"
	// BackgroundWhite is white.
	BackgroundWhite Background = "white"
	// BackgroundColour is Comp.Colour.
	BackgroundColour Background = "colour"
	// BackgroundPicture is a picture, placed as Comp says.
	BackgroundPicture Background = "picture"
)

// Placement is how a background picture is laid under a plate, before Comp's scale and offset.
type Placement string

const (
	// PlaceFit makes all of the picture fit into the frame.
	PlaceFit Placement = "fit"
	// PlaceFill makes the picture cover the whole frame.
	PlaceFill Placement = "fill"
	// PlaceActual keeps the picture's own size.
	PlaceActual Placement = "1:1"
)

// Blend is the light in which a comp is mixed.
type Blend string

const (
	// BlendLinear mixes linear light, as cameras and compositors do.
	BlendLinear Blend = "linear"
	// BlendDisplay mixes sRGB-encoded values, as Photoshop does.
	BlendDisplay Blend = "display"
)

// Comp says how the key is laid over a background.
type Comp struct {
	// Colour is the background of BackgroundColour, sRGB-encoded, 0..1.
	Colour Colour `toml:"colour"`
	// Placement, then Scale about the frame's middle, then the offset in pixels, say where a picture lies.
	Placement Placement `toml:"placement"`
	Scale     float64   `toml:"scale"`
	OffsetX   float64   `toml:"offset_x"`
	OffsetY   float64   `toml:"offset_y"`
	// Exposure brightens the background picture, in stops, -10..10.
	Exposure float64 `toml:"exposure"`
	// Blend is the light in which both are mixed.
	Blend Blend `toml:"blend"`
}

// ChromaAuto is the chroma smoothing that suits the plate's file: 1 px for JPEGs of reduced colour resolution,
// else none.
const ChromaAuto = -1

// Look says how the key is finished after the network, for any plate: what was drawn on one plate are its
// Marks. Nothing here re-runs the network, but for Screen, ChromaSmooth and KeyExposure. Defaults are those of DefaultLook;
// the order of the fields is the order of the chain.
type Look struct {
	// Screen is the colour of the screen; it chooses the channel swap before the network and the despill channel.
	Screen Screen `toml:"screen"`
	// ChromaSmooth smooths the plate's colour, not its brightness, before hint and network, as the standard
	// deviation of a Gaussian in pixels, 0..10; ChromaAuto goes by the file.
	ChromaSmooth float64 `toml:"chroma_smooth"`
	// KeyExposure brightens the plate for hint and network, and for nothing else, in stops, -4..4.
	KeyExposure float64 `toml:"key_exposure"`
	// Refiner is how much of the network's refiner is used, 0..1.
	Refiner float64 `toml:"refiner"`
	// ClipBlack and ClipWhite remap the matte linearly, so that ClipBlack becomes exactly 0 and ClipWhite exactly 1.
	ClipBlack float64 `toml:"clip_black"`
	ClipWhite float64 `toml:"clip_white"`
	// Gamma brightens the middle of the matte where it is over 1, 0.2..5.
	Gamma float64 `toml:"gamma"`
	// Grow moves the matte's edge outwards, or inwards under 0, in pixels, -20..20.
	Grow float64 `toml:"grow"`
	// Soften blurs the matte by a Gaussian of this standard deviation in pixels, 0..50.
	Soften float64 `toml:"soften"`
	// Despeckle is the area under which a faint lonely island is removed, in pixels of a plate whose long edge
	// is 1920: islands are as large on a proxy as on the plate. DespeckleReference takes it as plain pixels. 0 is off.
	Despeckle int `toml:"despeckle"`
	// DespeckleBy is the way to do it.
	DespeckleBy Despeckling `toml:"despeckle_by"`
	// EdgeColour is where the colour of the edge comes from.
	EdgeColour EdgeColour `toml:"edge_colour"`
	// EdgeExtend is how far the edge's colour is carried outwards in pixels, 0..200; 0 is off.
	EdgeExtend float64 `toml:"edge_extend"`
	// SourceDetail takes the foreground from the plate itself where the matte is solid.
	SourceDetail bool `toml:"source_detail"`
	// DespillLimit is how much of the screen's colour may stay.
	DespillLimit DespillLimit `toml:"despill_limit"`
	// Despill is the strength of spill removal in the foreground, 0..1.
	Despill float64 `toml:"despill"`
	// NeutralReturn is the share of the removed luminance that comes back as neutral, 0..1.
	NeutralReturn float64 `toml:"neutral_return"`
	// Background is what a comp shows behind the subject, and Comp how.
	Background Background `toml:"background"`
	Comp       Comp       `toml:"comp"`
}

// DefaultDespeckle is a disc of 71 pixels, the size of an out-of-focus tracking marker on a plate of 1920.
const DefaultDespeckle = 4000

// DefaultLook returns the look that a new plate starts with.
func DefaultLook() Look {
	return Look{
		Screen:       ScreenAuto,
		ChromaSmooth: ChromaAuto,
		Refiner:      1,
		ClipBlack:    0.02, ClipWhite: 0.98,
		Gamma:     1,
		Despeckle: DefaultDespeckle, DespeckleBy: DespeckleIslands,
		EdgeColour: EdgeNetwork, EdgeExtend: 32,
		SourceDetail: true,
		DespillLimit: DespillAverage,
		Despill:      1, NeutralReturn: 0.5,
		Background: BackgroundChecker,
		Comp:       Comp{Placement: PlaceFill, Scale: 1, Blend: BlendLinear},
	}
}

// Validate reports the first control whose value cannot work, with what would. NaN is refused everywhere.
func (l Look) Validate() error {
	for _, c := range []struct {
		name      string
		value     float64
		low, high float64
	}{
		{"key exposure", l.KeyExposure, -4, 4},
		{"refiner", l.Refiner, 0, 1},
		{"clip black", l.ClipBlack, 0, 1},
		{"clip white", l.ClipWhite, 0, 1},
		{"gamma", l.Gamma, 0.2, 5},
		{"shrink/grow", l.Grow, -20, 20},
		{"soften", l.Soften, 0, 50},
		{"edge extend", l.EdgeExtend, 0, 200},
		{"despill", l.Despill, 0, 1},
		{"neutral return", l.NeutralReturn, 0, 1},
		{"background exposure", l.Comp.Exposure, -10, 10},
		{"background scale", l.Comp.Scale, 0.01, 100},
		{"background offset x", l.Comp.OffsetX, -100_000, 100_000},
		{"background offset y", l.Comp.OffsetY, -100_000, 100_000},
		{"background red", l.Comp.Colour[0], 0, 1},
		{"background green", l.Comp.Colour[1], 0, 1},
		{"background blue", l.Comp.Colour[2], 0, 1},
	} {
		if !(c.value >= c.low && c.value <= c.high) {
			return fmt.Errorf("%s is %v: it goes from %v to %v", c.name, c.value, c.low, c.high)
		}
	}
	switch {
	case l.ClipBlack >= l.ClipWhite:
		return fmt.Errorf("clip is %v,%v: black must be under white", l.ClipBlack, l.ClipWhite)
	case l.Despeckle < 0:
		return fmt.Errorf("despeckle is %d: give an area in pixels, or 0 for off", l.Despeckle)
	case l.ChromaSmooth != ChromaAuto && !(l.ChromaSmooth >= 0 && l.ChromaSmooth <= 10):
		return fmt.Errorf("chroma smooth is %v: it goes from 0 to 10, or %d to go by the file", l.ChromaSmooth, ChromaAuto)
	}
	for _, err := range []error{
		oneOf("screen", l.Screen, ScreenAuto, ScreenGreen, ScreenBlue),
		oneOf("despeckle by", l.DespeckleBy, DespeckleIslands, DespeckleReference),
		oneOf("edge colour", l.EdgeColour, EdgeNetwork, EdgePlate),
		l.DespillLimit.Validate(),
		oneOf("background", l.Background, Backgrounds()...),
		oneOf("background placement", l.Comp.Placement, PlaceFit, PlaceFill, PlaceActual),
		oneOf("blend", l.Comp.Blend, BlendLinear, BlendDisplay),
	} {
		if err != nil {
			return err
		}
	}
	return nil
}

// Backgrounds lists every background.
func Backgrounds() []Background {
	return []Background{
		BackgroundChecker, BackgroundBlack, BackgroundGrey, BackgroundWhite, BackgroundColour, BackgroundPicture,
	}
}

// oneOf reports a word that is not among those that there are.
func oneOf[T ~string](name string, word T, words ...T) error {
	if slices.Contains(words, word) {
		return nil
	}
	list := make([]string, len(words))
	for i, w := range words {
		list[i] = string(w)
	}
	last := len(list) - 1
	return fmt.Errorf("%s is %q: it is %s or %s", name, word, strings.Join(list[:last], ", "), list[last])
}
