"""The network of the preset caption-tiny in PyTorch: trains it, or captions pictures greedily, and prints JSON. Training
takes the captions of a TSV file and pictures of noise that are in memory from the start; captioning reads PNG files with
Pillow, as many at once as there are threads. The start of the program is never in the time. On one thread the time is
processor time."""
import argparse
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
import json
from pathlib import Path
import random
import time

from PIL import Image
import numpy
import torch
from torch import nn
import torch.nn.functional as F

PAD, BOS, EOS, FIRST_WORD = 0, 1, 2, 3
PIXELS, CELLS, WIDTH = 64, 64, 64


class Captioner(nn.Module):
    def __init__(self, words, embedding=64, state=128, readout=128):
        super().__init__()
        channels = [3, 16, 32, 64, 64]
        self.layers = nn.ModuleList(nn.Conv2d(i, o, 3, stride, padding=1)
                                    for i, o, stride in zip(channels, channels[1:], [2, 2, 2, 1]))
        self.network_norm, self.norm = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.positions = nn.Parameter(0.1 * torch.randn(CELLS, WIDTH))
        self.bridge = nn.Linear(WIDTH, state)
        self.embedding = nn.Embedding(words, embedding)
        self.keys, self.query = nn.Linear(WIDTH, state, bias=False), nn.Linear(state, state)
        self.energy = nn.Linear(state, 1, bias=False)
        self.cell = nn.GRUCell(embedding + WIDTH, state)
        self.readout = nn.Linear(state + embedding + WIDTH, readout)
        self.output = nn.Linear(readout, words)

    def encode(self, pictures):
        x = (pictures.permute(0, 3, 1, 2).float() - 127) / 128  # [B,3,64,64]
        for layer in self.layers:
            x = F.relu(layer(x))
        x = self.network_norm(x.flatten(2).transpose(1, 2))  # [B,S,64]
        h = self.norm(x + self.positions)
        return h, self.keys(h), torch.tanh(self.bridge(h.mean(1)))

    def step(self, y, s, h, keys):
        energy = self.energy(torch.tanh(self.query(s).unsqueeze(1) + keys)).squeeze(-1)  # [B,S]
        c = torch.bmm(energy.softmax(-1).unsqueeze(1), h).squeeze(1)  # [B,64]
        return self.cell(torch.cat([y, c], -1), s), c

    def forward(self, pictures, words):
        h, keys, s = self.encode(pictures)
        embedded = self.embedding(words[:, :-1])
        states, contexts = [], []
        for i in range(embedded.shape[1]):
            s, c = self.step(embedded[:, i], s, h, keys)
            states.append(s), contexts.append(c)
        readout = torch.cat([torch.stack(states, 1), embedded, torch.stack(contexts, 1)], -1)
        logits = self.output(torch.tanh(self.readout(readout)))
        return F.cross_entropy(logits.flatten(0, 1), words[:, 1:].flatten(), ignore_index=PAD)

    @torch.inference_mode()
    def greedy(self, pictures, length):
        h, keys, s = self.encode(pictures)
        word = torch.full([len(pictures)], BOS)
        for _ in range(length):
            y = self.embedding(word)
            s, c = self.step(y, s, h, keys)
            word = self.output(torch.tanh(self.readout(torch.cat([s, y, c], -1)))).argmax(-1)


def read_captions(path):
    lines = [line.rstrip("\n").split("\t")[1].split() for line in open(path, encoding="utf-8")]
    ids = {word: i + FIRST_WORD for i, word in enumerate(sorted({word for line in lines for word in line}))}
    return [[BOS, *(ids[word] for word in line), EOS] for line in lines], len(ids) + FIRST_WORD


def batches(captions, tokens):
    """Captions of like length together, padded, with as many target tokens as `tokens`."""
    made, batch, count = [], [], 0
    for caption in sorted(captions, key=len):
        if batch and count + len(caption) - 1 > tokens:
            made.append(batch)
            batch, count = [], 0
        batch.append(caption)
        count += len(caption) - 1
    longest = lambda batch: len(batch[-1])
    return [torch.tensor([one + [PAD] * (longest(batch) - len(one)) for one in batch]) for batch in made]


def noise(count):
    return torch.randint(256, [count, PIXELS, PIXELS, 3], dtype=torch.uint8)


def train(model, captions, options):
    made = batches(captions, options.tokens)
    random.Random(1).shuffle(made)
    pictures = noise(max(map(len, made)))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    begin, tokens, steps = None, 0, 0
    while begin is None or clock() - begin < options.seconds:
        words = made[steps % len(made)]
        optimizer.zero_grad(set_to_none=True)
        model(pictures[:len(words)], words).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        steps += 1
        if begin is not None:
            tokens += int((words[:, 1:] != PAD).sum())
        elif steps == 20:  # warm-up
            begin = clock()
    return tokens / (clock() - begin)


def read_picture(path):
    return torch.from_numpy(numpy.array(Image.open(path).convert("RGB")))


def caption(model, captions, options):
    """Pictures per second; every batch is as long as the mean caption, so nothing is spent on a long one."""
    length = round(sum(len(one) - 1 for one in captions) / len(captions))
    files = sorted((Path(options.captions).parent / "images").iterdir())
    model.greedy(noise(options.batch), length)
    begin = clock()
    with ThreadPoolExecutor(options.threads) as readers:
        pictures = readers.map(read_picture, files)  # reads ahead of the network
        for _ in range(0, len(files), options.batch):
            model.greedy(torch.stack(list(islice(pictures, options.batch))), length)
    return len(files) / (clock() - begin)


p = argparse.ArgumentParser(description=__doc__)
p.add_argument("what", choices=["train", "caption"])
p.add_argument("captions")
p.add_argument("--threads", type=int, default=2)
p.add_argument("--seconds", type=float, default=10)
p.add_argument("--tokens", type=int, default=800)
p.add_argument("--batch", type=int, default=64)
options = p.parse_args()
clock = time.perf_counter if options.threads > 1 else time.process_time
torch.manual_seed(1)
torch.set_num_threads(options.threads)
captions, words = read_captions(options.captions)
model = Captioner(words)
rate = {"train": train, "caption": caption}[options.what](model, captions, options)
print(json.dumps({"rate": rate, "weights": sum(one.numel() for one in model.parameters()), "torch": torch.__version__}))
