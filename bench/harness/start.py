"""From the command line to the first translation, in a new process, with the files in memory. What has not learned when
to end is ended at the usual length."""
from harness.decode import LENGTH
from harness.runs import DHYAN, WORK, alternately, median_of, run
from harness.setups import model_folder, multi30k
from harness.tables import text_table

MEASURES = "wall time of 'dhyan translate' of one sentence, from exec to exit"
MODELS = ["transformer-tiny", "transformer-base"]


def measure(options):
    sentence = WORK / "data/one.en"
    sentence.write_text(multi30k("test_2016_flickr.en").read_text(encoding="utf-8").split("\n")[0] + "\n")
    folders = {name: model_folder(name) for name in MODELS}

    def starting(folder):
        def once():
            ran = run([DHYAN, "translate", "-m", folder, "--max-length", LENGTH], feed=sentence)
            return {"ms": 1e3 * ran.seconds, "peak_mb": ran.peak_mb, "others": ran.others}
        once()  # now its files are in memory
        return once

    results = alternately(20, **{name: starting(folder) for name, folder in folders.items()})
    return {"models": {name: {"ms": median_of(times, "ms"), "least_ms": min(once["ms"] for once in times),
                              "peak_mb": median_of(times, "peak_mb")} for name, times in results.items()}}


def show(result):
    rows = [[name, f"{one['ms']:.1f} ms", f"{one['least_ms']:.1f} ms", f"{one['peak_mb']:.0f} MB"]
            for name, one in result["models"].items()]
    return text_table(["start to first translation", "median of 20", "least", "peak memory"], rows)
