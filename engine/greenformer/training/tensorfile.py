"""Safetensors files: eight bytes of header length, a JSON header, then the raw tensors."""

import json
import os
import struct

import numpy as np
import torch

TYPES = {"F64": np.float64, "F32": np.float32, "F16": np.float16, "U8": np.uint8}
NAMES = {torch.float64: "F64", torch.float32: "F32", torch.float16: "F16", torch.uint8: "U8"}


def read(path: str):
    """Returns the tensors by name and the metadata (empty where the file has none)."""
    with open(path, "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(length))
        body = file.read()
    metadata = header.pop("__metadata__", {})
    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        values = np.frombuffer(body[begin:end], TYPES[entry["dtype"]]).reshape(entry["shape"])
        tensors[name] = torch.from_numpy(values.copy())
    return tensors, metadata


def write(path: str, tensors: dict, metadata: dict) -> None:
    """Writes tensors in order of their names; the file appears whole or not at all."""
    header, offset, chunks = {"__metadata__": metadata}, 0, []
    for name in sorted(tensors):
        tensor = tensors[name].detach().cpu().contiguous()
        chunk = tensor.numpy().tobytes()
        header[name] = {
            "dtype": NAMES[tensor.dtype],
            "shape": list(tensor.shape),
            "data_offsets": [offset, offset + len(chunk)],
        }
        offset += len(chunk)
        chunks.append(chunk)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path + ".part", "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + b"".join(chunks))
    os.replace(path + ".part", path)
