package presets

// Detector says for which machine settings are chosen: this one, or any other that is put in its place.
type Detector interface {
	Machine() (Machine, error)
}

// This is the machine that the program runs on. GPUs are those that devices can key on, best first.
type This struct{ GPUs []GPU }

// Machine reads what the machine is: see Detect.
func (t This) Machine() (Machine, error) { return Detect(t.GPUs) }

// As is a machine in words: see Parse.
type As string

// Machine reads the words.
func (a As) Machine() (Machine, error) { return Parse(string(a)) }
