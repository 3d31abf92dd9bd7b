#!/usr/bin/env python3
"""Translates lines with Marian (pymarian) and prints, as JSON, how long it took, without loading."""
import argparse
import importlib.metadata
import json
import pathlib
import time

import pymarian


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("model", help=".npz or .bin; its vocabulary and shortlist are named by --flags")
    p.add_argument("sources")
    p.add_argument("--flags", default="", help="further options of marian-decoder")
    p.add_argument("--batch", type=int, default=32, help="1: one line at a time")
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--output")
    a = p.parse_args()
    translator = pymarian.Translator(f"-m {a.model} --cpu-threads 1 --quiet --quiet-translation --mini-batch {a.batch} "
                                     f"--maxi-batch 100 --maxi-batch-sort src {a.flags}")
    lines = pathlib.Path(a.sources).read_text(encoding="utf-8").splitlines()
    parts = lines if a.batch == 1 else ["\n".join(lines)]

    def translate(some):
        return [line for part in some for line in translator.translate(part).splitlines()]

    translate(parts[:16])  # warms up
    seconds = []
    for _ in range(a.rounds):
        start = time.process_time()
        translations = translate(parts)
        seconds.append(time.process_time() - start)
    if a.output:
        pathlib.Path(a.output).write_text("".join(line + "\n" for line in translations), encoding="utf-8")
    print(json.dumps({"version": importlib.metadata.version("pymarian"), "sentences": len(lines),
                      "cpu_seconds": seconds}))


if __name__ == "__main__":
    main()
