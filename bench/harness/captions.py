"""Captions of the picture book beside PyTorch: the network of caption-tiny, trained and captioning."""
import json
import shutil

from harness.runs import DHYAN, ROOT, WORK, alternately, median_of, median_ratio, run
from harness.tables import text_table
from harness.torch_peer import find_python
from harness.torch_settings import given
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


def train_once(threads, seconds):
    """Draws its scenes as it trains, which is in the time."""
    folder = FOLDER / "run"
    ran = run([DHYAN, "train", "--preset", "caption-tiny", "--threads", threads, "--max-minutes", seconds / 60,
               "--report-steps", 20, "-o", folder, "--overwrite"])
    events = map(json.loads, (folder / "train.jsonl").read_text().splitlines())
    tokens, took, _ = steady([event for event in events if event["event"] == "interval"])
    return {"rate": tokens / took, "peak_mb": ran.peak_mb, "others": ran.others}


def caption_once(threads):
    """The whole program: start, PNG files, captions."""
    ran = run([DHYAN, "caption", "-m", FOLDER / "model", "--beam-size", 1, "--threads", threads, FOLDER / "book/images"])
    return {"rate": PICTURES / ran.seconds, "peak_mb": ran.peak_mb, "others": ran.others}


def torch_once(python, what, threads, seconds):
    command = [python, ROOT / "bench/peers/torch_caption.py", what, FOLDER / "book/captions.tsv", "--threads", threads,
               "--seconds", seconds]
    env_file = ROOT.parent / "shared/peers/torch/env.sh"
    if env_file.exists():
        command = ["bash", "-c", '. "$0" && exec "$@"', env_file, *command]
    ran = run(command, env=given())
    return {**json.loads(ran.out), "peak_mb": ran.peak_mb, "others": ran.others}


def measure(options):
    prepare()
    python, version = find_python("import torch, numpy, PIL")
    seconds = 10 if options.quick else 30
    ways = {"training, tokens/s": (lambda: train_once(options.threads, seconds), "train"),
            "captioning, pictures/s": (lambda: caption_once(options.threads), "caption")}
    result = {"threads": options.threads, "torch": version, "rows": {}}
    for title, (ours, what) in ways.items():
        runs = alternately(options.rounds, dhyan=ours,
                           pytorch=lambda: torch_once(python, what, options.threads, seconds))
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
