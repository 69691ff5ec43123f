// Package checkpoint reads the files that trained networks are published in,
// as named tensors, and knows where the known ones come from.
//
// A checkpoint is opened with Open or Read, which look at the content and not
// at the file's ending: safetensors, or the zip container that PyTorch writes
// (.pth, .pt). Opening reads only names, shapes and places; every size is
// checked against the file before memory is spent on it. ReadFloat32 then
// brings one tensor at a time into memory of the caller's.
//
// The package knows nothing of any network: which tensors there have to be,
// and in which order their axes lie, is the business of the package that
// builds the network.
//
// The second half is the catalogue of published checkpoints (Catalogue, Find),
// their hashes (Hash, Verify) and their download (Fetch).
package checkpoint
