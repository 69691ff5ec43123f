"""Writes the .pth files of this folder and what they hold.

Made with PyTorch 1.13.1 (Debian 12: apt-get install python3-torch):

    python3 make.py

expected.json maps each file that can be read to its floating-point tensors:
name -> [shape, elements in row-major order].
"""

import collections
import json
import pathlib
import zipfile

import numpy
import torch

HERE = pathlib.Path(__file__).parent


def save(name, value, **options):
    torch.save(value, HERE / name, **options)


def views(base):
    """The same storage seen in every way that a dense tensor may be."""
    grid = base.view(6, 10)
    return collections.OrderedDict(
        base=base,
        slice=base[10:20],
        transposed=grid.t(),
        permuted=base.view(3, 4, 5).permute(2, 0, 1),
        step=base[::3],
        window=grid[1:4, 2:7],
        window_transposed=grid[1:4, 2:7].t(),
        channels_last=torch.arange(120.0).view(2, 3, 4, 5).contiguous(memory_format=torch.channels_last),
        scalar=torch.tensor(2.5),
        empty=torch.zeros(0, 3),
        ones=base.view(1, 60, 1),
    )


def types():
    values = torch.tensor([1.0, -2.5, 3.140625, 65504.0, 1e-7])
    return dict(
        float=values,
        half=values.half(),
        bfloat16=values.bfloat16(),
        double=values.double(),
        long=torch.tensor([1, 2]),
        int=torch.tensor([1], dtype=torch.int32),
        short=torch.tensor([1], dtype=torch.int16),
        char=torch.tensor([1], dtype=torch.int8),
        byte=torch.tensor([1], dtype=torch.uint8),
        bool=torch.tensor([True]),
        complex=torch.tensor([1j]),
    )


def pack_again(source, target):
    with zipfile.ZipFile(HERE / source) as old, zipfile.ZipFile(HERE / target, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(zipfile.ZipInfo(name), old.read(name), zipfile.ZIP_DEFLATED)


def expected(name):
    saved = torch.load(HERE / name)
    saved = saved.get("state_dict", saved)
    return {
        key: [list(value.shape), value.double().reshape(-1).tolist()]
        for key, value in saved.items()
        if torch.is_tensor(value) and value.is_floating_point()
    }


def main():
    torch.manual_seed(0)
    base = torch.arange(60.0) / 7 - 3
    module = torch.nn.Sequential(torch.nn.Conv2d(3, 4, 3), torch.nn.BatchNorm2d(4))
    state = module.state_dict()

    save("module.pth", state)
    save("views.pth", views(base))
    save("types.pth", types())
    save("parameters.pth", {"p": torch.nn.Parameter(base), "q": torch.nn.Parameter(base[3:9])})
    optimiser = {
        "state": {0: {"step": torch.ones(3)}},
        "param_groups": [{"lr": 1e-4, "betas": (0.9, 0.999), "params": [0, 1]}],
    }
    save("training.pth", {"state_dict": state, "epoch": 3, "loss": 0.5, "note": "hi", "done": True, "optimizer": optimiser})
    pack_again("views.pth", "deflated.pth")
    readable = ["module.pth", "views.pth", "types.pth", "parameters.pth", "training.pth", "deflated.pth"]
    (HERE / "expected.json").write_text(json.dumps({name: expected(name) for name in readable}) + "\n")

    save("legacy.pth", state, _use_new_zipfile_serialization=False)
    save("protocol4.pth", {"x": base}, pickle_protocol=4)
    save("wholemodule.pth", torch.nn.Linear(2, 2))
    save("tensor.pth", base)
    save("list.pth", [base])
    save("expanded.pth", {"x": base.expand(2, 60)})
    save("quantized.pth", {"x": torch.quantize_per_tensor(base, 0.1, 0, torch.qint8)})
    save("sparse.pth", {"x": torch.eye(3).to_sparse()})
    save("numpy.pth", {"x": base, "best": numpy.float64(3)})
    torch.jit.save(torch.jit.script(torch.nn.Linear(2, 2)), HERE / "script.pth")


main()
