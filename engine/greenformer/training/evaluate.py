"""Scores a model on drawn plates that training never saw.

    python3 evaluate.py MODEL.safetensors [--count 16] [--pictures FOLDER]
"""

import argparse
import os

import torch
from PIL import Image

import export
import look
from plates import MATTE_FLOOR, Artist, Plates
from tiles import framed, tiled, whole

SEED = 20_260_101  # of every held-out plate


def held_out(artist: Artist, count: int, size: int, batch: int, box_hint: bool = True) -> list:
    """`count` plates in batches. The random state of the caller is left as it was."""
    devices = [artist.device] if torch.device(artist.device).type == "cuda" else []
    with torch.random.fork_rng(devices=devices):
        torch.manual_seed(SEED + size)
        return [artist.draw(batch, size, box_hint) for _ in range(count // batch)]


def errors(result: torch.Tensor, plates: Plates) -> dict:
    """Sums that `mean_errors` divides: for each group of plates the matte's absolute error, the
    hint's, and the foreground's where it is defined."""
    matte = (result[:, :1] - plates.matte).abs().mean((1, 2, 3))
    rough = (plates.hint - plates.matte).abs().mean((1, 2, 3))
    defined = (plates.matte > MATTE_FLOOR).float()
    colour = ((result[:, 1:] - plates.foreground).abs() * defined).mean(1).sum((1, 2))
    area = defined.sum((1, 2, 3))
    groups = {
        "all": torch.ones_like(plates.linear),
        "linear": plates.linear,
        "encoded": ~plates.linear,
        "green": ~plates.blue,
        "blue": plates.blue,
    }
    sums = {}
    for name, members in groups.items():
        m = members.float()
        values = (m.sum(), (matte * m).sum(), (rough * m).sum(), (colour * m).sum(), (area * m).sum())
        sums[name] = torch.stack(values).double().cpu()
    return sums


def mean_errors(sums: list) -> dict:
    """Mean errors of each group: {"all": {"plates", "matte", "hint", "foreground"}, ...}."""
    table = {}
    for name in sums[0]:
        count, matte, rough, colour, area = torch.stack([s[name] for s in sums]).sum(0).tolist()
        table[name] = {
            "plates": int(count),
            "matte": round(matte / max(count, 1), 5),
            "hint": round(rough / max(count, 1), 5),
            "foreground": round(colour / max(area, 1), 5),
        }
    return table


@torch.no_grad()
def score(network, batches: list, key=whole) -> dict:
    return mean_errors([errors(key(network, p.plate, p.hint), p) for p in batches])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model")
    parser.add_argument("--count", type=int, default=16, help="plates of each kind, a multiple of 4")
    parser.add_argument("--large", type=int, default=2048)
    parser.add_argument("--small", type=int, default=1024)
    parser.add_argument("--pictures", help="folder for sheets of plate, hint, result and truth")
    options = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    network, artist = export.load(options.model).to(device), Artist(device)
    large = held_out(artist, options.count, options.large, 4)
    small = held_out(artist, options.count, options.small, 4)
    rough = held_out(artist, options.count, options.large, 4, box_hint=False)
    for name, batches, key in (
        (f"{options.large}, tiled 768/64", large, tiled),
        (f"{options.large}, tiled 768/64, refiner over the frame", large, framed),
        (f"{options.large}, full frame", large, whole),
        (f"{options.large}, mixed hints, tiled 768/64", rough, tiled),
        (f"{options.small}, full frame", small, whole),
        (f"{options.small}, tiled 768/64", small, tiled),
    ):
        print(name)
        for group, row in score(network, batches, key).items():
            print("  " + group.ljust(8) + "  ".join(f"{k} {v}" for k, v in row.items()), flush=True)
    if options.pictures:
        os.makedirs(options.pictures, exist_ok=True)
        with torch.no_grad():
            for i, plates in enumerate((small + rough)[:6]):
                picture = look.comparison(plates, tiled(network, plates.plate, plates.hint))
                path = os.path.join(options.pictures, f"held_out_{i}.jpg")
                Image.fromarray(picture).save(path, quality=90)


if __name__ == "__main__":
    main()
