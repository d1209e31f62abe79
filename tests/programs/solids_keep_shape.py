# SPDX-License-Identifier: MIT
"""Solids of meshes and boxes stand on the ground as they were, without any setting in the scene, at several sizes and resolutions.

    solids_keep_shape.py BUILD SCRATCH
"""
import csv
import json
import math
import os
import shutil
import subprocess
import sys

CORNERS = [(x, y, z) for x in (0.0, 1.0) for y in (0.0, 2.0) for z in (0.0, 1.0)]
QUADS = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, f"{command}: {done.stderr}"


def frames(path):
    points = {}
    with open(path) as file:
        for frame, _, x, y, z in list(csv.reader(file))[1:]:
            points.setdefault(int(frame), []).append((float(x), float(y), float(z)))
    return points[min(points)], points[max(points)]


def main(build, scratch):
    voxelize = os.path.join(os.path.abspath(build), "tools/voxelize/selvage-voxelize")
    play = os.path.join(os.path.abspath(build), "runtime/player/selvage-play")
    shutil.rmtree(scratch, ignore_errors=True)
    os.makedirs(scratch)
    os.chdir(scratch)
    with open("block.obj", "w") as out:
        out.write("".join(f"v {x} {y} {z}\n" for x, y, z in CORNERS)
                  + "".join("f " + " ".join(str(i + 1) for i in q) + "\n" for q in QUADS))
    wrong = 0
    blocks = [("block.obj", "--scale", scale, "--resolution", resolution, *more)
              for scale, resolution, *more in ((1, 8), (1, 16), (1, 32), (0.1, 8), (1, 8, "--tetrahedra"))]
    for options in (*blocks, ("--shape", "box:8x8x8"), ("--shape", "box:4x8x4", "--spacing", 0.1)):
        run(voxelize, *map(str, options), "-o", "block.slv")
        with open("scene.json", "w") as out:
            json.dump({"softObjects": [{"src": "block.slv", "position": [0, 0.01, 0]}],
                       "colliders": [{"type": "plane", "normal": [0, 1, 0], "offset": 0}]}, out)
        run(play, "scene.json", "--headless", "--frames", "60", "--export", "block.csv", "--export-what", "particles")
        before, after = frames("block.csv")
        off = max(abs(math.dist(before[0], a) - math.dist(after[0], b)) / math.dist(before[0], a)
                  for a, b in zip(before[1:], after[1:]))
        ok = off < 0.05
        wrong += not ok
        print(f"{'ok' if ok else 'WRONG'}: {' '.join(map(str, options))}: distances {off:.3f} off")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
