#!/usr/bin/env python3
"""Writes a Transformer of dhyan as a model of CTranslate2, weight by weight, so that both can be timed on the same one.

usage: to_ctranslate2.py MODEL OUTPUT
"""
import json
import pathlib
import struct
import sys

import numpy as np
from ctranslate2.specs import TransformerSpec

POSITIONS = 1024


def read_safetensors(path):
    data = path.read_bytes()
    (header_bytes,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + header_bytes])
    header.pop("__metadata__", None)
    tensors = {}
    for name, entry in header.items():
        if entry["dtype"] != "F32":
            raise SystemExit(f"{path}: {name} is {entry['dtype']}, expected F32")
        begin, end = (8 + header_bytes + offset for offset in entry["data_offsets"])
        tensors[name] = np.frombuffer(data[begin:end], dtype=np.float32).reshape(entry["shape"])
    return tensors


def check(config):
    """Refuses models that have no counterpart here, or none that was tried."""
    expected = {"model": "transformer", "norm": "before", "positions": "sinusoidal", "activation": "relu",
                "score": "scaled_dot", "window": "global", "tie-embeddings": "all"}
    for name, value in expected.items():
        if config[name] != value:
            raise SystemExit(f"to_ctranslate2: {name} is {config[name]}, expected {value}")


def sinusoids(width):
    """As kernels::fill_sinusoids: sine and cosine alternate."""
    j = np.arange(width)
    angles = np.arange(POSITIONS)[:, None] * np.power(10000.0, -(j - j % 2) / width)
    return np.where(j % 2 == 0, np.sin(angles), np.cos(angles)).astype(np.float32)


def set_linear(spec, weights, names):
    """Several layers of one input become one; [in,out] here is [out,in] there."""
    spec.weight = np.concatenate([weights[f"{name}.weight"].T for name in names])
    spec.bias = np.concatenate([weights[f"{name}.bias"] for name in names])


def set_norm(spec, weights, name):
    spec.gamma = weights[f"{name}.norm.gain"]
    spec.beta = weights[f"{name}.norm.bias"]


def set_attention(spec, weights, name, fused):
    for linear, parts in zip(spec.linear, fused + [["output"]]):
        set_linear(linear, weights, [f"{name}.{part}" for part in parts])
    set_norm(spec.layer_norm, weights, name)


def set_stack(spec, weights, name):
    for i, layer in enumerate(spec.layer):
        set_attention(layer.self_attention, weights, f"{name}.{i}.self", [["query", "key", "value"]])
        if name == "decoder":
            set_attention(layer.attention, weights, f"{name}.{i}.cross", [["query"], ["key", "value"]])
        set_linear(layer.ffn.linear_0, weights, [f"{name}.{i}.feed.in"])
        set_linear(layer.ffn.linear_1, weights, [f"{name}.{i}.feed.out"])
        set_norm(layer.ffn.layer_norm, weights, f"{name}.{i}.feed")
    set_norm(spec.layer_norm, weights, name)
    spec.position_encodings.encodings = sinusoids(weights["words.table"].shape[1])


def main(model, output):
    config = json.loads((model / "config.json").read_text())
    check(config)
    weights = read_safetensors(model / "model.safetensors")
    spec = TransformerSpec.from_config((config["encoder-layers"], config["decoder-layers"]), config["heads"])
    set_stack(spec.encoder, weights, "encoder")
    set_stack(spec.decoder, weights, "decoder")
    spec.encoder.embeddings[0].weight = spec.decoder.embeddings.weight = weights["words.table"]
    spec.decoder.projection.weight = weights["words.table"]
    spec.decoder.projection.bias = weights["output.bias"]
    pieces = (model / "shared.vocab").read_text(encoding="utf-8").split("\n")[:-1]
    spec.register_source_vocabulary(pieces)
    spec.register_target_vocabulary(pieces)
    spec.validate()
    output.mkdir(parents=True, exist_ok=True)
    spec.save(str(output))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__.split("\n\n")[1])
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
