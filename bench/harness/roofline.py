"""How fast a model could be if GEMMs with weights were all its work: the roof over a rate."""
import json
import struct

SOURCE_SIDE = ("encoder.", "attention.score.U")
CROSS = (".cross.key.", ".cross.value.")
MANY_ROWS = 1000  # as training has


def weight_shapes(folder):
    with open(folder / "model.safetensors", "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(length))
    header.pop("__metadata__", None)
    return {name: entry["shape"] for name, entry in header.items()}


def product_weights(folder):
    """[source, target]: the number of weights that a token of the source, and of the target, is multiplied with."""
    shapes = weight_shapes(folder)
    attends = any(name.startswith("attention.") for name in shapes)
    once = ("bridge.",) if attends else ("bridge.", "decoder.context.")  # for each sentence
    source = target = 0
    for name, shape in shapes.items():
        looked_up = name.endswith(".table") and not (name == "words.table" and "output.weight" not in shapes)
        if len(shape) != 2 or looked_up or name.startswith(once):
            continue
        if name.startswith(SOURCE_SIDE) or any(part in name for part in CROSS):
            source += shape[0] * shape[1]
        else:
            target += shape[0] * shape[1]
    return [source, target]


def limits_of(machine, threads):
    """The limits of a run on that many threads."""
    return next(limits for limits in machine["by_threads"] if limits["threads"] == threads)


def product_rate(precision, machine, limits, rows):
    """Peak operations per second of GEMM. AMX does twice its bfloat16 rate in int8 and a sixth of it in float32 (six
    products of split bfloat16); a single row does not use AMX. Without AMX, bfloat16 does twice the rate of float32 if
    the machine has instructions for it, and int8 four times."""
    tiles = limits["tile_gflops"] if rows > 1 else 0
    if precision == "int8":
        return 1e9 * max(limits["peak_gflops"] * (4 if machine["vnni"] else 4 / 3), 2 * tiles)
    if precision == "bfloat16":
        return 1e9 * max(limits["peak_gflops"] * (2 if machine["bfloat16"] else 1), tiles)
    return 1e9 * max(limits["peak_gflops"], tiles / 6)


def training_roof(row, machine, limits):
    """Target tokens per second: for each weight and token 2 operations forward and 4 backward."""
    source, target = row["product_weights"]
    corpus = row["dhyan"]["corpus"]
    ratio = (corpus["source_tokens"] + corpus["pairs"]) / (corpus["target_tokens"] + corpus["pairs"])  # with </s>
    return product_rate(row["precision"], machine, limits, MANY_ROWS) / (6 * (source * ratio + target))


def decoding_roof(row, machine, limits):
    """Tokens per second: by operations or, if the decoder's weights do not fit into the last cache, by reading them
    from memory once for all hypotheses of a batch."""
    source, target = row["product_weights"]
    rate = product_rate(row["precision"], machine, limits, row["batch"])
    ratio = row["dhyan"]["source_tokens"] / row["dhyan"]["tokens"]
    roof = rate / (2 * (source * ratio + target * row["beam"]))
    weight_bytes = target * (1 if row["precision"] == "int8" else 4)
    if weight_bytes > machine["cache_bytes"]:
        roof = min(roof, limits["read_gb_per_second"] * 1e9 * row["batch"] / weight_bytes)
    return roof
