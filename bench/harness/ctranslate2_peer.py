"""CTranslate2: our Transformers in its format, on the same tokens."""
import functools
import json
import os
import shutil

from harness.decode import LENGTH
from harness.runs import DHYAN, ROOT, WORK, Missing, note, run
from harness.setups import made, model_folder, multi30k

SCRIPTS = ROOT / "bench/peers"
PRECISIONS = {"fp32": "float32", "int8": "int8"}


def find_python():
    for python in [WORK / "peers/bin/python", os.environ.get("DHYAN_BENCH_CTRANSLATE2"), shutil.which("python3")]:
        if python and os.path.exists(python):
            try:
                found = run([python, "-c", "import ctranslate2, numpy; print(ctranslate2.__version__)"])
                return python, found.out.strip()
            except Exception:
                continue
    raise Missing("CTranslate2: no Python here has it; script/bench peers --install gets it by pip, and "
                  "DHYAN_BENCH_CTRANSLATE2 names a Python that has it")


@functools.cache
def translated(name):
    """Test sentences as dhyan cuts them, and its greedy translations, in tokens."""
    ran = run([DHYAN, "translate", "-m", model_folder(name), "-b", 1, "--max-length-factor", 100, "--json", "--units",
               "subword", multi30k("test_2016_flickr.en")])
    lines = [json.loads(line) for line in ran.out.split("\n") if line]
    without_end = lambda tokens: tokens[:-1] if tokens[-1:] == ["</s>"] else tokens
    return [line["source_tokens"] for line in lines], [without_end(line["tokens"]) for line in lines]


class CTranslate2Peer:
    name = "ctranslate2"

    def __init__(self, options):
        self.python, self.version = find_python()
        self.libraries = {"": {}} if options.quick else {"": {}, ", MKL": {"CT2_USE_MKL": "1"}}
        self.best = {}  # settings, by what is decoded

    def model(self, name):
        folder = WORK / "ctranslate2" / name
        return made(folder, [self.python, SCRIPTS / "to_ctranslate2.py", model_folder(name), folder])

    def run(self, model, sentences, *flags, env=None):
        """On a file with the tokens of so many sentences."""
        ran = run([self.python, SCRIPTS / "ctranslate2_decode.py", model, sentences, "--rounds", 1, *flags], env=env)
        return {**json.loads(ran.out), "peak_mb": ran.peak_mb, "others": ran.others}

    def differences(self, name):
        """How many of its greedy translations are not ours."""
        sources, ours = translated(name)
        given, output = WORK / f"{name}.sources.jsonl", WORK / f"{name}.ctranslate2.jsonl"
        given.write_text("".join(json.dumps(tokens) + "\n" for tokens in sources))
        self.run(self.model(name), given, "--output", output)
        theirs = [json.loads(line) for line in output.read_text(encoding="utf-8").splitlines()]
        return {"model": name, "sentences": len(ours), "differ": sum(a != b for a, b in zip(ours, theirs))}

    def settings(self, threads):
        """Ways to use so many threads, by name: (threads, environment). By itself it takes MKL on Intel's CPUs
        only."""
        splits = {"1 thread": (1, 1)} if threads == 1 else {f"{threads} batches at a time": (threads, 1),
                                                            f"{threads} threads a batch": (1, threads)}
        return {title + library: (["--inter-threads", inter, "--intra-threads", intra], env)
                for title, (inter, intra) in splits.items()
                for library, env in self.libraries.items()}

    def decode_once(self, way, threads, sentences):
        """With the settings that are best for it, found the first time."""
        sources, _ = translated("transformer-tiny")  # all have one tokenizer
        given = WORK / f"{sentences}.sources.jsonl"
        given.write_text("".join(json.dumps(tokens) + "\n" for tokens in sources[:sentences]))
        flags = ["--beam", way.beam, "--batch", way.batch, "--length", LENGTH, "--compute-type",
                 PRECISIONS[way.precision]]

        def once(title):
            threading, env = self.settings(way.threads or threads)[title]
            result = self.run(self.model(way.model), given, *flags, *threading, env=env)
            return {**result, "tokens_per_second": result["tokens"] / result["seconds"][0], "settings": title}

        if way.title not in self.best:
            tried = {title: once(title)["tokens_per_second"] for title in self.settings(way.threads or threads)}
            self.best[way.title] = max(tried, key=tried.get)
            note("    " + ", ".join(f"{title}: {rate:,.0f}" for title, rate in tried.items()))
        return once(self.best[way.title])
