// Package app is the workspace behind the window: what is open, what is being read and what went wrong. It
// turns what the engine's rooms report into what the views show. The command line lives in app/command, the
// way of a plate from file to key in app/keying.
package app
