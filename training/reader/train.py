"""Trains a network that reads a passage and a sentence together, and says whether the sentence is entailed, unsaid or contradicted.

    train.py BASE_DIR OUT_DIR --rows ROWS.jsonl[=SHARE] ... --tokens 10e6 [--minutes 300] [--dev DEV.jsonl] [--seed 1]

BASE_DIR holds all-MiniLM-L6-v2 or what this script wrote (model.safetensors, tokenizer.json). Rows are what data.py and
templates.py write; SHARE is how much of what is read comes from a file. Rows of a group are read in one batch, and where one sentence is
entailed by one passage of the batch and not by another, the first has to score higher (a ranking loss beside the cross-entropy). The
table of pieces stays as it is. OUT_DIR/model.safetensors is written anew every few minutes.
"""

import argparse
import json
import math
import random
import time
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer
from torch import nn

import score

F = nn.functional
LABELS = ["entailed", "unsaid", "contradicted"]
ENTAILED = 0
HEADS, LONGEST, BATCH, POOL, OF_A_GROUP = 12, 128, 32, 16, 8


class Layer(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.attention = nn.ModuleDict({
            "self": nn.ModuleDict({name: nn.Linear(width, width) for name in ("query", "key", "value")}),
            "output": nn.ModuleDict({"dense": nn.Linear(width, width), "LayerNorm": nn.LayerNorm(width, eps=1e-12)}),
        })
        self.intermediate = nn.ModuleDict({"dense": nn.Linear(width, 4 * width)})
        self.output = nn.ModuleDict({"dense": nn.Linear(4 * width, width), "LayerNorm": nn.LayerNorm(width, eps=1e-12)})

    def forward(self, x, hidden, drop):
        batch, length, width = x.shape
        own, out = self.attention["self"], self.attention["output"]
        heads = (batch, length, HEADS, width // HEADS)
        q, k, v = (own[name](x).view(heads).transpose(1, 2) for name in ("query", "key", "value"))
        mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=hidden.to(q.dtype))
        mixed = mixed.transpose(1, 2).reshape(batch, length, width)
        x = out["LayerNorm"](x + drop(out["dense"](mixed)))
        wide = F.gelu(self.intermediate["dense"](x))
        return self.output["LayerNorm"](x + drop(self.output["dense"](wide)))


class Reader(nn.Module):
    """A BERT with a label on its first piece; its tensors have the names that BERT's have everywhere."""

    def __init__(self, folder, dropout=0.1):
        super().__init__()
        kept = {name.removeprefix("bert."): value for name, value in load_file(str(folder / "model.safetensors")).items()}
        kept.pop("embeddings.position_ids", None)
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.longest(LONGEST)
        pieces, width = kept["embeddings.word_embeddings.weight"].shape
        self.embeddings = nn.ModuleDict({
            "word_embeddings": nn.Embedding(pieces, width),
            "position_embeddings": nn.Embedding(len(kept["embeddings.position_embeddings.weight"]), width),
            "token_type_embeddings": nn.Embedding(2, width),
            "LayerNorm": nn.LayerNorm(width, eps=1e-12),
        })
        layers = 1 + max(int(name.split(".")[2]) for name in kept if name.startswith("encoder.layer."))
        self.encoder = nn.ModuleDict({"layer": nn.ModuleList(Layer(width) for _ in range(layers))})
        self.pooler = nn.ModuleDict({"dense": nn.Linear(width, width)})
        self.classifier = nn.Linear(width, len(LABELS))
        nn.init.normal_(self.classifier.weight, std=0.02)
        nn.init.zeros_(self.classifier.bias)
        missing, unknown = self.load_state_dict(kept, strict=False)
        assert not unknown and all(name.startswith("classifier.") for name in missing), (missing, unknown)
        self.embeddings["word_embeddings"].weight.requires_grad_(False)
        self.drop = nn.Dropout(dropout)

    def longest(self, pieces):
        """A passage is cut at its end so that it and the sentence are no longer than this."""
        self.tokenizer.enable_truncation(pieces, strategy="only_first")

    def encode(self, pairs):
        try:
            return self.tokenizer.encode_batch(pairs)
        except Exception:  # a sentence that alone is too long
            self.tokenizer.enable_truncation(self.tokenizer.truncation["max_length"], strategy="longest_first")
            found = self.tokenizer.encode_batch(pairs)
            self.longest(self.tokenizer.truncation["max_length"])
            return found

    def tensors(self, encoded):
        longest = max(len(e.ids) for e in encoded)
        return [
            torch.tensor([list(getattr(e, field)) + [0] * (longest - len(e.ids)) for e in encoded])
            for field in ("ids", "attention_mask", "type_ids")
        ]

    def forward(self, input_ids, attention_mask, token_type_ids):
        places = torch.arange(input_ids.shape[1], device=input_ids.device).unsqueeze(0)
        e = self.embeddings
        x = e["word_embeddings"](input_ids) + e["position_embeddings"](places) + e["token_type_embeddings"](token_type_ids)
        x = self.drop(e["LayerNorm"](x))
        hidden = ((1.0 - attention_mask.to(x.dtype)) * -1e4)[:, None, None, :]
        for layer in self.encoder["layer"]:
            x = layer(x, hidden, self.drop)
        return self.classifier(self.drop(torch.tanh(self.pooler["dense"](x[:, 0]))))

    def save(self, out):
        out.mkdir(parents=True, exist_ok=True)
        save_file({name: value.detach().contiguous() for name, value in self.state_dict().items()}, str(out / "new.safetensors"))
        (out / "new.safetensors").replace(out / "model.safetensors")
        self.tokenizer.save(str(out / "tokenizer.json"))


def losses(logits, rows):
    """Cross-entropy, where "false" is whatever is not entailed; and ranking of passages for a sentence."""
    logits = logits.float()
    likely = F.log_softmax(logits, -1)
    of_rows = [
        -torch.logsumexp(likely[at, 1:], -1) if row["label"] == "false" else -likely[at, LABELS.index(row["label"])]
        for at, row in enumerate(rows)
    ]
    score = logits[:, ENTAILED] - torch.logsumexp(logits[:, 1:], -1)
    sentences = {}
    for at, row in enumerate(rows):
        sentences.setdefault(row["hypothesis"], ([], []))[row["label"] != "entailed"].append(at)
    ranks = [F.softplus(score[no] - score[yes]) for yeses, noes in sentences.values() for yes in yeses for no in noes]
    return torch.stack(of_rows).mean(), torch.stack(ranks).sum() / len(rows) if ranks else torch.zeros(())


def groups_of(path):
    groups = {}
    for row in score.rows_of(path):
        groups.setdefault(row["group"], []).append(row)
    return list(groups.values())


def endless(groups, chance):
    """Groups in a new order each time round; of a large one some rows at a time."""
    while True:
        chance.shuffle(groups)
        for rows in groups:
            yield rows if len(rows) <= OF_A_GROUP else chance.sample(rows, OF_A_GROUP)


def batches(files, reader, chance):
    """Batches of whole groups, of about one length each."""
    sources = [(endless(groups_of(path), chance), share) for path, share in files]
    total, drawn = sum(share for _, share in sources), [0.0] * len(sources)
    while True:
        pool, many = [], 0
        while many < BATCH * POOL:
            # Whichever is furthest behind its share of what was read.
            at = min(range(len(sources)), key=lambda at: drawn[at] / sources[at][1])
            rows = next(sources[at][0])
            encoded = reader.encode([(row["premise"], row["hypothesis"]) for row in rows])
            drawn[at] += sum(len(e.ids) for e in encoded)
            pool.append(list(zip(encoded, rows)))
            many += len(rows)
        pool.sort(key=lambda group: max(len(e.ids) for e, _ in group))
        cut, batch = [], []
        for group in pool:
            batch += group
            if len(batch) >= BATCH:
                cut.append(batch)
                batch = []
        cut += [batch] if batch else []
        chance.shuffle(cut)
        yield from cut


def train(worker, reader, files, arguments, total):
    """One of the workers that change the same weights, each at its own pace (Niu and others, "Hogwild!", 2011)."""
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(arguments.seed + worker)
    chance = random.Random(arguments.seed + worker)
    decay = [p for p in reader.parameters() if p.requires_grad and p.dim() > 1]
    plain = [p for p in reader.parameters() if p.requires_grad and p.dim() < 2]
    optimizer = torch.optim.AdamW([{"params": decay, "weight_decay": 0.01}, {"params": plain, "weight_decay": 0.0}], lr=arguments.rate)
    began = kept = time.time()
    step, mean = 0, [math.log(3), 0.0, 0.0]
    reader.train()
    for batch in batches(files, reader, chance):
        done = max(total.item() / arguments.tokens, (time.time() - began) / 60 / arguments.minutes)
        if done >= 1:
            break
        rate = arguments.rate * min(1, (step + 1) / 100) * (1 - done * (1 - arguments.end))
        for group in optimizer.param_groups:
            group["lr"] = rate
        encoded, rows = zip(*batch)
        with torch.autocast(arguments.device, torch.bfloat16, enabled=arguments.half):
            logits = reader(*(t.to(arguments.device) for t in reader.tensors(encoded)))
        own, rank = losses(logits, rows)
        optimizer.zero_grad()
        (own + rank).backward()
        nn.utils.clip_grad_norm_(reader.parameters(), 1.0)
        optimizer.step()
        step += 1
        total += sum(len(e.ids) for e in encoded)
        right = sum(LABELS[p] == r["label"] or (r["label"] == "false" and p != ENTAILED) for p, r in zip(logits.argmax(1).tolist(), rows))
        for at, value in enumerate((own.item(), rank.item(), right / len(rows))):
            mean[at] += (value - mean[at]) * max(0.02, 1 / step)
        if worker:
            continue
        if step % 50 == 0:
            speed = total.item() / (time.time() - began)
            print(f"step {step}, {total.item()} tokens, {speed:.0f} a second: loss {mean[0]:.3f}, ranks {mean[1]:.3f}, right {mean[2]:.3f}", flush=True)
        if time.time() - kept > 60 * arguments.every:
            reader.save(arguments.out)
            if arguments.dev:
                score.show(score.scored(reader, score.rows_of(arguments.dev)))
                reader.train()
            kept = time.time()
    if not worker:
        reader.save(arguments.out)
        print(f"{step} steps of the first worker, {total.item()} tokens, {(time.time() - began) / 60:.1f} minutes")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("base", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--rows", nargs="+", required=True)
    parser.add_argument("--dev", type=Path)
    parser.add_argument("--tokens", type=float, default=10e6)
    parser.add_argument("--minutes", type=float, default=1e9)
    parser.add_argument("--every", type=float, default=5.0, help="minutes between what is kept")
    parser.add_argument("--rate", type=float, default=1e-4)
    parser.add_argument("--half", action="store_true", help="bfloat16")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--end", type=float, default=0.03, help="share of the rate that is left at the end")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1, help="of each worker")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(arguments.threads)
    files = [(Path(path), float(share or 1)) for path, _, share in (given.partition("=") for given in arguments.rows)]
    reader = Reader(arguments.base).to(arguments.device)
    total = torch.zeros((), dtype=torch.long).share_memory_()
    if arguments.workers > 1:
        reader.share_memory()
        torch.multiprocessing.spawn(train, (reader, files, arguments, total), arguments.workers)
    else:
        train(0, reader, files, arguments, total)
    if arguments.dev:
        score.show(score.scored(reader, score.rows_of(arguments.dev)))


if __name__ == "__main__":
    main()
