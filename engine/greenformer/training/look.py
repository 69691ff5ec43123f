"""Draws plates and saves them as a sheet: plate, hint, matte, foreground over grey in every row."""

import argparse

import numpy as np
import torch
from PIL import Image
from torch import Tensor

from plates import Artist, Plates


def over_grey(foreground: Tensor, matte: Tensor) -> Tensor:
    return foreground * matte + 0.5 * (1 - matte)


def sheet(columns: list) -> np.ndarray:
    """Pictures [B, 1 or 3, S, S] side by side, a row for each plate, in 8 bits."""
    picture = torch.cat([c.expand(-1, 3, -1, -1) for c in columns], 3)
    picture = picture.permute(0, 2, 3, 1).flatten(0, 1).clamp(0, 1)
    return (picture * 255).round().to(torch.uint8).cpu().numpy()


def comparison(plates: Plates, result: Tensor) -> np.ndarray:
    """Plate, hint, result, truth, ten times the matte's error, and the result over grey; squares of
    512 pixels from the middle, at full resolution."""
    columns = [plates.plate, plates.hint, result[:, :1], plates.matte,
               (result[:, :1] - plates.matte).abs() * 10, over_grey(result[:, 1:], result[:, :1])]
    first = (plates.plate.shape[-1] - 512) // 2
    middle = (..., slice(first, first + 512), slice(first, first + 512))
    return sheet([c[middle] for c in columns])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", help="picture to write")
    parser.add_argument("--size", type=int, default=384)
    parser.add_argument("--count", type=int, default=8, help="even")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    plates = Artist("cpu").draw(options.count, options.size)
    keyed = over_grey(plates.foreground, plates.matte)
    Image.fromarray(sheet([plates.plate, plates.hint, plates.matte, keyed])).save(options.file)


if __name__ == "__main__":
    main()
