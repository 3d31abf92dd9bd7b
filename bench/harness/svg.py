"""Plots as SVG: bars, stacked bars, lines."""
import html
import math

BLUE, GREY, RED, INK, PALE = "#3b6ea5", "#9aa5b1", "#c0392b", "#22303c", "#e3e8ee"
PALETTE = ["#3b6ea5", "#e39b3b", "#5a9e6f", "#b65a7c", "#7a6fb0", "#4aa3b5", "#a98353", "#8c98a4", "#d0d6dc"]
ROW, LABEL, PLOT, RIGHT = 24, 380, 380, 70


class Drawing:
    def __init__(self, width, height, title):
        self.width, self.height = width, height
        self.parts = []
        self.rect(0, 0, width, height, "#ffffff")
        self.text(12, 22, title, weight="bold")

    def rect(self, x, y, width, height, fill):
        self.parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(0, width):.1f}" height="{height:.1f}" '
                          f'fill="{fill}"/>')

    def line(self, x1, y1, x2, y2, stroke=PALE, dash=""):
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self.parts.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{stroke}"{dashes}/>')

    def path(self, points, stroke):
        places = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.parts.append(f'<polyline points="{places}" fill="none" stroke="{stroke}" stroke-width="2"/>')
        self.parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{stroke}"/>' for x, y in points]

    def text(self, x, y, text, anchor="start", weight="normal", fill=INK):
        halo = ' stroke="#ffffff" stroke-width="4" paint-order="stroke"' if fill != "#ffffff" else ""
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-weight="{weight}" '
                          f'fill="{fill}"{halo}>{html.escape(text)}</text>')

    def save(self, path):
        size = f'viewBox="0 0 {self.width} {self.height}" width="{self.width}" height="{self.height}"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="12">'
        path.write_text("\n".join([head, *self.parts, "</svg>\n"]), encoding="utf-8")


def ticks(largest):
    """Round numbers from 0 to beyond the largest, about five of them."""
    rough = largest / 5
    step = next(nice * 10 ** math.floor(math.log10(rough)) for nice in (1, 2, 5, 10)
                if nice * 10 ** math.floor(math.log10(rough)) >= rough)
    return [step * i for i in range(math.ceil(largest / step) + 1)]


def bars(path, title, rows, unit, line):
    """rows: (label, value, mark): one bar each, and a red mark at the aim, if there is one; no bar without a value.
    unit: (suffix of a value, decimals). The line goes through all rows."""
    values = [number for _, value, mark in rows for number in (value, mark) if number is not None]
    scale = ticks(max([*values, line]))
    suffix, decimals = unit
    drawing = Drawing(LABEL + PLOT + RIGHT, 34 + ROW * len(rows) + 30, title)
    at = lambda value: LABEL + PLOT * value / scale[-1]
    bottom = 34 + ROW * len(rows) + 4
    for tick in scale:
        drawing.line(at(tick), 34, at(tick), bottom)
        drawing.text(at(tick), bottom + 16, f"{tick:g}{suffix}", "middle")
    drawing.line(at(line), 34, at(line), bottom, INK, "4 3")
    for i, (label, value, mark) in enumerate(rows):
        y = 34 + ROW * i
        drawing.text(LABEL - 8, y + 16, label, "end")
        if value is None:
            drawing.text(LABEL + 6, y + 16, "missing", fill=GREY)
            continue
        drawing.rect(LABEL, y + 4, at(value) - LABEL, ROW - 8, BLUE)
        drawing.text(at(max(value, mark or 0)) + 6, y + 16, f"{value:.{decimals}f}{suffix}")
        if mark is not None:
            drawing.rect(at(mark) - 1, y + 2, 2.5, ROW - 4, RED)
    drawing.save(path)


def stacked(path, title, rows):
    """rows: (label, {part: share}); parts of one name have one colour, the frequent ones their own."""
    weight = {}
    for _, shares in rows:
        for part, share in shares.items():
            weight[part] = weight.get(part, 0) + share
    named = sorted((part for part in weight if part != "others"), key=weight.get, reverse=True)[: len(PALETTE) - 1]
    colour = dict(zip(named, PALETTE))
    legend_rows = math.ceil((len(named) + 1) / 3)
    drawing = Drawing(LABEL + PLOT + RIGHT, 40 + ROW * len(rows) + 20 * legend_rows, title)
    for i, (label, shares) in enumerate(rows):
        y, x = 34 + ROW * i, 220
        drawing.text(x - 8, y + 16, label, "end")
        wide = LABEL + PLOT + RIGHT - 12 - x
        rest = 1 - sum(share for part, share in shares.items() if part in colour)
        for part, share in [*((part, shares.get(part, 0)) for part in named), ("others", rest)]:
            drawing.rect(x, y + 3, wide * share, ROW - 6, colour.get(part, PALETTE[-1]))
            if share > 0.06 and part in colour:
                drawing.text(x + wide * share / 2, y + 16, f"{100 * share:.0f} %", "middle", fill="#ffffff")
            x += wide * share
    for i, part in enumerate([*named, "others"]):
        x, y = 20 + 250 * (i % 3), 44 + ROW * len(rows) + 20 * (i // 3)
        drawing.rect(x, y, 12, 12, colour.get(part, PALETTE[-1]))
        drawing.text(x + 18, y + 10, part)
    drawing.save(path)


def lines(path, title, series, axes):
    """series: {name: [(x, y)]}, x by its logarithm, y from 0; axes: (name of x, name of y)."""
    xs = sorted({x for points in series.values() for x, _ in points})
    scale = ticks(max(y for points in series.values() for _, y in points))
    left, right, top, bottom = 70, 640, 60, 340
    drawing = Drawing(780, 390, title)
    across = lambda x: left + (right - left) * math.log(x / xs[0]) / math.log(xs[-1] / xs[0])
    up = lambda y: bottom - (bottom - top) * y / scale[-1]
    for tick in scale:
        drawing.line(left, up(tick), right, up(tick))
        drawing.text(left - 8, up(tick) + 4, f"{tick:g}", "end")
    for x in xs:
        drawing.text(across(x), bottom + 18, f"{x:g}", "middle")
    drawing.text((left + right) / 2, bottom + 38, axes[0], "middle")
    drawing.text(12, 46, axes[1])
    for (name, points), colour in zip(series.items(), PALETTE):
        drawing.path([(across(x), up(y)) for x, y in points], colour)
        drawing.text(right + 10, up(points[-1][1]) + 4, name, fill=colour)
    drawing.save(path)
