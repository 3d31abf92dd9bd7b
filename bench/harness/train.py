"""Training: target tokens per second over whole steps, and peak memory."""
import functools
import json
import re

from harness.runs import WORK, BenchError, alternately, median_of, note, run
from harness.setups import PRECISIONS, SETUPS, tokenizer_folder, train_command
from harness.tables import text_table

MEASURES = "target tokens/s and peak memory of training the four models on Multi30k, in both precisions"


def steady(intervals):
    """(tokens, seconds, steps) of all intervals of a log except the first, which is warm-up."""
    tokens = seconds = 0.0
    for before, now in zip(intervals, intervals[1:]):
        took = now["seconds"] - before["seconds"]
        tokens += now["tokens_per_second"] * took
        seconds += took
    return tokens, seconds, intervals[-1]["step"] - intervals[0]["step"]


def train_once(setup, threads, seconds, corpus=None, precision="float32"):
    """Trains for that many seconds and measures it."""
    folder = WORK / "runs" / setup.name
    flags = ["--tokenizer-from", tokenizer_folder(), "--threads", threads, "--max-minutes", seconds / 60,
             "--report-steps", setup.report_steps, "--precision", precision]
    ran = run(train_command(setup, folder, *flags, corpus=corpus))
    events = map(json.loads, (folder / "train.jsonl").read_text().splitlines())
    intervals = [event for event in events if event["event"] == "interval"]
    if len(intervals) < 2:
        raise BenchError(f"{setup.name}: {len(intervals)} lines of log in {seconds:.0f} s; expected 2 or more")
    tokens, took, steps = steady(intervals)
    log = (folder / "train.log").read_text()
    weights = re.search(r"^model: .* ([\d,]+) weights", log, re.MULTILINE).group(1)
    pairs, source, target = re.search(r": ([\d,]+) pairs, ([\d,]+) \+ ([\d,]+) tokens", log).groups()
    number = lambda text: int(text.replace(",", ""))
    return {
        "tokens_per_second": tokens / took,
        "step_ms": 1e3 * took / steps,
        "tokens_per_step": tokens / steps,
        "steps": steps,
        "peak_mb": ran.peak_mb,
        "weights": number(weights),
        "corpus": {"pairs": number(pairs), "source_tokens": number(source), "target_tokens": number(target)},
        "seconds_outside_steps": ran.seconds - intervals[-1]["seconds"],
        "others": ran.others,
    }


def summary(results):
    """Medians over rounds; fields that do not vary are those of the first round."""
    fields = ["tokens_per_second", "step_ms", "tokens_per_step", "peak_mb", "seconds_outside_steps", "others"]
    return {**results[0], **{field: median_of(results, field) for field in fields},
            "rounds": [result["tokens_per_second"] for result in results]}


def seconds_for(setup, options):
    return setup.seconds / 3 if options.quick else setup.seconds


def by_precision(setup, options, once, prefix=""):
    """{prefix and precision: a run of it}, for alternately()."""
    seconds = seconds_for(setup, options)
    return {prefix + precision: functools.partial(once, setup, options.threads, seconds, precision=precision)
            for precision in PRECISIONS}


def measure(options):
    models = {}
    for setup in SETUPS.values():
        note(f"  {setup.name}")
        for precision, results in alternately(options.rounds, **by_precision(setup, options, train_once)).items():
            models[f"{setup.name}, {precision}"] = summary(results)
    return {"threads": options.threads, "models": models}


def show(result):
    rows = [[name, f"{one['tokens_per_second']:,.0f}", f"{one['step_ms']:,.0f} ms", f"{one['peak_mb']:,.0f} MB",
             f"{one['weights']:,}", f"{one['others']:.2f}"] for name, one in result["models"].items()]
    return text_table(["training", "tokens/s", "step", "peak memory", "weights", "cores of others"], rows)
