"""Convolutions beside the machine's peak, and the rate of EfficientNet-Lite0, on one thread."""
import json

from harness.runs import PROGRAMS, run
from harness.tables import text_table

MEASURES = "convolutions beside the fp32 peak, and pictures/s of EfficientNet-Lite0; one thread"


def measure(options):
    return json.loads(run([PROGRAMS / "vision_bench", "--rounds", 10 * options.rounds]).out)


def show(result):
    share = lambda one, way: f"{one[way + '_gflops']:.0f} ({100 * one[way + '_share']:.0f} %)"
    rows = [[one["name"], share(one, "forward"), share(one, "training")] for one in result["convolutions"]]
    rates = result["efficientnet_lite0_pictures_per_second"]
    return (text_table(["convolution, GFLOP/s (of the peak)", "forward", "forward + backward"], rows)
            + f"\nEfficientNet-Lite0: {rates['float32']:.0f} pictures/s, int8 {rates['int8']:.0f}")
