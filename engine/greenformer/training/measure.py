"""Times drawing and learning on this GPU, with the choices of what to compile."""

import argparse
import time

import torch

import train
from plates import Artist


def milliseconds(work, repeats: int = 10) -> float:
    work()
    work()
    torch.cuda.synchronize()
    began = time.perf_counter()
    for _ in range(repeats):
        work()
    torch.cuda.synchronize()
    return (time.perf_counter() - began) * 1000 / repeats


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--batch", type=int, default=32)
    options = parser.parse_args()
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    torch.backends.cudnn.benchmark = True
    team = train.Team()
    for compiled in ("none", "norms", "all"):
        artist, learner = Artist(team.device, compiled == "all"), train.Learner(team, compiled)
        for lesson in dict.fromkeys(train.FRAMES):
            began = time.perf_counter()
            count = lesson.count(options.batch)
            plates = artist.draw(count, lesson.side)
            learner.learn(plates, lesson.tile, 0.0, 0)
            torch.cuda.synchronize()
            first = time.perf_counter() - began
            drawing = milliseconds(lambda: artist.draw(count, lesson.side))
            learning = milliseconds(lambda: learner.learn(plates, lesson.tile, 0.0, 0))
            print(f"compiled: {compiled}  {count} x {lesson.side}, tile {lesson.tile}: drawing {drawing:.1f} ms, "
                  f"learning {learning:.1f} ms, first {first:.0f} s", flush=True)


if __name__ == "__main__":
    main()
