"""Colours: what the subject is made of, and the screen behind it. sRGB-encoded, 0..1."""

from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

from fields import Dice, hsv, over, soft_step, unit
from shapes import Layer, pixel_grid

SKIN = (0.80, 0.60, 0.50)
HAIR = (0.42, 0.30, 0.20)


class Screen(NamedTuple):
    """`colour` [B, 3, 1, 1] is the paint, `picture` [B, 3, S, S] the lit screen with all that is on it,
    `markers` [B, 1, S, S] where the tracking markers are, `blue` [B] which screens are blue."""

    colour: Tensor
    picture: Tensor
    markers: Tensor
    blue: Tensor


def tinted(dice: Dice, colour) -> Tensor:
    """A natural colour with its spread over people: [B, 3, 1, 1]."""
    base = torch.tensor(colour, device=dice.device).view(1, 3, 1, 1)
    warmth = torch.cat([dice.uniform(0.9, 1.15), dice.uniform(0.95, 1.05), dice.uniform(0.8, 1.1)], 1)
    return base * warmth * dice.log_uniform(0.25, 1.4)


def subject(dice: Dice, layer: Layer, texture: Tensor, patches: Tensor) -> Tensor:
    """The subject's own colour [B, 3, S, S]. `texture` is noise [B, 3, S, S] of six octaves,
    `patches` noise [B, 2, S, S] of which hard-edged areas are cut."""
    colour = torch.rand(dice.batch, 3, 1, 1, device=dice.device)
    grey = colour.mean(1, keepdim=True)
    colour = over(grey, colour, dice.uniform(0, 1))
    colour = over(colour, tinted(dice, SKIN), dice.chance(0.35))
    other = over(colour, torch.rand(dice.batch, 3, 1, 1, device=dice.device), dice.uniform(0, 1))
    where = (patches[:, 0:1] * dice.log_uniform(1, 40)).clamp(-0.5, 0.5) + 0.5
    surface = over(colour, other, where * dice.chance(0.7))

    shine = dice.uniform(0.4, 1.3)
    lock = tinted(dice, HAIR) * (1 - 0.6 * shine / 2 + shine * 0.6 * (layer.streak - 0.3))
    surface = over(surface, lock.clamp(0, 1), layer.hair * dice.chance(0.8))

    contrast = dice.uniform(0.0, 1.0) ** 2 * 0.3
    mono = texture.mean(1, keepdim=True) * 1.7
    surface = surface * (1 + contrast * over(texture, mono, dice.uniform(0.5, 1)))
    shade = unit(patches[:, 1:2] * dice.uniform(0, 1.5)) * 2
    surface = surface * over(torch.ones_like(shade), shade, dice.uniform(0, 0.8))
    exposure = torch.where(dice.uniform(0, 1) < 0.12, dice.uniform(1.2, 2.5), dice.uniform(0.25, 1.15))
    return (surface * exposure).clamp(0, 1)


def lighting(dice: Dice, size: int, slow: Tensor, fine: Tensor, matte: Tensor) -> Tensor:
    """Light on the screen, around 1: falloff, unevenness, wrinkles, weave, the subject's shadow."""
    yy, xx = pixel_grid(size, dice.device)
    turn = dice.angle()
    ramp = (xx * torch.cos(turn) + yy * torch.sin(turn)) / size
    light = 1 + ramp * dice.uniform(0, 0.5) + slow[:, 0:1] * dice.uniform(0, 0.12)
    ridges = 1 - (slow[:, 1:2] * dice.uniform(1, 4)).abs().clamp(max=1)
    light = light * (1 - ridges * dice.uniform(-0.15, 0.3) * dice.chance(0.3))
    light = light * (1 + fine * dice.uniform(0, 0.05))
    # The subject, blurred and a little to one side.
    shadow = F.pad(F.avg_pool2d(matte, size // 24), (2, 0, 1, 0), mode="replicate")[..., :-1, :-2]
    shadow = F.interpolate(shadow, size=(size, size), mode="bilinear", align_corners=False)
    return light * (1 - shadow * dice.uniform(0, 0.5) * dice.chance(0.4))


def marker(dice: Dice, size: int):
    """The cover of one tracking marker, a cross, a dot or a square, sharp or out of focus."""
    yy, xx = pixel_grid(size, dice.device)
    turn = dice.angle() * dice.chance(0.6)
    dx, dy = xx - dice.uniform(-0.5, 0.5) * size, yy - dice.uniform(-0.5, 0.5) * size
    u = dx * torch.cos(turn) + dy * torch.sin(turn)
    v = dy * torch.cos(turn) - dx * torch.sin(turn)
    half = dice.log_uniform(3, 60)
    arm = half * dice.uniform(0.12, 0.35)
    longer, shorter = torch.maximum(u.abs(), v.abs()), torch.minimum(u.abs(), v.abs())
    cross = torch.minimum(half - longer, arm - shorter)
    kind = dice.uniform(0, 1)
    distance = torch.where(kind < 0.5, cross, half * 0.7 - torch.hypot(u, v))
    distance = torch.where(kind > 0.85, half * 0.6 - longer, distance)
    sharp = dice.chance(0.4)
    width = sharp * dice.uniform(0.7, 2) + (1 - sharp) * dice.log_uniform(2, 45)
    return soft_step(distance, width) * dice.chance(0.28) * dice.uniform(0.3, 1.3).clamp(max=1)


def screen(dice: Dice, size: int, slow: Tensor, fine: Tensor, matte: Tensor, junk: Tensor) -> Screen:
    """A lit screen. `slow` noise [B, 2, S, S], `fine` [B, 1, S, S], `junk` [B, 3, S, S]."""
    blue = dice.chance(0.2)
    hue = over(dice.uniform(0.26, 0.45), dice.uniform(0.55, 0.69), blue)
    saturation, value = dice.uniform(0.35, 1), dice.uniform(0.25, 0.95)
    colour = hsv(hue, saturation, value)
    # Lamps of other colours make the paint's hue drift across the screen.
    drift = dice.uniform(-0.12, 0.12, 3) * dice.chance(0.5)
    picture = colour * lighting(dice, size, slow, fine, matte) + drift * value * unit(slow[:, 1:2])
    markers = torch.zeros_like(matte)
    for _ in range(4):
        cover = marker(dice, size)
        paint = torch.rand(dice.batch, 3, 1, 1, device=dice.device)
        near = hsv(hue + dice.uniform(-0.12, 0.12), saturation * dice.uniform(0.4, 1.2).clamp(max=1),
                   value * dice.uniform(0.5, 1.4))
        paint = over(paint, near, dice.chance(0.5)).clamp(0, 1)
        picture = over(picture, paint, cover)
        markers = torch.maximum(markers, cover)
    picture = garbage(dice, size, picture, junk)
    return Screen(colour, picture.clamp(0, 1), markers, blue.flatten() > 0.5)


def garbage(dice: Dice, size: int, picture: Tensor, junk: Tensor) -> Tensor:
    """The studio beyond the screen's edge, at one side of the frame."""
    yy, xx = pixel_grid(size, dice.device)
    turn = dice.angle()
    distance = xx * torch.cos(turn) + yy * torch.sin(turn) - dice.uniform(0.25, 0.6) * size
    cover = soft_step(distance, dice.log_uniform(0.8, 30)) * dice.chance(0.13)
    base = torch.rand(dice.batch, 3, 1, 1, device=dice.device) * dice.uniform(0.05, 0.9)
    return over(picture, (base * (1 + 0.5 * junk)).clamp(0, 1), cover)
