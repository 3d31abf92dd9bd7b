#!/usr/bin/env python3
"""Translates lines with Bergamot (the engine of Firefox) and prints, as JSON, how long it took, without loading. Its
Python module asks the network for a list of models when it is imported, so only its library is loaded."""
import argparse
import glob
import importlib.metadata
import importlib.util
import json
import pathlib
import time


def library():
    folder = pathlib.Path(importlib.util.find_spec("bergamot").submodule_search_locations[0])
    (path,) = glob.glob(str(folder / "_bergamot*.so"))
    spec = importlib.util.spec_from_file_location("_bergamot", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("config", help="YAML, of one thread")
    p.add_argument("sources")
    p.add_argument("--batch", type=int, default=32, help="1: one line at a time")
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--output")
    a = p.parse_args()
    bergamot = library()
    service = bergamot.Service(bergamot.ServiceConfig(numWorkers=1, logLevel="off"))
    model = service.modelFromConfigPath(a.config)
    options = bergamot.ResponseOptions(alignment=False, qualityScores=False, HTML=False)
    lines = pathlib.Path(a.sources).read_text(encoding="utf-8").splitlines()
    parts = [[line] for line in lines] if a.batch == 1 else [lines]

    def translate(some):
        return [response.target.text for part in some
                for response in service.translate(model, bergamot.VectorString(part), options)]

    translate(parts[:16])  # warms up
    seconds = []
    for _ in range(a.rounds):
        start = time.process_time()
        translations = translate(parts)
        seconds.append(time.process_time() - start)
    if a.output:
        pathlib.Path(a.output).write_text("".join(line + "\n" for line in translations), encoding="utf-8")
    print(json.dumps({"version": importlib.metadata.version("bergamot"), "sentences": len(lines),
                      "cpu_seconds": seconds}))


if __name__ == "__main__":
    main()
