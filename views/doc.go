// Package views holds the window's widgets: they draw the state that they are given and raise the intents of
// the artist through callbacks. They never call the engine. Files that need Fyne are left out of headless builds.
package views
