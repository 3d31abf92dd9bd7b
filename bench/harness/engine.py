"""The GEMM library alone on our shapes, and how much of its rate the linear layers of a Transformer keep."""
import json

from harness.runs import PROGRAMS, run
from harness.tables import text_table

MEASURES = "the GEMM library's rate on our shapes, and our share of it"


def measure(options):
    ran = run([PROGRAMS / "engine_bench", "--threads", options.threads, "--rounds", 2 * options.rounds + 1])
    return json.loads(ran.out)


def show(result):
    rows = [[one["name"], f"{one['bare_ms']:,.1f} ms", f"{one['dhyan_ms']:,.1f} ms",
             f"{100 * one['share_of_bare']:.1f} %"] for one in result["stacks"]]
    return text_table(["linear layers and loss", "bare GEMMs", "dhyan", "share"], rows)
