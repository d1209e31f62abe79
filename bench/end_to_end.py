#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Time of selvage-voxelize as a whole program, from the mesh file to the written file.

    end_to_end.py PROGRAM WORK [--full]

A pebble of 70,000 triangles is converted to the text field of SDFGen and to solid packs. Each figure is the best
of three runs. --full adds the 512-cell grid. One line per figure: name, value, target, ratio, verdict. SDFGen takes
about 5 microseconds of one core per cell on such a mesh; with the environment variable SDFGEN set to its path, it is
run instead.
"""

import os
import subprocess
import sys
import time
from math import cos, pi, sin
from pathlib import Path

SDFGEN_SECONDS_PER_CELL = 5e-6
LATITUDES, LONGITUDES = 132, 266  # 2 * 266 * 131 = 69,692 triangles


def write_pebble(path):
    def point(i, j):
        polar, around = pi * i / LATITUDES, 2 * pi * j / LONGITUDES
        r = 1 + 0.08 * cos(5 * around) * sin(polar) ** 3 + 0.04 * cos(11 * polar)
        return r * sin(polar) * cos(around), 0.8 * r * cos(polar), 0.9 * r * sin(polar) * sin(around)

    def index(i, j):
        if i in (0, LATITUDES):
            return 1 if i == 0 else 2
        return 3 + (i - 1) * LONGITUDES + j % LONGITUDES

    rings = [point(i, j) for i in range(1, LATITUDES) for j in range(LONGITUDES)]
    lines = ["v %.6f %.6f %.6f" % p for p in [point(0, 0), point(LATITUDES, 0)] + rings]
    for i in range(LATITUDES):
        for j in range(LONGITUDES):
            a, b, c, d = index(i, j), index(i + 1, j), index(i + 1, j + 1), index(i, j + 1)
            lines += [f"f {x} {y} {z}" for x, y, z in ((a, d, c), (a, c, b)) if len({x, y, z}) == 3]
    path.write_text("\n".join(lines) + "\n", encoding="ascii")


def run(command):
    """Seconds and peak bytes of one run."""
    start = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    seconds = time.perf_counter() - start
    if status != 0:
        sys.exit(f"failed: {' '.join(map(str, command))}")
    return seconds, usage.ru_maxrss * 1024


def best(command, runs=3):
    results = [run(command) for _ in range(runs)]
    return min(seconds for seconds, _ in results), max(peak for _, peak in results)


def field_cells(path):
    with open(path, encoding="ascii") as file:
        x, y, z = map(int, file.readline().split())
    return x * y * z


def reference_seconds(mesh, spacing, cells):
    program = os.environ.get("SDFGEN")
    return run([program, mesh, str(spacing), "1"])[0] if program else SDFGEN_SECONDS_PER_CELL * cells


def report(name, value, unit, target=None, at_most=True):
    """The line of bench_report.c."""
    ratio = None if target is None else target / value if at_most else value / target
    target_text = f"{target:7.3g} {unit:<4} {ratio:7.2f}x  {'met' if ratio >= 1 else 'missed'}" if ratio else \
        f"{'-':>12} {'-':>8}  for comparison"
    print(f"{name:<44} {value:7.3g} {unit:<4} {target_text}", flush=True)


def measure(program, mesh, work, size):
    field, pack, spacing = work / "field.sdf", work / "pebble.slv", 2.2 / size
    command = [program, mesh, "--quiet", "--spacing", str(spacing)]
    two, peak = best(command + ["--sdf", field, "--threads", "2"])
    one, _ = best(command + ["--sdf", field, "--threads", "1"], 1)
    solid, _ = best(command + ["--mode", "solid", "-o", pack, "--threads", "2"])
    cells = field_cells(field)
    report(f"{size}: cells", cells, "")
    report(f"{size}: text field, 2 threads, per cell", two / cells * 1e6, "us")
    report(f"{size}: SDFGen / ours", reference_seconds(mesh, spacing, cells) / two, "x")
    report(f"{size}: one thread / two", one / two, "x")
    report(f"{size}: peak memory / grid", peak / (4 * cells), "x")
    report(f"{size}: solid pack, 2 threads, per cell", solid / cells * 1e6, "us")
    field.unlink()


def main():
    program, work = Path(sys.argv[1]), Path(sys.argv[2])
    sizes = (64, 128, 256, 512) if sys.argv[3:] == ["--full"] else (64, 128, 256)
    work.mkdir(parents=True, exist_ok=True)
    mesh = work / "pebble.obj"
    write_pebble(mesh)
    print(f"{'name':<44} {'value':>12} {'target':>12} {'ratio':>8}  verdict")
    for size in sizes:
        measure(program, mesh, work, size)


if __name__ == "__main__":
    main()
