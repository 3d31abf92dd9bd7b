"""Valgrind counts the instructions of fixed work, to compare with bench/gate.json: a check for lost speed that needs no
clock. Valgrind does not support AVX-512, so it counts the AVX2 code."""
import concurrent.futures
import json
import re
import shutil

from harness.runs import PROGRAMS, ROOT, WORK, BenchError, Missing, run
from harness.tables import text_table

EXPECTED = ROOT / "bench/gate.json"
TOLERANCE = 0.05


def instructions(name):
    """Counts the instructions within dhyan_counted (bench/gate_bench.cpp)."""
    output = WORK / f"gate/{name}.callgrind"
    output.parent.mkdir(parents=True, exist_ok=True)
    run(["valgrind", "--tool=callgrind", "--toggle-collect=dhyan_counted", f"--callgrind-out-file={output}",
         PROGRAMS / "gate_bench", name], env={"OMP_NUM_THREADS": "1"})
    found = re.search(r"^(?:summary|totals): (\d+)$", output.read_text(), re.MULTILINE)
    if found is None or found.group(1) == "0":
        raise BenchError(f"gate: valgrind counted nothing of {name}")
    return int(found.group(1))


def check(options):
    if shutil.which("valgrind") is None:
        raise Missing("gate: valgrind is not installed (Debian: apt-get install valgrind)")
    names = run([PROGRAMS / "gate_bench", "list"]).out.split()
    with concurrent.futures.ThreadPoolExecutor(options.threads) as pool:
        counted = dict(zip(names, pool.map(instructions, names)))
    if options.update:
        EXPECTED.write_text(json.dumps(counted, indent=2) + "\n")
    expected = json.loads(EXPECTED.read_text())
    rows, wrong = [], []
    for name, count in counted.items():
        before = expected.get(name)
        change = count / before - 1 if before else None
        if change is None or abs(change) > TOLERANCE:
            wrong.append(name)
        rows.append([name, f"{before or 0:,}", f"{count:,}", "new" if change is None else f"{100 * change:+.2f} %"])
    print(text_table(["instructions", "expected", "counted", "change"], rows))
    if wrong:
        raise BenchError(f"gate: {', '.join(wrong)}: more than {100 * TOLERANCE:.0f} % from bench/gate.json. If that "
                         "is meant, or better: script/bench gate --update, and say why in the commit")
    return 0
