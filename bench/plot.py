#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the measurements of bench/experiments.c beside the figures of the red-black paper.

    bench/plot.py FOLDER "MACHINE" "CONDITIONS"

Reads the CSV files in FOLDER and writes SVG pictures and convergence.md there. Needs only the standard library.
"""

import csv
import math
import sys
from pathlib import Path
from xml.sax.saxutils import escape

# name in the files: (label, color, dashes, width)
SOLVERS = {
    "jacobi-damped": ("Jacobi, damped as in the paper", "#8db6e3", "2 3", 1.8),
    "jacobi": ("Jacobi", "#2b6cb0", "", 1.8),
    "rbgs": ("RBGS", "#d1373b", "", 2.6),
    "gs": ("GS", "#1f7a3d", "7 6", 1.8),
    "rbgs-sor": ("RBGS + SOR 1.7", "#8e3fae", "", 2.2),
}
EXPERIMENTS = {
    "enlarged-cloth": "Enlarged cloth: five times its size, no integration",
    "hanging-cloth": "Hanging cloth: falls from the horizontal, two corners held",
}
# Iterations within 1, 2, 4, 8 ms in the paper: GTX 970 for RBGS and Jacobi, Xeon E5 for GS.
PAPER = {
    "gs": (1, 2, 4, 9),
    "jacobi-damped": (9, 19, 32, 70),
    "rbgs": (5, 11, 22, 45),
}
BUDGETS = (1, 2, 4, 8)
FONT = "font-family='DejaVu Sans, Helvetica, Arial, sans-serif'"
INK, FAINT, GRID = "#222222", "#6b6b6b", "#e4e4e4"


def read_rows(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def text(x, y, words, size=12, anchor="start", color=INK, weight="normal", turn=None):
    turned = f" transform='rotate({turn} {x:.1f} {y:.1f})'" if turn is not None else ""
    return (f"<text x='{x:.1f}' y='{y:.1f}' {FONT} font-size='{size}' text-anchor='{anchor}' "
            f"font-weight='{weight}' fill='{color}'{turned}>{escape(words)}</text>")


def line(x0, y0, x1, y1, color, width=1.0):
    return (f"<line x1='{x0:.1f}' y1='{y0:.1f}' x2='{x1:.1f}' y2='{y1:.1f}' stroke='{color}' "
            f"stroke-width='{width}'/>")


def document(width, height, parts):
    return (f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' "
            f"width='{width}' height='{height}'>\n<rect width='100%' height='100%' fill='white'/>\n"
            + "\n".join(parts) + "\n</svg>\n")


def nice_ticks(low, high, most):
    """Round numbers from low to high, at most `most` of them."""
    step = 10 ** math.floor(math.log10((high - low) / most))
    while (high - low) / step > most:
        step *= 2.5 if str(step).lstrip("0.").startswith("2") else 2
    first = math.ceil(low / step)
    return [step * i for i in range(first, int(high / step + 1e-9) + 1)]


def power(exponent):
    digits = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
    return "10" + str(exponent).translate(digits)


def draw_decade(panel, exponent):
    """A grid line across a panel and its label, at a power of ten of y."""
    y = panel.y(10.0 ** exponent)
    return [line(panel.left, y, panel.left + panel.width, y, GRID),
            text(panel.left - 7, y + 4, power(exponent), 11, "end", FAINT)]


def draw_frame(panel, title, x_name):
    """Both axes of a panel, its title and the name of x."""
    bottom, right = panel.top + panel.height, panel.left + panel.width
    return [line(panel.left, bottom, right, bottom, INK), line(panel.left, panel.top, panel.left, bottom, INK),
            text(panel.left, panel.top - 10, title, 13, weight="bold"),
            text((panel.left + right) / 2, bottom + 36, x_name, 12, "middle")]


class Panel:
    """Axes, linear along x and logarithmic along y."""

    def __init__(self, left, top, width, height, x_max, y_low, y_high):
        self.left, self.top, self.width, self.height = left, top, width, height
        self.x_max = x_max
        self.low, self.high = math.floor(math.log10(y_low)), math.ceil(math.log10(y_high))
        self.parts = []

    def x(self, value):
        return self.left + self.width * value / self.x_max

    def y(self, value):
        part = (math.log10(max(value, 1e-300)) - self.low) / (self.high - self.low)
        return self.top + self.height * (1 - min(max(part, 0), 1))

    def axes(self, title, x_name, y_name, x_ticks=7):
        bottom = self.top + self.height
        for value in nice_ticks(0, self.x_max, x_ticks):
            self.parts.append(line(self.x(value), self.top, self.x(value), bottom, GRID))
            self.parts.append(text(self.x(value), bottom + 17, f"{value:,g}", 11, "middle", FAINT))
        for exponent in range(self.low, self.high + 1):
            self.parts += draw_decade(self, exponent)
        self.parts += draw_frame(self, title, x_name)
        if y_name:
            x = self.left - 46
            self.parts.append(text(x, self.top + self.height / 2, y_name, 12, "middle", turn=-90))

    def curve(self, solver, points):
        _, color, dashes, width = SOLVERS[solver]
        path = " ".join(f"{self.x(x):.1f},{self.y(y):.1f}" for x, y in points if x <= self.x_max)
        self.parts.append(f"<polyline points='{path}' fill='none' stroke='{color}' stroke-width="
                          f"'{width}' stroke-dasharray='{dashes}' stroke-linejoin='round'/>")

    def end_labels(self, labels):
        """[(y, words, color)] at the right edge, moved apart so that none overlap."""
        placed = []
        for y, words, color in sorted(labels, key=lambda label: label[0]):
            y = max(y, placed[-1][0] + 14) if placed else y
            placed.append((y, words, color))
        excess = placed[-1][0] - (self.top + self.height) if placed else 0
        for index in range(len(placed) - 1, -1, -1):
            limit = placed[index + 1][0] - 14 if index + 1 < len(placed) else self.top + self.height
            y, words, color = placed[index]
            placed[index] = (min(y, limit) if excess > 0 else y, words, color)
        for y, words, color in placed:
            self.parts.append(text(self.left + self.width + 6, y + 4, words, 11.5, color=color))


def limits(values):
    positive = [value for value in values if value > 0]
    return min(positive), max(positive)


def draw_iterations(folder, name, title):
    rows = read_rows(folder / f"{name}-iterations.csv")
    curves = {solver: [(float(row["iterations"]), float(row[solver])) for row in rows]
              for solver in SOLVERS}
    # The first residuals of a cloth at rest are close to zero and would take half of the axis.
    low, high = limits([y for points in curves.values() for _, y in points[len(points) // 50:]])
    x_max = max(x for x, _ in curves["rbgs"])
    panel = Panel(78, 46, 640, 380, x_max, low, high)
    panel.axes(title, "solver iterations (4 inner in each outer, 16 in each step)",
               "residual Σ(|qa − qb| − L)², m²")
    labels = []
    for solver, points in curves.items():
        panel.curve(solver, points)
        labels.append((panel.y(points[-1][1]), SOLVERS[solver][0], SOLVERS[solver][1]))
    panel.end_labels(labels)
    (folder / f"{name}-iterations.svg").write_text(document(930, 480, panel.parts), "utf-8")


def fits(folder):
    """{(solver, budget): (iterations, step in ms)}"""
    return {(row["solver"], int(row["budgetMs"])): (int(row["iterations"]), float(row["stepMs"]))
            for row in read_rows(folder / "budgets.csv")}


def draw_budgets(folder, name, title):
    rows, fitting = read_rows(folder / f"{name}-budgets.csv"), fits(folder)
    low, high = limits([float(row[solver]) for row in rows for solver in SOLVERS
                        if int(row["frame"]) > 0 and row[solver]])
    parts = [text(60, 30, title, 15, weight="bold"),
             text(60, 50, "Beside each curve: the iterations that fit the budget of a step on this "
                  "machine", 12, color=FAINT)]
    for index, budget in enumerate(BUDGETS):
        left, top = 78 + 610 * (index % 2), 96 + 330 * (index // 2)
        mine = [row for row in rows if int(row["budgetMs"]) == budget]
        seconds = max(int(row["frame"]) for row in mine) * 8 * budget / 1000
        panel = Panel(left, top, 400, 240, seconds, low, high)
        panel.axes(f"{budget} ms a step", "seconds of solving",
                   "residual, m²" if index % 2 == 0 else "", 6)
        labels = []
        for solver in SOLVERS:
            count, step_ms = fitting[(solver, budget)]
            points = [(int(row["frame"]) * 8 * step_ms / 1000, float(row[solver]))
                      for row in mine if int(row["frame"]) > 0 and row[solver]]
            panel.curve(solver, points)
            short = SOLVERS[solver][0].split(" as")[0].replace(", ", " ")
            labels.append((panel.y(points[-1][1]), f"{short}: {count:,}", SOLVERS[solver][1]))
        panel.end_labels(labels)
        parts += panel.parts
    (folder / f"{name}-budgets.svg").write_text(document(1260, 740, parts), "utf-8")


def draw_fits(folder):
    """How many iterations fit: this machine's bars, the paper's as a mark on each."""
    fitting = fits(folder)
    left, top, width, height = 78, 62, 700, 330
    high = math.ceil(math.log10(max(count for count, _ in fitting.values())))
    parts = [text(left, 26, "Iterations within a time budget", 15, weight="bold"),
             text(left, 45, "bars: this machine;  black marks: the paper (GTX 970 for RBGS and "
                  "Jacobi, one core for GS)", 12, color=FAINT)]

    def y_of(count):
        return top + height * (1 - math.log10(max(count, 1)) / high)

    for exponent in range(high + 1):
        y = y_of(10 ** exponent)
        parts += [line(left, y, left + width, y, GRID),
                  text(left - 7, y + 4, f"{10 ** exponent:,}", 11, "end", FAINT)]
    order = ("gs", "jacobi-damped", "jacobi", "rbgs", "rbgs-sor")
    for group, budget in enumerate(BUDGETS):
        start = left + 14 + group * (width / len(BUDGETS))
        for column, solver in enumerate(order):
            x, (count, _) = start + column * 30, fitting[(solver, budget)]
            y = y_of(count)
            parts.append(f"<rect x='{x:.1f}' y='{y:.1f}' width='25' height='{top + height - y:.1f}' "
                         f"fill='{SOLVERS[solver][1]}'/>")
            size = 10 if count < 1000 else 8
            parts.append(text(x + 12.5, top + height - 6, f"{count}", size, "middle", "white", "bold"))
            if solver in PAPER:
                mark = y_of(PAPER[solver][group])
                parts.append(line(x - 1, mark, x + 26, mark, "black", 3))
        parts.append(text(start + 72, top + height + 20, f"{budget} ms", 12, "middle"))
    parts.append(line(left, top + height, left + width, top + height, INK))
    for column, solver in enumerate(order):
        x = left + (0, 60, 290, 375, 450)[column]
        parts += [f"<rect x='{x}' y='{top + height + 38}' width='12' height='12' "
                  f"fill='{SOLVERS[solver][1]}'/>",
                  text(x + 17, top + height + 48, SOLVERS[solver][0], 12)]
    (folder / "budgets.svg").write_text(document(810, 460, parts), "utf-8")


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|---" + "|---:" * (len(header) - 1) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def budget_table(folder):
    fitting = fits(folder)
    spread = {(row["solver"], int(row["budgetMs"])): (int(row["fewest"]), int(row["most"]))
              for row in read_rows(folder / "budgets.csv")}
    rows = []
    for solver in ("gs", "jacobi-damped", "jacobi", "rbgs", "rbgs-sor"):
        ours = [fitting[(solver, budget)][0] for budget in BUDGETS]
        rows.append([SOLVERS[solver][0] + ", measured"] + [
            "{:,} ({:,} to {:,})".format(count, *spread[(solver, budget)])
            for count, budget in zip(ours, BUDGETS)])
        if solver in PAPER:
            where = "CPU" if solver == "gs" else "GTX 970"
            rows.append([f"paper, {where}"] + [str(count) for count in PAPER[solver]])
            rows.append(["ratio"] + [f"{count / theirs:.1f}"
                                     for count, theirs in zip(ours, PAPER[solver])])
    return table(["iterations within"] + [f"{budget} ms" for budget in BUDGETS], rows)


def iteration_tables(folder):
    found = []
    for name, title in EXPERIMENTS.items():
        rows = read_rows(folder / f"{name}-iterations.csv")
        picks = [rows[int(len(rows) * part) - 1] for part in (0.125, 0.25, 0.5, 1)]
        body = [[SOLVERS[solver][0]] + [f"{float(row[solver]):.4g}" for row in picks]
                for solver in ("gs", "rbgs", "rbgs-sor", "jacobi", "jacobi-damped")]
        apart = sorted(abs(float(row["gs"]) - float(row["rbgs"])) /
                       max(float(row["gs"]), float(row["rbgs"])) for row in rows)
        head = ["residual, m², after iterations"] + [f"{int(row['iterations']):,}" for row in picks]
        found.append(f"**{title}** ([curves]({name}-iterations.svg))\n\n{table(head, body)}\n\n"
                     f"GS and RBGS differ by {100 * apart[len(apart) // 2]:.2g}% of the residual in the "
                     f"median, {100 * apart[-1]:.2g}% at most.")
    return "\n\n".join(found)


def step_table(folder):
    rows = [[SOLVERS[row["solver"]][0], f"{float(row['stepMs']):g} ms",
             f"{row['outer']} x {row['inner']}",
             f"{float(row['maxStretch']):.2f}" if row["maxStretch"] else "diverged",
             f"{float(row['secondsPerSecond']):.2f}" if row["secondsPerSecond"] else "-"]
            for row in read_rows(folder / "steps.csv")]
    return table(["solver", "step", "outer x inner", "worst stretch", "seconds per second"], rows)


def write_table(folder, machine, conditions):
    (folder / "convergence.md").write_text(f"""# Convergence, as in section 6.1 of the red-black paper

`bench/reproduce.sh` makes this page. The cloth has 10,000 particles and 19,800 constraints. A step is 2 ms, a
frame 8 steps. The paper does not give masses, so stiffness (1000 N/m) and mass (0.2 kg in total) are those of
the pack. Residuals here can be compared with each other, not with the paper's.

- Machine: {machine}
- Conditions while measuring time: {conditions}

## Iterations within a time budget

Inner iterations, 4 per outer iteration, of a whole step that was timed with this count and stayed within the
budget. Median of five rounds through all solvers; fewest and most in brackets. Other programs slow two threads
more than one, so a wide bracket means a busy machine.

![Iterations within a time budget](budgets.svg)

{budget_table(folder)}

## Residual against iterations

{iteration_tables(folder)}

## Residual against time

![Enlarged cloth](enlarged-cloth-budgets.svg)

![Hanging cloth](hanging-cloth-budgets.svg)

## Small steps

The hanging cloth for 1.5 s with 8,000 inner iterations per simulated second, at several step lengths, on one
thread. Worst stretch is the largest length over rest length of any spring. Shorter steps are stiffer for the same
work, as Macklin et al. found (2019). Over-relaxation needs four inner iterations: with two the cloth gains energy.

{step_table(folder)}
""", "utf-8")


def main():
    folder, machine, conditions = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    for name, title in EXPERIMENTS.items():
        draw_iterations(folder, name, title)
        draw_budgets(folder, name, title)
    draw_fits(folder)
    write_table(folder, machine, conditions)


if __name__ == "__main__":
    main()
