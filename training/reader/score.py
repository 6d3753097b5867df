"""How well a trained network tells what is entailed, and what can be told without reading.

    score.py MODEL_DIR ROWS.jsonl ... [--kinds] [--each OUT.jsonl]

For each file and source of rows: AUROC of P(entailed), accuracy at .5, how often the passage that says a sentence scores higher than its twin that
does not, how many true ones are refused where 4 % of the false ones pass. Beside it two giveaways: the share of the sentence's words that stand in
the passage, and a bag of words of the sentence alone (cross-validated by group, of the rows themselves).
"""

import argparse
import json
import re
from pathlib import Path

import numpy as np
import torch


def rows_of(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


@torch.no_grad()
def scored(reader, rows, longest=256):
    """Rows with the three probabilities; `kept` is P(entailed)."""
    reader.eval()
    before = reader.tokenizer.truncation["max_length"]
    reader.longest(longest)
    device = next(reader.parameters()).device
    encoded = reader.encode([(row["premise"], row["hypothesis"]) for row in rows])
    reader.longest(before)
    order = sorted(range(len(rows)), key=lambda at: len(encoded[at].ids))
    likely = np.zeros((len(rows), 3))
    for start in range(0, len(order), 32):
        part = order[start : start + 32]
        tensors = [t.to(device) for t in reader.tensors([encoded[at] for at in part])]
        likely[part] = torch.softmax(reader(*tensors).float(), -1).cpu().numpy()
    return [row | {"likely": p.tolist(), "entailed": float(p[0])} for row, p in zip(rows, likely)]


def area(truth, scores):
    """The share of pairs, one true and one false, that the score puts in order."""
    truth, scores = np.asarray(truth, bool), np.asarray(scores, float)
    if truth.all() or not truth.any():
        return float("nan")
    _, back, counts = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[back]
    yes = truth.sum()
    return (ranks[truth].sum() - yes * (yes + 1) / 2) / (yes * (len(truth) - yes))


def within(rows):
    """Of the pairs of rows with one sentence, one true and one false, the share that is in order."""
    sentences, right, of = {}, 0.0, 0
    for row in rows:
        sentences.setdefault((row["group"], row["hypothesis"]), []).append(row)
    for some in sentences.values():
        for yes in (r for r in some if r["label"] == "entailed"):
            for no in (r for r in some if r["label"] != "entailed"):
                right += (yes["entailed"] > no["entailed"]) + 0.5 * (yes["entailed"] == no["entailed"])
                of += 1
    return right / of if of else float("nan")


def refused(truth, scores, passing=0.04):
    """Of the true ones, the share below the score that so many of the false ones reach."""
    truth, scores = np.asarray(truth, bool), np.asarray(scores, float)
    if truth.all() or not truth.any():
        return float("nan")
    threshold = np.sort(scores[~truth])[::-1][int(passing * (~truth).sum())]
    return float((scores[truth] <= threshold).mean())


def words(text):
    return re.findall(r"\w+", text.lower())


def shared(row):
    mine, there = words(row["hypothesis"]), set(words(row["premise"]))
    return sum(word in there for word in mine) / max(1, len(mine))


def giveaway(rows):
    """AUROC of a bag of the sentence's words, by logistic regression, of ten parts of the groups each from the nine others."""
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GroupKFold

    x = CountVectorizer(ngram_range=(1, 2), token_pattern=r"\w+", binary=True).fit_transform([row["hypothesis"] for row in rows])
    y = np.array([row["label"] == "entailed" for row in rows])
    found = np.zeros(len(rows))
    for train, test in GroupKFold(10).split(x, y, [row["group"] for row in rows]):
        found[test] = LogisticRegression(C=0.3, max_iter=500).fit(x[train], y[train]).decision_function(x[test])
    return area(y, found)


def show(rows, beside=False, name=None):
    by = {}
    for row in rows:
        by.setdefault(name or row["source"], []).append(row)
    for source, some in sorted(by.items()):
        truth = [row["label"] == "entailed" for row in some]
        found = np.array([row["entailed"] for row in some])
        line = f"{source}: {len(some)} rows, AUROC {area(truth, found):.3f}, accuracy {np.mean((found > 0.5) == truth):.3f}"
        line += f", same sentence {within(some):.3f}, refused at 4 % {refused(truth, found):.2f}"
        if beside:
            line += f" | shared words {area(truth, [shared(row) for row in some]):.3f}, bag of words {giveaway(some):.3f}"
        print(line, flush=True)


def main():
    import train

    parser = argparse.ArgumentParser()
    parser.add_argument("model", type=Path)
    parser.add_argument("rows", nargs="+", type=Path)
    parser.add_argument("--longest", type=int, default=256)
    parser.add_argument("--kinds", action="store_true", help="also by kind")
    parser.add_argument("--each", type=Path)
    arguments = parser.parse_args()
    reader, every = train.Reader(arguments.model), []
    for path in arguments.rows:
        found = scored(reader, rows_of(path), arguments.longest)
        every += found
        show(found, beside=True)
        for kind in sorted({row["kind"] for row in found if row["kind"]}) if arguments.kinds else ():
            some = [row for row in found if row["kind"] == kind]
            if len({row["label"] == "entailed" for row in some}) == 2:
                show(some, name=f"  {kind}")
    if arguments.each:
        with open(arguments.each, "w", encoding="utf-8") as file:
            file.writelines(json.dumps({k: row[k] for k in ("group", "label", "kind", "likely")}) + "\n" for row in every)


if __name__ == "__main__":
    main()
