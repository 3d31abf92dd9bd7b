"""Rows of text as tables: for a terminal, and for Markdown."""


def text_table(head, rows):
    """The first column to the left, all others to the right."""
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
    lines = [[cell.ljust(width) if i == 0 else cell.rjust(width) for i, (cell, width) in enumerate(zip(row, widths))]
             for row in [head, *rows]]
    return "\n".join("  ".join(line).rstrip() for line in lines)


def markdown_table(head, rows):
    line = lambda cells: "| " + " | ".join(cells) + " |"
    return "\n".join([line(head), "|" + "---|" * len(head), *map(line, rows)])


def times(ratio):
    return "–" if ratio is None else f"{ratio:.2f}×"
