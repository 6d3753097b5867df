"""Fits what a hit is weighed by, and prints the weights of crates/memora-retrieve/src/relevance.rs.

    fit.py BASE_DIR MODEL_DIR TRAINED.jsonl HELD_OUT.jsonl

Both are what `memora-eval candidates --limit 300` prints: TRAINED for all questions, to weigh what the transformer has not
read; HELD_OUT for those over repositories that the network was not trained on, with and without answers. Figures are
printed on stderr.
"""

import argparse
import json
import sys
from pathlib import Path

import numpy as np
import torch
from sklearn.linear_model import LogisticRegression

import train

READ = 60
LIKENESS = 0
# The features that still help beside the likeness, on questions that nothing was fitted to.
BESIDE = [0, 5, 6, 8, 9]
# What the weights of those that were not read count beside those of what was.
SHARE = 0.3
# The likeness of what has nothing to do with a question, about.
UNRELATED = 0.5


def rows(path):
    found = [json.loads(line) for line in open(path, encoding="utf-8")]
    found = [row for row in found if row["candidates"]]
    for row in found:
        row["x"] = np.array([c["features"] for c in row["candidates"]], np.float64)
        row["y"] = np.array([c["right"] for c in row["candidates"]], bool)
    return found


def listwise(found, columns, steps=300, decay=0.003):
    """The weights under which the right candidate of a question is likeliest among all of its candidates."""
    found = [row for row in found if row["y"].any()]
    x = np.concatenate([row["x"][:, columns] for row in found])
    mean, spread = x.mean(0), x.std(0) + 1e-6
    parts = [(torch.tensor((row["x"][:, columns] - mean) / spread, dtype=torch.float32), torch.tensor(row["y"])) for row in found]
    weights = torch.zeros(len(columns), requires_grad=True)
    optimizer = torch.optim.Adam([weights], lr=0.05)
    for _ in range(steps):
        loss = torch.stack([torch.logsumexp(x @ weights, 0) - torch.logsumexp((x @ weights)[y], 0) for x, y in parts]).mean()
        optimizer.zero_grad()
        (loss + decay * (weights**2).sum()).backward()
        optimizer.step()
    full = np.zeros(found[0]["x"].shape[1])
    full[columns] = weights.detach().numpy() / spread
    return full


def read(reader, row, quick):
    """Keeps the likeliest by all but the transformer, and has it read them."""
    order = np.argsort(-(row["x"] @ quick), kind="stable")[:READ]
    row["x"], row["y"], row["quick"] = row["x"][order], row["y"][order], quick
    with torch.no_grad():
        question = reader.states([reader.pieces(row["question"])])
        row["x"][:, LIKENESS] = reader.table_of_scores(question, [row["candidates"][at] for at in order])[0].numpy()


def judged(name, found, weights):
    answerable, at = [row for row in found if row["answerable"]], np.zeros(6)
    for row in answerable:
        right = row["y"][np.argsort(-(row["x"] @ weights), kind="stable")]
        if right.any():
            at += [right.argmax() < cut for cut in (1, 3, 5, 10, 50, 100)]
    print(name, "first, among 3, 5, 10, 50, 100:", np.round(at / max(len(answerable), 1), 3), file=sys.stderr)


def evidence(found, weights):
    """Whether the best is right, by its likeness and how far it is ahead of the next."""
    x, y = [], []
    for row in found:
        best = np.argmax(row["x"] @ (weights + SHARE * row["quick"]))
        alone = row["x"] @ weights
        ahead = alone[best] - max([UNRELATED * weights[LIKENESS], *np.delete(alone, best)])
        x.append([row["x"][best, LIKENESS], np.clip(ahead, -6, 6)])
        y.append(row["y"][best])
    model = LogisticRegression(C=10, max_iter=1000).fit(x, y)
    probability = model.predict_proba(x)[:, 1]
    answerable, y = np.array([row["answerable"] for row in found]), np.array(y)
    for bound in np.arange(0.2, 0.75, 0.05):
        over = probability >= bound
        figures = (over[answerable].mean(), over[~answerable].mean(), y[over].mean() if over.any() else 0.0)
        print("bound %.2f: over %.2f of answerable, %.2f of the others; right %.2f" % (bound, *figures), file=sys.stderr)
    return *model.coef_[0], model.intercept_[0]


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    for name in ("base", "model", "trained", "held_out"):
        parser.add_argument(name, type=Path)
    args = parser.parse_args()
    trained, held_out = rows(args.trained), rows(args.held_out)
    quick = listwise(trained, [at for at in range(trained[0]["x"].shape[1]) if at != LIKENESS])
    judged("quick, held out:", held_out, quick)
    reader = train.Reader(args.base)
    reader.restore(args.model)
    for row in held_out:
        read(reader, row, quick)
    full = listwise(held_out, BESIDE)
    judged("read, held out:", held_out, full + SHARE * quick)
    likeness, ahead, bias = evidence(held_out, full)
    print("QUICK", [round(float(weight), 2) for weight in quick])
    print("READ", [round(float(weight), 2) for weight in full])
    print(f"probability: 1 / (1 + exp({-bias:.2f} - {likeness:.2f} * likeness - {ahead:.3f} * ahead))")
