"""Weights to and from the model file: float16 safetensors in the published layout ("torch")."""

import argparse
import datetime
import json
import os

import torch

import tensorfile
from model import NANO, Config, GreenFormer

RECIPE = 2


def save(path: str, config: Config, state: dict, notes: dict) -> None:
    """Writes a state dict as the model file. `notes` are further metadata entries, as text."""
    tensors = {}
    for name, value in state.items():
        if name.endswith("num_batches_tracked"):
            continue
        half = value.detach().float().half()
        if not torch.isfinite(half).all():
            raise ValueError(f"{name} does not fit float16")
        tensors[name] = half
    metadata = {
        "greenformer.config": json.dumps(config.to_dict()),
        "greenformer.layout": "torch",
        "greenformer.heads": str(config.heads),
        "license": "MIT",
        "date": datetime.date.today().isoformat(),
        "recipe": str(RECIPE),
        **notes,
    }
    tensorfile.write(path, tensors, metadata)


def load(path: str) -> GreenFormer:
    """The network of a model file, in float32, ready to run. Every tensor must be there and fit."""
    tensors, metadata = tensorfile.read(path)
    network = GreenFormer(Config.from_dict(json.loads(metadata["greenformer.config"])))
    wanted = {n for n in network.state_dict() if not n.endswith("num_batches_tracked")}
    if wanted != set(tensors):
        raise ValueError(f"{path}: tensors missing or left over: {sorted(wanted ^ set(tensors))}")
    network.load_state_dict({n: t.float() for n, t in tensors.items()}, strict=False)
    return network.eval()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", help="folder of a training run")
    parser.add_argument("file", help="model file to write")
    options = parser.parse_args()
    with open(os.path.join(options.run, "state", "progress.json")) as file:
        progress = json.load(file)
    weights = torch.load(os.path.join(options.run, "state", "best.pt"), map_location="cpu")
    notes = {
        "steps": str(progress["best_step"]),
        "held_out": json.dumps(progress["best_scores"]),
    }
    save(options.file, NANO, weights, notes)


if __name__ == "__main__":
    main()
