"""The setups that are measured: four models, the data, the model folders. Their files are in build/bench."""
import dataclasses
import gzip
import json
import os
import shutil

from harness.runs import DHYAN, ROOT, WORK, Missing, note, run


@dataclasses.dataclass
class Setup:
    name: str
    letter: str  # of the same model in the PyTorch scripts
    title: str
    flags: list
    seconds: float  # of a training that is timed; shortened by --quick
    report_steps: int  # between lines of its log, the first of which is warming up
    steps: int  # of the training that makes its model folder


RECURRENT = ["--preset", "rnnsearch", "--embedding", "256", "--hidden", "256", "--decoder-hidden", "512",
             "--readout", "deep-tanh"]
SETUPS = {
    setup.name: setup
    for setup in [
        Setup("rnnsearch", "A", "RNNsearch: bi-GRU 2×256, GRU 512, additive attention",
              RECURRENT + ["--attention-hidden", "512"], 30, 2, 1),
        Setup("rnn", "B", "RNN without attention: bi-GRU 2×256, GRU 512", RECURRENT + ["--context", "fixed"], 30, 2, 1),
        Setup("transformer-tiny", "C", "transformer-tiny: 4+4 layers, d 128, ff 256, 4 heads",
              ["--preset", "transformer-tiny", "--tie-embeddings", "all"], 30, 2, 200),
        Setup("transformer-base", "D", "transformer-base: 6+6 layers, d 512, ff 2048, 8 heads",
              ["--preset", "transformer-base", "--tie-embeddings", "all"], 60, 1, 1),
    ]
}

PRECISIONS = ["float32", "bfloat16"]  # of GEMMs in training; each may use the ones before it
TRAINING = ["--label-smoothing", "0.1", "--clip-norm", "1", "--optimizer", "adam", "--batch-tokens", "4096",
            "--max-epochs", "0", "--patience", "0", "--overwrite"]
TOKENIZER = ["--tokenizer", "bpe", "--shared-vocabulary", "--vocabulary-size", "8000", "--character-coverage", "1",
             "--byte-fallback", "false"]


def multi30k(name):
    """A file of Multi30k, such as train.en, unpacked."""
    folder = os.environ.get("DHYAN_BENCH_DATA", ROOT.parent / "shared/data")
    packed = ROOT / folder / f"multi30k/{name}.gz"
    if not packed.is_file():
        raise Missing(f"{packed}: not there; DHYAN_BENCH_DATA names the folder that has multi30k/ "
                      "(github.com/multi30k/dataset, data/task1/raw)")
    unpacked = WORK / "data" / name
    if not unpacked.exists():
        unpacked.parent.mkdir(parents=True, exist_ok=True)
        with gzip.open(packed) as source, open(unpacked, "wb") as target:
            shutil.copyfileobj(source, target)
    return unpacked


def train_command(setup, output, *flags, corpus=None):
    """dhyan train; by default on Multi30k, English to German."""
    source, target = corpus or (multi30k("train.en"), multi30k("train.de"))
    return [DHYAN, "train", *setup.flags, *TRAINING, *flags, "--train", source, target, "-o", output]


def made(folder, command):
    """The folder that the command makes; made again if another command made it, or if it was not finished."""
    words = [str(part) for part in command]
    record = folder / "bench.json"
    if record.is_file() and json.loads(record.read_text()) == words:
        return folder
    note(f"  making {folder.relative_to(ROOT)}")
    shutil.rmtree(folder, ignore_errors=True)
    run(command)
    record.write_text(json.dumps(words))
    return folder


def tokenizer_folder():
    """A model whose tokenizer all others use, so that no measurement includes learning it."""
    folder = WORK / "models/tokenizer"
    return made(folder, train_command(SETUPS["transformer-tiny"], folder, *TOKENIZER, "--max-steps", "1"))


def model_folder(name):
    folder = WORK / "models" / name
    setup = SETUPS[name]
    flags = ["--tokenizer-from", tokenizer_folder(), "--max-steps", str(setup.steps), "--warmup-steps", "100"]
    return made(folder, train_command(setup, folder, *flags))


def quantized_folder(name):
    if "  quantize " not in run([DHYAN, "--help"]).out:
        raise Missing("dhyan quantize: this dhyan has no such command")
    folder = WORK / "models" / f"{name}-int8"
    return made(folder, [DHYAN, "quantize", model_folder(name), "-o", folder])
