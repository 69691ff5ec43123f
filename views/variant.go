package views

import "image"

// VariantState is a key of the open plate that can be brought back.
type VariantState struct {
	// Name tells it from the others.
	Name string
	// Title says which it is, Words how it was made, and Differs what differs from the key that is shown, in few words.
	Title, Words, Differs string
	Thumb                 image.Image
	// Shown says that it is the key that is shown, Compared that it is beside that.
	Shown, Compared bool
}

// VariantIntents are what the artist asks for among the keys of a plate.
type VariantIntents interface {
	// Restore brings a key back with its choices. Compare shows one beside the key that is shown; again, it ends that.
	Restore(name string)
	Compare(name string)
}
