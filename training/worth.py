"""Fits what makes a claim worth being listed, and writes its weights.

    memora-eval claims ROWS.jsonl --vaults FOLDER --traits > TRAITS.jsonl
    worth.py TRAITS.jsonl crates/memora-extract/src/worth_weights.rs

A logistic regression of "right" over the traits. Printed are figures with each vault left out in turn: at several bounds the
shares of the readings kept that are right, vague, wrong and junk, and the share of wanted statements that keep one.
"""

import json
import re
import sys

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

STRENGTH = 0.3
# Traits in the order of the weights.
SOURCE = "crates/memora-extract/src/worth.rs"
ALLOW = '#[allow(clippy::approx_constant, reason = "fitted, and near to nothing by chance alone")]'


def model():
    return LogisticRegression(C=STRENGTH, max_iter=3000)


def main(traits, out):
    rows = [json.loads(line) for line in open(traits, encoding="utf-8")]
    names = re.findall(r'^    \("(\w+)", \|', open(SOURCE, encoding="utf-8").read(), re.MULTILINE)
    x = np.array([[row["traits"][name] for name in names] for row in rows])
    label = np.array([row["label"] for row in rows])
    vault = np.array([row["repo"] for row in rows])
    wanted = np.array([row["wanted"] is True for row in rows])
    y = label == "right"
    held_out = np.zeros(len(y))
    for one in sorted(set(vault)):
        held_out[vault == one] = model().fit(x[vault != one], y[vault != one]).predict_proba(x[vault == one])[:, 1]
    print(f"{len(y)} readings, {y.mean():.2f} right, area {roc_auc_score(y, held_out):.3f}")
    for bound in (0.5, 0.55, 0.6, 0.62, 0.65, 0.7, 0.75):
        kept = held_out >= bound
        shares = " ".join(f"{name} {np.mean(label[kept] == name):.2f}" for name in ("right", "vague", "wrong", "junk"))
        print(f"{bound:.2f}: {kept.mean():.2f} kept, {shares}, of wanted {kept[wanted].mean():.2f}")
    fitted = model().fit(x, y)
    pairs = zip(names, fitted.coef_[0], strict=True)
    lines = "".join(f"    {weight:.3f}, // {name}\n" for name, weight in pairs)
    head = "//! Written by `training/worth.py`; do not edit.\n\n"
    bias = f"pub(crate) const BIAS: f32 = {fitted.intercept_[0]:.3f};\n\n"
    with open(out, "w", encoding="utf-8") as file:
        file.write(f"{head}{bias}#[rustfmt::skip]\n{ALLOW}\npub(crate) const WEIGHTS: [f32; {len(names)}] = [\n{lines}];\n")


main(*sys.argv[1:])
