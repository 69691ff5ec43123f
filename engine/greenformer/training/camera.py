"""From layers to a recorded plate: focus and motion, compositing, and what a camera does after."""

import math

import torch
import torch.nn.functional as F
from torch import Tensor

import fields
from fields import Dice, filtered, gaussian, noise, over, padded

# The DCT of JPEG works on blocks of eight.
BLOCK = 8


def lens_and_motion(dice: Dice, size: int):
    """A transfer function for each plate and [B, 1, 1, 1] where it does anything at all."""
    wide = padded(size)
    defocused, moving = dice.chance(0.35), dice.chance(0.28)
    # Most are slightly soft; a small share is a person far out of focus.
    radius = torch.where(dice.uniform(0, 1) < 0.8, dice.log_uniform(0.5, 6), dice.log_uniform(6, 24))
    length = dice.log_uniform(2, 45)
    acts = torch.maximum(defocused, moving)
    transfer = fields.disc(wide, radius * defocused) * fields.line(wide, length * moving, dice.angle())
    # A little Gaussian blur beside them keeps the sharp cut of both filters from ringing.
    return transfer * gaussian(wide, torch.full_like(radius, 0.5)), acts


def layer_over_layer(dice: Dice, layers: Tensor) -> Tensor:
    """Puts another plate's layer, with its own focus, behind some of the layers. [B, 5, S, S],
    premultiplied, matte last but one; the batch's two halves are kept apart (see `Plates`)."""
    half = dice.batch // 2
    if half < 2:
        return layers
    behind = layers.reshape(2, half, *layers.shape[1:]).roll(1, 1).reshape(layers.shape)
    return layers + behind * (1 - layers[:, 3:4]) * dice.chance(0.25)


def chroma_subsampled(image: Tensor) -> Tensor:
    """4:2:0: colour differences at half the size."""
    luma = (image * image.new_tensor([0.299, 0.587, 0.114]).view(1, 3, 1, 1)).sum(1, keepdim=True)
    small = F.avg_pool2d(image - luma, 2)
    return luma + F.interpolate(small, size=image.shape[-2:], mode="bilinear", align_corners=False)


def block_quantised(image: Tensor, step: Tensor) -> Tensor:
    """Rounds the 8x8 cosine transform of every block, coarser for higher frequencies, as JPEG does.
    `step` [B, 1, 1, 1] is the rounding step of the lowest frequencies, in code values of 0..1."""
    n = torch.arange(BLOCK, device=image.device, dtype=torch.float32)
    basis = torch.cos(math.pi / BLOCK * (n[None] + 0.5) * n[:, None]) * math.sqrt(2 / BLOCK)
    basis[0] /= math.sqrt(2)
    b, c, h, w = image.shape
    blocks = image.reshape(b, c, h // BLOCK, BLOCK, w // BLOCK, BLOCK).transpose(3, 4)
    waves = basis @ blocks @ basis.T
    steps = step[..., None, None] * (1 + 0.6 * (n[:, None] + n[None]))
    waves = torch.round(waves / steps) * steps
    blocks = basis.T @ waves @ basis
    return blocks.transpose(3, 4).reshape(b, c, h, w)


def some(dice: Dice, share: float) -> Tensor:
    """Indices of a random share of the batch, always as many."""
    count = max(1, round(dice.batch * share))
    return torch.randperm(dice.batch, device=dice.device)[:count]


def recorded(dice: Dice, image: Tensor) -> Tensor:
    """Optics, grain, chroma subsampling, block coding and 8-bit rounding of an encoded picture."""
    size = image.shape[-1]
    wide = padded(size)
    picked = some(dice, 0.25)
    part = Dice(len(picked), dice.device)
    softer = gaussian(wide, part.uniform(0, 0.6))
    sharper = 1 + part.uniform(0, 0.8) * (1 - gaussian(wide, part.uniform(0.7, 1.6)))
    transfer = torch.where(part.uniform(0, 1) < 0.5, softer, sharper)
    image = image.index_copy(0, picked, filtered(image[picked], transfer).clamp(0, 1))

    coarse = size * dice.uniform(0.2, 0.75)
    grain = noise(dice, size, 3, 1.0, coarse, 0.0)
    strength = dice.uniform(0, 1) ** 2 * 0.035
    image = image + grain * strength * over(torch.ones_like(image), 1.4 - image, dice.uniform(0, 1))

    picked = some(dice, 0.35)
    image = image.index_copy(0, picked, chroma_subsampled(image[picked]))
    picked = some(dice, 0.2)
    step = Dice(len(picked), dice.device).log_uniform(0.004, 0.06)
    image = image.index_copy(0, picked, block_quantised(image[picked], step))
    image = image.clamp(0, 1)
    return torch.where(dice.uniform(0, 1) < 0.8, torch.round(image * 255) / 255, image)
