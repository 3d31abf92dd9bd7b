"""Where the time of training and decoding goes, by `perf record`."""
import collections
import re
import shutil

from harness.decode import LENGTH
from harness.runs import PROGRAMS, WORK, Missing, note, run
from harness.setups import SETUPS, model_folder, multi30k, tokenizer_folder, train_command
from harness.tables import text_table

MEASURES = "share of each kernel in the time of training and of greedy decoding, by perf"
SHOWN = 8  # kernels by name; the rest is summed up
KERNEL = re.compile(r"dhyan::kernels::(?:N_\w+::)?(?:\(anonymous namespace\)::)?(\w+)")
LIBRARIES = [("cutting into tokens", re.compile(r"libsentencepiece")),
             ("C and C++ libraries", re.compile(r"libc\.|libm\.|libstdc\+\+|ld-linux")),
             ("operating system", re.compile(r"\[kernel|\[k\]|\[vdso\]"))]


def part_of(library, symbol):
    """The part that a line of perf's report belongs to."""
    kernel = KERNEL.search(symbol)
    if kernel:
        return kernel.group(1)
    return next((name for name, pattern in LIBRARIES if pattern.search(library)), "the rest of dhyan")


def shares(command, delay_ms):
    """{part: share of all time}, the largest first, without the first `delay_ms`."""
    data = WORK / "perf.data"
    run(["perf", "record", "--quiet", "-F", 997, "-D", delay_ms, "-o", data, "--", *command])
    listed = run(["perf", "report", "-i", data, "--stdio", "-n", "--sort", "dso,symbol", "-t", "|"]).out
    samples = collections.Counter()
    for line in listed.split("\n"):
        fields = line.split("|")
        if len(fields) >= 4 and not line.startswith("#"):
            samples[part_of(fields[2], fields[3])] += int(fields[1])
    shown = {part: count / samples.total() for part, count in samples.most_common(SHOWN)}
    return {**shown, "others": 1 - sum(shown.values())}


def measure(options):
    if shutil.which("perf") is None:
        raise Missing("profile: perf is not installed (Debian: apt-get install linux-perf)")
    seconds = 6 if options.quick else 25
    rows = []
    for setup in SETUPS.values():
        note(f"  train {setup.name}")
        command = train_command(setup, WORK / "runs" / setup.name, "--tokenizer-from", tokenizer_folder(), "--threads",
                                options.threads, "--max-minutes", (seconds + 5) / 60, "--report-steps", 1000)
        rows.append({"title": f"train {setup.name}", "shares": shares(command, 5000)})
    for name in ["transformer-tiny", "transformer-base", "rnnsearch"]:
        note(f"  greedy {name}")
        rounds = {"transformer-base": 1}.get(name, 4)
        command = [PROGRAMS / "decode_bench", model_folder(name), multi30k("test_2016_flickr.en"), "--threads",
                   options.threads, "--length", LENGTH, "--rounds", rounds]
        rows.append({"title": f"greedy {name}", "shares": shares(command, 500)})
    return {"threads": options.threads, "rows": rows}


def show(result):
    lines = []
    for row in result["rows"]:
        parts = [[part, f"{100 * share:.1f} %"] for part, share in row["shares"].items()]
        lines.append(text_table([row["title"], ""], parts))
    return "\n\n".join(lines)
