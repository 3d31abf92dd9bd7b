"""How cost grows with threads, with the corpus and with the length of sentences."""
import itertools

from harness.decode import Way, decode_once, sentences_for
from harness.runs import WORK, alternately, median_of, median_ratio, note
from harness.setups import SETUPS, multi30k
from harness.tables import text_table, times
from harness.train import seconds_for, train_once

MEASURES = "speed-up by threads, cost of a token as the corpus grows and as sentences do"
MODELS = ["rnnsearch", "transformer-tiny", "transformer-base"]
LENGTHS = [5, 10, 20, 50, 100, 200, 500]
CORPORA = [10_000, 100_000, 1_000_000]


def by_threads(options, title, once):
    """once(threads) on one thread and on all, alternately."""
    note(f"  {title}, 1 and {options.threads} threads")
    results = alternately(options.rounds, one=lambda: once(1), all=lambda: once(options.threads))
    return {"title": title, "one": median_of(results["one"], "tokens_per_second"),
            "all": median_of(results["all"], "tokens_per_second"), "others": median_of(results["all"], "others"),
            "speed_up": median_ratio(results, "tokens_per_second", "all", "one")}


def measure_threads(options):
    rows = []
    for name in MODELS:
        setup = SETUPS[name]
        seconds = seconds_for(setup, options)
        rows.append(by_threads(options, f"train {name}", lambda threads: train_once(setup, threads, seconds)))
    for name in MODELS:
        way = Way(name)
        sentences = sentences_for(way, options)
        rows.append(by_threads(options, f"greedy {name}", lambda threads: decode_once(way, threads, sentences)))
    return rows


def corpus_of(lines):
    """Multi30k, repeated up to that many lines."""
    files = []
    for language in ["en", "de"]:
        path = WORK / f"data/{lines}.{language}"
        if not path.exists():
            with open(multi30k(f"train.{language}"), encoding="utf-8") as once:
                text = once.readlines()
            path.write_text("".join(itertools.islice(itertools.cycle(text), lines)), encoding="utf-8")
        files.append(path)
    return files


def measure_corpora(options):
    setup = SETUPS["transformer-tiny"]
    rows = []
    for lines in CORPORA:
        note(f"  a corpus of {lines:,} pairs")
        once = train_once(setup, options.threads, seconds_for(setup, options), corpus_of(lines))
        rows.append({"pairs": lines, "us_per_token": 1e6 / once["tokens_per_second"], "peak_mb": once["peak_mb"],
                     "seconds_outside_steps": once["seconds_outside_steps"], "others": once["others"]})
    return rows


def measure_lengths(options):
    """Cost by length; sources and translations are equally long."""
    rows = []
    ways = [Way("transformer-tiny"), Way("transformer-tiny", precision="int8"), Way("rnnsearch")]
    for way, length in itertools.product(ways, LENGTHS):
        name = way.model if way.precision == "fp32" else f"{way.model} {way.precision}"
        note(f"  {name}, sentences of {length} tokens")
        least, tokens = (64, 8192) if options.quick else (128, 16384)  # a run of a few milliseconds tells nothing
        sentences = max(least, tokens // length)
        once = lambda: decode_once(way, options.threads, sentences, "--length", length, "--source-length", length)
        rate = median_of(alternately(options.rounds, dhyan=once)["dhyan"], "tokens_per_second")
        rows.append({"model": name, "length": length, "us_per_token": 1e6 / rate,
                     "ms_per_sentence": 1e3 * length / rate})
    return rows


def measure(options):
    return {"threads": options.threads, "by_threads": measure_threads(options), "by_corpus": measure_corpora(options),
            "by_length": measure_lengths(options)}


def show(result):
    threads = text_table(["", "speed-up", "1 thread", f"{result['threads']} threads", "cores of others"],
                         [[row["title"], times(row["speed_up"]), f"{row['one']:,.0f}", f"{row['all']:,.0f}",
                           f"{row['others']:.2f}"] for row in result["by_threads"]])
    corpora = text_table(["pairs", "a token", "peak memory", "outside steps"],
                         [[f"{row['pairs']:,}", f"{row['us_per_token']:.1f} µs", f"{row['peak_mb']:,.0f} MB",
                           f"{row['seconds_outside_steps']:.1f} s"] for row in result["by_corpus"]])
    lengths = text_table(["greedy", "tokens", "a token", "a sentence"],
                         [[row["model"], str(row["length"]), f"{row['us_per_token']:.1f} µs",
                           f"{row['ms_per_sentence']:.2f} ms"] for row in result["by_length"]])
    return "\n\n".join([threads, corpora, lengths])
