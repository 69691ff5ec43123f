package imageio

import "fmt"

// notePremultiplied is the note on a file whose colour is not straight.
const notePremultiplied = "Its colour was premultiplied with its alpha: it has been divided out."

// notFiniteNote is the note on a file in which n values were NaN or infinite.
func notFiniteNote(n int64) string {
	return fmt.Sprintf("%d of its values are not finite numbers: they were replaced.", n)
}
