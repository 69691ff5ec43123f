"""Trains nano on drawn plates, on one GPU or, under torchrun, on several.

    torchrun --nproc_per_node 2 train.py RUN --minutes 24
    python3 train.py RUN --start nano.safetensors --rate 5e-4 --minutes 18

RUN/state is replaced every minute, and when the run is asked to end (SIGTERM), and holds all that is needed to go
on: the same command resumes.
"""

import argparse
import itertools
import json
import math
import os
import shutil
import signal
import time
from typing import Callable, NamedTuple

import torch
import torch.distributed as dist
from torch import Tensor, nn

import evaluate
import export
from model import NANO, GreenFormer, pack
from plates import MATTE_FLOOR, Artist, Plates
from tiles import COARSE, blended, framed, guess, square, tiled, whole

SMALL, LARGE = 384, 768  # sides of crops
OVERLAP = 64  # of the tiles that a frame is cut into
WARM_UP, WARM_UP_AGAIN = 800, 200  # steps, from scratch and from a file
CLIP = 0.5  # largest gradient norm
EMA = 0.9993
AGREE = 10  # steps between two looks at the clock


def gradient_error(a: Tensor, b: Tensor) -> Tensor:
    """L1 of the differences between neighbours, down and across."""
    d = a - b
    return (d[..., 1:, :] - d[..., :-1, :]).abs().mean() + (d[..., 1:] - d[..., :-1]).abs().mean()


def result_loss(result: Tensor, plates: Plates) -> Tensor:
    """Loss of one result [B, 4, H, W]."""
    matte, truth = result[:, :1], plates.matte
    off = (matte - truth).abs()
    # Screen and core count a little more: there the eye sees the smallest error.
    extreme = ((truth == 0) | (truth == 1)).to(off.dtype)
    loss = 2 * (off * (1 + 0.5 * extreme)).mean() + (off**2).mean() + gradient_error(matte, truth)
    defined = (truth > MATTE_FLOOR) * (0.3 + 0.7 * truth)
    return loss + 0.7 * ((result[:, 1:] - plates.foreground).abs() * defined).mean()


class Lesson(NamedTuple):
    """What the network learns in a step: square plates of `side` pixels, keyed in one call or, with a tile,
    as frames of tiles with one refiner over all."""

    side: int
    tile: int = 0

    def count(self, small: int) -> int:
        """How many of these plates have about as many pixels as `small` of the smallest; even."""
        return max(2, 2 * int(small * (SMALL / self.side) ** 2 / 2))


def two_by_two(tile: int) -> Lesson:
    return Lesson(2 * tile - OVERLAP, tile)


# What follows one another, each for two steps. From a file, the network learns what it does on large plates too.
CROPS = (Lesson(SMALL), Lesson(SMALL), Lesson(LARGE))
FRAMES = (Lesson(SMALL), Lesson(LARGE), two_by_two(768), Lesson(SMALL),
          two_by_two(512), Lesson(LARGE), Lesson(SMALL), Lesson(1472))


def losses(network: nn.Module, plates: Plates, tile: int = 0, agree: float = 0):
    """The training loss and the matte's mean absolute error. `tile` as in Lesson; `agree` weighs how far a
    tile in the middle of the frame is from what the frame was blended of."""
    packed, apart = pack(plates.plate, plates.hint), 0
    with torch.autocast(packed.device.type, torch.bfloat16, enabled=packed.is_cuda):
        logits = blended(network, packed, tile, OVERLAP) if tile else guess(network, packed)
        _, coarse, final = network.refine(packed[:, :3], logits)
        if tile and agree:
            apart = agree * disagreement(network, packed, logits, tile)
    loss = 0.3 * result_loss(coarse, plates) + result_loss(final, plates)
    return loss + apart, (final[:, :1] - plates.matte).abs().mean().detach()


def disagreement(network: nn.Module, packed: Tensor, logits: Tensor, tile: int) -> Tensor:
    """Mean distance of mattes and, as far as they are seen, colours between a tile in the middle of a frame
    and the frame's logits, but for the tile's border, which another tile would cover."""
    corner, border = (packed.shape[-1] - tile) // 2, OVERLAP // COARSE
    middle = guess(network, packed[square(corner, corner, tile)])[..., border:-border, border:-border]
    a = torch.sigmoid(middle)
    b = torch.sigmoid(logits[square(corner // COARSE + border, corner // COARSE + border, a.shape[-1])])
    seen = torch.maximum(a[:, :1], b[:, :1]).detach()
    return (a[:, :1] - b[:, :1]).abs().mean() + 0.35 * ((a[:, 1:] - b[:, 1:]).abs() * seen).mean()


class Team:
    """The processes that train together, one a GPU; alone without torchrun."""

    def __init__(self):
        self.size = int(os.environ.get("WORLD_SIZE", "1"))
        self.rank = int(os.environ.get("RANK", "0"))
        local = int(os.environ.get("LOCAL_RANK", "0"))
        self.device = torch.device("cuda", local) if torch.cuda.is_available() else torch.device("cpu")
        if self.device.type == "cuda":
            torch.cuda.set_device(self.device)
        if self.size > 1:
            dist.init_process_group("nccl" if self.device.type == "cuda" else "gloo")

    def average(self, x: Tensor) -> None:
        if self.size > 1:
            dist.all_reduce(x)
            x /= self.size

    def agreed(self, value: float) -> float:
        """The first process's value, for all."""
        if self.size == 1:
            return value
        shared = torch.tensor([value], dtype=torch.float64, device=self.device)
        dist.broadcast(shared, 0)
        return float(shared)


def floats(network: nn.Module) -> list:
    """Weights and statistics, as the tensors that the network itself uses."""
    return [v for v in network.state_dict().values() if v.is_floating_point()]


class Learner:
    """Network, moving average and optimiser, the same in every process of the team."""

    def __init__(self, team: Team, compiled: str = "none", start: str = "", agree: float = 0):
        torch.manual_seed(1)  # the same first weights in every process
        self.team, self.agree = team, agree
        self.network = (export.load(start) if start else GreenFormer(NANO)).to(team.device)
        # The decoders' batch norms learn only from scratch. A file's statistics stay, so that a few large frames
        # teach what many small ones do.
        self.network.train(not start)
        self.warm_up = WARM_UP_AGAIN if start else WARM_UP
        self.average = GreenFormer(NANO).to(team.device).eval().requires_grad_(False)
        self.average.load_state_dict(self.network.state_dict())
        weights = list(self.network.parameters())
        self.optimiser = torch.optim.AdamW(weights, lr=0.0, betas=(0.9, 0.98), weight_decay=0.02)
        # All gradients lie in one vector, so that averaging and clipping are one operation each.
        self.gradient = torch.zeros(sum(w.numel() for w in weights), device=team.device)
        for weight, part in zip(weights, self.gradient.split([w.numel() for w in weights])):
            weight.grad = part.view_as(weight)
        self.losses = losses
        if compiled != "none":
            torch._dynamo.config.recompile_limit = 64  # lessons have many shapes
        if compiled in ("network", "all"):
            self.losses = torch.compile(losses, dynamic=False)
        elif compiled == "norms":
            self.network.refiner.fuse_norms()
        self.skipped = torch.zeros((), device=team.device)
        self.current, self.averaged = floats(self.network), floats(self.average)

    def learn(self, plates: Plates, tile: int, rate: float, step: int):
        self.gradient.zero_()
        loss, error = self.losses(self.network, plates, tile, self.agree)
        loss.backward()
        self.team.average(self.gradient)
        norm = self.gradient.norm()
        finite = torch.isfinite(norm)
        self.skipped += ~finite
        self.gradient.mul_((CLIP / (norm + 1e-6)).clamp(max=1))
        self.gradient.copy_(torch.where(finite, self.gradient, torch.zeros_like(self.gradient)))
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        self.optimiser.step()
        with torch.no_grad():
            keep = min(EMA, (1 + step) / (10 + step))
            torch._foreach_mul_(self.averaged, keep)
            torch._foreach_add_(self.averaged, self.current, alpha=1 - keep)
        return loss.detach(), error


class Run:
    """The folder of a run and how far it is."""

    def __init__(self, folder: str, learner: Learner):
        self.folder, self.learner = folder, learner
        self.state = os.path.join(folder, "state")
        self.step, self.elapsed = 0, 0.0
        self.best, self.best_step, self.best_scores = None, 0, {}
        self.began = time.monotonic()

    def seconds(self) -> float:
        """Training time so far, earlier starts included."""
        return self.elapsed + time.monotonic() - self.began

    def resume(self) -> None:
        if not os.path.isdir(self.state):
            return
        device = self.learner.team.device

        def part(name):
            return torch.load(os.path.join(self.state, name), map_location=device)

        self.learner.network.load_state_dict(part("weights.pt"))
        self.learner.average.load_state_dict(part("average.pt"))
        self.learner.optimiser.load_state_dict(part("optimiser.pt"))
        self.best = part("best.pt")
        with open(os.path.join(self.state, "progress.json")) as file:
            progress = json.load(file)
        self.step, self.elapsed = progress["step"], progress["seconds"]
        # Another recipe draws other held-out plates: scores of the old ones say nothing about them.
        if progress.get("recipe") == export.RECIPE:
            self.best_step, self.best_scores = progress["best_step"], progress["best_scores"]

    def save(self) -> None:
        """Writes the state beside the old one, then swaps them."""
        fresh, old = self.state + ".new", self.state + ".old"
        os.makedirs(fresh, exist_ok=True)
        best = self.best if self.best is not None else self.learner.average.state_dict()
        parts = {
            "weights.pt": self.learner.network.state_dict(),
            "average.pt": self.learner.average.state_dict(),
            "optimiser.pt": self.learner.optimiser.state_dict(),
            "best.pt": best,
        }
        for name, value in parts.items():
            torch.save(value, os.path.join(fresh, name))
        progress = {
            "step": self.step,
            "seconds": self.seconds(),
            "recipe": export.RECIPE,
            "best_step": self.best_step,
            "best_scores": self.best_scores,
        }
        with open(os.path.join(fresh, "progress.json"), "w") as file:
            json.dump(progress, file, indent=1)
        if os.path.isdir(self.state):
            os.rename(self.state, old)
        os.rename(fresh, self.state)
        shutil.rmtree(old, ignore_errors=True)

    def judge(self, held_out: list) -> None:
        """Scores the moving average on held-out plates and keeps it if it is the best so far: the least mean
        error of the mattes over all ways of keying."""
        scores = {e.name: evaluate.score(self.learner.average, e.batches, e.key)["all"] for e in held_out}
        if not self.best_scores or error(scores) < error(self.best_scores):
            self.best = {k: v.clone() for k, v in self.learner.average.state_dict().items()}
            self.best_step, self.best_scores = self.step, scores
        print(f"held out, step {self.step}: {json.dumps(scores)}", flush=True)


class Exam(NamedTuple):
    """Held-out plates and how they are keyed."""

    name: str
    batches: list
    key: Callable


def exams(artist: Artist, count: int) -> list:
    large = evaluate.held_out(artist, count // 2, 2048, 2)
    return [
        Exam("box hints", evaluate.held_out(artist, count, LARGE, 4), whole),
        Exam("rough hints", evaluate.held_out(artist, count, LARGE, 4, box_hint=False), whole),
        Exam("2048 tiled", large, tiled),
        Exam("2048 framed", large, framed),
        Exam("2048 whole", large, whole),
    ]


def error(scores: dict) -> float:
    return sum(s["matte"] for s in scores.values()) / len(scores)


def turned(plates: Plates) -> Plates:
    """The same plates transposed and mirrored."""
    pictures = [x.transpose(2, 3).flip(3).contiguous() if x.dim() == 4 else x for x in plates]
    return Plates(*pictures)


def lessons(artist: Artist, options, pair: int):
    """Yields plates and their tile without end, a batch for each step from step 2 x `pair` on. Drawing takes
    half as long as learning, so every drawing serves two steps in a row, the second time turned."""
    course = FRAMES if options.start else CROPS
    for pair in itertools.count(pair):
        lesson = course[pair % len(course)]
        plates = artist.draw(lesson.count(options.batch), lesson.side)
        yield plates, lesson.tile
        yield turned(plates), lesson.tile


def rate_at(step: int, progress: float, peak: float, warm_up: int) -> float:
    return peak * min(1, step / warm_up) * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * min(1, progress))))


def train(options) -> None:
    team = Team()
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    torch.backends.cudnn.benchmark = True
    learner = Learner(team, options.compile, options.start, options.agree)
    run = Run(options.run, learner)
    os.makedirs(options.run, exist_ok=True)
    run.resume()
    held_out = exams(Artist(team.device), options.held_out) if team.rank == 0 else []
    artist = Artist(team.device, options.compile == "all")
    torch.manual_seed(1000 * (run.step + 1) + team.rank)  # other plates in every process and start
    seconds = team.agreed(run.seconds())
    saved, judged, noted, noted_at = seconds, seconds, run.step, seconds
    if options.start and run.step == 0 and team.rank == 0:
        run.judge(held_out)  # what must be bettered
    ending = []
    signal.signal(signal.SIGTERM, lambda *_: ending.append(math.inf))
    for plates, tile in lessons(artist, options, run.step // 2):
        if seconds >= 60 * options.minutes:
            break
        rate = rate_at(run.step, seconds / (60 * options.minutes), options.rate, learner.warm_up)
        loss, off = learner.learn(plates, tile, rate, run.step)
        run.step += 1
        if run.step % AGREE:
            continue
        seconds = team.agreed(max(ending, default=run.seconds()))
        if team.rank > 0:
            continue
        if run.step % 200 == 0 or run.step == AGREE:
            pace = (seconds - noted_at) / (run.step - noted)
            noted, noted_at = run.step, seconds
            print(f"step {run.step}  {seconds:.0f} s  {1000 * pace:.1f} ms a step  loss {float(loss):.4f}  "
                  f"matte {float(off):.4f}  skipped {int(learner.skipped)}", flush=True)
        if seconds == math.inf:
            break
        if seconds - judged > options.judge_every:
            judged = seconds
            run.judge(held_out)
        if seconds - saved > 60:
            saved = seconds
            run.save()
    if team.rank == 0:
        run.judge(held_out)
        run.save()
        print("done", flush=True)
    if team.size > 1:
        dist.destroy_process_group()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("run", help="folder of the run; an unfinished run goes on")
    parser.add_argument("--minutes", type=float, required=True, help="length of the whole run")
    parser.add_argument("--start", default="", help="model file to go on from, on large frames too")
    parser.add_argument("--agree", type=float, default=1, help="weight of the disagreement of tile and frame")
    parser.add_argument("--batch", type=int, default=32,
                        help=f"crops of {SMALL} a step and process, even; larger plates are fewer")
    parser.add_argument("--rate", type=float, default=1e-3, help="peak learning rate")
    parser.add_argument("--judge-every", type=float, default=150, help="seconds between scores")
    parser.add_argument("--held-out", type=int, default=32, help="held-out plates of each kind of hint")
    parser.add_argument("--compile", choices=("none", "norms", "network", "all"),
                        default="none", help="what to fuse on a GPU: all is network and drawing")
    train(parser.parse_args())


if __name__ == "__main__":
    main()
