"""Fine-tunes MiniLM for late interaction: which statement answers a question in its owner's words, and whether one does.

    train.py BASE_DIR CANDIDATES.jsonl SQUAD.json OUT_DIR [--seed 1]

BASE_DIR holds all-MiniLM-L6-v2 (model.safetensors, tokenizer.json). CANDIDATES is what `memora-eval candidates` prints for
questions.jsonl beside this file: of each question what the first stage finds, right or not. SQUAD is a file of SQuAD 2.0, of
which the sentence with the answer is right, and of an impossible question none. A question's piece looks for the piece of
a statement that is most like it; what they are alike, weighed by how much the question's piece matters, is the score
(Khattab and Zaharia, "ColBERT", 2020). Every question also has "none of them" to choose, at a score that is learned, so
that what a score is worth is the same for all questions. The table of pieces is put into four bits first and stays as it
is, so that the network learns with what is shipped.
"""

import argparse
import json
import random
import re
import sys
import time
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer

import export

F = torch.nn.functional
CLS, SEP, UNKNOWN, PIECES_MAX = 101, 102, 100, 126
WIDTH = 96
# Repositories that the network is judged by, none of whose questions it is trained on.
HELD_OUT = {"codegod100/daily", "yoshuawuyts/notes", "bbchase/agora", "alifeee/weeknotes", "VinceHPicton/obsidian-vault"}


class Reader(torch.nn.Module):
    def __init__(self, base):
        super().__init__()
        self.tokenizer = Tokenizer.from_file(str(base / "tokenizer.json"))
        self.tokenizer.no_truncation()
        self.tokenizer.no_padding()
        t = export.tensors(base / "model.safetensors")
        self.register_buffer("pieces_table", torch.tensor(export.int4_rows(t["embeddings.word_embeddings.weight"])[2]))
        t["embeddings.position_embeddings.weight"] = t["embeddings.position_embeddings.weight"][: export.POSITIONS]
        skipped = ("embeddings.word_embeddings.weight", "embeddings.position_ids", "pooler.dense.weight", "pooler.dense.bias")
        self.weights = torch.nn.ParameterDict(
            {name.replace(".", "/"): torch.nn.Parameter(torch.tensor(v)) for name, v in t.items() if name not in skipped}
        )
        self.layers = max(int(name.split(".")[2]) for name in t if name.startswith("encoder.layer.")) + 1
        width = self.pieces_table.shape[1]
        self.project = torch.nn.Parameter(torch.eye(width)[:WIDTH])
        self.matter = torch.nn.Parameter(torch.zeros(width + 1))
        self.sharp = torch.nn.Parameter(torch.tensor(3.0))

    def of(self, name):
        return self.weights[name.replace(".", "/")]

    def pieces(self, text):
        pieces = [p for p in self.tokenizer.encode(text, add_special_tokens=False).ids if p != UNKNOWN]
        return [CLS, *pieces[:PIECES_MAX], SEP]

    def hidden(self, texts):
        """Texts' pieces to their states: (texts, pieces, width) and a mask."""
        longest = max(map(len, texts))
        pieces = torch.zeros(len(texts), longest, dtype=torch.long)
        mask = torch.zeros(len(texts), longest)
        for at, text in enumerate(texts):
            pieces[at, : len(text)] = torch.tensor(text)
            mask[at, : len(text)] = 1

        def norm(x, name):
            return F.layer_norm(x, x.shape[-1:], self.of(name + ".weight"), self.of(name + ".bias"), 1e-12)

        def linear(x, name):
            return F.linear(x, self.of(name + ".weight"), self.of(name + ".bias"))

        positions = self.of("embeddings.position_embeddings.weight") + self.of("embeddings.token_type_embeddings.weight")[0]
        x = norm(F.embedding(pieces, self.pieces_table) + positions[:longest], "embeddings.LayerNorm")
        away = ((1 - mask) * -1e9)[:, None, None, :]
        heads = (len(texts), longest, export.HEADS, -1)
        for at in range(self.layers):
            layer, qkv = export.layer_names(at)
            q, k, v = (linear(x, name).view(heads).transpose(1, 2) for name in qkv)
            mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=away.expand(-1, export.HEADS, longest, longest))
            mixed = mixed.transpose(1, 2).reshape(x.shape)
            x = norm(x + linear(mixed, layer + "attention.output.dense"), layer + "attention.output.LayerNorm")
            wide = F.gelu(linear(x, layer + "intermediate.dense"))
            x = norm(x + linear(wide, layer + "output.dense"), layer + "output.LayerNorm")
        return x, mask

    def states(self, texts):
        """Directions of pieces, what each matters among its text's, and the mask."""
        x, mask = self.hidden(texts)
        matter = (x @ self.matter[:-1] + self.matter[-1]).masked_fill(mask == 0, -1e9)
        return F.normalize(x @ self.project.T, dim=-1), torch.softmax(matter, dim=-1), mask

    def scores(self, questions, passages):
        """Each question against each passage, -1 to 1."""
        q, matter, _ = questions
        p, _, mask = passages
        alike = torch.einsum("qid,pjd->qpij", q, p).masked_fill(mask[None, :, None, :] == 0, -1.0)
        return (alike.max(-1).values * matter[:, None, :]).sum(-1)

    def table_of_scores(self, questions, candidates):
        """Each question against each candidate."""
        return self.table(questions, [self.pieces(c["text"]) for c in candidates])

    def table(self, questions, texts):
        """Each question against each text; those of a length are read together, so that little is padded."""
        order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
        parts = [order[at : at + 8] for at in range(0, len(order), 8)]
        scores = torch.cat([self.scores(questions, self.states([texts[at] for at in part])) for part in parts], dim=1)
        back = torch.empty(len(order), dtype=torch.long)
        back[torch.tensor(order)] = torch.arange(len(order))
        return scores[:, back]

    @torch.no_grad()
    def principal(self, texts):
        """Projects to where the pieces of texts differ most."""
        states = torch.cat([x[m == 1] for x, m in (self.hidden(texts[at : at + 32]) for at in range(0, len(texts), 32))])
        states = F.normalize(states, dim=-1)
        _, _, directions = torch.linalg.svd(states.T @ states)
        self.project.copy_(directions[:WIDTH])

    def restore(self, model):
        """Takes what `save` wrote."""
        kept = load_file(str(model / "model.safetensors"))
        with torch.no_grad():
            for name, weight in self.weights.items():
                weight.copy_(kept[name.replace("/", ".")])
            self.project.copy_(kept["project"])
            self.matter.copy_(kept["matter"])
            self.sharp.copy_(kept["sharp"])
            self.pieces_table.copy_(kept["embeddings.word_embeddings.weight"])

    def save(self, out):
        out.mkdir(parents=True, exist_ok=True)
        tensors = {name.replace("/", "."): p.detach().contiguous() for name, p in self.weights.items()}
        tensors["embeddings.word_embeddings.weight"] = self.pieces_table
        tensors |= {"project": self.project.detach().contiguous(), "matter": self.matter.detach(), "sharp": self.sharp.detach()}
        save_file(tensors, str(out / "model.safetensors"))


@torch.no_grad()
def judged(reader, rows, most=100):
    """The share of questions whose answer is first, among three, five and ten; the mean of one over its rank."""
    at, reciprocal = [0, 0, 0, 0], 0.0
    for row in rows:
        candidates = row["candidates"][:most]
        scores = reader.table_of_scores(reader.states([reader.pieces(row["question"])]), candidates)[0].tolist()
        ranked = sorted(range(len(candidates)), key=lambda i: -scores[i])
        first = next((rank for rank, i in enumerate(ranked) if candidates[i]["right"]), None)
        if first is not None:
            reciprocal += 1 / (first + 1)
            at = [n + (first < cut) for n, cut in zip(at, (1, 3, 5, 10))]
    return [round(n / len(rows), 3) for n in at], round(reciprocal / len(rows), 3)


def own(path, draw):
    """Questions in owners' words: (question, right, near wrong, far wrong) each, of repositories that are trained on."""
    found, rows = [], [json.loads(line) for line in open(path, encoding="utf-8")]
    for row in rows:
        right = {c["words"] for c in row["candidates"] if c["right"]}
        if row["repo"] in HELD_OUT or not row["candidates"] or row["answerable"] and not right:
            continue
        wrong = [c["text"] for c in row["candidates"] if c["words"] not in right]
        found.append((row["question"], [c["text"] for c in row["candidates"] if c["right"]], wrong[:12], wrong[12:60]))
    return found


def drawn(questions, draw):
    """Of each question one that answers, two that are found first and do not, and one from behind."""

    def some(passages, most):
        return draw.sample(passages, min(most, len(passages)))

    return [(question, some(right, 1), some(near, 2) + some(far, 1)) for question, right, near, far in questions]


def sentences(context):
    """Where the sentences of a paragraph begin and end."""
    ends = [match.end() for match in re.finditer(r"[.!?][\"')\]]*\s+(?=[A-Z\"(\[])", context)]
    return list(zip([0, *ends], [*ends, len(context)]))


def squad(path, draw):
    """Questions over encyclopaedia articles: the sentence with the answer, and two others that share most words with it."""

    def words(text):
        return set(re.findall(r"\w+", text.lower()))

    answerable, impossible = [], []
    for article in json.load(open(path, encoding="utf-8"))["data"]:
        title = article["title"].replace("_", " ")
        for paragraph in article["paragraphs"]:
            spans = sentences(paragraph["context"])
            texts = [f"{title}: {paragraph['context'][start:end].strip()}" for start, end in spans]
            for asked in paragraph["qas"]:
                at = None if asked["is_impossible"] else asked["answers"][0]["answer_start"]
                right = [text for text, (start, end) in zip(texts, spans) if at is not None and start <= at < end]
                shared = {text: len(words(asked["question"]) & words(text)) + draw.random() / 2 for text in texts}
                wrong = sorted((text for text in texts if text not in right), key=lambda text: -shared[text])[:2]
                (impossible if at is None else answerable).append((asked["question"], right, wrong))
    return answerable + draw.sample(impossible, min(1000, len(impossible)))


def train(args):
    draw = random.Random(args.seed)
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    np.random.seed(args.seed)
    rows = [json.loads(line) for line in open(args.candidates, encoding="utf-8")]
    held_out = [row for row in rows if row["answerable"] and row["repo"] in HELD_OUT][:: args.every]
    ours = own(args.candidates, draw)
    reader = Reader(args.base)
    reader.principal([reader.pieces(text) for _, _, near, far in draw.sample(ours, 200) for text in (near + far)[:3]])
    none = torch.nn.Parameter(torch.tensor(0.6))
    say = lambda *what: print(*what, flush=True, file=sys.stderr)
    stages = [squad(args.squad, draw) + drawn(ours, draw), drawn(ours, draw)]
    say([len(stage) for stage in stages], "questions,", len(held_out), "held out")
    if args.before:
        say("as it was:", judged(reader, held_out))
    slow = list(reader.weights.values())
    groups = [{"params": slow, "lr": args.rate}, {"params": [reader.project], "lr": args.rate * 10}]
    groups.append({"params": [reader.matter, reader.sharp, none], "lr": args.rate * 50})
    optimizer = torch.optim.AdamW(groups, weight_decay=0.01)
    steps = sum(len(stage) // args.batch for stage in stages)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda s: min((s + 1) / (0.08 * steps), max(0.03, 1 - s / steps)))
    step, began = 0, time.time()
    for stage in stages:
        draw.shuffle(stage)
        losses = []
        for start in range(0, len(stage) - args.batch + 1, args.batch):
            batch = stage[start : start + args.batch]
            passages, target = [], []
            for _, right, wrong in batch:
                target.append(len(passages) if right else -1)
                passages += [reader.pieces(text) for text in right + wrong]
            questions = reader.states([reader.pieces(question) for question, _, _ in batch])
            scores = torch.cat([reader.table(questions, passages), none.expand(len(batch), 1)], dim=1)
            wanted = torch.tensor([at if at >= 0 else len(passages) for at in target])
            loss = F.cross_entropy(scores * reader.sharp.exp(), wanted)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(reader.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            step += 1
            losses.append(loss.item())
            if step % 20 == 0:
                say(f"step {step} of {steps}, loss {np.mean(losses[-40:]):.3f}, {time.time() - began:.0f} s")
        reader.save(args.out)
    say("held out:", judged(reader, held_out))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("base", type=Path)
    parser.add_argument("candidates", type=Path)
    parser.add_argument("squad", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--rate", type=float, default=3e-5)
    parser.add_argument("--every", type=int, default=1, help="judge each so manieth question that is held out")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--before", action="store_true", help="judge the network before it is trained, too")
    parser.add_argument("--seed", type=int, default=1)
    train(parser.parse_args())
