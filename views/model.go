package views

// ModelState is the model that keys, those that could, and the one that is being fetched.
type ModelState struct {
	// Name is the one in use: a name, or the path of a file. Label is what the artist reads.
	Name, Label string
	// About says what it is, in a sentence.
	About string
	// Opening is the label of the one that is being opened; empty when none is.
	Opening string
	// Choices are those that are on this machine, Offers those that could be fetched.
	Choices []ModelChoice
	Offers  []ModelChoice
	// Busy says why no other can be chosen now; empty when one can.
	Busy string
	// Fetch is the download that goes on; nil when none does.
	Fetch *FetchState
	// Licence is what has to be accepted before a download begins; nil when nothing has.
	Licence *Licence
}

// ModelChoice is a model to choose or to fetch.
type ModelChoice struct{ Name, Label string }

// FetchState is how far a download is.
type FetchState struct {
	// Words say what is fetched, how much of it is here and how long the rest takes.
	Words string
	// Part is how much of it is here, 0..1; 0 while nobody knows.
	Part float64
}

// Licence is what a model may be used for, as far as it has to be known before it is fetched.
type Licence struct {
	// Title is the model's, About says what will be fetched and from whom.
	Title, About string
	// Name is the licence's, Text its terms in short, URL the publisher's own text.
	Name, Text, URL string
	// Accept is the sentence to agree to.
	Accept string
}

// ModelIntents are what the artist asks for of models.
type ModelIntents interface {
	// ChooseModel chooses a model by its name or the path of its file, OpenModel asks for a file.
	ChooseModel(name string)
	OpenModel()
	// FetchModel asks for a download; AcceptLicence answers what it asks in turn, and ReadLicence shows the publisher's
	// text. StopFetching stops the download; what is here already stays for the next time.
	FetchModel(name string)
	AcceptLicence(yes bool)
	ReadLicence()
	StopFetching()
}
