"""Runs programs and measures time, memory, and how busy other processes kept the machine."""
import dataclasses
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORK = ROOT / "build/bench"
DHYAN = ROOT / "build/release/dhyan"
PROGRAMS = ROOT / "build/release/bench"
LAUNCHER = ROOT / "bench/harness/launch.py"
CALM = 0.25


class BenchError(Exception):
    """An error that is shown without a stack trace."""


class Missing(BenchError):
    """A peer, a tool or data that is missing. Reported by name, never ignored."""


class Failed(BenchError):
    """A program failed; a negative code is a signal."""

    def __init__(self, message, code):
        super().__init__(message)
        self.code = code


@dataclasses.dataclass
class Ran:
    out: str
    err: str
    seconds: float  # from exec to exit
    cpu_seconds: float  # of processor time
    peak_mb: float
    others: float  # cores that other processes kept busy meanwhile


def run(command, env=None, cwd=None, feed=None):
    """Runs a command. Raises Failed with the end of its output if it fails. `feed` is a file for its standard input."""
    command = [str(part) for part in command]
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err, open(feed or os.devnull) as given:
        reader, writer = os.pipe()
        with open(reader, "rb") as said:
            launcher = subprocess.Popen([sys.executable, "-I", "-S", LAUNCHER, str(writer), *command],
                                        env={**os.environ, **(env or {})}, cwd=cwd, stdin=given, stdout=out, stderr=err,
                                        pass_fds=[writer])
            os.close(writer)
            took = json.loads(said.read() or "null")
        launcher.wait()
        out.seek(0), err.seek(0)
        complaints = err.read()
        if took is None or took["code"] != 0:
            end = "\n".join(complaints.strip().split("\n")[-8:])
            code = took["code"] if took else None
            raise Failed(f"{' '.join(command)}: exit code {'unknown' if code is None else code}\n{end}", code)
        return Ran(out.read(), complaints, took["seconds"], took["cpu_seconds"], took["peak_mb"], took["others"])


def alternately(rounds, **runs):
    """{name: results}: runs all once, then all again, so that a busy machine disturbs all alike. Rounds in which others
    kept more than a quarter of a core busy are tried once more; the calmest count."""
    tried = []
    disturbed = lambda results: max(result["others"] for result in results.values())
    while len(tried) < 2 * rounds and sum(disturbed(results) < CALM for results in tried) < rounds:
        tried.append({name: one() for name, one in runs.items()})
    calmest = sorted(tried, key=disturbed)[:rounds]
    return {name: [results[name] for results in calmest] for name in runs}


def median_of(results, field):
    return statistics.median(result[field] for result in results)


def median_ratio(results, field, above, below):
    """The median over rounds of above / below, which ran next to each other."""
    return statistics.median(a[field] / b[field] for a, b in zip(results[above], results[below]))


def note(text):
    print(text, file=sys.stderr)
