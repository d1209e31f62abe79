# SPDX-License-Identifier: MIT
"""What the rows of import_table.py share: the programs, a box, and comparisons."""
import csv
import io
import json
import math
import subprocess

ROWS = []
BOX = [(x, y, z) for x in (0.0, 1.0) for y in (0.0, 2.0) for z in (0.0, 0.5)]
QUADS = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
TRIANGLES = [t for a, b, c, d in QUADS for t in ((a, b, c), (a, c, d))]
FLAT = [i for t in TRIANGLES for i in t]


def row(formats, feature, outcome):
    def add(function):
        ROWS.append((formats, feature, outcome, function))
        return function
    return add


class Tools:
    def __init__(self, voxelize, bake, inspect, codecs=()):
        self.voxelize, self.bake, self.inspect = voxelize, bake, inspect
        self.codecs = codecs  # extensions and formats that the programs were built to decode

    def good(self, *command):
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
        assert done.returncode == 0, f"status {done.returncode}: {done.stderr}"
        self.warnings = done.stderr
        return done.stdout

    def mesh(self, path, *options):
        """Render vertices in the file's order, as dictionaries; the report is in self.report."""
        self.report = json.loads(self.good(self.voxelize, path, "-o", "m.slv", "--mode", "surface", "--json", *options))
        warnings = self.warnings
        rows = csv.DictReader(io.StringIO(self.good(self.inspect, "m.slv", "--dump", "render-vertices")))
        self.warnings = warnings
        return [{k: float(v) if v else None for k, v in r.items()} for r in rows]

    def points(self, path, *options):
        return [(r["x"], r["y"], r["z"]) for r in self.mesh(path, *options)]

    def baked(self, path, *options):
        return json.loads(self.good(self.bake, path, "-o", "b.slv", "--particles", 60, "--json", *options))

    def fits(self, path, *options):
        """Both programs place the file alike. Returns the bounds."""
        self.mesh(path, "--pose", "start", *options)
        bounds = self.report["bounds"]
        baked = self.baked(path, *options)
        near(bounds["min"] + bounds["max"], baked["bounds"]["min"] + baked["bounds"]["max"])
        assert self.report["import"] == baked["import"]
        return bounds

    def refused(self, path, *words):
        for command in ([self.voxelize, path, "-o", "out.slv"], [self.bake, path, "-o", "out.slv"]):
            done = subprocess.run(command, capture_output=True, text=True)
            assert done.returncode == 3, f"status {done.returncode}: {done.stderr}{done.stdout}"
            assert len(done.stderr.splitlines()) == 1 and done.stdout == "", done.stderr + done.stdout
            for word in words:
                assert word in done.stderr, f"'{word}' is not in: {done.stderr}"


def near(got, expected, tolerance=2e-6):
    assert len(got) == len(expected), f"{len(got)} values, expected {len(expected)}"
    for a, b in zip(got, expected):
        assert abs(a - b) <= tolerance * max(1.0, abs(b)), f"{got} is not {expected}"


def same_points(got, expected):
    """As sets: vertices may be stored in another order or split."""
    for one, other in ((got, expected), (expected, got)):
        for p in one:
            assert min(math.dist(p, q) for q in other) < 3e-6, f"{p} is missing: {sorted(got)} and {sorted(expected)}"


def volume(tools):
    rows = csv.DictReader(io.StringIO(tools.good(tools.inspect, "m.slv", "--dump", "render-vertices")))
    points = [tuple(float(r[k]) for k in "xyz") for r in rows]
    rows = list(csv.reader(io.StringIO(tools.good(tools.inspect, "m.slv", "--dump", "triangles"))))[1:]
    total = 0.0
    for r in rows:
        a, b, c = (points[int(i)] for i in r[1:4])
        total += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2])
                  + a[2] * (b[0] * c[1] - b[1] * c[0])) / 6
    return total
