// Package dialogs asks the system for its own dialogs, and shows files in its file manager. In a headless build it is
// empty.
package dialogs
