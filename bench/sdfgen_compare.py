#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares our distances with those of SDFGen, mesh by mesh.

    bench/sdfgen_compare.py COMPARE_SDF MESH.obj... [--dim N]

COMPARE_SDF is the built program compare-sdf. SDFGen comes with the Python package pysdfgen; without it the script
prints a message and ends. Meshes are converted for SDFGen: triangles only, centered, and scaled so that its lattice
has short numbers in the header.

At the largest difference within the band of one cell, the distance is also computed in rational numbers. "ours off"
and "its off" are the errors of either against that, in cells.
"""
import argparse
import fractions
import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile
import time

PADDING = 2
SPACING = 1 / 64


def read_obj(path):
    points, triangles = [], []
    for line in open(path, encoding="utf-8", errors="replace"):
        words = line.split()
        if words[:1] == ["v"]:
            points.append([float(word) for word in words[1:4]])
        elif words[:1] == ["f"]:
            corners = [int(word.split("/")[0]) for word in words[1:]]
            corners = [c if c > 0 else len(points) + 1 + c for c in corners]
            triangles += [(corners[0], corners[i], corners[i + 1]) for i in range(1, len(corners) - 1)]
    return points, triangles


def write_obj(path, points, triangles, dim):
    used = [points[c - 1] for triangle in triangles for c in triangle]
    low = [min(p[axis] for p in used) for axis in range(3)]
    high = [max(p[axis] for p in used) for axis in range(3)]
    scale = SPACING * (dim - 2 * PADDING) / max(h - l for l, h in zip(low, high))
    with open(path, "w", encoding="ascii") as file:
        for p in points:
            inside = [min(max(x, l), h) for x, l, h in zip(p, low, high)]  # points no triangle uses
            at = [(x - (l + h) / 2) * scale for x, l, h in zip(inside, low, high)]
            file.write("v %.9g %.9g %.9g\n" % tuple(at))
        for triangle in triangles:
            file.write("f %d %d %d\n" % triangle)


def minus(a, b):
    return [x - y for x, y in zip(a, b)]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def square_to_segment(p, a, b):
    ab = minus(b, a)
    length = dot(ab, ab)
    t = min(max(dot(minus(p, a), ab) / length, 0), 1) if length else 0
    off = minus(p, [x + t * y for x, y in zip(a, ab)])
    return dot(off, off)


def square_to_triangle(p, a, b, c):
    ab, ac, ap = minus(b, a), minus(c, a), minus(p, a)
    aa, bb, cc = dot(ab, ab), dot(ab, ac), dot(ac, ac)
    determinant = aa * cc - bb * bb
    if determinant:
        v = (cc * dot(ap, ab) - bb * dot(ap, ac)) / determinant
        w = (aa * dot(ap, ac) - bb * dot(ap, ab)) / determinant
        if v >= 0 and w >= 0 and v + w <= 1:
            off = [x - v * y - w * z for x, y, z in zip(ap, ab, ac)]
            return dot(off, off)
    return min(square_to_segment(p, a, b), square_to_segment(p, b, c), square_to_segment(p, c, a))


def exact_distance(obj, sdf, sample):
    """In cells, from the mesh as written to a sample of the field."""
    with open(sdf, encoding="ascii") as file:
        cells = [int(word) for word in file.readline().split()]
        origin = [fractions.Fraction(word) for word in file.readline().split()]
        spacing = fractions.Fraction(file.readline().strip())
    at = (sample % cells[0], sample // cells[0] % cells[1], sample // (cells[0] * cells[1]))
    position = [o + i * spacing for o, i in zip(origin, at)]
    points, triangles = [], []
    for line in open(obj, encoding="ascii"):
        kind, *words = line.split()
        if kind == "v":
            points.append([fractions.Fraction(word) for word in words])
        else:
            triangles.append([int(word) - 1 for word in words])
    return float(min(square_to_triangle(position, *(points[c] for c in t)) for t in triangles)
                 / spacing**2) ** 0.5


def compare(program, sdfgen, mesh, dim, folder):
    obj = folder / "mesh.obj"
    write_obj(obj, *read_obj(mesh), dim)
    start = time.monotonic()
    subprocess.run([sdfgen, obj, str(dim), str(PADDING)], check=True, stdout=subprocess.DEVNULL)
    theirs = time.monotonic() - start
    report = subprocess.run([program, obj, folder / "mesh.sdf"], check=True, capture_output=True)
    found = json.loads(report.stdout)
    cells = found["cells"]
    worst, our_value, its_value = found["worst"]
    exact = exact_distance(obj, folder / "mesh.sdf", worst)
    print(f"{mesh.stem:24} {found['triangles']:9} {found['in_band']:12.2e} {abs(abs(our_value) - exact):9.1e} "
          f"{abs(abs(its_value) - exact):9.1e} {found['beyond']:10.2e} "
          f"{found['other_signs']:6} / {found['band']:<7} {1e6 * theirs / cells:8.3f} "
          f"{1e6 * found['seconds'] / cells:8.3f} {theirs / found['seconds']:7.1f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("meshes", type=pathlib.Path, nargs="+")
    parser.add_argument("--dim", type=int, default=64)
    options = parser.parse_args()
    package = importlib.util.find_spec("pysdfgen")
    if package is None:
        print("skipped: the Python package pysdfgen is not installed")
        return 77
    sdfgen = pathlib.Path(package.origin).parent / "SDFGen"
    print(f"{'mesh':24} {'triangles':>9} {'band: cells':>12} {'ours off':>9} {'its off':>9} {'beyond':>10} {'other signs':>16} "
          f"{'SDFGen us':>8} {'ours us':>8} {'ratio':>7}")
    with tempfile.TemporaryDirectory() as folder:
        for mesh in options.meshes:
            compare(options.program, sdfgen, mesh, options.dim, pathlib.Path(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
