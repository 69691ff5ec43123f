"""Compares the network with maps computed elsewhere in float64: features, logits, delta, result.

    python3 check.py MODEL.safetensors EXPECTED.safetensors

EXPECTED holds, for each size HxW, plate_u8 [H, W, 3], hint_u8 [H, W] and the expected maps
[H, W, C]. Exits with 1 when a map is off by more than the tolerance.
"""

import argparse
import sys

import torch

import export
import tensorfile
from model import GreenFormer, pack


def maps(network: GreenFormer, plate: torch.Tensor, hint: torch.Tensor) -> dict:
    """Every map that EXPECTED may name, as [H, W, C]."""
    dtype = next(network.parameters()).dtype
    plate = plate.to(dtype).permute(2, 0, 1)[None] / 255
    hint = hint.to(dtype)[None, None] / 255
    with torch.no_grad():
        output = network(pack(plate, hint))
    found = {f"feature{i + 1}": f[0] for i, f in enumerate(output.features)}
    planar = {
        "alpha_logits": output.alpha_logits,
        "fg_logits": output.fg_logits,
        "delta": output.delta,
        "alpha": output.final[:, :1],
        "fg": output.final[:, 1:],
    }
    found.update({name: value[0].permute(1, 2, 0) for name, value in planar.items()})
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model")
    parser.add_argument("expected")
    parser.add_argument("--tolerance", type=float, default=1e-4)
    options = parser.parse_args()
    network = export.load(options.model)
    expected, _ = tensorfile.read(options.expected)
    sizes = sorted({name.split(".")[0] for name in expected})
    worst = 0.0
    for precision in (torch.float32, torch.float64):
        network = network.to(precision)
        for size in sizes:
            found = maps(network, expected[f"{size}.plate_u8"], expected[f"{size}.hint_u8"])
            errors = {
                name: float((value.double() - expected[f"{size}.{name}"].double()).abs().max())
                for name, value in found.items()
            }
            worst = max([worst, *errors.values()])
            listed = "  ".join(f"{name} {error:.1e}" for name, error in errors.items())
            print(f"{str(precision)[6:]} {size}: {listed}")
    print(f"largest difference {worst:.1e}, tolerance {options.tolerance:.0e}")
    return int(not worst <= options.tolerance)


if __name__ == "__main__":
    sys.exit(main())
