"""The blocks of docs/PERFORMANCE.md, made from the results as Markdown, with their plots."""
from harness import svg
from harness.peers import peer_of
from harness.roofline import decoding_roof, limits_of, training_roof
from harness.runs import CALM
from harness.tables import markdown_table, times
from harness.torch_settings import listed

# What is aimed at: ratios to the peer, milliseconds, speed-ups.
TRAINING_AIMS = {"rnnsearch": 2, "rnn": 2, "transformer-tiny": 3, "transformer-base": 1.4}
DECODING_AIMS = {("transformer-tiny", "fp32"): 3, ("transformer-tiny", "int8"): 3, ("transformer-base", "fp32"): 1.3,
                 ("transformer-base", "int8"): 2}
ALONE_AIM = 1.5
MEMORY_AIM = 0.5
START_AIMS = {"transformer-tiny": 50, "transformer-base": 150}
THREADS_AIM = 1.85
PEERS = {"": "", "pytorch": "PyTorch", "ctranslate2": "CTranslate2"}


def picture(name, alt):
    return f"![{alt}](performance/{name}.svg)"


def ratio(row):
    """The ratio of speeds, with a star if other processes were busy."""
    if "ratio" not in row:
        return "–"
    busy = any(row[side]["others"] > CALM for side in ("dhyan", peer_of(row)))
    return times(row["ratio"]) + (" *" if busy else "")


def rate(one):
    return "missing" if one is None or "missing" in one else f"{one['tokens_per_second']:,.0f}"


def versions_of(peers):
    """The peers' versions, with their settings, if there are any."""
    told = {name: f" ({listed(settings)})" for name, settings in peers.get("settings", {}).items() if settings}
    return ", ".join(f"{PEERS[name]} {version}{told.get(name, '')}" for name, version in peers["versions"].items())


def machine_block(results, folder):
    machine = results["machine"]
    about = machine["machine"]
    amx = lambda one: f"{one['tile_gflops']:,.0f}" if one["tile_gflops"] else "–"
    rows = [[str(one["threads"]), f"{one['peak_gflops']:.0f}", amx(one), f"{one['read_gb_per_second']:.1f}"]
            for one in machine["by_threads"]]
    missing = "".join(f" Missing: {reason}." for reason in results["peers"]["missing"].values())
    one = machine["by_threads"][0]
    return (f"{about['cores']} cores of an {about['cpu']}, {one['simd']}; dhyan at {about['commit']}; "
            f"beside {versions_of(results['peers']) or 'nobody'}.{missing}\n\n" +
            markdown_table(["threads", "fp32 peak, GFLOP/s", "AMX bfloat16, GFLOP/s", "memory read, GB/s"], rows))


def engine_block(results, folder):
    engine = results["engine"]
    share = lambda gflops: f"{gflops:.0f} ({100 * gflops / engine['peak_gflops']:.0f} %)"
    ways = ["forward", "dx", "dw"]
    gemms = [[f"{one['in']} × {one['out']}", *(share(one[way + "_gflops"]) for way in ways)] for one in engine["gemms"]]
    stacks = [[one["name"], f"{one['bare_ms']:,.1f} ms", f"{one['dhyan_ms']:,.1f} ms", f"{one['dhyan_gflops']:.0f}",
               f"{100 * one['share_of_bare']:.1f} %"] for one in engine["stacks"]]
    return (markdown_table(["GEMM alone, GFLOP/s (of the peak)", *ways], gemms) + "\n\n" +
            markdown_table(["linear layers and loss", "GEMM alone", "dhyan", "GFLOP/s", "share of GEMM alone"], stacks))


def training_title(row):
    return f"train {row['model']} {row['precision']}"


def training_aim(row):
    return TRAINING_AIMS[row["model"]]


def training_block(results, folder):
    rows = []
    for row in results["peers"]["train"]:
        theirs = row.get("pytorch")
        weights = [f"{one['weights'] / 1e6:.2f}" for one in (row["dhyan"], theirs) if one]
        precisions = [row["precision"], *([theirs["precision"]] if theirs else [])]
        rows.append([row["title"], " / ".join(precisions), ratio(row), times(row.get("ratio_to_float32")),
                     f"{training_aim(row)}×", rate(row["dhyan"]), rate(theirs), times(row.get("memory_ratio")),
                     f"{row['dhyan']['peak_mb']:,.0f} MB", " / ".join(weights)])
    head = ["", "precision", "dhyan / PyTorch", "dhyan / its float32", "aim", "dhyan, tokens/s", "PyTorch, tokens/s",
            f"memory (aim {MEMORY_AIM}×)", "dhyan's peak", "weights, millions"]
    return markdown_table(head, rows)


def decoding_aim(row):
    if row["batch"] == 1 and row["model"] in START_AIMS:
        return ALONE_AIM
    return DECODING_AIMS.get((row["model"], row["precision"]))


def decoding_block(results, folder):
    rows = []
    for row in results["peers"]["decode"]:
        aim = decoding_aim(row)
        theirs = row.get(peer_of(row))
        settings = [PEERS[peer_of(row)]] + ([theirs["settings"]] if theirs and "settings" in theirs else [])
        rows.append([row["title"], ratio(row), f"{aim}×" if aim else "–", rate(row["dhyan"]), rate(theirs),
                     ", ".join(settings), times(row.get("memory_ratio"))])
    table = markdown_table(["", "dhyan / peer", "aim", "dhyan, tokens/s", "peer, tokens/s", "peer", "memory"], rows)
    equal = results["peers"].get("equal")
    if equal:
        table += (f"\n\nOf {equal['sentences']:,} greedy fp32 translations of {equal['model']}, {equal['differ']} "
                  "differ from CTranslate2's on the same weights, token by token.")
    return table


def peers_block(results, folder):
    rows = [(training_title(row), row.get("ratio"), training_aim(row)) for row in results["peers"]["train"]]
    rows += [(row["title"].replace(", 1 thread", ""), row.get("ratio"), decoding_aim(row))
             for row in results["peers"]["decode"]]
    svg.bars(folder / "peers.svg", "dhyan's speed as a multiple of the peer's (red: aim)", rows, ("×", 2), 1)
    return picture("peers", "Speed as a multiple of the peer's")


def roof_block(results, folder):
    machine, peers = results["machine"], results["peers"]
    rows = []
    for row in peers["train"]:
        roof = training_roof(row, machine["machine"], limits_of(machine, peers["threads"]))
        rows.append((training_title(row), row["dhyan"]["tokens_per_second"], roof))
    for row in peers["decode"]:
        if "missing" not in row["dhyan"]:
            roof = decoding_roof(row, machine["machine"], limits_of(machine, row["threads"] or peers["threads"]))
            rows.append((row["title"].replace(", 1 thread", ""), row["dhyan"]["tokens_per_second"], roof))
    svg.bars(folder / "roof.svg", "Share of the roof",
             [(title, 100 * tokens / roof, None) for title, tokens, roof in rows], (" %", 0), 100)
    table = markdown_table(["", "dhyan, tokens/s", "roof, tokens/s", "share"],
                           [[title, f"{tokens:,.0f}", f"{roof:,.0f}", f"{100 * tokens / roof:.0f} %"]
                            for title, tokens, roof in rows])
    return picture("roof", "Share of the roof") + "\n\n" + table


def kernels_block(results, folder):
    rows = [(row["title"], row["shares"]) for row in results["profile"]["rows"]]
    svg.stacked(folder / "kernels.svg", "Where the time goes", rows)
    return picture("kernels", "Time by kernel")


def start_block(results, folder):
    rows = [[name, f"{one['ms']:.0f} ms", f"{START_AIMS[name]} ms", f"{one['least_ms']:.0f} ms",
             f"{one['exit_ms']:.0f} ms", f"{one['peak_mb']:.0f} MB"] for name, one in results["start"]["models"].items()]
    return markdown_table(["", "median of 20", "aim", "least", "to exit", "peak memory"], rows)


def threads_block(results, folder):
    scale = results["scale"]
    rows = scale["by_threads"]
    svg.bars(folder / "threads.svg", f"Speed on {scale['threads']} threads as a multiple of one (red: aim)",
             [(row["title"], row["speed_up"], THREADS_AIM) for row in rows], ("×", 2), scale["threads"])
    table = markdown_table(["", "speed-up", "1 thread, tokens/s", f"{scale['threads']} threads, tokens/s"],
                           [[row["title"], times(row["speed_up"]), f"{row['one']:,.0f}", f"{row['all']:,.0f}"]
                            for row in rows])
    return picture("threads", "Speed-up by threads") + "\n\n" + table


def corpus_block(results, folder):
    rows = [[f"{row['pairs']:,}", f"{row['us_per_token']:.1f} µs", f"{row['peak_mb']:,.0f} MB",
             f"{row['seconds_outside_steps']:.1f} s"] for row in results["scale"]["by_corpus"]]
    return markdown_table(["pairs", "per target token", "peak memory", "before and after the steps"], rows)


def length_block(results, folder):
    series = {}
    for row in results["scale"]["by_length"]:
        series.setdefault(row["model"], []).append((row["length"], row["us_per_token"]))
    svg.lines(folder / "length.svg", "Greedy decoding: cost of a token by sentence length", series,
              ("tokens of source and translation", "µs per token"))
    lengths = [length for length, _ in next(iter(series.values()))]
    rows = [[model, *(f"{cost:.0f}" for _, cost in points)] for model, points in series.items()]
    return (picture("length", "Cost of a token by length") + "\n\n" +
            markdown_table(["µs per token, at tokens", *map(str, lengths)], rows))


BLOCKS = {"machine": machine_block, "engine": engine_block, "peers": peers_block, "training": training_block,
          "decoding": decoding_block, "start": start_block, "roof": roof_block, "kernels": kernels_block,
          "threads": threads_block, "corpus": corpus_block, "length": length_block}
