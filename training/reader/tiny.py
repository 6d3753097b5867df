"""A very small network that reads a passage and a sentence, for the tests of what runs such networks.

    tiny.py OUT_DIR        writes model.onnx, tokenizer.json, config.json, cases.jsonl

Its shape is that of a BERT cross-encoder (two layers of 32, four heads, pieces of words), its task a toy one which it learns for real
in one or two minutes: who has which animal.
Inputs `input_ids`, `attention_mask`, `token_type_ids` (int64, [batch, length]), output `logits` ([batch, 3], in the order of
`id2label`). cases.jsonl says what onnxruntime makes of twelve pairs.
"""

import json
import random
import sys
from pathlib import Path

import numpy as np
import onnxruntime
import torch
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
from torch import nn

LABELS = ["neutral", "contradiction", "entailment"]
NEUTRAL, CONTRADICTED, ENTAILED = range(3)
PIECES, POSITIONS, WIDTH, LAYERS, HEADS = 300, 64, 32, 2, 4
NAMES = "Anna Ben Clara Hugo Ines Jonas Kofi".split()
ANIMALS = "dog cat horse rabbit goat parrot turtle sheep".split()
COLOURS = "black white spotted".split()
HAS = ["has", "keeps"]


def fact(name, colour, animal, chance):
    with_colour = f"{colour} " if chance.random() < 0.5 else ""
    return f"{name} {chance.choice(HAS)} a {with_colour}{animal}."


def example(chance, most=3):
    """A passage of one to three facts, a sentence about one of them, and what the passage says of it."""
    some = chance.randint(1, most)
    names = chance.sample(NAMES, some + 1)
    animals = [chance.choice(ANIMALS) for _ in range(some)]
    colours = [chance.choice(COLOURS) for _ in range(some)]
    passage = " ".join(fact(n, c, a, chance) for n, c, a in zip(names, colours, animals))
    label, at = chance.randrange(3), chance.randrange(some)
    name, animal = names[at], animals[at]
    if label == NEUTRAL:
        name = names[some]
    elif label == CONTRADICTED:
        animal = chance.choice([a for a in ANIMALS if a != animal])
    return passage, f"{name} {chance.choice(HAS)} a {animal}.", label


def tokenizer_of(texts):
    made = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer(lowercase=True)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
    made.train_from_iterator(texts, trainers.WordPieceTrainer(vocab_size=PIECES, special_tokens=special, show_progress=False))
    ends = [(piece, made.token_to_id(piece)) for piece in ("[CLS]", "[SEP]")]
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=ends
    )
    made.decoder = decoders.WordPiece()
    return made


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.query, self.key, self.value, self.out = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.inner, self.outer = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)
        self.attended, self.fed = nn.LayerNorm(WIDTH, eps=1e-12), nn.LayerNorm(WIDTH, eps=1e-12)

    def forward(self, x, hidden):
        batch, length, _ = x.shape
        q, k, v = (part(x).view(batch, length, HEADS, WIDTH // HEADS).transpose(1, 2) for part in (self.query, self.key, self.value))
        weights = torch.softmax(q @ k.transpose(2, 3) / (WIDTH // HEADS) ** 0.5 + hidden, -1)
        x = self.attended(x + self.out((weights @ v).transpose(1, 2).reshape(batch, length, WIDTH)))
        return self.fed(x + self.outer(nn.functional.gelu(self.inner(x))))


class Tiny(nn.Module):
    def __init__(self, pieces):
        super().__init__()
        self.words, self.places, self.sides = nn.Embedding(pieces, WIDTH), nn.Embedding(POSITIONS, WIDTH), nn.Embedding(2, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.pool, self.label = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, len(LABELS))

    def forward(self, input_ids, attention_mask, token_type_ids):
        places = torch.arange(input_ids.shape[1]).unsqueeze(0)
        x = self.norm(self.words(input_ids) + self.places(places) + self.sides(token_type_ids))
        hidden = (1.0 - attention_mask[:, None, None, :].to(x.dtype)) * -1e4
        for layer in self.layers:
            x = layer(x, hidden)
        return self.label(torch.tanh(self.pool(x[:, 0])))


def batch_of(tokenizer, pairs):
    encoded = tokenizer.encode_batch(pairs)
    return [np.array([getattr(e, field) for e in encoded], np.int64) for field in ("ids", "attention_mask", "type_ids")]


def train(tokenizer, chance, enough=0.98, steps=4000):
    """Passages of one fact first, then longer ones, each until they are read well."""
    torch.set_num_threads(1)
    model = Tiny(tokenizer.get_vocab_size())
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=0.01)
    tokenizer.enable_padding()
    right, facts = 0.0, 1
    for step in range(steps):
        optimizer.param_groups[0]["lr"] = 2e-3 * min(1, step / 100, (steps - step) / 500 + 0.05)
        rows = [example(chance, facts) for _ in range(64)]
        logits = model(*map(torch.tensor, batch_of(tokenizer, [row[:2] for row in rows])))
        truth = torch.tensor([row[2] for row in rows])
        optimizer.zero_grad()
        nn.functional.cross_entropy(logits, truth).backward()
        optimizer.step()
        right = 0.97 * right + 0.03 * float((logits.argmax(1) == truth).float().mean())
        if step % 250 == 249:
            print(f"step {step + 1}: passages of {facts} or fewer, right {right:.3f}", flush=True)
        if right > enough:
            if facts == 3:
                break
            right, facts = 0.0, facts + 1
    tokenizer.no_padding()
    return model.eval()


CASES = [
    ("Anna has a dog.", "Anna has a dog."),
    ("Anna has a dog.", "Anna has a cat."),
    ("Anna has a dog.", "Ben has a dog."),
    ("ANNA keeps a spotted Horse.", "anna has a horse."),
    ("Ben has a goat. Clara keeps a white rabbit.", "Clara has a rabbit."),
    ("Ben has a goat. Clara keeps a white rabbit.", "Clara has a dog."),
    ("Ben has a goat. Clara keeps a white rabbit.", "Ines has a goat."),
    ("Hugo has a white parrot. Ines has a turtle. Jonas keeps a black sheep.", "Ines keeps a turtle."),
    ("Hugo has a white parrot. Ines has a turtle. Jonas keeps a black sheep.", "Ines keeps a dog."),
    ("Hugo has a white parrot. Ines has a turtle. Jonas keeps a black sheep.", "Kofi keeps a sheep."),
    ("Zoë hugs 3 llamas, café!", "Zoe has a cat."),
    ("", "Anna has a dog."),
]


def main(out):
    out = Path(out)
    out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(1)
    chance = random.Random(1)
    tokenizer = tokenizer_of([text for _ in range(2000) for text in example(chance)[:2]])
    tokenizer.enable_truncation(POSITIONS, strategy="only_first")
    model = train(tokenizer, chance)
    tokenizer.save(str(out / "tokenizer.json"))
    config = {
        "model_type": "bert",
        "architectures": ["BertForSequenceClassification"],
        "vocab_size": tokenizer.get_vocab_size(),
        "hidden_size": WIDTH,
        "num_hidden_layers": LAYERS,
        "num_attention_heads": HEADS,
        "intermediate_size": 4 * WIDTH,
        "max_position_embeddings": POSITIONS,
        "type_vocab_size": 2,
        "id2label": {str(at): label for at, label in enumerate(LABELS)},
        "label2id": {label: at for at, label in enumerate(LABELS)},
    }
    (out / "config.json").write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")
    names = ["input_ids", "attention_mask", "token_type_ids"]
    dynamic = {name: {0: "batch", 1: "length"} for name in names} | {"logits": {0: "batch"}}
    sample = tuple(map(torch.tensor, batch_of(tokenizer, [CASES[4], CASES[4]])))
    torch.onnx.export(
        model, sample, str(out / "model.onnx"), input_names=names, output_names=["logits"],
        dynamic_axes=dynamic, opset_version=17, dynamo=False,
    )
    session = onnxruntime.InferenceSession(str(out / "model.onnx"), providers=["CPUExecutionProvider"])

    def probabilities(pairs):
        logits = session.run(["logits"], dict(zip(names, batch_of(tokenizer, pairs))))[0].astype(np.float64)
        likely = np.exp(logits - logits.max(1, keepdims=True))
        return likely / likely.sum(1, keepdims=True)

    with open(out / "cases.jsonl", "w", encoding="utf-8") as file:
        for premise, hypothesis in CASES:
            found = probabilities([(premise, hypothesis)])[0]
            row = {"premise": premise, "hypothesis": hypothesis} | {label: round(float(p), 6) for label, p in zip(LABELS, found)}
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
    tokenizer.enable_padding()
    fresh = [example(chance) for _ in range(2000)]
    right = (probabilities([row[:2] for row in fresh]).argmax(1) == [row[2] for row in fresh]).mean()
    print(f"{right:.3f} of 2,000 fresh pairs right, by onnxruntime")


if __name__ == "__main__":
    main(sys.argv[1])
