"""GreenFormer: a Hiera encoder, two SegFormer-style decoders and a convolutional refiner.

The encoder is written in spatial form: tokens stay an image [B, H, W, C] all the way, a window of
attention is a square of that image and pooling is a 2x2 maximum. The published network permutes
its tokens into one long sequence instead; both compute the same numbers. Module and parameter
names are the checkpoint's, so `state_dict()` without the batch counters is the file.
"""

from dataclasses import asdict, dataclass
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

MEAN = (0.485, 0.456, 0.406)
STD = (0.229, 0.224, 0.225)
GROUPS = 8  # of the refiner's group norms


@dataclass(frozen=True)
class Config:
    """Sizes of one member of the family. `train` is the side, in pixels, of the square frame that
    the stored position grid covers: the grid is (train / 4) x (train / 4) tokens."""

    embed: int
    heads: int
    stages: tuple
    decoder: int
    refiner: int
    train: int

    @staticmethod
    def from_dict(values: dict) -> "Config":
        return Config(**{**values, "stages": tuple(values["stages"])})

    def to_dict(self) -> dict:
        return {**asdict(self), "stages": list(self.stages)}


NANO = Config(embed=32, heads=1, stages=(1, 2, 4, 1), decoder=64, refiner=24, train=128)


class Output(NamedTuple):
    """What one call computes. Maps are [B, C, H, W]; logits of the decoders are at a quarter of the
    size; `coarse` and `final` are (matte, red, green, blue) in 0..1 at full size."""

    features: list
    alpha_logits: Tensor
    fg_logits: Tensor
    delta: Tensor
    coarse: Tensor
    final: Tensor


def pack(plate: Tensor, hint: Tensor) -> Tensor:
    """Joins an sRGB-encoded plate [B, 3, H, W] and its hint [B, 1, H, W] into the network's input."""
    mean = torch.tensor(MEAN, dtype=plate.dtype, device=plate.device).view(1, 3, 1, 1)
    std = torch.tensor(STD, dtype=plate.dtype, device=plate.device).view(1, 3, 1, 1)
    return torch.cat([(plate - mean) / std, hint], 1)


def resize(x: Tensor, size) -> Tensor:
    return F.interpolate(x, size=tuple(size), mode="bilinear", align_corners=False)


def exact(x: Tensor) -> Tensor:
    """At least in float32."""
    return x if x.dtype == torch.float64 else x.float()


def attend(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Scaled dot-product attention over [N, heads, tokens, head dimension]."""
    if hasattr(F, "scaled_dot_product_attention"):
        return F.scaled_dot_product_attention(q, k, v)
    # PyTorch before 2.0, which Debian 12 carries.
    scores = (q * q.shape[-1] ** -0.5) @ k.transpose(-2, -1)
    return scores.softmax(-1) @ v


def pool(x: Tensor) -> Tensor:
    """2x2 maximum of tokens [B, H, W, C]."""
    b, h, w, c = x.shape
    return x.reshape(b, h // 2, 2, w // 2, 2, c).amax((2, 4))


def split(x: Tensor, window: int, heads: int) -> Tensor:
    """Tokens [B, H, W, C] as [B x windows, heads, tokens of a window, head dimension]; a window of 0
    is the whole frame."""
    b, h, w, c = x.shape
    wh, ww = (window, window) if window else (h, w)
    x = x.reshape(b, h // wh, wh, w // ww, ww, heads, c // heads)
    return x.permute(0, 1, 3, 5, 2, 4, 6).reshape(-1, heads, wh * ww, c // heads)


def join(x: Tensor, window: int, b: int, h: int, w: int) -> Tensor:
    """The inverse of `split`."""
    heads, d = x.shape[1], x.shape[3]
    wh, ww = (window, window) if window else (h, w)
    x = x.reshape(b, h // wh, w // ww, heads, wh, ww, d)
    return x.permute(0, 1, 4, 2, 5, 3, 6).reshape(b, h, w, heads * d)


class Attention(nn.Module):
    def __init__(self, dim: int, out: int, heads: int, window: int, pools: bool):
        super().__init__()
        self.heads, self.window, self.pools = heads, window, pools
        self.qkv = nn.Linear(dim, 3 * out)
        self.proj = nn.Linear(out, out)

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = self.qkv(x).chunk(3, -1)
        query_window = self.window
        if self.pools:
            q, query_window = pool(q), self.window // 2
        b, h, w, _ = q.shape
        y = attend(
            split(q, query_window, self.heads),
            split(k, self.window, self.heads),
            split(v, self.window, self.heads),
        )
        return self.proj(join(y, query_window, b, h, w))


class MLP(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.fc1 = nn.Linear(dim, 4 * dim)
        self.fc2 = nn.Linear(4 * dim, dim)

    def forward(self, x: Tensor) -> Tensor:
        return self.fc2(F.gelu(self.fc1(x)))


class Block(nn.Module):
    def __init__(self, dim: int, out: int, heads: int, window: int, pools: bool):
        super().__init__()
        self.pools = pools
        self.norm1 = nn.LayerNorm(dim, eps=1e-6)
        if dim != out:
            self.proj = nn.Linear(dim, out)
        self.attn = Attention(dim, out, heads, window, pools)
        self.norm2 = nn.LayerNorm(out, eps=1e-6)
        self.mlp = MLP(out)

    def forward(self, x: Tensor) -> Tensor:
        n = self.norm1(x)
        if self.pools:
            x = pool(self.proj(n))
        x = x + self.attn(n)
        return x + self.mlp(self.norm2(x))


class PatchEmbed(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.proj = nn.Conv2d(4, dim, 7, stride=4, padding=3)

    def forward(self, x: Tensor) -> Tensor:
        return self.proj(x)


def block_shapes(config: Config):
    """Yields (dim in, dim out, heads, window, pools) for every block.

    Attention is windowed in stages 1 and 2 and global after, but the choice lags one block: the
    first block of a stage still attends as the stage before it did, and its pooled queries share
    the window of the keys. A window covers 8x8 tokens of stage 1, 4x4 of stage 2.
    """
    dim = config.embed
    for stage, count in enumerate(config.stages):
        out, heads = config.embed << stage, config.heads << stage
        for i in range(count):
            pools = stage > 0 and i == 0
            attends_as = stage - 1 if pools else stage
            yield dim, out, heads, {0: 8, 1: 4}.get(attends_as, 0), pools
            dim = out


class Hiera(nn.Module):
    def __init__(self, config: Config):
        super().__init__()
        self.stages = config.stages
        self.side = config.train // 4
        self.patch_embed = PatchEmbed(config.embed)
        self.pos_embed = nn.Parameter(torch.randn(1, self.side**2, config.embed) * 0.02)
        self.blocks = nn.ModuleList(Block(*shape) for shape in block_shapes(config))

    def positions(self, h: int, w: int) -> Tensor:
        """The stored grid resized to h x w tokens, as [1, C, h, w]."""
        grid = self.pos_embed.reshape(1, self.side, self.side, -1).permute(0, 3, 1, 2)
        if (h, w) == (self.side, self.side):
            return grid
        return F.interpolate(grid, size=(h, w), mode="bicubic", align_corners=False)

    def forward(self, x: Tensor) -> list:
        x = self.patch_embed(x)
        x = (x + self.positions(*x.shape[2:])).permute(0, 2, 3, 1)
        features, block = [], 0
        for count in self.stages:
            for _ in range(count):
                x = self.blocks[block](x)
                block += 1
            features.append(x)
        return features


class Encoder(nn.Module):
    """Holds the level `model` of the checkpoint's names."""

    def __init__(self, config: Config):
        super().__init__()
        self.model = Hiera(config)

    def forward(self, x: Tensor) -> list:
        return self.model(x)


class ScaleProjection(nn.Module):
    def __init__(self, dim: int, out: int):
        super().__init__()
        self.proj = nn.Linear(dim, out)

    def forward(self, x: Tensor) -> Tensor:
        return self.proj(x)


class Decoder(nn.Module):
    def __init__(self, config: Config, outputs: int):
        super().__init__()
        for scale in range(4):
            projection = ScaleProjection(config.embed << scale, config.decoder)
            setattr(self, f"linear_c{scale + 1}", projection)
        self.linear_fuse = nn.Conv2d(4 * config.decoder, config.decoder, 1, bias=False)
        self.bn = nn.BatchNorm2d(config.decoder)
        self.classifier = nn.Conv2d(config.decoder, outputs, 1)

    def forward(self, features: list) -> Tensor:
        size = features[0].shape[1:3]
        # The fusing matrix acts on the four scales concatenated coarse to fine. It commutes with
        # bilinear resizing, so each quarter of it is applied before its scale is enlarged.
        quarters = self.linear_fuse.weight.flatten(1).chunk(4, 1)
        total = 0
        for scale, quarter in zip((4, 3, 2, 1), quarters):
            projection = getattr(self, f"linear_c{scale}")
            y = F.linear(projection(features[scale - 1]), quarter).permute(0, 3, 1, 2)
            total = total + (y if scale == 1 else resize(y, size))
        return self.classifier(F.relu(self.bn(total)))


def norm_relu(x: Tensor, weight: Tensor, bias: Tensor, add=None) -> Tensor:
    """ReLU of (group norm of x, plus `add` where given). Statistics are float32 whatever the precision
    around it: in half precision training diverges."""
    y = F.group_norm(exact(x), GROUPS, weight, bias, 1e-5)
    return F.relu(y if add is None else y + add).to(x.dtype)


class Residual(nn.Module):
    def __init__(self, width: int, dilation: int):
        super().__init__()
        self.conv1 = nn.Conv2d(width, width, 3, padding=dilation, dilation=dilation)
        self.gn1 = nn.GroupNorm(GROUPS, width)
        self.conv2 = nn.Conv2d(width, width, 3, padding=dilation, dilation=dilation)
        self.gn2 = nn.GroupNorm(GROUPS, width)
        self.norm_relu = norm_relu

    def forward(self, x: Tensor) -> Tensor:
        y = self.norm_relu(self.conv1(x), self.gn1.weight, self.gn1.bias)
        return self.norm_relu(self.conv2(y), self.gn2.weight, self.gn2.bias, x)


class Refiner(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(7, width, 3, padding=1), nn.GroupNorm(GROUPS, width))
        self.norm_relu = norm_relu
        for i, dilation in enumerate((1, 2, 4, 8)):
            setattr(self, f"res{i + 1}", Residual(width, dilation))
        self.final = nn.Conv2d(width, 4, 1)
        # The refiner starts as nearly the identity: its output is multiplied by ten.
        nn.init.normal_(self.final.weight, std=1e-3)
        nn.init.zeros_(self.final.bias)

    def fuse_norms(self) -> None:
        """Compiles what runs between the convolutions: the larger part of a training step, and a
        small part of the time that compiling the whole network takes."""
        fused = torch.compile(norm_relu, dynamic=False)
        for block in (self, self.res1, self.res2, self.res3, self.res4):
            block.norm_relu = fused

    def forward(self, rgb: Tensor, coarse: Tensor) -> Tensor:
        x = torch.cat([rgb, coarse], 1).contiguous(memory_format=torch.channels_last)
        x = self.norm_relu(self.stem[0](x), self.stem[1].weight, self.stem[1].bias)
        for block in (self.res1, self.res2, self.res3, self.res4):
            x = block(x)
        # Times ten, bfloat16 would round the logits to steps that show in the matte.
        with torch.autocast(x.device.type, enabled=False):
            return 10 * self.final(x.to(self.final.weight.dtype))


class GreenFormer(nn.Module):
    """Input [B, 4, H, W] from `pack`, H and W multiples of 32."""

    def __init__(self, config: Config):
        super().__init__()
        self.config = config
        self.encoder = Encoder(config)
        self.alpha_decoder = Decoder(config, 1)
        self.fg_decoder = Decoder(config, 3)
        self.refiner = Refiner(config.refiner)

    def guess(self, x: Tensor):
        """What encoder and decoders say of a frame: features, and logits of matte and foreground at a quarter
        of the size."""
        features = self.encoder(x)
        return features, self.alpha_decoder(features), self.fg_decoder(features)

    def refine(self, rgb: Tensor, logits: Tensor):
        """Returns delta, coarse and final of a frame's colours as packed and its logits [B, 4, H/4, W/4]."""
        logits = resize(exact(logits), rgb.shape[2:])
        coarse = torch.sigmoid(logits)
        delta = self.refiner(rgb, coarse)
        return delta, coarse, torch.sigmoid(logits + delta)

    def forward(self, x: Tensor) -> Output:
        features, alpha, fg = self.guess(x)
        return Output(features, alpha, fg, *self.refine(x[:, :3], torch.cat([alpha, fg], 1)))
