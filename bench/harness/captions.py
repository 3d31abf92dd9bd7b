"""Captions of the picture book beside PyTorch: the network of caption-tiny, trained and captioning. On one thread a rate is
per second of processor time, which other programs on the machine hardly change."""
import json
import shutil

from harness.runs import DHYAN, WORK, alternately, median_of, median_ratio, run
from harness.tables import text_table
from harness.torch_peer import SCRIPTS, Torch
from harness.train import steady

MEASURES = "target tokens/s of training caption-tiny and pictures/s of captioning, beside PyTorch"
FOLDER = WORK / "captions"
PICTURES = 4000


def prepare():
    """A part of the picture book as files, and a model that was trained for a minute at most."""
    if not (FOLDER / "book/captions.tsv").exists():
        shutil.rmtree(FOLDER, ignore_errors=True)
        FOLDER.mkdir(parents=True)
        run([DHYAN, "data", "picturebook", "--split", "train", "--count", PICTURES, "-o", FOLDER / "book"])
    if not (FOLDER / "model/model.safetensors").exists():
        run([DHYAN, "train", "--preset", "caption-tiny", "--max-steps", 1000, "-o", FOLDER / "model", "--overwrite"])


def train_logged(threads, *until):
    """A training and the target tokens per second and the seconds of its log, without the first interval."""
    folder = FOLDER / "run"
    ran = run([DHYAN, "train", "--preset", "caption-tiny", "--threads", threads, *until, "--report-steps", 20,
               "-o", folder, "--overwrite"])
    events = map(json.loads, (folder / "train.jsonl").read_text().splitlines())
    return ran, steady([event for event in events if event["event"] == "interval"])


def train_once(threads, seconds):
    """Draws its scenes as it trains, which is in the time. On one thread: what more steps cost in processor time."""
    if threads > 1:
        ran, (tokens, took, _) = train_logged(threads, "--max-minutes", seconds / 60)
    else:
        short, (few, _, _) = train_logged(threads, "--max-steps", 100)
        ran, (many, _, _) = train_logged(threads, "--max-steps", 100 + 20 * seconds)
        tokens, took = many - few, ran.cpu_seconds - short.cpu_seconds
    return {"rate": tokens / took, "peak_mb": ran.peak_mb, "others": ran.others}


def caption_once(threads):
    """The whole program: start, PNG files, captions."""
    ran = run([DHYAN, "caption", "-m", FOLDER / "model", "--beam-size", 1, "--threads", threads, FOLDER / "book/images"])
    took = ran.seconds if threads > 1 else ran.cpu_seconds
    return {"rate": PICTURES / took, "peak_mb": ran.peak_mb, "others": ran.others}


def torch_once(torch, what, threads, seconds):
    ran = torch.run(SCRIPTS / "torch_caption.py", what, FOLDER / "book/captions.tsv", "--threads", threads,
                    "--seconds", seconds)
    return {**json.loads(ran.out), "peak_mb": ran.peak_mb, "others": ran.others}


def measure(options):
    prepare()
    torch = Torch("import torch, numpy, PIL")
    seconds = 10 if options.quick else 30
    ways = {"training, tokens/s": (lambda: train_once(options.threads, seconds), "train"),
            "captioning, pictures/s": (lambda: caption_once(options.threads), "caption")}
    result = {"threads": options.threads, "torch": torch.version, "rows": {}}
    for title, (ours, what) in ways.items():
        runs = alternately(options.rounds, dhyan=ours,
                           pytorch=lambda: torch_once(torch, what, options.threads, seconds))
        result["rows"][title] = {"dhyan": median_of(runs["dhyan"], "rate"), "pytorch": median_of(runs["pytorch"], "rate"),
                                 "ratio": median_ratio(runs, "rate", "dhyan", "pytorch"),
                                 "peak_mb": {name: median_of(one, "peak_mb") for name, one in runs.items()},
                                 "others": max(max(one["others"] for one in some) for some in runs.values())}
    return result


def show(result):
    rows = [[title, f"{one['dhyan']:,.0f}", f"{one['pytorch']:,.0f}", f"{one['ratio']:.2f}",
             f"{one['peak_mb']['dhyan']:,.0f} / {one['peak_mb']['pytorch']:,.0f} MB", f"{one['others']:.2f}"]
            for title, one in result["rows"].items()]
    return text_table(["caption-tiny", "dhyan", f"PyTorch {result['torch']}", "ratio", "peak memory", "others"], rows)
