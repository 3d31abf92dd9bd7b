"""How fast a model could be if its products with weights were all there is to do: the roof over a rate."""
import json
import struct

SOURCE_SIDE = ("encoder.", "attention.score.U")
CROSS = (".cross.key.", ".cross.value.")


def weight_shapes(folder):
    with open(folder / "model.safetensors", "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(length))
    header.pop("__metadata__", None)
    return {name: entry["shape"] for name, entry in header.items()}


def product_weights(folder):
    """[source, target]: how many weights each token of the source, and of the target, is multiplied with."""
    shapes = weight_shapes(folder)
    source = target = 0
    for name, shape in shapes.items():
        looked_up = name.endswith(".table") and not (name == "words.table" and "output.weight" not in shapes)
        if len(shape) != 2 or looked_up or name.startswith("bridge."):  # a bridge is crossed once a sentence
            continue
        if name.startswith(SOURCE_SIDE) or any(part in name for part in CROSS):
            source += shape[0] * shape[1]
        else:
            target += shape[0] * shape[1]
    return [source, target]


def limits_of(machine, threads):
    """Of a run on so many threads."""
    return next(limits for limits in machine["by_threads"] if limits["threads"] == threads)


def training_roof(row, machine, limits):
    """Target tokens a second: for each weight and token 2 operations forward and 4 on the way back. Where there are
    instructions for it bfloat16 does two operations in the time of one."""
    source, target = row["product_weights"]
    corpus = row["dhyan"]["corpus"]
    ratio = (corpus["source_tokens"] + corpus["pairs"]) / (corpus["target_tokens"] + corpus["pairs"])  # with </s>
    rate = limits["peak_gflops"] * 1e9 * (2 if row["precision"] == "bfloat16" and machine["bfloat16"] else 1)
    return rate / (6 * (source * ratio + target))


def decoding_roof(row, machine, limits):
    """Tokens a second: by operations or, where the decoder's weights do not stay in the last cache, by reading them
    from memory once for all hypotheses of a batch. With VNNI int8 does four operations in the time of one."""
    source, target = row["product_weights"]
    int8 = row["precision"] == "int8"
    rate = limits["peak_gflops"] * 1e9 * ((4 if machine["vnni"] else 4 / 3) if int8 else 1)
    ratio = row["dhyan"]["source_tokens"] / row["dhyan"]["tokens"]
    roof = rate / (2 * (source * ratio + target * row["beam"]))
    weight_bytes = target * (1 if int8 else 4)
    if weight_bytes > machine["cache_bytes"]:
        roof = min(roof, limits["read_gb_per_second"] * 1e9 * row["batch"] / weight_bytes)
    return roof
