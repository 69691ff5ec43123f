"""Keying a whole plate with the network: in one call, in tiles, or in tiles with one refiner over all."""

import torch
import torch.nn.functional as F
from torch import Tensor

from model import GreenFormer, exact, pack

MULTIPLE = 32
COARSE = 4  # pixels a logit


def whole(network: GreenFormer, plate: Tensor, hint: Tensor) -> Tensor:
    """One call over [B, 3, H, W] and [B, 1, H, W] of any size: matte and foreground [B, 4, H, W]."""
    return network(padded(plate, hint)).final[(..., *within(plate))]


def tiled(network: GreenFormer, plate: Tensor, hint: Tensor, tile=768, overlap=64) -> Tensor:
    """As `whole`, tile by tile at the plate's own resolution."""
    b, _, h, w = plate.shape
    total, weights = plate.new_zeros(b, 4, h, w), plate.new_zeros(1, 1, h, w)
    for y in starts(h, tile, overlap):
        for x in starts(w, tile, overlap):
            area = square(y, x, tile)
            result = whole(network, plate[area], hint[area])
            weight = fade(y, x, result.shape[2:], (h, w), overlap, plate.device)
            total[area] += result * weight
            weights[area] += weight
    return total / weights


def framed(network: GreenFormer, plate: Tensor, hint: Tensor, tile=768, overlap=64) -> Tensor:
    """As `tiled`, with the refiner once over the frame."""
    packed = padded(plate, hint)
    logits = blended(network, packed, tile, overlap)
    return network.refine(packed[:, :3], logits)[-1][(..., *within(plate))]


def blended(network: GreenFormer, packed: Tensor, tile: int, overlap: int) -> Tensor:
    """Logits [B, 4, H/4, W/4] of a packed frame, blended of tiles; its sides, the tile's and the overlap are
    multiples of 32."""
    b, _, h, w = packed.shape
    corners = [(y, x) for y in starts(h, tile, overlap) for x in starts(w, tile, overlap)]
    tiles = guess(network, torch.cat([packed[square(y, x, tile)] for y, x in corners]))
    h, w, overlap = h // COARSE, w // COARSE, overlap // COARSE
    total, weights = packed.new_zeros(b, 4, h, w), packed.new_zeros(1, 1, h, w)
    for (y, x), logits in zip(corners, tiles.split(b)):
        y, x = y // COARSE, x // COARSE
        area = square(y, x, tile // COARSE)
        weight = fade(y, x, logits.shape[2:], (h, w), overlap, packed.device)
        total[area] += logits * weight
        weights[area] += weight
    return total / weights


def guess(network: GreenFormer, packed: Tensor) -> Tensor:
    """Logits [B, 4, H/4, W/4] of matte and foreground."""
    _, alpha, fg = network.guess(packed)
    return exact(torch.cat([alpha, fg], 1))


def padded(plate: Tensor, hint: Tensor) -> Tensor:
    """The network's input, its edge repeated until the sides are multiples of 32."""
    h, w = plate.shape[2:]
    return F.pad(pack(plate, hint), (0, -w % MULTIPLE, 0, -h % MULTIPLE), mode="replicate")


def within(plate: Tensor):
    """The plate's own part of what is computed of it padded."""
    h, w = plate.shape[2:]
    return slice(h), slice(w)


def square(y: int, x: int, side: int):
    return (..., slice(y, y + side), slice(x, x + side))


def starts(length: int, tile: int, overlap: int) -> list:
    """Where tiles begin along one side; the last one ends with the plate."""
    if length <= tile:
        return [0]
    return [*range(0, length - tile, tile - overlap), length - tile]


def fade(y: int, x: int, size, frame, overlap: int, device) -> Tensor:
    """A tile's weight [H, W]."""
    down = ramp(y, size[0], frame[0], overlap, device)
    return down[:, None] * ramp(x, size[1], frame[1], overlap, device)


def ramp(start: int, size: int, length: int, overlap: int, device) -> Tensor:
    """A tile's weight along one side: rising and falling linearly where it overlaps another."""
    position = torch.arange(size, device=device) + 0.5
    weight = torch.ones(size, device=device)
    if start > 0:
        weight = torch.minimum(weight, position / overlap)
    if start + size < length:
        weight = torch.minimum(weight, (size - position) / overlap)
    return weight
