// Package disktest gives tests the disks that artists have: one that is full, one that may only be read, one that never
// answers, a file that is in use. They are real ones, mounted for the test, which takes Linux and root's rights:
// elsewhere the test that asks for one is skipped and says why. For the rest there is a file in memory.
package disktest
