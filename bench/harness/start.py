"""From the command line to the first translation, in a new process, with the files in memory. Models that have not
learned to end a sentence are cut at the usual length."""
import subprocess
import time

from harness.decode import LENGTH
from harness.runs import DHYAN, WORK, alternately, median_of, run
from harness.setups import model_folder, multi30k
from harness.tables import text_table

MEASURES = "wall time of 'dhyan translate' of one sentence, from exec to its translation and to exit"
MODELS = ["transformer-tiny", "transformer-base"]


def first_line_ms(command, feed):
    """Milliseconds until the first line of output."""
    with open(feed) as given:
        start = time.perf_counter()
        with subprocess.Popen(command, stdin=given, stdout=subprocess.PIPE) as program:
            program.stdout.readline()
            return 1e3 * (time.perf_counter() - start)


def measure(options):
    sentence = WORK / "data/one.en"
    sentence.write_text(multi30k("test_2016_flickr.en").read_text(encoding="utf-8").split("\n")[0] + "\n")
    folders = {name: model_folder(name) for name in MODELS}

    def starting(folder):
        def once():
            command = [str(part) for part in [DHYAN, "translate", "-m", folder, "--max-length", LENGTH]]
            ran = run(command, feed=sentence)
            return {"ms": first_line_ms(command, sentence), "exit_ms": 1e3 * ran.seconds, "peak_mb": ran.peak_mb,
                    "others": ran.others}
        once()  # now its files are in memory
        return once

    results = alternately(20, **{name: starting(folder) for name, folder in folders.items()})
    return {"models": {name: {"ms": median_of(times, "ms"), "least_ms": min(once["ms"] for once in times),
                              "exit_ms": median_of(times, "exit_ms"), "peak_mb": median_of(times, "peak_mb")} for name, times in results.items()}}


def show(result):
    rows = [[name, f"{one['ms']:.1f} ms", f"{one['least_ms']:.1f} ms", f"{one['exit_ms']:.1f} ms",
             f"{one['peak_mb']:.0f} MB"] for name, one in result["models"].items()]
    return text_table(["start to first translation", "median of 20", "least", "to exit", "peak memory"], rows)
