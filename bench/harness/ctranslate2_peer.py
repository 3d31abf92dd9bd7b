"""CTranslate2: our Transformers in its format, on the same tokens."""
import functools
import json
import os
import re
import shutil

from harness.decode import LENGTH, SOURCES, TEST
from harness.runs import DHYAN, ROOT, WORK, Missing, note, run
from harness.setups import made, model_folder, multi30k

SCRIPTS = ROOT / "bench/peers"
PRECISIONS = {"fp32": "float32", "int8": "int8"}
PRODUCTS = {"fp32": "SGEMM", "int8": "GEMM_S8"}  # as its log names them


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
def translated(name, sources):
    """The sentences of a file as dhyan tokenises them, and its greedy translations, in tokens."""
    ran = run([DHYAN, "translate", "-m", model_folder(name), "-b", 1, "--max-length-factor", 100, "--json", "--units",
               "subword", multi30k(sources)])
    lines = [json.loads(line) for line in ran.out.split("\n") if line]
    without_end = lambda tokens: tokens[:-1] if tokens[-1:] == ["</s>"] else tokens
    return [line["source_tokens"] for line in lines], [without_end(line["tokens"]) for line in lines]


def library_of(log, precision):
    """The GEMM library that CTranslate2 used, by its own log."""
    found = re.search(rf"\b{PRODUCTS[precision]} backend: (\w+)", log)
    return "an unknown library" if found is None else found.group(1).replace("DNNL", "oneDNN")


def other_library(library):
    """The CT2_USE_MKL that selects the other library; None if there is no other. The default is MKL on Intel's CPUs
    and oneDNN on other x86 CPUs."""
    return {"MKL": "0", "oneDNN": "1"}.get(library)


def splits(threads):
    """Ways to use the threads: {title: (batches at a time, threads per batch)}."""
    if threads == 1:
        return {"1 thread": (1, 1)}
    return {f"{threads} batches at a time": (threads, 1), f"{threads} threads a batch": (1, threads)}


def best_way(ways, once):
    """The fastest (split, CT2_USE_MKL) over both of its libraries. `once` runs one."""
    tried = {(split, None): once(split, None) for split in ways}
    forced = other_library(next(iter(tried.values()))["library"])
    if forced is not None:
        tried |= {(split, forced): once(split, forced) for split in ways}
    note("    " + ", ".join(f"{one['settings']}: {one['tokens_per_second']:,.0f}" for one in tried.values()))
    return max(tried, key=lambda way: tried[way]["tokens_per_second"])


class CTranslate2Peer:
    name = "ctranslate2"

    def __init__(self, _options):
        self.python, self.version = find_python()
        self.best = {}  # way to run it, by what is decoded

    def model(self, name):
        folder = WORK / "ctranslate2" / name
        return made(folder, [self.python, SCRIPTS / "to_ctranslate2.py", model_folder(name), folder])

    def run(self, model, sentences, *flags, env=None):
        """Decodes a file with the tokens of sentences."""
        ran = run([self.python, SCRIPTS / "ctranslate2_decode.py", model, sentences, "--rounds", 1, *flags], env=env)
        return {**json.loads(ran.out), "peak_mb": ran.peak_mb, "others": ran.others, "log": ran.err}

    def differences(self, name):
        """Counts its greedy translations that differ from ours."""
        sources, ours = translated(name, TEST)
        given, output = WORK / f"{name}.sources.jsonl", WORK / f"{name}.ctranslate2.jsonl"
        given.write_text("".join(json.dumps(tokens) + "\n" for tokens in sources))
        self.run(self.model(name), given, "--output", output)
        theirs = [json.loads(line) for line in output.read_text(encoding="utf-8").splitlines()]
        return {"model": name, "sentences": len(ours), "differ": sum(a != b for a, b in zip(ours, theirs))}

    def given(self, sentences):
        """Writes a file with the tokens of that many sentences."""
        sources, _ = translated("transformer-tiny", SOURCES)  # all have one tokenizer
        given = WORK / f"{sentences}.sources.jsonl"
        given.write_text("".join(json.dumps(tokens) + "\n" for tokens in sources[:sentences]))
        return given

    def decode_once(self, way, threads, sentences):
        """Decodes with CTranslate2's best settings, which the first call finds with fewer sentences."""
        flags = ["--beam", way.beam, "--batch", way.batch, "--length", LENGTH, "--compute-type",
                 PRECISIONS[way.precision]]
        ways = splits(way.threads or threads)

        def once(split, mkl, count):
            inter, intra = ways[split]
            env = {"CT2_VERBOSE": "1"} | ({} if mkl is None else {"CT2_USE_MKL": mkl})
            result = self.run(self.model(way.model), self.given(count), *flags, "--inter-threads", inter,
                              "--intra-threads", intra, env=env)
            library = library_of(result.pop("log"), way.precision)
            return {**result, "tokens_per_second": result["tokens"] / result["seconds"][0], "library": library,
                    "settings": f"{split}, {library}"}

        if way.title not in self.best:
            tried = min(sentences, max(way.batch * len(ways) * 2, sentences // 4))
            self.best[way.title] = best_way(ways, lambda split, mkl: once(split, mkl, tried))
        return once(*self.best[way.title], sentences)
