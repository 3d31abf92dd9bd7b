#!/usr/bin/env python3
"""Tokens of the training data as the PyTorch scripts cut it, as JSON. Run in their folder."""
import json
import sys

sys.path.insert(0, ".")
from data import load  # noqa: E402

pairs = load("train")
print(json.dumps({"pairs": len(pairs), "source_tokens": sum(len(s) for s, _ in pairs),
                  "target_tokens": sum(len(t) for _, t in pairs)}))
