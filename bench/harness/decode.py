"""Decoding: tokens per second without load time, all translations of one length."""
import dataclasses
import json
import statistics

from harness.runs import PROGRAMS, Missing, alternately, median_of, note, run
from harness.setups import model_folder, multi30k, quantized_folder
from harness.tables import text_table

MEASURES = "tokens/s of greedy and beam search, batches of 32 and single sentences, fp32 and int8"
LENGTH = 16  # tokens of every translation; Multi30k's have 15 on average


@dataclasses.dataclass
class Way:
    """One way of decoding."""
    model: str
    beam: int = 1
    batch: int = 32
    threads: int = 0  # 0: all that are asked for
    precision: str = "fp32"

    @property
    def title(self):
        search = "greedy" if self.beam == 1 else f"beam {self.beam}"
        batch = f"batch {self.batch}" if self.batch > 1 else "one sentence at a time, 1 thread"
        return f"{self.model} {self.precision}, {search}, {batch}"


SOURCES = "train.en"  # of Transformers: enough for runs of seconds
TEST = "test_2016_flickr.en"

TRANSFORMERS = [
    Way(model, beam, batch, threads, precision)
    for model in ["transformer-tiny", "transformer-base"]
    for precision in ["fp32", "int8"]
    for beam, batch, threads in [(1, 32, 0), (4, 32, 0), (1, 1, 1)]
]
RECURRENT = [Way("rnnsearch"), Way("rnn")]


def folder_of(way):
    return model_folder(way.model) if way.precision == "fp32" else quantized_folder(way.model)


def sentences_for(way, options):
    """The number of sentences: fewer for slow ways."""
    if way in RECURRENT:
        return 1000
    most = {"transformer-tiny": 8000, "transformer-base": 256 if options.quick else 512}[way.model]
    slower = 8 if way.batch == 1 else 4 if way.beam > 1 else 1
    return max(most // slower, min(most, 128))


def decode_once(way, threads, sentences, *flags):
    """Runs decode_bench; flags replace the usual length."""
    sources = multi30k(TEST if way in RECURRENT else SOURCES)
    ran = run([PROGRAMS / "decode_bench", folder_of(way), sources, "--beam", way.beam,
               "--batch", way.batch, "--threads", way.threads or threads, "--sentences", sentences, "--rounds", 1,
               "--amx", int(way.batch > 1), *(flags or ["--length", LENGTH])])
    result = json.loads(ran.out)
    return {"tokens_per_second": result["tokens_per_second"], "tokens": result["tokens"],
            "source_tokens": result["source_tokens"], "peak_mb": ran.peak_mb, "others": ran.others}


def summary(results):
    fields = ["tokens_per_second", "peak_mb", "others"]
    return {**results[0], **{field: median_of(results, field) for field in fields},
            "rounds": [result["tokens_per_second"] for result in results]}


def measure(options):
    rows = []
    for way in TRANSFORMERS + RECURRENT:
        note(f"  {way.title}")
        row = {"title": way.title, **dataclasses.asdict(way)}
        try:
            once = lambda: decode_once(way, options.threads, sentences_for(way, options))
            row["dhyan"] = summary(alternately(options.rounds, dhyan=once)["dhyan"])
        except Missing as missing:
            row["dhyan"] = {"missing": str(missing)}
        rows.append(row)
    return {"threads": options.threads, "length": LENGTH, "rows": rows}


def show(result):
    rows = []
    for row in result["rows"]:
        one = row["dhyan"]
        rows.append([row["title"], "missing: " + one["missing"], "", ""] if "missing" in one else
                    [row["title"], f"{one['tokens_per_second']:,.0f}", f"{one['peak_mb']:,.0f} MB",
                     f"{one['others']:.2f}"])
    return text_table(["decoding", "tokens/s", "peak memory", "cores of others"], rows)
