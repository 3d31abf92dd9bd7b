#!/usr/bin/python3
"""Logits, losses and gradients of tiny Transformers by PyTorch, for tests/transformers_test.cpp.

    apt-get install python3-torch          # Debian 12: PyTorch 1.13
    /usr/bin/python3 tests/golden/make_transformers.py > tests/golden/transformers.json

The layers are PyTorch's own (torch.nn.TransformerEncoderLayer and TransformerDecoderLayer), called with weights that
are made of ours: there a weight is [in,out], and query, key and value have one each. Gradients are those of ours.
Each sentence is run by itself: there is no padding whose handling could differ. Everything is computed in double.
"""
import json
import math

import torch
import torch.nn.functional as F
from torch.nn.utils.stateless import functional_call

torch.set_default_dtype(torch.float64)
torch.manual_seed(7)

V, H, FF, HEADS, LONGEST, SMOOTHING = 11, 8, 12, 2, 9, 0.1
BEGIN, END = 2, 3

# Translation: each ends with </s>.
SOURCES = [[4, 7, 10, 5, 3], [6, 3], [9, 8, 4, 3]]
TARGETS = [[5, 9, 3], [10, 4, 6, 8, 7, 3], [3]]
# Plain text: what follows each token of a stretch.
TEXTS = [[4, 7, 3, 5, 10, 6], [8], [9, 9, 4]]
NEXT = [[7, 3, 5, 10, 6, 2], [4], [9, 4, 5]]
# Tokens, some of them hidden (0) or replaced; where and what they were.
MASKED = [[4, 0, 10, 5, 9, 3], [0, 3], [9, 8, 0, 3]]
ANSWERS = [{1: 7, 4: 9}, {0: 6}, {2: 4, 1: 10}]


def gelu(x):
    return F.gelu(x, approximate="tanh")


class Weights(dict):
    """Parameters by name; their numbers are short, so that text holds them exactly."""

    def add(self, name, *shape, offset=0.0):
        numbers = torch.rand(shape) - 0.5 + offset
        self[name] = (numbers * 1e4).round().div(1e4).requires_grad_()

    def linear(self, name, inputs, outputs):
        self.add(name + ".weight", inputs, outputs)
        self.add(name + ".bias", outputs)

    def norm(self, name):
        self.add(name + ".gain", H, offset=1.0)
        self.add(name + ".bias", H)

    def block(self, name, has_cross):
        for place in ["self", "cross"] if has_cross else ["self"]:
            for part in ["query", "key", "value", "output"]:
                self.linear(f"{name}.{place}.{part}", H, H)
            self.norm(f"{name}.{place}.norm")
        self.linear(f"{name}.feed.in", H, FF)
        self.linear(f"{name}.feed.out", FF, H)
        self.norm(f"{name}.feed.norm")

    # The same for PyTorch's modules.

    def attention(self, name, place, theirs):
        parts = [f"{name}.{place}.{part}" for part in ["query", "key", "value"]]
        return {
            theirs + ".in_proj_weight": torch.cat([self[part + ".weight"].t() for part in parts]),
            theirs + ".in_proj_bias": torch.cat([self[part + ".bias"] for part in parts]),
            theirs + ".out_proj.weight": self[f"{name}.{place}.output.weight"].t(),
            theirs + ".out_proj.bias": self[f"{name}.{place}.output.bias"],
        }

    def layer(self, name, has_cross):
        places = ["self", "cross", "feed"] if has_cross else ["self", "feed"]
        layer = self.attention(name, "self", "self_attn")
        if has_cross:
            layer.update(self.attention(name, "cross", "multihead_attn"))
        for ours, theirs in [("in", "linear1"), ("out", "linear2")]:
            layer[theirs + ".weight"] = self[f"{name}.feed.{ours}.weight"].t()
            layer[theirs + ".bias"] = self[f"{name}.feed.{ours}.bias"]
        for i, place in enumerate(places):
            layer[f"norm{i + 1}.weight"] = self[f"{name}.{place}.norm.gain"]
            layer[f"norm{i + 1}.bias"] = self[f"{name}.{place}.norm.bias"]
        return layer

    def normed(self, name, x):
        return F.layer_norm(x, (H,), self[name + ".gain"], self[name + ".bias"], 1e-5)


def sinusoids(length):
    """PE(p,2i) = sin(p / 10000^(2i/H)), PE(p,2i+1) = cos of the same."""
    result = torch.empty(length, H)
    for p in range(length):
        for i in range(0, H, 2):
            angle = p / 10000 ** (i / H)
            result[p, i], result[p, i + 1] = math.sin(angle), math.cos(angle)
    return result


def causal(length):
    return torch.full((length, length), -math.inf).triu(1)


class Network:
    def __init__(self, norm="before", activation="relu", positions="sinusoidal", tying="all", layers=2):
        self.config = dict(hidden=H, feed_forward=FF, heads=HEADS, layers=layers, vocabulary=V, longest=LONGEST,
                           norm=norm, activation=activation, positions=positions, tying=tying)
        self.weights, self.layers, self.tied = Weights(), layers, tying != "none"
        self.sinusoidal, self.norm_first = positions == "sinusoidal", norm == "before"
        self.activation = {"relu": F.relu, "gelu": gelu, "swish": F.silu}[activation]

    def add_stack(self, name, has_cross=False):
        for i in range(self.layers):
            self.weights.block(f"{name}.{i}", has_cross)
        if self.norm_first:
            self.weights.norm(name + ".norm")

    def add_positions(self, name):
        if not self.sinusoidal:
            self.weights.add(name + ".positions.table", LONGEST, H)

    def add_output(self, table):
        self.table = table
        if not self.tied:
            self.weights.add("output.weight", V, H)
        self.weights.add("output.bias", V)

    def read(self, table, positions, tokens):
        x = self.weights[table][tokens]
        if self.sinusoidal:
            return x * math.sqrt(H) + sinusoids(len(tokens))
        return x + self.weights[positions + ".positions.table"][:len(tokens)]

    def stack(self, name, x, mask=None, source=None):
        kind = torch.nn.TransformerEncoderLayer if source is None else torch.nn.TransformerDecoderLayer
        layer = kind(H, HEADS, FF, dropout=0.0, activation=self.activation, layer_norm_eps=1e-5, batch_first=True,
                     norm_first=self.norm_first)
        given = (x[None], mask) if source is None else (x[None], source[None], mask)
        for i in range(self.layers):
            weights = self.weights.layer(f"{name}.{i}", source is not None)
            given = (functional_call(layer, weights, given),) + given[1:]
        x = given[0][0]
        return self.weights.normed(name + ".norm", x) if self.norm_first else x

    def output(self, x):
        weight = self.weights[self.table if self.tied else "output.weight"]
        return x @ weight.t() + self.weights["output.bias"]


class EncoderDecoder(Network):
    def __init__(self, **options):
        super().__init__(**options)
        everywhere = self.config["tying"] == "all"
        self.source = "words.table" if everywhere else "source.table"
        self.target = "words.table" if everywhere else "target.table"
        for table in dict.fromkeys([self.source, self.target]):
            self.weights.add(table, V, H)
        self.add_positions("source")
        self.add_positions("target")
        self.add_stack("encoder")
        self.add_stack("decoder", has_cross=True)
        self.add_output(self.target)
        self.batch = dict(source=SOURCES, target=TARGETS)

    def sentences(self):
        for source, target in zip(SOURCES, TARGETS):
            annotations = self.stack("encoder", self.read(self.source, "source", source))
            x = self.read(self.target, "target", [BEGIN] + target[:-1])
            yield self.output(self.stack("decoder", x, causal(len(target)), annotations)), target


class DecoderOnly(Network):
    def __init__(self, **options):
        super().__init__(**options)
        self.weights.add("words.table", V, H)
        self.add_positions("words")
        self.add_stack("decoder")
        self.add_output("words.table")
        self.batch = dict(source=TEXTS, target=NEXT)

    def sentences(self):
        for text, following in zip(TEXTS, NEXT):
            x = self.read("words.table", "words", text)
            yield self.output(self.stack("decoder", x, causal(len(text)))), following


class EncoderOnly(Network):
    def __init__(self, **options):
        super().__init__(**options)
        self.weights.add("words.table", V, H)
        self.add_positions("words")
        self.add_stack("encoder")
        self.weights.linear("head", H, H)
        self.weights.norm("head.norm")
        self.add_output("words.table")
        rows = [[places.get(i, -1) for i in range(len(text))] for text, places in zip(MASKED, ANSWERS)]
        self.batch = dict(source=MASKED, target=rows)  # -1: not asked for

    def sentences(self):
        for text, answers in zip(MASKED, self.batch["target"]):
            x = self.stack("encoder", self.read("words.table", "words", text))
            x = gelu(x @ self.weights["head.weight"] + self.weights["head.bias"])
            yield self.output(self.weights.normed("head.norm", x)), answers


def short(numbers):
    """11 digits."""
    return [float(f"{x:.10e}") for x in numbers.detach().flatten().tolist()]


def measured(network):
    results = list(network.sentences())
    loss = {smoothing: sum(F.cross_entropy(logits, torch.tensor(target), reduction="sum", label_smoothing=smoothing,
                                           ignore_index=-1) for logits, target in results)
            for smoothing in (0.0, SMOOTHING)}
    loss[SMOOTHING].backward()
    return {
        "config": network.config,
        **network.batch,
        "logits": [short(logits) for logits, _ in results],
        "loss": short(loss[0.0])[0],
        "smoothed loss": short(loss[SMOOTHING])[0],
        "weights": {name: [round(x, 4) for x in w.detach().flatten().tolist()] for name, w in network.weights.items()},
        "gradients of the smoothed loss": {name: short(w.grad) for name, w in network.weights.items()},
    }


networks = {
    "encoder-decoder": EncoderDecoder(),
    "encoder-decoder with norms after": EncoderDecoder(norm="after", activation="gelu", positions="learned",
                                                       tying="none", layers=1),
    "decoder-only": DecoderOnly(activation="gelu", positions="learned", tying="decoder"),
    "encoder-only": EncoderOnly(norm="after", activation="swish", positions="learned", tying="all"),
}


def lines(value, depth=3):
    """JSON with a line for each list."""
    if depth == 0 or not isinstance(value, dict):
        return json.dumps(value, separators=(",", ":"))
    return "{\n" + ",\n".join(json.dumps(key) + ": " + lines(x, depth - 1) for key, x in value.items()) + "\n}"


print(lines({
    "made by": "tests/golden/make_transformers.py with PyTorch " + torch.__version__,
    "label smoothing": SMOOTHING,
    **{name: measured(network) for name, network in networks.items()},
}))
