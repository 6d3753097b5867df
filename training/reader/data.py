"""Puts what a network that reads is trained on and measured by into rows of one form.

    data.py public SOURCES OUT.jsonl [--held OUT.jsonl]      public pairs (README.md says which, and where they are from)
    data.py ours PAIRS.jsonl ENTAILMENT_DIR TRAIN.jsonl DEV.jsonl
    data.py pairs PAIRS.jsonl OUT.jsonl                      such pairs as a whole, to score
    data.py unseen UNSEEN.jsonl VAULTS OUT.jsonl             sentences about passages of public vaults (VAULTS/owner+name)

A row: `premise` (a passage behind its title, headings and date), `hypothesis` (a sentence), `label` (entailed, unsaid,
contradicted, or false where it is not told which of these two), `group` (rows that belong together and are never split
between training and development), `source` and, where known, `kind`.
"""

import argparse
import csv
import datetime
import hashlib
import json
import re
from pathlib import Path

MEANT = {"entailment": "entailed", "neutral": "unsaid", "contradiction": "contradicted"}
FEVER = {"SUPPORTS": "entailed", "REFUTES": "contradicted", "NOT ENOUGH INFO": "unsaid"}
DEV_OF_TEN = 1


def lines(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def table(path):
    with open(path, encoding="utf-8-sig") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def row(premise, hypothesis, label, group, source, kind=None):
    return {"premise": premise.strip(), "hypothesis": hypothesis.strip(), "label": label, "group": group, "source": source, "kind": kind}


def written(text):
    """2026-01-14 as Wednesday, 14 January 2026: the weekday is what sentences have."""

    def day(found):
        try:
            return datetime.date(*map(int, found.groups())).strftime("%A, %-d %B %Y")
        except ValueError:
            return found[0]

    return re.sub(r"\b(\d{4})-(\d\d)-(\d\d)\b", day, text)


def passage(context, words):
    """What stands around a passage, outermost first, and the passage."""
    context = " > ".join(written(part) for part in context if part)
    words = " / ".join(line.strip() for line in words.splitlines() if line.strip())
    return f"{context}: {words}" if context else words


def snli(folder):
    for part in ("dev", "test"):
        read = [(folder / f"{name}.{part}").read_text(encoding="utf-8").splitlines() for name in ("s1", "s2", "labels")]
        for premise, hypothesis, label in zip(*read):
            yield row(tidy(premise), tidy(hypothesis), MEANT[label], "snli " + premise.strip(), "snli")


def tidy(text):
    """Written as people write, not as a tokenizer left it."""
    text = re.sub(r"\s+([.,!?;:')])", r"\1", text.strip())
    return re.sub(r"\s+(n't\b)", r"\1", text)


def counterfactual(folder, parts):
    """SNLI with one of the two sentences changed so that the label changes; all of a first pair are one group."""
    for part in parts:
        original = table(folder / f"original.{part}.tsv")
        yield from (cad(o, o, part) for o in original)
        for which in ("premise", "hypothesis"):
            revised = table(folder / f"revised_{which}.{part}.tsv")
            for at, r in enumerate(revised):
                yield cad(r, original[at * len(original) // len(revised)], part)


def cad(r, original, part):
    return row(r["sentence1"], r["sentence2"], MEANT[r["gold_label"]], f"cad {part} {original['sentence1']}", "cad")


def monotone(folder):
    for r in table(folder / "med/MED.tsv"):
        label = MEANT[r["gold_label"]]
        yield row(r["sentence1"], r["sentence2"], label, "med " + r["promptID"], "med")
    for name in ("and", "or"):
        found = table(folder / f"help/{name}.tsv")
        for r in found[:: max(1, len(found) // 800)]:
            yield row(tidy(r["ori_sentence"]), tidy(r["new_sentence"]), MEANT[r["gold_label"]], "help " + r["filename"], "help")


def others(folder):
    for r in table(folder / "conjnli/dev.tsv"):
        yield row(r["Premise"], r["Hypothesis"], MEANT[r["Label"]], "conj " + r["Premise"], "conj")
    for r in table(folder / "begin/dev.tsv"):
        label = {"Fully attributable": "entailed", "Not fully attributable": "false", "Generic": None}[r["begin_label"]]
        if label:
            yield row(r["knowledge"], tidy(r["response"]), label, "begin " + r["knowledge"], "begin")


def fever(folder):
    for r in lines(folder / "fever/fever_symmetric_dev.jsonl"):
        yield row(tidy(r["evidence"]), tidy(r["claim"]), FEVER[r["label"]], "fever " + r["claim"], "fever-symmetric")


def wice(folder):
    """The sentences that a claim is said to rest on, with one before and one behind; without any, the first twelve."""
    for at, r in enumerate(lines(folder / "wice/claims.dev.jsonl")):
        rests = {s + near for s in r["supporting_sentences"][0] for near in (-1, 0, 1)} or set(range(12))
        evidence = " ".join(r["evidence"][s] for s in sorted(rests) if 0 <= s < len(r["evidence"]))
        yield row(evidence, r["claim"], "entailed" if r["label"] == "supported" else "false", f"wice {at}", "wice")


def public(folder):
    train = [*counterfactual(folder / "cad", ("train", "dev")), *monotone(folder), *others(folder)]
    held = [*counterfactual(folder / "cad", ("test",)), *fever(folder), *wice(folder)]
    seen = {r["premise"].lower() for r in held} | {r["group"].split(" ", 2)[-1].lower() for r in held}
    train += [r for r in snli(folder / "esnli") if r["premise"].lower() not in seen]
    return train, held


def pairs(path):
    """Two passages that differ in one place and two sentences, each said by one of them: four rows."""
    for at, r in enumerate(lines(path)):
        context = [r["title"], *r["headings"], r["date"]]
        for words, sentence, label in (
            ("p", "a", "entailed"),
            ("q", "a", r["a_in_q"]),
            ("q", "b", "entailed"),
            ("p", "b", r["b_in_p"]),
        ):
            yield row(passage(context, r[words]), r[sentence], label, f"{Path(path).stem} {at}", "pairs", r["kind"])


def invented(folder):
    """Sentences about invented notes, by hand; those about one passage are one group."""
    for path in sorted(Path(folder).glob("*.jsonl")):
        for r in lines(path):
            premise = " // ".join(passage(said["context"], said["words"]) for said in r["said"])
            first = r["said"][0]["words"]
            yield row(premise, r["sentence"], "entailed" if r["good"] else "false", f"{path.stem} {first}", "invented", r["kind"])


def held_for_development(group):
    return hashlib.sha256(group.encode()).digest()[0] * 10 // 256 < DEV_OF_TEN


def unseen(path, vaults):
    """Passages by reference: their bytes, behind the note's name and the headings above the first of them."""
    for r in lines(path):
        note = Path(vaults) / r["repo"].replace("/", "+", 1) / r["path"]
        if not note.is_file():
            continue
        text = note.read_bytes()
        words = "\n".join(text[start:end].decode("utf-8", "replace") for start, end in r["spans"])
        above, headings = text[: r["spans"][0][0]].decode("utf-8", "replace"), []
        for found in re.finditer(r"^(#{1,6}) +(.+)$", above, re.M):
            headings = [h for h in headings if h[0] < len(found[1])] + [(len(found[1]), found[2].strip())]
        context = [note.stem, *(title for _, title in headings)]
        yield row(passage(context, words), r["sentence"], "entailed" if r["good"] else "false", r["id"], "unseen", r["kind"])


def write(path, rows):
    rows = [r for r in rows if r["premise"] and r["hypothesis"]]
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(json.dumps(r, ensure_ascii=False) + "\n" for r in rows)
    counts = {}
    for r in rows:
        counts[r["source"], r["label"]] = counts.get((r["source"], r["label"]), 0) + 1
    print(path, len(rows), {" ".join(k): n for k, n in sorted(counts.items())})


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["public", "ours", "pairs", "unseen"])
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--held", type=Path)
    arguments = parser.parse_args()
    paths = arguments.paths
    if arguments.what == "public":
        train, held = public(paths[0])
        write(paths[1], train)
        if arguments.held:
            write(arguments.held, held)
    elif arguments.what == "ours":
        rows = [*pairs(paths[0]), *invented(paths[1])]
        write(paths[2], [r for r in rows if not held_for_development(r["group"])])
        write(paths[3], [r for r in rows if held_for_development(r["group"])])
    elif arguments.what == "pairs":
        write(paths[1], pairs(paths[0]))
    else:
        write(paths[2], unseen(paths[0], paths[1]))


if __name__ == "__main__":
    main()
