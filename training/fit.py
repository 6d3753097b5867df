"""Fits what a hit is weighed by, and prints crates/memora-retrieve/src/weights.rs.

    fit.py BASE_DIR MODEL_DIR CANDIDATES.jsonl [--judge OTHER.jsonl] > weights.rs

CANDIDATES is what `memora-eval candidates --limit 300` prints for questions over repositories that the network was not
trained on, with and without answers. Figures are printed on stderr, those of OTHER too, which nothing is fitted to.
"""

import argparse
import json
import sys
from pathlib import Path

import numpy as np
import torch
from sklearn.linear_model import LogisticRegression

import train

READ = 100
LIKENESS = 3  # the first features need the transformer


def rows(path):
    found = [json.loads(line) for line in open(path, encoding="utf-8")]
    found = [row for row in found if row["candidates"]]
    for row in found:
        row["x"] = np.array([c["features"] for c in row["candidates"]], np.float64)
        row["y"] = np.array([c["right"] for c in row["candidates"]], bool)
    return found


def fitted(found, columns, weight):
    """Logistic regression over all candidates; returns weights of all features and the bias."""
    x, y = np.concatenate([row["x"] for row in found]), np.concatenate([row["y"] for row in found])
    mean, spread = x[:, columns].mean(0), x[:, columns].std(0) + 1e-6
    model = LogisticRegression(C=weight, max_iter=2000).fit((x[:, columns] - mean) / spread, y)
    weights = np.zeros(x.shape[1])
    weights[columns] = model.coef_[0] / spread
    return weights, float(model.intercept_[0] - (model.coef_[0] / spread * mean).sum())


def quick(row, weights):
    """Keeps the likeliest by all but the transformer, which is what it reads."""
    order = np.argsort(-(row["x"] @ weights[0]), kind="stable")[:READ]
    row["x"], row["y"] = row["x"][order], row["y"][order]
    row["candidates"] = [row["candidates"][at] for at in order]


@torch.no_grad()
def read(reader, row):
    question = reader.states([reader.pieces(row["question"])])
    likeness = reader.table_of_scores(question, row["candidates"])[0].numpy()
    row["x"][:, 0] = likeness
    row["x"][:, 1] = likeness**2
    row["x"][:, 2] = likeness * row["x"][:, 3]


def say(*what):
    print(*what, file=sys.stderr, flush=True)


def judged(name, found, weights):
    answerable = [row for row in found if row["answerable"]]
    at = np.zeros(6)
    for row in answerable:
        right = row["y"][np.argsort(-(row["x"] @ weights[0]), kind="stable")]
        if right.any():
            at += [right.argmax() < cut for cut in (1, 3, 5, 10, 50, 100)]
    say(name, "first, among 3, 5, 10, 50, 100:", np.round(at / len(answerable), 3))


def bounds(name, found, weights):
    """For bounds on the probability of the best: share of questions above, share of those right, none above where none is."""
    best = []
    for row in found:
        odds = row["x"] @ weights[0] + weights[1]
        at = odds.argmax()
        best.append((1 / (1 + np.exp(-odds[at])), row["answerable"], row["y"][at]))
    p, answerable, right = (np.array(part) for part in zip(*best))
    for bound in (0.03, 0.05, 0.08, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6):
        over = p >= bound
        say(
            f"{name} {bound}: over {over[answerable].mean():.2f} of answerable, {over[~answerable].mean():.2f} of the others;",
            f"right {right[over].mean():.2f} of all, {right[over & answerable].mean():.2f} of answerable",
        )


def written(name, weights):
    numbers = ", ".join(f"{weight:.5f}" if weight else "0.0" for weight in weights[0])
    return f"pub(crate) const {name}: Weights = Weights {{ bias: {weights[1]:.5f}, of: [{numbers}] }};\n"


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("base", type=Path)
    parser.add_argument("model", type=Path)
    parser.add_argument("candidates", type=Path)
    parser.add_argument("--judge", type=Path)
    parser.add_argument("--save", type=Path)
    args = parser.parse_args()
    torch.set_num_threads(1)
    sets = {"fitted": rows(args.candidates)} | ({"other": rows(args.judge)} if args.judge else {})
    width = sets["fitted"][0]["x"].shape[1]
    fast = fitted(sets["fitted"], list(range(LIKENESS, width)), 0.05)
    reader = train.Reader(args.base)
    reader.restore(args.model)
    for name, found in sets.items():
        judged(name + ", quick:", found, fast)
        for at, row in enumerate(found):
            quick(row, fast)
            read(reader, row)
            if at % 50 == 0:
                say(at, "of", len(found))
    if args.save:
        import pickle
        pickle.dump({n: [{k: v for k, v in r.items() if k != "candidates"} | {"words": [c["words"] for c in r["candidates"]], "titles": [c["title"] for c in r["candidates"]]} for r in f] for n, f in sets.items()} | {"fast": fast}, open(args.save, "wb"))
    full = fitted(sets["fitted"], list(range(width)), 0.05)
    for name, found in sets.items():
        judged(name + ":", found, full)
        bounds(name, found, full)
    print("//! Written by `training/fit.py`; see `training/README.md` for the questions that these were fitted to.\n")
    print("use crate::relevance::{COUNT, Weights};\n")
    print("const _: () = assert!(COUNT == " + str(width) + ");\n")
    print(written("QUICK", fast) + written("FULL", full), end="")
