"""dhyan beside PyTorch and CTranslate2, alternately: ratios first."""
import dataclasses
import sys

from harness import decode, train
from harness.ctranslate2_peer import CTranslate2Peer
from harness.roofline import product_weights
from harness.runs import WORK, BenchError, Missing, alternately, median_of, median_ratio, note, run
from harness.setups import PRECISIONS, SETUPS, model_folder
from harness.tables import text_table, times
from harness.torch_peer import NoBfloat16, TorchPeer, find_python
from harness.torch_settings import listed

MEASURES = "training beside PyTorch, decoding beside PyTorch and CTranslate2, in turn; ratios first"


def install():
    """A Python of its own for the peers, by pip."""
    folder = WORK / "peers"
    packages = ["ctranslate2", "numpy"]
    try:
        find_python()
    except Missing:
        packages += ["torch", "sentencepiece"]
    note(f"  installing {' '.join(packages)} into {folder}")
    run([sys.executable, "-m", "venv", folder])
    run([folder / "bin/pip", "install", "--quiet", *packages])


def compared(results, fields):
    """Medians of {ours: rounds, theirs: rounds}, and the median of the ratios of neighbouring runs."""
    ours, theirs = results
    sides = {name: {**all_of[0], **{field: median_of(all_of, field) for field in fields}}
             for name, all_of in results.items()}
    return {**sides, "ratio": median_ratio(results, "tokens_per_second", ours, theirs),
            "memory_ratio": sides[ours]["peak_mb"] / sides[theirs]["peak_mb"]}


def fastest(*rounds_of_each):
    return max(rounds_of_each, key=lambda rounds: median_of(rounds, "tokens_per_second"))


def train_in_turn(setup, options, torch, missing):
    """{side and precision: rounds}; without PyTorch's bfloat16 if that fails."""
    runs = train.by_precision(setup, options, train.train_once, "dhyan ")
    if torch is not None:
        runs |= train.by_precision(setup, options, torch.train_once, "pytorch ")
    try:
        return alternately(options.rounds, **runs)
    except NoBfloat16 as error:
        missing[f"pytorch bfloat16, {setup.name}"] = str(error)
        note(f"  MISSING {error}")
        del runs["pytorch bfloat16"]
        return alternately(options.rounds, **runs)


def training_row(results, precision):
    """float32 beside float32, and bfloat16 beside whatever is faster in PyTorch, and beside its float32."""
    ours = results["dhyan " + precision]
    allowed = ["pytorch " + one for one in PRECISIONS[:PRECISIONS.index(precision) + 1]]
    theirs = [results[name] for name in allowed if name in results]
    if not theirs:
        return {"dhyan": train.summary(ours)}
    plain = {"dhyan": ours, "pytorch": results["pytorch " + PRECISIONS[0]]}
    fields = ["tokens_per_second", "step_ms", "tokens_per_step", "peak_mb", "others"]
    return {**compared({"dhyan": ours, "pytorch": fastest(*theirs)}, fields),
            "ratio_to_float32": median_ratio(plain, "tokens_per_second", "dhyan", "pytorch")}


def compare_training(options, torch, missing):
    rows = []
    for setup in SETUPS.values():
        note(f"  training {setup.name}")
        results = train_in_turn(setup, options, torch, missing)
        rows += [{"model": setup.name, "title": setup.title, "precision": precision, **training_row(results, precision),
                  "product_weights": product_weights(model_folder(setup.name))} for precision in PRECISIONS]
    return rows


def compare_decoding(options, torch, ctranslate2):
    fields = ["tokens_per_second", "peak_mb", "others"]
    rows = []
    for way in decode.TRANSFORMERS + decode.RECURRENT:
        note(f"  decoding {way.title}")
        peer = torch if way in decode.RECURRENT else ctranslate2
        sentences = decode.sentences_for(way, options)
        ours = lambda: decode.decode_once(way, options.threads, sentences)
        theirs = lambda: peer.decode_once(way, options.threads, sentences)
        row = {"title": way.title, **dataclasses.asdict(way), "sentences": sentences,
               "product_weights": product_weights(model_folder(way.model))}
        try:
            row |= ({"dhyan": decode.summary(alternately(options.rounds, dhyan=ours)["dhyan"])} if peer is None else
                    compared(alternately(options.rounds, dhyan=ours, **{peer.name: theirs}), fields))
        except Missing as missing:
            row["dhyan"] = {"missing": str(missing)}
        if "ratio" in row and row["dhyan"]["tokens"] != row[peer.name]["tokens"]:
            raise BenchError(f"{way.title}: dhyan made {row['dhyan']['tokens']} tokens, {peer.name} "
                             f"{row[peer.name]['tokens']}; expected as many")
        rows.append(row)
    return rows


def measure(options):
    if options.install:
        install()
    missing, there = {}, {}
    for peer in [TorchPeer, CTranslate2Peer]:
        try:
            there[peer.name] = peer(options)
        except Missing as error:
            missing[peer.name] = str(error)
            note(f"  MISSING {error}")
    torch, ctranslate2 = there.get("pytorch"), there.get("ctranslate2")
    result = {"threads": options.threads, "length": decode.LENGTH, "missing": missing,
              "versions": {name: peer.version for name, peer in there.items()},
              "train": compare_training(options, torch, missing),
              "decode": compare_decoding(options, torch, ctranslate2)}
    if torch is not None:
        result["pytorch_tokens"] = torch.tokens
        result["settings"] = {"pytorch": torch.settings}  # after the training, which may add to them
    if ctranslate2 is not None:
        result["equal"] = ctranslate2.differences("transformer-tiny")
    return result


def show_row(row, peer, title):
    ours, theirs = row["dhyan"], row.get(peer)
    if "missing" in ours:
        return [title, "–", "missing: " + ours["missing"], "", "", ""]
    rate = lambda one: f"{one['tokens_per_second']:,.0f}"
    if theirs is None:
        return [title, "–", rate(ours), "missing", "–", ""]
    return [title, times(row["ratio"]), rate(ours), rate(theirs), times(row["memory_ratio"]), peer]


def peer_of(row):
    return next((name for name in ("pytorch", "ctranslate2") if name in row), "")


def show(result):
    rows = [show_row(row, "pytorch", f"train {row['model']}, {row['precision']}") for row in result["train"]]
    rows += [show_row(row, peer_of(row), row["title"]) for row in result["decode"]]
    lines = [text_table(["", "ratio", "dhyan tokens/s", "theirs", "memory", "beside"], rows)]
    if "equal" in result:
        equal = result["equal"]
        lines.append(f"{equal['differ']} of {equal['sentences']} greedy fp32 translations of {equal['model']} differ "
                     "from CTranslate2's")
    lines += [f"{name} had {listed(settings)}" for name, settings in result.get("settings", {}).items() if settings]
    lines += [f"MISSING {reason}" for reason in result["missing"].values()]
    return "\n".join(lines)
