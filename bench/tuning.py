#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures tuned constants: the rows of docs/TUNING.md, each at a lower value, as it is, and at a higher value.

    bench/tuning.py WORK [NAME…] [--rounds N] [--write]

For each value the source is copied to WORK, the constant is replaced there, and the programs are built. The three
programs then run in turns, several rounds. A time is the sum over frames, or the whole program's processor time, of
the shortest round, and is printed as a ratio to the constant as it is. Everything else is printed as measured. With
--write the figures are written into docs/TUNING.md. Needs numpy. The column "measure" is a quantity and a command:

    step        time of the steps of selvage-play      wall       elapsed time of any program
    cpu         processor time of any program          bytes      size of the file that it writes
    stretch     largest length over rest length        energy     kinetic energy at the end, mJ
    overlap     see measure_overlap                    crossings  edges through triangles, mean of 8 frames
    memory      largest resident memory, MB            json KEY   a number of the report of --json

A "@" in a scene's name stands for 0 to 7: variants of the scene. Printed is the mean and its standard error.
"""

import json
import os
import re
import shlex
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

SOURCE = Path(__file__).resolve().parent.parent
DOCUMENT = SOURCE / "docs/TUNING.md"
ROW = re.compile(r"^\| `(\w+)` \| `([\w./-]+)` \| `([^`]+)`[^|]*\|.*$", re.M)
PROGRAMS = {"play": "runtime/player/selvage-play", "voxelize": "tools/voxelize/selvage-voxelize",
            "colorize": "tools/colorize/selvage-colorize", "bake-collider": "tools/bake-collider/selvage-bake-collider"}
RATIOS = ("step", "cpu", "wall", "bytes", "memory")
OPTIONS = ["-DCMAKE_BUILD_TYPE=Release", "-DSELVAGE_TESTS=OFF", "-DSELVAGE_WINDOW=OFF", "-DSELVAGE_BENCH=ON",
           "-DSELVAGE_CUDA=OFF", "-DSELVAGE_OPENCL=OFF"]


# --- Scenes ---------------------------------------------------------------------------------------

FLOOR = {"type": "plane", "normal": [0, 1, 0], "offset": 0}
PACKS = {"large": "grid:400x400", "sheet": "grid:200x200"}  # spacing 0.01 m


def garment(pack, position, **others):
    return {"src": f"{pack}.slv", "position": position, **others}


# Scenes besides those of data/scenes.
EXTRA_SCENES = {
    "large": {"softObjects": [garment("large", [-2, 5, 0], fixed=[0, 399])], "innerIterations": 8},
    "many": {"softObjects": [garment("cloth-26", [n % 6, 2, n // 6], fixed=[0, 25]) for n in range(24)]},
    # 24 cloths that fall on eight spheres each.
    "crowd": {"softObjects": [garment("cloth-26", [n % 6, 2, n // 6]) for n in range(24)],
              "colliders": [{"type": "sphere", "center": [n % 6 + 0.1 + 0.1 * k, 1.9, n // 6 + 0.1 + 0.3 * (k % 3)],
                             "radius": 0.06} for n in range(24) for k in range(8)]},
    # Cloth that falls on its edge and folds.
    "fold": {"softObjects": [garment("cloth-66", [-0.65, 1.5, 0], rotation=[90, 0, 0])], "colliders": [FLOOR],
             "selfCollision": True, "relaxation": 1.7, "bendingStiffness": 1},
    # Two sheets of 40,000 particles, one falling on the other.
    "sheets": {"softObjects": [garment("sheet", [-1, 0.05 + 0.05 * n, -1], velocity=[0, -2 * n, 0]) for n in range(2)],
               "colliders": [FLOOR], "selfCollision": True, "garmentCollision": True},
    # A cloth thrown at another with 40 m/s: five radii a step.
    "shot": {"softObjects": [garment("cloth-26", [-0.46, 1 + n, -0.46], velocity=[0, -40 * n, 0],
                                     rotation=[8 * n, 20 * n, 0]) for n in range(2)],
             "selfCollision": True, "garmentCollision": True, "collisionRadius": 0.0155},
    "bounce": {"softObjects": [garment("cloth-26", [-0.46, 0.5, -0.46], rotation=[10, 0, 0])], "colliders": [FLOOR],
               "restitution": 0.6, "bendingStiffness": 10},
    "balls": {"softObjects": [garment("cloth", [-0.5, 0.4, -0.5])],
              "colliders": [FLOOR] + [{"type": "sphere", "center": [0.12 * (n % 8) - 0.42, 0.25, 0.12 * (n // 8) - 0.42],
                                       "radius": 0.05} for n in range(64)]},
}

# Two coarser cloths that fall on their edges, one on the other. Crumpling is chaotic, so that single figures mean
# little: there are VARIANTS of the scene, turned by a few degrees.
VARIANTS = 8
for k in range(VARIANTS):
    EXTRA_SCENES[f"drop{k}"] = {
        "softObjects": [garment("cloth-26", [-0.46, 1.1 + n, 0.02 * n], rotation=[80 + 2 * k, 20 * n + 7 * k, 0])
                        for n in range(2)], "colliders": [FLOOR], "selfCollision": True, "garmentCollision": True,
        "relaxation": 1.7, "bendingStiffness": 4, "shearStiffness": 300, "damping": 0.3, "collisionRadius": 0.0155}
    # The same cloths with contacts between their surfaces.
    EXTRA_SCENES[f"heap{k}"] = {**EXTRA_SCENES[f"drop{k}"], "contact": "surfaces"}


def make_scenes(folder, voxelize, color_shapes):
    (folder / "shapes").mkdir(exist_ok=True)
    subprocess.run([color_shapes, folder / "shapes"], check=True, stdout=subprocess.DEVNULL)
    for name, shape in PACKS.items():
        subprocess.run([voxelize, "--shape", shape, "-o", folder / f"{name}.slv", "--quiet"], check=True)
    for name, scene in EXTRA_SCENES.items():
        (folder / f"{name}.json").write_text(json.dumps({"timestep": 0.002, "stepsPerFrame": 8, **scene}))
    for mesh in (SOURCE / "data").glob("*.[og][bl][jb]"):
        (folder / mesh.name).write_bytes(mesh.read_bytes())


# --- Builds ---------------------------------------------------------------------------------------

def replace(text, name, value, other):
    """The source text with another value of a constant."""
    pattern = re.compile(rf"(\b{name}\b\s*=?\s*){re.escape(value)}(?![\w.])")
    changed, count = pattern.subn(lambda match: match[1] + other, text)
    if count != 1:
        sys.exit(f"{name} = {value} was found {count} times, not once")
    return changed


class Builds:
    """Programs with one constant changed, in WORK/programs."""

    def __init__(self, work):
        self.source, self.build, self.made = work / "source", work / "build", work / "programs"
        self.source.mkdir(parents=True, exist_ok=True)
        files = subprocess.run(["git", "ls-files"], cwd=SOURCE, check=True, capture_output=True, text=True).stdout
        for name in files.split("\n"):
            here, there = SOURCE / name, self.source / name
            if "cpu_kernels_" in name and there.exists():
                continue
            if here.is_file() and not (there.exists() and there.read_bytes() == here.read_bytes()):
                there.parent.mkdir(parents=True, exist_ok=True)
                there.write_bytes(here.read_bytes())
                there.chmod(here.stat().st_mode)
        self.leave_out_instruction_sets()
        subprocess.run(["cmake", "-G", "Ninja", "-S", self.source, "-B", self.build, "--log-level=WARNING"] + OPTIONS,
                       check=True, stdout=subprocess.DEVNULL)

    def leave_out_instruction_sets(self):
        """Where there is AVX-512, the kernels of no other instruction set are compiled, which takes most of the time."""
        if "avx512vl" in Path("/proc/cpuinfo").read_text():
            for name in ("avx2", "baseline"):
                file = self.source / f"runtime/backends/cpu/cpu_kernels_{name}.c"
                text = ('#include "runtime/backends/cpu/cpu_kernels.h"\n'
                        f"slv_cpu_kernel *const slv_cpu_kernels_{name}[SLV_KERNEL_COUNT] = {{0}};\n")
                if file.read_text() != text:
                    file.write_text(text)

    def compile(self, program, target):
        subprocess.run(["cmake", "--build", self.build, "--target", Path(PROGRAMS[program]).name], check=True,
                       stdout=subprocess.DEVNULL)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.unlink(missing_ok=True)
        target.write_bytes((self.build / PROGRAMS[program]).read_bytes())
        target.chmod(0o755)

    def program(self, program, file, name, value, other):
        """A program with the value `other` of a constant."""
        target = self.made / (f"{Path(file).stem}.{name}={other}" if other != value else "as-is") / Path(PROGRAMS[program]).name
        path = self.source / file
        text = path.read_text(encoding="utf-8")
        if other != value:
            path.write_text(replace(text, name, value, other), encoding="utf-8")
        try:
            if other == value or not target.exists():
                self.compile(program, target)
        finally:
            if other != value:
                path.write_text(text, encoding="utf-8")
        return target


# --- Quantities -----------------------------------------------------------------------------------

def read_mesh(path):
    faces = [[int(corner.split("/")[0]) - 1 for corner in line.split()[1:4]]
             for line in path.read_text().splitlines() if line.startswith("f ")]
    return np.array(faces)


def read_points(path):
    """Positions [frames][points][3] of a .pc2 file."""
    data = path.read_bytes()
    points, frames = np.frombuffer(data, "<i4", 1, 16)[0], np.frombuffer(data, "<i4", 1, 28)[0]
    return np.frombuffer(data, "<f4", offset=32).reshape(frames, points, 3).astype(float)


def volume(u, v, w, x):
    return np.einsum("ij,ij->i", np.cross(v - u, w - u), x - u)


def count_crossings(points, faces):
    """Edges that pass through a triangle with which they share no corner."""
    edges = np.unique(np.sort(faces[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1), axis=0)
    low, high = points[faces].min(1), points[faces].max(1)
    total = 0
    for part in np.array_split(edges, max(1, len(edges) // 500)):
        near = np.ones((len(part), len(faces)), bool)
        for d in range(3):
            near &= (points[part][:, :, d].min(1)[:, None] <= high[:, d]) & \
                (points[part][:, :, d].max(1)[:, None] >= low[:, d])
        e, f = np.nonzero(near)
        apart = ~(part[e][:, :, None] == faces[f][:, None, :]).any((1, 2))
        a, b = (points[part[e[apart]][:, i]] for i in range(2))
        p, q, r = (points[faces[f[apart]][:, i]] for i in range(3))
        through = volume(p, q, r, a) * volume(p, q, r, b) < 0
        sides = [volume(a, b, u, v) for u, v in ((p, q), (q, r), (r, p))]
        total += np.count_nonzero(through & ((np.array(sides) > 0).all(0) | (np.array(sides) < 0).all(0)))
    return total


def square_distances(points):
    squares = (points * points).sum(1)
    return np.maximum(squares[:, None] + squares[None] - 2 * points @ points.T, 0)


def measure_overlap(points, start, radius):
    """Overlaps of pairs that do not overlap at the start, in thousandths of two radii, summed, per particle."""
    depth = 1 - np.sqrt(square_distances(points)) / (2 * radius)
    return 1000 * depth[(depth > 0) & (square_distances(start) > (2.002 * radius) ** 2)].sum() / len(points)


def from_frames(quantity, runs):
    frames = runs[0]["frames"]
    stretches = [frame["maxStretch"] for frame in frames]
    if quantity == "step":
        return np.array([[frame["stepMs"] for frame in run["frames"]] for run in runs]).min(0).sum()
    if quantity == "energy":
        return 1000 * frames[-1]["kineticEnergy"]
    return max(stretches)


def last_hash(report):
    return json.loads(report.read_text())["frames"][-1]["hash"]


def run_once(quantity, program, words, folder):
    """One figure of one run, or the player's report; and what tells whether results differ."""
    report, output = folder / "report.json", folder / "out"
    player = words[0] == "play"
    extra = ["--json"] if quantity.startswith("json") else ["--quiet"]
    extra += ["--headless", "--report", report] if player else ["-o", output]
    if quantity in ("crossings", "overlap"):
        extra += ["--export", folder / "out.pc2", "--export-what", "render"]
    output.unlink(missing_ok=True)
    begin = time.monotonic()
    child = subprocess.Popen([program] + words[1:] + extra, cwd=folder, stdout=subprocess.PIPE)
    printed = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.monotonic() - begin
    if status != 0:
        return float("nan"), None
    result = last_hash(report) if player else output.read_bytes()
    if quantity in ("step", "stretch", "energy"):
        return json.loads(report.read_text()), result
    if quantity in ("crossings", "overlap"):
        points, faces = read_points(folder / "out.pc2"), read_mesh(folder / "out.rest.obj")
        shown = points[np.linspace(len(points) // 4, len(points) - 1, 8).astype(int)]
        if quantity == "crossings":
            return np.mean([count_crossings(frame, faces) for frame in shown]), result
        radius = json.loads((folder / words[1]).read_text())["collisionRadius"]
        return np.mean([measure_overlap(frame, points[0], radius) for frame in shown]), result
    if quantity.startswith("json"):
        value = json.loads(printed)
        for key in quantity.split()[1].split("."):
            value = value[int(key) if key.isdigit() else key]
        return float(value), result
    return {"cpu": usage.ru_utime + usage.ru_stime, "wall": wall, "memory": usage.ru_maxrss / 1024,
            "bytes": 0 if player else len(result)}[quantity], result


def measure_variants(quantity, words, programs, folder):
    """Means over the variants of a scene, and their standard errors."""
    texts = []
    for program in programs:
        figures = []
        for k in range(VARIANTS):
            figure, _ = run_once(quantity, program, [word.replace("@", str(k)) for word in words], folder)
            figures.append(from_frames(quantity, [figure]) if isinstance(figure, dict) else figure)
        texts.append(f"{np.mean(figures):.3g} ± {np.std(figures) / (VARIANTS - 1) ** 0.5:.2g}")
    return texts


def measure(quantity, words, programs, folder, rounds):
    """Figures as text; a star marks other results than those of the constant as it is."""
    if any("@" in word for word in words):
        return measure_variants(quantity, words, programs, folder)
    runs, results = [[] for _ in programs], [None for _ in programs]
    for _ in range(rounds if quantity in ("step", "cpu", "wall") else 1):
        for index, program in enumerate(programs):
            figure, results[index] = run_once(quantity, program, words, folder)
            runs[index].append(figure)
    failed = [result is None for result in results]
    figures = [float("nan") if failed[i] else from_frames(quantity, r) if isinstance(r[0], dict) else min(r)
               for i, r in enumerate(runs)]
    if quantity in RATIOS:
        figures = [figure / figures[1] for figure in figures]
    stars = ["" if result == results[1] else "*" for result in results]
    return ["fails" if failed[i] else f"{figure:{'.0f' if figure >= 1000 else '.3g'}}{stars[i]}" for i, figure in enumerate(figures)]


# --- The document ---------------------------------------------------------------------------------

def measure_row(line, builds, folder, rounds):
    """The row with new figures in its last three cells: "value: figure", "figure", "value: figure"."""
    cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
    name, file, value = ROW.match(line).groups()
    words = shlex.split(cells[4].strip("`"))
    count = 2 if words[0] == "json" else 1
    quantity, words = " ".join(words[:count]), words[count:]
    others = [cells[5].split(":")[0].strip(), cells[7].split(":")[0].strip()]
    programs = [builds.program(words[0], file, name, value, other) for other in (others[0], value, others[1])]
    figures = measure(quantity, words, programs, folder, rounds)
    cells[5:8] = [f"{others[0]}: {figures[0]}", figures[1], f"{others[1]}: {figures[2]}"]
    return "| " + " | ".join(cells) + " |"


def main():
    words = sys.argv[1:]
    write = "--write" in words
    rounds = int(words[words.index("--rounds") + 1]) if "--rounds" in words else 5
    names = [word for word in words[1:] if not word.startswith("--") and not word.isdigit()]
    if not words:
        sys.exit(__doc__)
    work = Path(words[0]).resolve()
    builds = Builds(work)
    folder = work / "scenes"
    if not (folder / "cloth.slv").exists():
        for program in PROGRAMS:
            builds.compile(program, builds.made / "as-is" / Path(PROGRAMS[program]).name)
        subprocess.run([SOURCE / "data/scenes/bake.sh", folder, builds.made / "as-is/selvage-voxelize"], check=True)
    if not (folder / "shapes").exists():
        subprocess.run(["cmake", "--build", builds.build, "--target", "color-shapes"], check=True,
                       stdout=subprocess.DEVNULL)
        make_scenes(folder, builds.made / "as-is/selvage-voxelize", builds.build / "bench/color-shapes")
    for match in ROW.finditer(DOCUMENT.read_text(encoding="utf-8")):
        if match[0].count("|") < 9 or (names and match[1] not in names):
            continue
        row = measure_row(match[0], builds, folder, rounds)
        print(row, flush=True)
        if write:
            text = DOCUMENT.read_text(encoding="utf-8")
            DOCUMENT.write_text(text.replace(match[0], row), encoding="utf-8")


main()
