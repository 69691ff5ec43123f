"""Keying a whole plate with the network, in tiles or in one call."""

import torch
import torch.nn.functional as F
from torch import Tensor

from model import GreenFormer, pack

MULTIPLE = 32


def whole(network: GreenFormer, plate: Tensor, hint: Tensor) -> Tensor:
    """One call over [B, 3, H, W] and [B, 1, H, W] of any size: matte and foreground [B, 4, H, W]."""
    h, w = plate.shape[2:]
    edge = (0, -w % MULTIPLE, 0, -h % MULTIPLE)
    packed = F.pad(pack(plate, hint), edge, mode="replicate")
    return network(packed).final[..., :h, :w]


def starts(length: int, tile: int, overlap: int) -> list:
    """Where tiles begin along one side; the last one ends with the plate."""
    if length <= tile:
        return [0]
    return [*range(0, length - tile, tile - overlap), length - tile]


def ramp(start: int, size: int, length: int, overlap: int, device) -> Tensor:
    """A tile's weight along one side: rising and falling linearly where it overlaps another."""
    position = torch.arange(size, device=device) + 0.5
    weight = torch.ones(size, device=device)
    if start > 0:
        weight = torch.minimum(weight, position / overlap)
    if start + size < length:
        weight = torch.minimum(weight, (size - position) / overlap)
    return weight


def tiled(network: GreenFormer, plate: Tensor, hint: Tensor, tile=768, overlap=64) -> Tensor:
    """As `whole`, tile by tile at the plate's own resolution."""
    b, _, h, w = plate.shape
    total, weights = plate.new_zeros(b, 4, h, w), plate.new_zeros(1, 1, h, w)
    for y in starts(h, tile, overlap):
        for x in starts(w, tile, overlap):
            area = (..., slice(y, y + tile), slice(x, x + tile))
            result = whole(network, plate[area], hint[area])
            th, tw = result.shape[2:]
            weight = ramp(y, th, h, overlap, plate.device)[:, None] * ramp(x, tw, w, overlap, plate.device)
            total[area] += result * weight
            weights[area] += weight
    return total / weights
