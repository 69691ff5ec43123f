"""Mattes, drawn: bodies with soft edges, strands, stripes, veils, panes of glass, discs.

All lengths are pixels. `draw` returns the matte of one layer before any blur, and where on it hair
grows, so that hair gets its own colour.
"""

import math
from typing import NamedTuple

import torch
from torch import Tensor

from fields import Dice, noise, slope_of, soft_step, unit


STRANDS = 14  # single strands at most


class Layer(NamedTuple):
    """All [B, 1, S, S]. `edge` is the signed distance to the body's edge, positive outside; `hair`
    is 1 where the surface is hair; `streak` a value in 0..1 that is constant along each strand."""

    matte: Tensor
    edge: Tensor
    hair: Tensor
    streak: Tensor


class Frame(NamedTuple):
    """Coordinates of the body: x, y [B, 1, S, S] around its centre, rotated and warped; `radius` its
    size, `wave` spare slow noise [B, 2, S, S], `stretch` how many units of x, y a pixel spans."""

    x: Tensor
    y: Tensor
    radius: Tensor
    wave: Tensor
    stretch: Tensor


def pixel_grid(size: int, device):
    """Pixel centres [S, 1], [1, S] around the middle of the picture."""
    axis = torch.arange(size, device=device, dtype=torch.float32) - (size - 1) / 2
    return axis[:, None], axis[None]


def body_frame(dice: Dice, size: int, slow: Tensor) -> Frame:
    """Places a body so that its edge usually crosses the picture, at any scale from an eighth of the
    picture to far larger than it. `slow` as for `draw`."""
    yy, xx = pixel_grid(size, dice.device)
    radius = size * dice.log_uniform(0.12, 2.5)
    toward = dice.angle()
    reach = radius + dice.uniform(-0.35, 0.15) * radius.clamp(max=size)
    cx = dice.uniform(-0.45, 0.45) * size - reach * torch.cos(toward)
    cy = dice.uniform(-0.45, 0.45) * size - reach * torch.sin(toward)
    turn = dice.angle()
    x = (xx - cx) * torch.cos(turn) + (yy - cy) * torch.sin(turn)
    y = -(xx - cx) * torch.sin(turn) + (yy - cy) * torch.cos(turn)
    # The strongest waves of `slow` are about two a frame: beyond this amplitude space would fold.
    amplitude = size / (4 * math.pi) * dice.uniform(0, 0.6)
    x, y = x + amplitude * slow[:, 2:3], y + amplitude * slow[:, 3:4]
    stretch = torch.maximum(slope_of(x), slope_of(y)).clamp(0.5, 2)
    return Frame(x, y, radius, slow[:, 0:2], stretch)


def body_distance(dice: Dice, size: int, frame: Frame, level: Tensor, rough: Tensor) -> Tensor:
    """Signed distance, to first order, to the edge of one of: lobed blob, blob with a limb, level set
    of noise, half plane, nothing but subject."""
    x, y, radius = frame.x, frame.y, frame.radius
    theta = torch.atan2(y, x)
    lobes = 1
    for k, most in ((2, 0.2), (3, 0.12), (5, 0.06), (9, 0.03)):
        lobes = lobes + dice.uniform(-most, most) * torch.sin(k * theta + dice.angle())
    blob = torch.hypot(x, y) - radius * lobes
    limb_x = (x.abs() - radius * dice.uniform(0.5, 2)).clamp(min=0)
    limb = torch.hypot(limb_x, y) - size * dice.log_uniform(0.01, 0.15)
    kind = dice.uniform(0, 1)
    field = torch.where(kind < 0.6, torch.minimum(blob, limb), (level - dice.uniform(-1.2, 0.8)) * size)
    field = torch.where(kind < 0.45, blob, field)
    field = torch.where(kind > 0.83, y - dice.uniform(-0.3, 0.3) * size * (kind < 0.96), field)
    steep = slope_of(field)
    usual = steep.mean((2, 3), keepdim=True).clamp(min=1e-4)
    # The local slope makes distances right at the edge; far from it, it would only make them bumpy.
    near = torch.exp(-((field / (20 * usual)) ** 2))
    field = field / (usual + (steep.maximum(0.3 * usual) - usual) * near)
    field = field + rough * dice.uniform(0, 5) * dice.chance(0.4)
    return torch.where(kind > 0.96, torch.full_like(field, -4.0 * size), field)


def line_cover(distance: Tensor, width: Tensor) -> Tensor:
    """How much of a pixel a line of the given width covers, `distance` off its centre."""
    return (torch.minimum(distance + width / 2, distance.new_tensor(0.5))
            - torch.maximum(distance - width / 2, distance.new_tensor(-0.5))).clamp(0, 1)


def fringe(dice: Dice, frame: Frame, edge: Tensor, wave: Tensor):
    """Dense strands standing on the edge, leaning, waving and tapering. Returns cover and streak."""
    theta = torch.atan2(frame.y, frame.x)
    spacing = dice.log_uniform(2.5, 25)
    count = torch.round(2 * math.pi * frame.radius / spacing).clamp(min=8)
    lean = torch.hypot(frame.x, frame.y) * dice.uniform(-1, 1) + wave * dice.uniform(0, 9)
    along = theta * (count / (2 * math.pi)) + lean / spacing
    strand = torch.round(along)
    # A different fixed number for every strand.
    streak = torch.frac(torch.sin(strand * 12.9898 + dice.angle()) * 43758.547).abs()
    # Where the waves bunch the strands, the distance between two of them is less.
    distance = (along - strand).abs() / slope_of(along).clamp(0.2 / spacing, 3 / spacing)
    length = dice.log_uniform(12, 220) * (0.25 + 0.75 * streak)
    rest = 1 - edge / length
    width = dice.log_uniform(0.6, 4) * (0.5 + streak) * rest.clamp(0, 1).sqrt()
    cover = line_cover(distance, width) * (edge > -4) * (rest > 0)
    return cover * dice.uniform(0.5, 1.1).clamp(max=1), streak


def flyaway(dice: Dice, frame: Frame, size: int, curl: Tensor) -> Tensor:
    """One long strand: an arc that leaves the edge of the body (or any place) and tapers. `curl` is
    the usual radius of the plate's curls."""
    start = torch.where(dice.uniform(0, 1) < 0.7, frame.radius, size * dice.uniform(0.05, 1.5))
    place, spin = dice.angle(), dice.sign()
    radius, length = curl * dice.log_uniform(0.4, 2.5), dice.log_uniform(25, 320)
    heading = place + dice.uniform(-1.2, 1.2)
    # The centre of the arc lies square to the heading; `nx, ny` points from it to the anchor.
    nx, ny = torch.sin(heading) * spin, -torch.cos(heading) * spin
    vx = frame.x - start * torch.cos(place) + radius * nx
    vy = frame.y - start * torch.sin(place) + radius * ny
    turned = torch.atan2((nx * vy - ny * vx) * spin, nx * vx + ny * vy)
    travelled = torch.where(turned < 0, turned + 2 * math.pi, turned) * radius
    rest = 1 - travelled / length.minimum(6 * radius)
    width = dice.log_uniform(0.4, 3.5) * rest.clamp(0, 1).sqrt()
    distance = (torch.hypot(vx, vy) - radius).abs() / frame.stretch
    return line_cover(distance, width) * (rest > 0) * dice.uniform(0.6, 1.2).clamp(max=1)


def flyaways(dice: Dice, frame: Frame, size: int) -> Tensor:
    cover = torch.zeros_like(frame.x)
    many, curl = dice.uniform(0, 1), dice.log_uniform(15, 500)
    for i in range(STRANDS):
        cover = torch.maximum(cover, flyaway(dice, frame, size, curl) * (many > i / STRANDS))
    return cover


def stripes(dice: Dice, frame: Frame, size: int) -> Tensor:
    """Parallel bars of finite length: fences, blinds, spokes, fingers."""
    pitch = dice.log_uniform(5, 90)
    turn = dice.angle()
    u = (frame.x * torch.cos(turn) + frame.y * torch.sin(turn)) / pitch
    v = frame.y * torch.cos(turn) - frame.x * torch.sin(turn)
    width = dice.uniform(0.08, 0.6) * pitch
    inside = width / 2 - (u - torch.round(u)).abs() * pitch
    ends = size * dice.uniform(0.05, 0.5) - (v - dice.uniform(-0.5, 0.5) * size).abs()
    sides = size * dice.uniform(0.05, 0.5) - (u * pitch - dice.uniform(-0.5, 0.5) * size).abs()
    return soft_step(torch.minimum(torch.minimum(inside, ends), sides), dice.log_uniform(0.6, 6))


def pane(dice: Dice, frame: Frame, size: int) -> Tensor:
    """Glass in a frame, as of spectacles: a clear or hazy ellipse with a thin opaque rim."""
    yy, xx = pixel_grid(size, dice.device)
    turn, radius = dice.angle(), size * dice.log_uniform(0.04, 0.35)
    dx, dy = xx - dice.uniform(-0.5, 0.5) * size, yy - dice.uniform(-0.5, 0.5) * size
    u = dx * torch.cos(turn) + dy * torch.sin(turn)
    v = (dy * torch.cos(turn) - dx * torch.sin(turn)) * dice.uniform(1, 2)
    distance = torch.hypot(u, v) + frame.wave[:, 0:1] * radius * 0.05 - radius
    rim = line_cover(distance.abs(), dice.log_uniform(0.8, 9))
    glass = soft_step(-distance, 1.0) * dice.uniform(-0.2, 0.6).clamp(min=0)
    return torch.maximum(rim, glass)


def blurred_disc(dice: Dice, size: int) -> Tensor:
    """A small thing far out of focus."""
    yy, xx = pixel_grid(size, dice.device)
    distance = torch.hypot(yy - dice.uniform(-0.6, 0.6) * size, xx - dice.uniform(-0.6, 0.6) * size)
    radius = size * dice.log_uniform(0.02, 0.2)
    soft = dice.log_uniform(3, 60)
    t = ((radius + soft / 2 - distance) / soft).clamp(0, 1)
    return t * t * (3 - 2 * t)


def holes(dice: Dice, frame: Frame, size: int) -> Tensor:
    """Gaps enclosed by the subject, as between arm and body: 1 outside them, 0 inside."""
    radius = size * dice.log_uniform(0.02, 0.25)
    px, py = dice.uniform(-0.8, 0.8) * frame.radius, dice.uniform(-0.8, 0.8) * frame.radius
    distance = torch.hypot(frame.x - px, (frame.y - py) * dice.uniform(0.4, 1)) - radius
    return soft_step(distance, dice.log_uniform(0.7, 8))


def draw(dice: Dice, size: int, slow: Tensor, fine: Tensor) -> Layer:
    """One layer. `slow` is noise [B, 7, S, S] of a few waves a frame, the first two of the fewest and
    smoothest, `fine` noise [B, 3, S, S] of shorter waves."""
    frame = body_frame(dice, size, slow)
    edge = body_distance(dice, size, frame, slow[:, 4:5], fine[:, 0:1])
    width = dice.log_uniform(0.6, 10) * torch.exp(0.5 * slow[:, 5:6])
    matte = soft_step(-edge, width)
    matte = matte * (1 - dice.chance(0.2) * (1 - holes(dice, frame, size)))

    veil = dice.uniform(0.15, 0.9) * unit(slow[:, 6:7] + 0.5 * fine[:, 1:2])
    veil = veil * soft_step(dice.uniform(0, 0.3) * size - edge, dice.log_uniform(1, 12))
    matte = torch.maximum(matte, veil * dice.chance(0.22))

    hairy = dice.chance(0.5)
    first, streak = fringe(dice, frame, edge, frame.wave[:, 0:1])
    second, _ = fringe(dice, frame, edge, frame.wave[:, 1:2] + 0.3 * fine[:, 2:3])
    matte = torch.maximum(matte, first * hairy)
    matte = torch.maximum(matte, second * hairy * dice.chance(0.6))
    stray = dice.chance(0.45)
    strands = flyaways(dice, frame, size) * stray
    matte = torch.maximum(matte, strands)

    matte = torch.maximum(matte, stripes(dice, frame, size) * dice.chance(0.15))
    matte = torch.maximum(matte, pane(dice, frame, size) * dice.chance(0.15))
    matte = torch.maximum(matte, blurred_disc(dice, size) * dice.chance(0.15))
    matte = matte * (1 - dice.chance(0.05))
    hair = soft_step(edge + dice.uniform(0, 0.15) * size, 4.0) * hairy
    return Layer(matte, edge, torch.maximum(hair, strands), streak)
