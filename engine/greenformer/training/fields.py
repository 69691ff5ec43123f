"""What every drawing is made of: random parameters, noise fields, filters, colour curves.

A field is a float32 tensor [B, C, S, S]; a parameter is [B, 1, 1, 1], so each plate of a batch has
its own. Noise and blur go through the Fourier transform: one pass, whatever the radius, with other
parameters for every plate.
"""

import math

import torch
import torch.nn.functional as F
from torch import Tensor

MARGIN = 48  # pixels mirrored around a picture before it is filtered; 384 and 768 stay smooth sizes


class Dice:
    """Random parameters for `batch` plates on one device."""

    def __init__(self, batch: int, device):
        self.batch, self.device = batch, device

    def uniform(self, low, high, channels: int = 1) -> Tensor:
        return torch.rand(self.batch, channels, 1, 1, device=self.device) * (high - low) + low

    def log_uniform(self, low: float, high: float) -> Tensor:
        return torch.exp(self.uniform(math.log(low), math.log(high)))

    def angle(self) -> Tensor:
        return self.uniform(0, 2 * math.pi)

    def sign(self) -> Tensor:
        return torch.where(self.uniform(0, 1) < 0.5, -1.0, 1.0)

    def chance(self, probability: float) -> Tensor:
        """1 with the probability, else 0."""
        return (self.uniform(0, 1) < probability).float()


def frequencies(size: int, device):
    """Cycles per pixel along y [S, 1] and x [1, S/2 + 1]."""
    fy = torch.fft.fftfreq(size, device=device)[:, None]
    fx = torch.fft.rfftfreq(size, device=device)[None]
    return fy, fx


def noise(dice: Dice, size: int, channels: int, low, high, slope) -> Tensor:
    """Periodic Gaussian noise, mean 0, variance 1, with amplitudes falling as frequency ** -slope
    between `low` and `high` cycles per frame. An octave gain g is a slope of 1 - log2(g)."""
    fy, fx = frequencies(size, dice.device)
    f = torch.hypot(fy, fx) * size
    band = ((f - low + 1).clamp(0, 1) * (high + 1 - f).clamp(0, 1)) * (f > 0.5)
    amplitude = band * f.clamp(min=0.5) ** -slope
    weight = torch.full_like(fx, 2.0)
    weight[:, 0] = 1.0
    power = (amplitude**2 * weight).sum((-2, -1), keepdim=True).clamp(min=1e-12)
    shape = (dice.batch, channels, size, size // 2 + 1, 2)
    waves = torch.view_as_complex(torch.randn(shape, device=dice.device))
    return torch.fft.irfft2(waves * (amplitude * size**2 / (2 * power).sqrt()), s=(size, size))


def unit(field: Tensor) -> Tensor:
    """Gaussian noise as values in 0..1 around a half."""
    return torch.sigmoid(1.2 * field)


def gaussian(size: int, sigma: Tensor) -> Tensor:
    """Transfer function of a Gaussian blur, sigma in pixels."""
    fy, fx = frequencies(size, sigma.device)
    return torch.exp(-2 * (math.pi * sigma) ** 2 * (fy**2 + fx**2))


def disc(size: int, radius: Tensor) -> Tensor:
    """Transfer function of a lens out of focus: a uniform disc, radius in pixels."""
    fy, fx = frequencies(size, radius.device)
    t = (2 * math.pi * radius * torch.hypot(fy, fx)).clamp(min=1e-3)
    return 2 * torch.special.bessel_j1(t) / t


def line(size: int, length: Tensor, angle: Tensor) -> Tensor:
    """Transfer function of steady motion over a straight line, length in pixels."""
    fy, fx = frequencies(size, length.device)
    return torch.sinc(length * (fx * torch.cos(angle) + fy * torch.sin(angle)))


def padded(size: int) -> int:
    return size + 2 * MARGIN


def filtered(x: Tensor, transfer: Tensor) -> Tensor:
    """Applies a transfer function made for `padded(size)`."""
    y = F.pad(x, (MARGIN,) * 4, mode="reflect")
    y = torch.fft.irfft2(torch.fft.rfft2(y) * transfer, s=y.shape[-2:])
    return y[..., MARGIN:-MARGIN, MARGIN:-MARGIN]


def soft_step(distance: Tensor, width) -> Tensor:
    """0 to 1 across distance 0; a Gaussian edge whose 10-90 % rise takes `width` pixels."""
    return 0.5 + 0.5 * torch.erf(distance * (1.8124 / width))


def over(below: Tensor, above: Tensor, cover: Tensor) -> Tensor:
    return below + (above - below) * cover


def slope_of(field: Tensor) -> Tensor:
    """Length of the gradient of a field, per pixel."""
    gy = F.pad(field[..., 2:, :] - field[..., :-2, :], (0, 0, 1, 1), mode="replicate") / 2
    gx = F.pad(field[..., 2:] - field[..., :-2], (1, 1, 0, 0), mode="replicate") / 2
    return torch.hypot(gy, gx)


def to_linear(x: Tensor) -> Tensor:
    """The sRGB curve, decoded (IEC 61966-2-1)."""
    return torch.where(x <= 0.04045, x / 12.92, ((x.clamp(min=0) + 0.055) / 1.055) ** 2.4)


def to_srgb(x: Tensor) -> Tensor:
    x = x.clamp(min=0)
    return torch.where(x <= 0.0031308, x * 12.92, 1.055 * x.clamp(min=1e-8) ** (1 / 2.4) - 0.055)


def hsv(hue: Tensor, saturation: Tensor, value: Tensor) -> Tensor:
    """RGB [B, 3, 1, 1] of hue (0..1, red 0, green 1/3), saturation and value."""
    channels = []
    for offset in (5, 3, 1):
        k = (offset + 6 * hue) % 6
        channels.append(value * (1 - saturation * torch.minimum(k, 4 - k).clamp(0, 1)))
    return torch.cat(channels, 1)
