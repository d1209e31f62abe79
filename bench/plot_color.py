#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the measurements of color_experiments.c beside the table of the phantom paper.

    bench/plot_color.py FOLDER "MACHINE"

Reads the CSV files in FOLDER and writes SVG pictures and phantoms.md there. Needs only the standard library."""

import math
import sys
from collections import defaultdict
from pathlib import Path

import plot
from plot import Panel, document, limits, read_rows, text

plot.SOLVERS.update({
    "jacobi": ("averaged Jacobi", "#2b6cb0", "", 1.8),
    "gs": ("Gauss-Seidel", "#1f7a3d", "", 1.8),
    "phantom": ("Gauss-Seidel, phantoms", "#d1373b", "", 2.4),
    "hybrid": ("hybrid Jacobi", "#8e3fae", "6 4", 1.8),
})
NAMES = {"ball": "Squishy ball", "blob": "Blob", "tori": "400 tori", "cloth": "Cloth, 16 times its area"}
# Kernel calls per frame in the paper's table 2.
PAPER = {("ball", "gs"): 880, ("ball", "phantom"): 448, ("ball", "jacobi"): 110,
         ("blob", "gs"): 736, ("blob", "phantom"): 432, ("blob", "jacobi"): 74,
         ("tori", "gs"): 172, ("tori", "phantom"): 148, ("tori", "jacobi"): 40}


def curves_of(path):
    curves = defaultdict(list)
    for row in read_rows(path):
        curves[row["solver"]].append((float(row["ms"]), float(row["residual"])))
    return curves


def draw_time(folder, name, backend):
    """Figures 6 and 9: residual against time."""
    path = folder / f"{name}-{backend}-time.csv"
    if not path.exists():
        return
    curves = curves_of(path)
    low, high = limits([r for points in curves.values() for _, r in points])
    # As far as the fastest of them was measured: there all can be compared.
    end = min(points[-1][0] for points in curves.values())
    end = max(end, min(points[-1][0] for s, points in curves.items() if s != "jacobi") * 1.02)
    panel = Panel(80, 50, 560, 330, end, low, high)
    panel.axes(f"{NAMES[name]}, on {backend}", "milliseconds", "residual, m²")
    labels = []
    for solver, points in curves.items():
        panel.curve(solver, points)
        seen = [p for p in points if p[0] <= end] or points[:1]
        labels.append((panel.y(seen[-1][1]), plot.SOLVERS[solver][0], plot.SOLVERS[solver][1]))
    panel.end_labels(labels)
    (folder / f"{name}-{backend}-time.svg").write_text(document(820, 430, panel.parts), encoding="utf-8")


def draw_launches(folder, name):
    """Where launches are all that costs, as in the paper's table 1: residual against how many there were."""
    rows = read_rows(folder / "table2-cpu.csv")
    launches = {r["solver"]: int(r["launches"]) for r in rows if r["scene"] == name}
    curves = defaultdict(list)
    for row in read_rows(folder / f"{name}-cpu-time.csv"):
        curves[row["solver"]].append((int(row["frame"]) * launches[row["solver"]], float(row["residual"])))
    low, high = limits([r for s, points in curves.items() for _, r in points if s != "jacobi"])
    end = curves["phantom"][-1][0]
    low = min(r for points in curves.values() for n, r in points if n <= end and r > 0)
    panel = Panel(80, 50, 560, 330, end, low, high)
    panel.axes(f"{NAMES[name]}, residual against launches", "launches", "residual, m²")
    labels = []
    for solver, points in curves.items():
        panel.curve(solver, points)
        seen = [p for p in points if p[0] <= end]
        labels.append((panel.y(seen[-1][1]), plot.SOLVERS[solver][0], plot.SOLVERS[solver][1]))
    panel.end_labels(labels)
    (folder / f"{name}-launches.svg").write_text(document(820, 430, panel.parts), encoding="utf-8")
    ratio = value_at(curves["gs"], end) / curves["phantom"][-1][1]
    return f"- {NAMES[name]}: {ratio:.3g} after {end:,} launches"


def draw_colors(folder):
    """Figure 5: residual by number of colors."""
    rows = read_rows(folder / "cloth-colors.csv")
    curves = defaultdict(list)
    for row in rows:
        curves[int(row["colors"])].append((float(row["iteration"]), float(row["residual"])))
    low, high = limits([r for points in curves.values() for _, r in points])
    panel = Panel(80, 50, 560, 330, 400, low, high)
    panel.axes("Cloth of 400 particles: residual and the number of colors", "iterations", "residual, m²")
    labels = []
    for index, (colors, points) in enumerate(sorted(curves.items())):
        shade = ("#d1373b", "#e08a2e", "#a39a1b", "#1f7a3d", "#2b6cb0")[index]
        plot.SOLVERS[f"q{colors}"] = (f"{colors} colors", shade, "", 2.0)
        panel.curve(f"q{colors}", points)
        labels.append((panel.y(points[-1][1]), f"{colors} colors", shade))
    panel.end_labels(labels)
    (folder / "cloth-colors.svg").write_text(document(820, 430, panel.parts), encoding="utf-8")


def draw_shapes(folder):
    """Figure 10: final shapes of the cloth."""
    parts = [text(20, 24, "The cloth after 400 iterations; it started four times as long and wide", 13, weight="bold")]
    for index, solver in enumerate(("gs", "phantom", "jacobi", "hybrid")):
        rows = read_rows(folder / f"cloth-{solver}-shape.csv")
        positions = [(float(r["x"]), float(r["z"])) for r in rows]
        low = [min(p[d] for p in positions) for d in (0, 1)]
        size = max(max(p[d] for p in positions) - low[d] for d in (0, 1))
        left = 20 + 215 * index
        spot = [(left + 195 * (x - low[0]) / size, 60 + 195 * (z - low[1]) / size) for x, z in positions]
        for p in range(400):
            for q in [p + 1] * (p % 20 < 19) + [p + 20] * (p < 380):
                parts.append(plot.line(*spot[p], *spot[q], plot.SOLVERS[solver][1], 0.8))
        parts.append(text(left, 280, f"{plot.SOLVERS[solver][0]}: {size:.3f} m", 11.5))
    (folder / "cloth-shapes.svg").write_text(document(880, 300, parts), encoding="utf-8")


def write_table(folder, machine, backends):
    lines = ["# Phantoms: the paper's experiments", "",
             "Scalable Partitioning for Parallel Position Based Dynamics (Fratarcangeli and Pellacini 2015), its scenes "
             "rebuilt at its sizes with generated shapes (`tests/common/soft_shapes.c`). Made by "
             "`bench/reproduce_color.sh`. Integration is off: each scene starts stretched, and only the solver moves "
             "particles. Residual: sum of (length − rest)² over springs.", "", f"Machine: {machine}", ""]
    for backend in backends:
        rows = read_rows(folder / f"table2-{backend}.csv")
        lines += [f"## On {backend}", "",
                  "| scene | solver | iterations | launches per frame | paper | ms per frame | residual before | after |",
                  "|---|---|---:|---:|---:|---:|---:|---:|"]
        for row in rows:
            paper = PAPER.get((row["scene"], row["solver"]), "")
            lines.append(f"| {NAMES[row['scene']]} | {plot.SOLVERS[row['solver']][0]} | {row['iterations']} | "
                         f"{row['launches']} | {paper} | {float(row['ms']):.4g} | "
                         f"{float(row['residual_before']):.4g} | {float(row['residual_after']):.4g} |")
        lines.append("")
        for name in NAMES:
            if (folder / f"{name}-{backend}-time.svg").exists():
                lines += [f"![{NAMES[name]}, residual against time]({name}-{backend}-time.svg)", ""]
        lines += equal_time(folder, backend)
    lines += ["## Residual against launches", "",
              "In the paper's table 1 the time of a frame is that of its launches. These runs had no such GPU; this is their "
              "residual against launches instead of time. Residual without phantoms over residual with phantoms, after "
              "equal launches (above 1: phantoms are better):", ""]
    lines += [draw_launches(folder, name) for name in ("ball", "blob", "tori")]
    lines += [""] + [f"![{NAMES[name]}, residual against launches]({name}-launches.svg)"
                     for name in ("ball", "blob", "tori")] + [""]
    lines += ["## Colors and residual", "", "![Residual and colors](cloth-colors.svg)", "",
              "![Shapes](cloth-shapes.svg)", ""]
    (folder / "phantoms.md").write_text("\n".join(lines), encoding="utf-8")


def value_at(points, ms):
    """The residual at a time, interpolated between two frames in logarithms."""
    for (x0, y0), (x1, y1) in zip(points, points[1:]):
        if x0 <= ms <= x1:
            part = (ms - x0) / (x1 - x0) if x1 > x0 else 0
            return math.exp(math.log(max(y0, 1e-30)) * (1 - part) + math.log(max(y1, 1e-30)) * part)
    return points[-1][1]


def equal_time(folder, backend):
    """Residual without phantoms over residual with them, after equal time."""
    lines = ["Residual after equal time, without phantoms over with phantoms (above 1: phantoms are better):", ""]
    for name in NAMES:
        path = folder / f"{name}-{backend}-time.csv"
        if path.exists():
            curves = curves_of(path)
            end = min(curves["gs"][-1][0], curves["phantom"][-1][0])
            ratio = value_at(curves["gs"], end) / value_at(curves["phantom"], end)
            lines.append(f"- {NAMES[name]}: {ratio:.3g} after {end:.4g} ms")
    return lines + [""]


def main():
    folder, machine = Path(sys.argv[1]), sys.argv[2]
    backends = [b for b in ("cpu", "opencl", "cuda") if (folder / f"table2-{b}.csv").exists()]
    for backend in backends:
        for name in NAMES:
            draw_time(folder, name, backend)
    draw_colors(folder)
    draw_shapes(folder)
    write_table(folder, machine, backends)


main()
