"""Writes the tables and plots of docs/PERFORMANCE.md from the results in docs/performance."""
import json
import re

from harness import plots
from harness.runs import ROOT, BenchError

PAGE = ROOT / "docs/PERFORMANCE.md"
FOLDER = ROOT / "docs/performance"
RESULTS = ["machine", "engine", "peers", "start", "scale", "profile"]
BLOCK = re.compile(r"(<!-- begin: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def rounded(value):
    """Rounds to four digits, which is more than the measurements are good for."""
    if isinstance(value, float):
        return float(f"{value:.4g}")
    if isinstance(value, dict):
        return {name: rounded(one) for name, one in value.items()}
    return [rounded(one) for one in value] if isinstance(value, list) else value


def keep(name, result):
    FOLDER.mkdir(exist_ok=True)
    text = json.dumps(rounded(result), indent=1, ensure_ascii=False)
    (FOLDER / f"{name}.json").write_text(text + "\n", encoding="utf-8")


def drawn(folder=FOLDER):
    """The page made from the results; its plots go to the folder."""
    results = {}
    for name in RESULTS:
        path = FOLDER / f"{name}.json"
        if not path.is_file():
            raise BenchError(f"{path.relative_to(ROOT)}: not there yet; run script/bench report without --draw")
        results[name] = json.loads(path.read_text(encoding="utf-8"))
    made = {name: block(results, folder) for name, block in plots.BLOCKS.items()}

    def filled(match):
        if match.group(2) not in made:
            raise BenchError(f"docs/PERFORMANCE.md: no block is named {match.group(2)}")
        return f"{match.group(1)}{made[match.group(2)]}\n{match.group(3)}"

    return BLOCK.sub(filled, PAGE.read_text(encoding="utf-8"))
