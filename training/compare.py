"""How far the network in the program is from the one that was trained, on pairs of a question and a passage.

    compare.py BASE_DIR MODEL_DIR PAIRS.tsv LIKENESS.txt

PAIRS has a question, a tab and a passage a line; LIKENESS is what `cargo run --release -p memora-embed --example transform`
prints for it. The weights are put into a byte each first, as they are shipped, so that what is left is the arithmetic, and
the byte in which each direction of a passage is kept. Prints the largest difference and the mean one.
"""

import sys
from pathlib import Path

import numpy as np
import torch

import export
import train


@torch.no_grad()
def as_shipped(reader):
    """Puts the weights into bytes and back."""
    for name, weight in reader.weights.items():
        if weight.dim() == 2 and "position" not in name and "token_type" not in name:
            weight.copy_(torch.tensor(export.int8_rows(weight.numpy())[2]))
    # Which of two texts a piece is of is always the first, and added before.
    positions = reader.of("embeddings.position_embeddings.weight")
    kinds = reader.of("embeddings.token_type_embeddings.weight")
    positions.copy_(torch.tensor(export.int8_rows((positions + kinds[0]).numpy())[2]) - kinds[0])
    reader.project.copy_(torch.tensor(export.int8_rows(reader.project.numpy())[2]))


@torch.no_grad()
def compare(base, model, pairs, likeness):
    reader = train.Reader(base)
    reader.restore(model)
    as_shipped(reader)
    lines = [line.rstrip("\n").split("\t") for line in open(pairs, encoding="utf-8")]
    ours = np.loadtxt(likeness)
    asked, order = {}, sorted(range(len(lines)), key=lambda at: len(lines[at][1]))
    theirs = np.zeros(len(lines))
    for start in range(0, len(order), 32):
        part = order[start : start + 32]
        states = reader.states([reader.pieces(lines[at][1]) for at in part])
        for row, at in enumerate(part):
            question = lines[at][0]
            if question not in asked:
                asked[question] = reader.states([reader.pieces(question)])
            passage = tuple(x[row : row + 1] for x in states)
            theirs[at] = float(reader.scores(asked[question], passage)[0, 0])
    off = np.abs(theirs - ours)
    print(f"{len(lines)} pairs: largest difference {off.max():.5f}, mean {off.mean():.6f}")


if __name__ == "__main__":
    compare(*map(Path, sys.argv[1:5]))
