// Greenroom keys green- and blue-screen plates. With a command it works in the terminal, else it opens the window.
package main

import (
	"os"

	"greenroom/app"
	"greenroom/app/command"
)

func main() {
	if arguments := os.Args[1:]; command.Wanted(arguments) {
		os.Exit(command.Run(arguments, command.Terminal()))
	}
	os.Exit(app.Window(os.Args[1:], os.Stderr))
}
