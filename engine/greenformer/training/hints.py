"""Rough hints, of the kinds that people and programs make."""

import torch
import torch.nn.functional as F
from torch import Tensor

from fields import Dice, filtered, gaussian, over, padded, unit


def boxed(matte: Tensor, factor: int) -> Tensor:
    """The matte averaged over squares and enlarged again."""
    small = F.avg_pool2d(matte, factor)
    return F.interpolate(small, size=matte.shape[-2:], mode="bilinear", align_corners=False)


def moved_edge(matte: Tensor, sigma: Tensor, level: Tensor) -> Tensor:
    """A hard mask whose edge is moved by cutting a blurred mask at `level`: over a half erodes it and
    loses what is thin, under a half grows it and closes gaps. Radius about `sigma` pixels."""
    wide = padded(matte.shape[-1])
    blurred = filtered(matte, gaussian(wide, sigma))
    return ((blurred - level) * 8 + 0.5).clamp(0, 1)


def rough(dice: Dice, matte: Tensor, markers: Tensor, drop: Tensor) -> Tensor:
    """A hint [B, 1, S, S] of a random kind for every plate. `drop` is slow noise."""
    averaged = torch.where(dice.uniform(0, 1) < 0.5, boxed(matte, 8), boxed(matte, 4))
    averaged = torch.where(dice.uniform(0, 1) < 0.25, boxed(matte, 16), averaged)

    # By hand or by a segmenter: cut somewhere, eroded or grown, blurred.
    kind = dice.uniform(0, 1)
    cut = dice.uniform(0.2, 0.9)
    sigma = dice.log_uniform(0.5, 14)
    level = torch.where(kind < 0.65, dice.uniform(0.5, 0.93), dice.uniform(0.1, 0.5))
    soft = dice.log_uniform(0.4, 10)
    # By chroma: only what is surely opaque, shrunk and softened by up to 12 pixels each.
    chroma = dice.uniform(0, 1) < 0.4
    cut = torch.where(chroma, dice.uniform(0.9, 0.98), cut)
    sigma = torch.where(chroma, dice.log_uniform(2, 10), sigma)
    level = torch.where(chroma, dice.uniform(0.75, 0.93), level)
    soft = torch.where(chroma, dice.log_uniform(1, 12), soft)

    mask = ((matte - cut) * 50 + 0.5).clamp(0, 1)
    mask = torch.maximum(mask, markers * dice.chance(0.12))
    mask = moved_edge(mask, sigma, level)
    mask = torch.maximum(mask, markers * dice.chance(0.06))
    mask = filtered(mask, gaussian(padded(matte.shape[-1]), soft))

    hint = torch.where(dice.uniform(0, 1) < 0.35, averaged, mask)
    kept = unit((drop + dice.uniform(0.6, 1.6)) * 8)
    return over(hint, hint * kept, dice.chance(0.15)).clamp(0, 1)
