"""PyTorch: the reference scripts of the same models, on the same tokens, with their best settings (their env.sh)."""
import filecmp
import json
import os
import shutil

from harness.decode import LENGTH
from harness.machine import cpu_flags
from harness.runs import ROOT, WORK, Failed, Missing, note, run
from harness.setups import SETUPS, multi30k, tokenizer_folder
from harness.torch_settings import CORE, core_type, given, how_it_ended, without_amx

FOLDER = WORK / "torch"
SCRIPTS = ROOT / "bench/peers"
MODULES = "import torch, numpy, sentencepiece"


def find_python(modules=MODULES):
    """The first that has these modules; Debian's PyTorch is only seen by Debian's own Python."""
    for python in [WORK / "peers/bin/python", "/usr/bin/python3", shutil.which("python3")]:
        if python and os.path.exists(python):
            try:
                return python, run([python, "-c", modules + "; print(torch.__version__)"]).out.strip()
            except Exception:
                continue
    raise Missing("PyTorch: no Python here has torch, numpy and sentencepiece; Debian has python3-torch, "
                  "python3-numpy, python3-sentencepiece, and script/bench peers --install tries pip")


class NoBfloat16(Missing):
    """PyTorch has no bfloat16 here, but may have float32."""


class Torch:
    """PyTorch with its best settings: env.sh in the folder of its scripts, if there is one, and the core of OpenBLAS."""
    folder = None  # where commands run

    def __init__(self, modules=MODULES):
        self.python, self.version = find_python(modules)
        self.settings = given()
        self.scripts = ROOT / os.environ.get("DHYAN_BENCH_TORCH", ROOT.parent / "shared/peers/torch")
        libraries = self.run("-c", "import os; print(os.environ.get('LD_LIBRARY_PATH', ''))").out.strip()
        if libraries and not os.path.isdir(libraries):
            raise Missing(f"PyTorch: {libraries}, which its env.sh names, is not there (Debian: libopenblas0-openmp); "
                          "without it float32 is multiplied by a BLAS that is 10 times as slow")
        self.choose_core()

    def choose_core(self):
        """Chooses the core type of OpenBLAS, unless the user or env.sh set one, or PyTorch has another BLAS."""
        asked = self.ask_blas()
        if asked["told"]:
            self.settings[CORE] = asked["told"]
        wanted = None if asked["told"] or not asked["core"] else core_type(asked["core"], cpu_flags())
        if wanted:
            self.settings[CORE] = wanted
            note(f"  OpenBLAS takes this CPU for a {asked['core']}; with {CORE}={wanted} for a "
                 f"{self.ask_blas()['core']}")

    def ask_blas(self):
        return json.loads(self.run(SCRIPTS / "torch_blas.py").out)

    def run(self, *command, settings=None):
        env_file = self.scripts / "env.sh"
        with_env = ["bash", "-c", '. "$0" && exec "$@"', env_file] if env_file.is_file() else []
        return run([*with_env, self.python, *command], cwd=self.folder,
                   env=self.settings if settings is None else settings)


class TorchPeer(Torch):
    name = "pytorch"
    folder = FOLDER

    def __init__(self, _options):
        (FOLDER / "data").mkdir(parents=True, exist_ok=True)
        super().__init__()
        if not (self.scripts / "train.py").is_file():
            raise Missing(f"PyTorch: {os.path.relpath(self.scripts, ROOT)} has no train.py; DHYAN_BENCH_TORCH names the "
                          "folder of its scripts")
        self.prepare()

    def prepare(self):
        """Makes a writable copy with our data and our tokenizer."""
        data = FOLDER / "data"
        for script in self.scripts.glob("*.py"):
            shutil.copyfile(script, FOLDER / script.name)
        tokenizer = tokenizer_folder() / "shared.model"
        if not (data / "bpe8k.model").exists() or not filecmp.cmp(tokenizer, data / "bpe8k.model", shallow=False):
            for stale in data.glob("*.npz"):
                stale.unlink()
            shutil.copyfile(tokenizer, data / "bpe8k.model")
        for split in ["train", "val", "test_2016_flickr"]:
            for language in ["en", "de"]:
                shutil.copyfile(multi30k(f"{split}.{language}"), data / f"{split}.{language}")
        self.tokens = json.loads(self.run(SCRIPTS / "torch_tokens.py").out)

    def train_once(self, setup, threads, seconds, precision="float32"):
        script = {"float32": "train.py", "bfloat16": SCRIPTS / "torch_train_bfloat16.py"}[precision]
        once = lambda settings: self.run(script, "--model", setup.letter, "--batch", 4096, "--threads", threads,
                                         "--bench", seconds, "--warm_steps", setup.report_steps, settings=settings)
        try:
            ran = once(self.settings) if precision == "float32" else without_amx(once, self.settings)
        except Failed as error:
            if precision == "float32":
                raise
            note(f"    {error}")
            raise NoBfloat16(f"PyTorch's bfloat16: training {setup.name} with it {how_it_ended(error.code)}") from error
        result = json.loads(ran.out.strip().split("\n")[-1])
        return {"tokens_per_second": result["tgt_tok_s"], "step_ms": result["ms_step"], "peak_mb": ran.peak_mb,
                "tokens_per_step": result["tgt_tok_s"] * result["ms_step"] / 1e3, "weights": result["params"],
                "precision": precision, "others": ran.others}

    def decode_once(self, way, threads, sentences):
        """Greedy decoding."""
        ran = self.run(SCRIPTS / "torch_decode.py", SETUPS[way.model].letter, "--batch", way.batch, "--threads",
                       way.threads or threads, "--length", LENGTH, "--sentences", sentences)
        return {**json.loads(ran.out), "peak_mb": ran.peak_mb, "others": ran.others}
