"""Rows by reference: questions over public notes, whose text stays where it is.

    rows.py refer ROWS.jsonl COMMITS VAULTS OUT.jsonl     quotes become byte ranges; what is not found is named and left out
    rows.py resolve ROWS.jsonl VAULTS OUT.jsonl           byte ranges become quotes again
    rows.py tsv ROWS.jsonl VAULTS REPOSITORY OUT.tsv      question, tab, words that an answer holds or "-": for memora-eval

VAULTS is a folder with a folder `owner+name` for each repository, checked out at the commit that the rows name. COMMITS has
`owner+name COMMIT` a line.
"""

import json
import sys
from pathlib import Path


def lines(path):
    return [json.loads(line) for line in open(path, encoding="utf-8") if line.strip()]


def write(path, rows):
    with open(path, "w", encoding="utf-8") as out:
        out.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def refer(rows, commits, vaults):
    commits = dict(line.split() for line in open(commits))
    kept, lost = [], []
    for number, row in enumerate(rows, 1):
        vault, answers = row.pop("vault"), []
        for answer in row["answers"]:
            file = vaults / vault / answer["path"]
            text, quote = file.read_bytes() if file.is_file() else b"", answer["quote"].encode()
            start = text.find(quote)
            words = [(quote.find(word.encode()), len(word.encode())) for word in answer["words"]]
            if start < 0 or not quote or any(at < 0 for at, _ in words):
                lost.append((number, row["question"]))
                continue
            spots = [[start + at, start + at + length] for at, length in words]
            answers.append({"path": answer["path"], "start": start, "end": start + len(quote), "words": spots})
        if answers or not row["answers"]:
            head = {"repo": vault.replace("+", "/", 1), "commit": commits[vault]}
            kept.append(head | {"question": row["question"]} | row | {"answers": answers})
    return kept, lost


def resolve(rows, vaults):
    for row in rows:
        vault = row["repo"].replace("/", "+", 1)
        for answer in row["answers"]:
            text = (vaults / vault / answer["path"]).read_bytes()
            answer["quote"] = text[answer["start"] : answer["end"]].decode()
            answer["words"] = [text[start:end].decode() for start, end in answer["words"]]
        yield row | {"vault": vault}


def tsv(rows, vaults, repository):
    for row in resolve(rows, vaults):
        if row["repo"] == repository:
            held = " | ".join(" ".join(" ".join(answer["words"]).split()) for answer in row["answers"])
            yield f"{row['question']}\t{held or '-'}\n"


if __name__ == "__main__":
    what, source, *rest = sys.argv[1:]
    if what == "refer":
        kept, lost = refer(lines(source), rest[0], Path(rest[1]))
        write(rest[2], kept)
        print(f"{len(kept)} rows, {len(lost)} answers lost", *lost, sep="\n", file=sys.stderr)
    elif what == "resolve":
        write(rest[1], list(resolve(lines(source), Path(rest[0]))))
    else:
        Path(rest[2]).write_text("".join(tsv(lines(source), Path(rest[0]), rest[1])), encoding="utf-8")
