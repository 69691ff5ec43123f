"""Draws screen plates whose matte and foreground are known exactly.

`Artist.draw` is the whole recipe. The first half of a batch is composited in linear light, the second
in encoded values.
"""

from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

import camera
import hints
import shapes
import surfaces
from fields import Dice, filtered, noise, to_linear, to_srgb, unit

MATTE_FLOOR = 0.01  # the foreground is defined where the matte is above this


class Plates(NamedTuple):
    """Plates [B, 3, S, S] sRGB-encoded, hints and mattes [B, 1, S, S], foregrounds [B, 3, S, S] straight,
    sRGB-encoded and free of spill; `linear` and `blue` [B] say how each was made."""

    plate: Tensor
    hint: Tensor
    matte: Tensor
    foreground: Tensor
    linear: Tensor
    blue: Tensor


def in_halves(x: Tensor, curve) -> Tensor:
    """Applies a transfer curve to the half of the batch that is composited in linear light."""
    half = x.shape[0] // 2
    return torch.cat([curve(x[:half]), x[half:]])


def paint(dice: Dice, size: int, slow: Tensor, fine: Tensor, texture: Tensor, patches: Tensor,
          backdrop: Tensor, junk: Tensor):
    """Draws layer and screen, both in the values they will be composited in. The layer is premultiplied:
    colour (3), matte (1), spill (1)."""
    layer = shapes.draw(dice, size, slow, fine)
    colour = surfaces.subject(dice, layer, texture, patches)
    screen = surfaces.screen(dice, size, backdrop, fine[:, 0:1], layer.matte, junk)
    near = F.avg_pool2d(layer.matte, size // 32)
    near = 1 - F.interpolate(near, size=(size, size), mode="bilinear", align_corners=False)
    spill = dice.uniform(0, 0.35) * dice.chance(0.7) * unit(backdrop[:, 1:2]) * (0.3 + near)
    picture = in_halves(screen.picture, to_linear)
    light = in_halves(colour, to_linear)
    layers = torch.cat([light, torch.ones_like(spill), spill], 1) * layer.matte
    return layers, picture, in_halves(screen.colour, to_linear), screen.markers, screen.blue


def composite(layers: Tensor, picture: Tensor, colour: Tensor):
    """Returns the encoded plate, the matte and the straight encoded foreground."""
    matte = layers[:, 3:4].clamp(0, 1)
    # Nothing shows below a thousandth, and a screen must be able to be exactly 0.
    matte = torch.where(matte < 1e-3, torch.zeros_like(matte), matte)
    matte = torch.where(matte > 1 - 1e-3, torch.ones_like(matte), matte)
    seen = layers[:, :3] + layers[:, 4:5] * colour
    plate = in_halves((seen + picture * (1 - matte)).clamp(0, 1), to_srgb)
    foreground = layers[:, :3] / layers[:, 3:4].clamp(min=MATTE_FLOOR)
    return plate, matte, in_halves(foreground.clamp(0, 1), to_srgb)


class Artist:
    """Draws batches on one device. `compiled` fuses the drawing, at the price of a slow first batch."""

    def __init__(self, device, compiled: bool = False):
        self.device = device
        fuse = torch.compile if compiled else lambda function: function
        self.paint, self.composite = fuse(paint), fuse(composite)

    @torch.no_grad()
    def draw(self, batch: int, size: int, box_hint: bool = False) -> Plates:
        """Draws an even number of square plates, `size` a multiple of 32. `box_hint` makes every hint
        the matte averaged over 8x8 squares, for scoring."""
        dice = Dice(batch, self.device)

        def field(channels, low, high, slope):
            return noise(dice, size, channels, low, high, slope)

        slow = field(5, dice.uniform(1, 3), dice.uniform(4, 24), dice.uniform(1.5, 2.5))
        slow = torch.cat([field(2, 1, 7, 2.2), slow], 1)
        fine = field(3, size / 40, size / dice.uniform(2, 12), dice.uniform(0.5, 1.5))
        first = dice.log_uniform(2, 12)
        texture = field(3, first, first * 64, dice.uniform(1, 2))
        patches = field(2, 1, 30, 1.7)
        backdrop = field(2, 1, dice.uniform(3, 24), 1.8)
        junk = field(3, 2, 128, 1.6)
        drop = field(1, 1, 6, 1.5)
        layers, picture, colour, markers, blue = self.paint(
            dice, size, slow, fine, texture, patches, backdrop, junk)
        transfer, acts = camera.lens_and_motion(dice, size)
        layers = torch.where(acts > 0, filtered(layers, transfer), layers)
        layers = camera.layer_over_layer(dice, layers)
        plate, matte, foreground = self.composite(layers, picture, colour)
        plate = camera.recorded(dice, plate)
        hint = hints.boxed(matte, 8) if box_hint else hints.rough(dice, matte, markers, drop)
        linear = torch.arange(batch, device=self.device) < batch // 2
        return Plates(plate, hint, matte, foreground, linear, blue)
