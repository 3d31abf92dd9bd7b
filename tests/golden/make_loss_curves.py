#!/usr/bin/python3
"""Loss curves of two tiny networks by PyTorch, for tests/loss_curves_test.cpp.

    apt-get install python3-torch          # Debian 12: PyTorch 1.13
    /usr/bin/python3 tests/golden/make_loss_curves.py > tests/golden/loss_curves.json

Weights, sentences and sizes are formulas that the test repeats, so the file holds only results. Each sentence is run
by itself: there is no padding whose handling could differ. Everything is computed in double.
"""
import json
import math

import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)

V, E, H, FF, HEADS = 11, 8, 8, 12, 2
STEPS, LEARNING_RATE, SMOOTHING, CLIP = 20, 0.02, 0.1, 1.0
LENGTHS = [5, 3, 1, 4]


def formula(salt, shape, spread):
    """Numbers in [-spread/2, spread/2) that any language computes alike."""
    count = math.prod(shape)
    k = torch.arange(count, dtype=torch.int64)
    return ((((k * 7919 + salt * 104729) % 2003).double() / 2003 - 0.5) * spread).reshape(shape)


def sentences():
    """Word ids 1..V-1; each sentence predicts its next word, the last one word 0."""
    position, result = 0, []
    for length in LENGTHS:
        words = [1 + (position + i) * 7 % (V - 1) for i in range(length)]
        position += length
        result.append((torch.tensor(words), torch.tensor(words[1:] + [0])))
    return result


class Weights:
    """Parameters in the order in which the test adds them: each gets the next salt."""

    def __init__(self):
        self.all = []

    def add(self, *shape, spread=1.0, offset=0.0):
        self.all.append((formula(len(self.all) + 1, shape, spread) + offset).requires_grad_())
        return self.all[-1]


class Gru:
    def __init__(self):
        w = Weights()
        self.table = w.add(V, E)
        self.W, self.b = w.add(E, 3 * H), w.add(3 * H)
        self.U, self.c = w.add(H, 3 * H), w.add(3 * H)
        self.out, self.bias = w.add(V, H), w.add(V)
        self.parameters = w.all

    def logits(self, words):
        h, states = torch.zeros(1, H), []
        for x in self.table[words]:
            h = torch.gru_cell(x.unsqueeze(0), h, self.W.t(), self.U.t(), self.b, self.c)
            states.append(h)
        return torch.cat(states) @ self.out.t() + self.bias


class SelfAttention:
    def __init__(self):
        w = Weights()
        self.table = w.add(V, E)
        self.gain1, self.shift1 = w.add(E, spread=0.2, offset=1.0), w.add(E, spread=0.2)
        self.q, self.k, self.v, self.o = [(w.add(E, E), w.add(E)) for _ in range(4)]
        self.gain2, self.shift2 = w.add(E, spread=0.2, offset=1.0), w.add(E, spread=0.2)
        self.up, self.down = (w.add(E, FF), w.add(FF)), (w.add(FF, E), w.add(E))
        self.out, self.bias = w.add(V, E), w.add(V)
        self.parameters = w.all

    def positions(self, length):
        rate = 10000 ** (-torch.arange(0, E, 2) / E)
        angle = torch.arange(length).unsqueeze(1) * rate
        return torch.stack([angle.sin(), angle.cos()], dim=2).reshape(length, E)

    def logits(self, words):
        length = len(words)
        x = self.table[words] * math.sqrt(E) + self.positions(length)
        n = F.layer_norm(x, (E,), self.gain1, self.shift1, 1e-5)
        q, k, v = [(n @ w + b).reshape(length, HEADS, E // HEADS).transpose(0, 1) for w, b in (self.q, self.k, self.v)]
        hidden = torch.ones(length, length).triu(1).bool()
        energy = (q @ k.transpose(1, 2) / math.sqrt(E // HEADS)).masked_fill(hidden, -math.inf)
        context = (energy.softmax(2) @ v).transpose(0, 1).reshape(length, E)
        x = x + context @ self.o[0] + self.o[1]
        n = F.layer_norm(x, (E,), self.gain2, self.shift2, 1e-5)
        x = x + (n @ self.up[0] + self.up[1]).relu() @ self.down[0] + self.down[1]
        return x @ self.out.t() + self.bias


def curve(network, optimizer):
    """Loss per word before each step."""
    words = sum(LENGTHS)
    losses = []
    for _ in range(STEPS):
        optimizer.zero_grad()
        loss = sum(
            F.cross_entropy(network.logits(source), target, reduction="sum", label_smoothing=SMOOTHING)
            for source, target in sentences()
        ) / words
        losses.append(loss.item())
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters, CLIP)
        optimizer.step()
    return losses


gru, attention = Gru(), SelfAttention()
print(json.dumps({
    "made by": "tests/golden/make_loss_curves.py with PyTorch " + torch.__version__,
    "gru with adam": curve(gru, torch.optim.Adam(gru.parameters, LEARNING_RATE)),
    "self-attention with adamw": curve(attention, torch.optim.AdamW(attention.parameters, LEARNING_RATE)),
}, indent=1))
