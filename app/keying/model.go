package keying

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"greenroom/assets"
	"greenroom/engine/checkpoint"
	"greenroom/engine/greenformer"
	"greenroom/engine/settings"
)

// DefaultModel is the model that is part of the program.
const DefaultModel = "nano"

// Model is a network that is ready to key.
type Model struct {
	*greenformer.Model
	// Name is the catalogue's name, or the path of the file.
	Name string
	// Screen is the screen colour that it knows; auto for both.
	Screen settings.Screen
	// Published is the catalogue's name for these very weights; empty where the file is not one of its own.
	Published string
	// TileFrom is the size in pixels from which it keys better in tiles; 0 where nothing is known.
	TileFrom float64

	file *checkpoint.File
}

// ReadAll reads every weight, which shows damage that names and shapes do not: a broken stream, a number that is
// not finite.
func (m *Model) ReadAll(ctx context.Context) error {
	for _, name := range m.file.Names() {
		if err := ctx.Err(); err != nil {
			return err
		}
		tensor, _ := m.file.Tensor(name)
		if !tensor.DType.Float() {
			continue
		}
		weights := make([]float32, tensor.Elements())
		if err := m.file.ReadFloat32(name, weights); err != nil {
			return err
		}
		for _, v := range weights {
			if v-v != 0 {
				return fmt.Errorf("%s: tensor %s holds numbers that are not finite (fetch or export the file again)", m.Name, name)
			}
		}
	}
	return nil
}

// embeddedName is the catalogue's name of the model that is part of the program.
const embeddedName = "nano"

// preferTiledFrom is the size that the catalogue's prefer_tiled speaks of.
const preferTiledFrom = 1024

// TileFrom returns the size from which a model of the catalogue keys better in tiles; 0 where it says nothing.
func TileFrom(entry checkpoint.Model) float64 {
	if entry.PreferTiled {
		return preferTiledFrom
	}
	return 0
}

// OpenModel opens a model of the catalogue by its name, or a checkpoint file by its path. The caller closes it.
func OpenModel(ctx context.Context, name string) (*Model, error) {
	entry, err := checkpoint.Find(name)
	switch {
	case errors.Is(err, checkpoint.ErrUnknownModel):
		if _, statErr := os.Stat(name); errors.Is(statErr, os.ErrNotExist) {
			return nil, err
		}
		return openFile(ctx, name)
	case err != nil:
		return nil, err
	case entry.Embedded:
		return openEmbedded(entry)
	}
	folder, err := ModelFolder()
	if err != nil {
		return nil, err
	}
	return openInstalled(ctx, entry, folder)
}

// openEmbedded opens the model that is part of the program.
func openEmbedded(entry checkpoint.Model) (*Model, error) {
	data := assets.Nano
	file, err := checkpoint.Read(bytes.NewReader(data), int64(len(data)), entry.Name)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(data)
	return ready(file, hex.EncodeToString(sum[:]), entry, entry.Name)
}

// openFile opens a checkpoint file. A file that the catalogue knows by its hash is taken for that model.
func openFile(ctx context.Context, path string) (*Model, error) {
	file, err := checkpoint.Open(path)
	if err != nil {
		return nil, err
	}
	hash, err := checkpoint.Hash(ctx, path, nil)
	if err != nil {
		file.Close()
		return nil, err
	}
	entry, _, known, err := checkpoint.Identify(hash)
	if err != nil {
		file.Close()
		return nil, err
	}
	if sum := sha256.Sum256(assets.Nano); !known && hash == hex.EncodeToString(sum[:]) {
		if entry, err = checkpoint.Find(embeddedName); err != nil {
			file.Close()
			return nil, err
		}
		known = true
	}
	if !known {
		// Nothing in a file says what it was trained on; networks of this family mostly are on green.
		entry.Screen = checkpoint.GreenScreen
	}
	return ready(file, hash, entry, path)
}

// ready reads the network from an open checkpoint, and closes it on an error.
func ready(file *checkpoint.File, hash string, entry checkpoint.Model, name string) (*Model, error) {
	network, err := greenformer.New(file, hash)
	if err != nil {
		file.Close()
		return nil, err
	}
	m := &Model{Model: network, Name: name, Published: entry.Name, Screen: settings.ScreenAuto, file: file}
	switch entry.Screen {
	case checkpoint.GreenScreen:
		m.Screen = settings.ScreenGreen
	case checkpoint.BlueScreen:
		m.Screen = settings.ScreenBlue
	}
	m.TileFrom = TileFrom(entry)
	return m, nil
}

// openInstalled opens a model that was fetched to this machine, and checks that it is the published one.
func openInstalled(ctx context.Context, entry checkpoint.Model, folder string) (*Model, error) {
	found, ok, err := checkpoint.FindInstalled(entry, folder)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, fmt.Errorf("the model %s is not on this machine (run greenroom model fetch %s, or give the path of its file)", entry.Name, entry.Name)
	}
	file, err := checkpoint.Open(found.Path)
	if err != nil {
		return nil, err
	}
	hash := found.SHA256
	if hash == "" {
		hash, err = checkpoint.Hash(ctx, found.Path, nil)
	} else {
		err = checkpoint.Verify(ctx, found.Path, hash, nil)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return ready(file, hash, entry, entry.Name)
}

// ModelFolder is where fetched models lie on this machine: in the folder that the system keeps for the data of
// programs.
func ModelFolder() (string, error) {
	switch runtime.GOOS {
	case "darwin", "ios", "windows":
		folder, err := os.UserConfigDir()
		if err != nil {
			return "", fmt.Errorf("find the folder for models: %w", err)
		}
		return filepath.Join(folder, "Greenroom", "models"), nil
	}
	if folder := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(folder) {
		return filepath.Join(folder, "greenroom", "models"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("find the folder for models: %w", err)
	}
	return filepath.Join(home, ".local", "share", "greenroom", "models"), nil
}
