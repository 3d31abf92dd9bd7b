"""GEMM alone on the shapes of Transformers, and how much of its rate linear layers keep."""
import json

from harness.runs import PROGRAMS, run
from harness.tables import text_table

MEASURES = "the rate of GEMM alone, and the share of it that linear layers keep"


def measure(options):
    ran = run([PROGRAMS / "engine_bench", "--threads", options.threads, "--rounds", 2 * options.rounds + 1])
    return json.loads(ran.out)


def show(result):
    rows = [[one["name"], f"{one['bare_ms']:,.1f} ms", f"{one['dhyan_ms']:,.1f} ms",
             f"{100 * one['share_of_bare']:.1f} %"] for one in result["stacks"]]
    return text_table(["linear layers and loss", "GEMM alone", "dhyan", "share"], rows)
