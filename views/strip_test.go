//go:build !headless

package views

import "fmt"

func (a *asked) SwitchTo(id int)     { a.note(fmt.Sprint("switch ", id)) }
func (a *asked) ClosePlate(id int)   { a.note(fmt.Sprint("close ", id)) }
func (a *asked) CopyLook(ids []int)  { a.note(fmt.Sprint("copy look ", ids)) }
func (a *asked) KeyAll()             { a.note("key all") }
func (a *asked) ExportAll()          { a.note("export all") }
func (a *asked) StopStrip()          { a.note("stop strip") }
func (a *asked) Restore(name string) { a.note("restore " + name) }
func (a *asked) Compare(name string) { a.note("compare " + name) }
