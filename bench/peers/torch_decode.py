#!/usr/bin/env python3
"""Greedy decoding with the PyTorch scripts, every translation of the same length, as JSON. Run in their folder."""
import argparse
import json
import sys
import time

import numpy as np
import torch

sys.path.insert(0, ".")
from data import load, pad  # noqa: E402
from models import EOS, build  # noqa: E402
from translate import greedy  # noqa: E402


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("model", help="its letter; the weights are random")
    p.add_argument("--batch", type=int, default=32)
    p.add_argument("--length", type=int, required=True)
    p.add_argument("--sentences", type=int, required=True)
    p.add_argument("--threads", type=int, required=True)
    a = p.parse_args()
    torch.set_num_threads(a.threads)
    model = build(a.model).eval()
    sources = sorted((source for source, _ in load("test_2016_flickr")[: a.sentences]), key=len, reverse=True)
    batches = [pad([np.append(source, EOS) for source in sources[i : i + a.batch]])
               for i in range(0, len(sources), a.batch)]
    length = torch.tensor([a.length])
    greedy(model, batches[0], a.length, length)  # warms up
    start = time.perf_counter()
    tokens = sum(len(line) for batch in batches for line in greedy(model, batch, a.length, length))
    print(json.dumps({"tokens": tokens, "tokens_per_second": tokens / (time.perf_counter() - start)}))


if __name__ == "__main__":
    main()
