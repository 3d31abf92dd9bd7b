#!/usr/bin/env python3
"""Benchmarks that run the binary; script/bench starts them. Needs only Python itself."""
import argparse
import json
import os
import sys

from harness import captions, decode, engine, gate, imported, machine, peers, profile, report, scale, serve, start, train, vision
from harness.runs import WORK, BenchError, Missing, note

COMMANDS = {"machine": machine, "engine": engine, "train": train, "decode": decode, "start": start, "scale": scale,
            "profile": profile, "peers": peers, "vision": vision, "captions": captions, "imported": imported,
            "serve": serve}


def measured(name, options):
    """The result of one command, which also goes to build/bench/NAME.json."""
    note(f"{name}: {COMMANDS[name].MEASURES}")
    result = {"command": f"script/bench {name}" + (" --quick" if options.quick else ""),
              "machine": machine.describe(), **COMMANDS[name].measure(options)}
    WORK.mkdir(parents=True, exist_ok=True)
    (WORK / f"{name}.json").write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n")
    print(COMMANDS[name].show(result), flush=True)
    return result


def measure_for_report(options):
    for name in report.RESULTS:
        try:
            report.keep(name, measured(name, options))
        except Missing as missing:
            note(f"  MISSING {missing}; the report keeps the older result")


def parse(arguments):
    p = argparse.ArgumentParser(prog="script/bench", description=__doc__)
    p.add_argument("what", choices=[*COMMANDS, "gate", "report"])
    p.add_argument("--quick", action="store_true", help="shorter runs, fewer sentences and rounds")
    p.add_argument("--rounds", type=int, help="alternating rounds, of which medians are taken")
    p.add_argument("--threads", type=int, default=os.cpu_count(), help="default: all")
    p.add_argument("--install", action="store_true", help="peers, imported: get what is missing by pip, into build/bench")
    p.add_argument("--update", action="store_true", help="gate: take what was counted as what is expected")
    p.add_argument("--draw", action="store_true", help="report: from the results that are there, without measuring")
    options = p.parse_args(arguments)
    options.rounds = options.rounds or (2 if options.quick else 3)
    return options


def main(arguments):
    options = parse(arguments)
    if options.what == "gate":
        return gate.check(options)
    if options.what == "report":
        if not options.draw:
            measure_for_report(options)
        report.PAGE.write_text(report.drawn(), encoding="utf-8")
        return 0
    measured(options.what, options)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except BenchError as error:
        sys.exit(f"script/bench: {error}")
