"""Writes a trained network as other programs read it.

    export.py MODEL_DIR OUT_DIR

MODEL_DIR is what train.py writes. OUT_DIR gets model.onnx (opset 17; `input_ids`, `attention_mask`, `token_type_ids`, int64 [batch, length], to
`logits` [batch, 3]), model-int8.onnx (weights of matrices in a byte each), tokenizer.json and config.json with the order of the labels, and prints
how far onnxruntime is from what was trained.
"""

import argparse
import json
from pathlib import Path

import numpy as np
import onnxruntime
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic

import train

NAMES = ["input_ids", "attention_mask", "token_type_ids"]
CALLED = {"entailed": "entailment", "unsaid": "neutral", "contradicted": "contradiction"}
PAIRS = [
    ("Diary: Anna lent Tom the tent.", "Tom borrowed the tent from Anna."),
    ("Diary: Anna lent Tom the tent. It rained all day, and nobody had brought a book.", "Anna borrowed the tent from Tom."),
]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("model", type=Path)
    parser.add_argument("out", type=Path)
    arguments = parser.parse_args()
    out = arguments.out
    out.mkdir(parents=True, exist_ok=True)
    reader = train.Reader(arguments.model).eval()
    reader.longest(256)
    reader.tokenizer.save(str(out / "tokenizer.json"))
    words = reader.embeddings["word_embeddings"].weight
    labels = [CALLED[label] for label in train.LABELS]
    config = {
        "model_type": "bert",
        "architectures": ["BertForSequenceClassification"],
        "vocab_size": words.shape[0],
        "hidden_size": words.shape[1],
        "num_hidden_layers": len(reader.encoder["layer"]),
        "num_attention_heads": train.HEADS,
        "intermediate_size": 4 * words.shape[1],
        "max_position_embeddings": reader.embeddings["position_embeddings"].weight.shape[0],
        "type_vocab_size": 2,
        "id2label": {str(at): label for at, label in enumerate(labels)},
        "label2id": {label: at for at, label in enumerate(labels)},
    }
    (out / "config.json").write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")
    sample = tuple(reader.tensors(reader.encode(PAIRS)))
    dynamic = {name: {0: "batch", 1: "length"} for name in NAMES} | {"logits": {0: "batch"}}
    torch.onnx.export(
        reader, sample, str(out / "model.onnx"), input_names=NAMES, output_names=["logits"],
        dynamic_axes=dynamic, opset_version=17, dynamo=False,
    )
    quantize_dynamic(str(out / "model.onnx"), str(out / "model-int8.onnx"), weight_type=QuantType.QInt8)
    ours = reader(*sample).detach().numpy()
    for name in ("model.onnx", "model-int8.onnx"):
        session = onnxruntime.InferenceSession(str(out / name), providers=["CPUExecutionProvider"])
        theirs = session.run(["logits"], {n: t.numpy() for n, t in zip(NAMES, sample)})[0]
        print(f"{name}: {(out / name).stat().st_size / 1e6:.1f} MB, logits off by {np.abs(ours - theirs).max():.5f} at most")


if __name__ == "__main__":
    main()
