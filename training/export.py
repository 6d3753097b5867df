"""Writes weights for crates/memora-embed: int8 rows, an int4 table of pieces.

    export.py MODEL_DIR OUT.mtrf        MODEL_DIR holds the model.safetensors that train.py writes

The format is described in crates/memora-embed/assets/README.md.
"""

import struct
import sys
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file

POSITIONS = 128
HEADS = 12


def int4_rows(table):
    """Each row in four bits with the scale of the least square error; returns scales, codes (0..15), what they stand for."""
    most = np.abs(table).max(axis=1) + 1e-12
    best = np.full(len(table), np.inf)
    scales = np.zeros(len(table), np.float32)
    for share in np.linspace(0.4, 1.0, 25):
        scale = most * share / 7
        codes = np.clip(np.rint(table / scale[:, None]), -8, 7)
        error = ((codes * scale[:, None] - table) ** 2).sum(axis=1)
        better = error < best
        best[better], scales[better] = error[better], scale[better]
    codes = np.clip(np.rint(table / scales[:, None]), -8, 7)
    return scales, (codes + 8).astype(np.uint8), (codes * scales[:, None]).astype(np.float32)


def int8_rows(matrix):
    """Each row in a byte a weight; returns scales, codes, what they stand for."""
    scales = ((np.abs(matrix).max(axis=1) + 1e-12) / 127).astype(np.float32)
    codes = np.clip(np.rint(matrix / scales[:, None]), -127, 127).astype(np.int8)
    return scales, codes, (codes * scales[:, None]).astype(np.float32)


def tensors(model):
    return {name.removeprefix("bert."): value.astype(np.float32) for name, value in load_file(model).items()}


def layer_names(at):
    layer = f"encoder.layer.{at}."
    return layer, [layer + f"attention.self.{which}" for which in ("query", "key", "value")]


def export(model, out):
    t = tensors(model)
    table = t["embeddings.word_embeddings.weight"]
    # Which of two texts a piece is of: always the first.
    positions = (t["embeddings.position_embeddings.weight"] + t["embeddings.token_type_embeddings.weight"][0])[:POSITIONS]
    layers = max(int(name.split(".")[2]) for name in t if name.startswith("encoder.layer.")) + 1
    inner = t["encoder.layer.0.intermediate.dense.weight"].shape[0]
    with open(out, "wb") as file:
        file.write(b"MTRF0001")
        file.write(struct.pack("<7I", len(table), table.shape[1], layers, HEADS, inner, len(positions), len(t["project"])))
        scales, codes, _ = int4_rows(table)
        file.write(scales.astype("<f4").tobytes())
        file.write((codes[:, 0::2] | codes[:, 1::2] << 4).tobytes())

        def rows(matrix):
            scales, codes, _ = int8_rows(matrix)
            file.write(scales.astype("<f4").tobytes())
            file.write(codes.tobytes())

        def linear(*names):
            rows(np.concatenate([t[name + ".weight"] for name in names]))
            file.write(np.concatenate([t[name + ".bias"] for name in names]).astype("<f4").tobytes())

        def norm(name):
            file.write(t[name + ".weight"].astype("<f4").tobytes())
            file.write(t[name + ".bias"].astype("<f4").tobytes())

        rows(positions)
        norm("embeddings.LayerNorm")
        for at in range(layers):
            layer, qkv = layer_names(at)
            linear(*qkv)
            linear(layer + "attention.output.dense")
            norm(layer + "attention.output.LayerNorm")
            linear(layer + "intermediate.dense")
            linear(layer + "output.dense")
            norm(layer + "output.LayerNorm")
        rows(t["project"])
        file.write(t["matter"].astype("<f4").tobytes())


if __name__ == "__main__":
    export(Path(sys.argv[1]) / "model.safetensors", sys.argv[2])
