#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""All export formats hold the same positions, float for float, in the same order.

    exports_agree.py VOXELIZE PLAY DATA WORK

Two garments are exported to every format, as render meshes and as particles, and read back by
export_readers.py. A failed run leaves no files.
"""

import shutil
import subprocess
import sys
from pathlib import Path

import export_readers as readers

FRAMES = 6


def run(*command, status=0):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    assert done.returncode == status, (command, done.returncode, done.stderr)
    return done.stderr


def nearly(frames, expected, limit):
    assert len(frames) == len(expected), (len(frames), len(expected))
    for number, (frame, right) in enumerate(zip(frames, expected)):
        assert len(frame) == len(right), (number, len(frame), len(right))
        for p, (a, b) in enumerate(zip(frame, right)):
            assert all(abs(x - y) <= limit for x, y in zip(a, b)), (number, p, a, b)


class Tools:
    def __init__(self, voxelize, play, data, work):
        self.play, self.work = play, work
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
        run(voxelize, data / "cape.obj", "--mode", "surface", "-o", work / "cape.slv", "--quiet")
        run(voxelize, "--shape", "grid:7x5", "-o", work / "cloth.slv", "--quiet")

    def export(self, name, *options, status=0):
        return run(self.play, self.work / "cape.slv", self.work / "cloth.slv", "--fixed", "0,1", "--headless",
                   "--frames", FRAMES, "--quiet", "--export", self.work / name, *options, status=status)


def check_formats(tools, what):
    work = tools.work
    for extension in ("csv", "obj", "pc2", "mdd", "usda", "glb"):
        tools.export(f"{what}.{extension}", "--export-what", what)
    expected = readers.read_csv(work / f"{what}.csv")
    assert len(expected) == FRAMES + 1 and expected[0] != expected[-1]
    nearly(readers.read_obj_sequence(work / what), expected, 0)
    nearly(readers.read_pc2(work / f"{what}.pc2"), expected, 0)
    frames, times = readers.read_mdd(work / f"{what}.mdd")
    nearly(frames, expected, 0)
    seconds = 8 * 0.002  # steps of a frame
    assert all(abs(time - seconds * n) < 1e-6 for n, time in enumerate(times)), times
    usda, faces = readers.read_usda(work / f"{what}.usda")
    nearly(usda, expected, 0)
    glb, times = readers.read_glb(work / f"{what}.glb")
    nearly(glb, expected, 2e-7)  # a difference and a sum, each rounded to float32
    assert all(abs(time - seconds * n) < 1e-6 for n, time in enumerate(times)), times
    points, rest_faces, _ = readers.read_obj(work / f"{what}.rest.obj")
    nearly([points], expected[:1], 0)
    assert len(rest_faces) == faces == len(readers.read_obj(work / f"{what}_0003.obj")[1])
    assert (faces > 0) == (what == "render")


def check_defaults(tools):
    tools.export("usual.csv")
    tools.export("usual.pc2")
    particles = readers.read_csv(tools.work / "particles.csv")
    assert readers.read_csv(tools.work / "usual.csv") == particles
    nearly(readers.read_pc2(tools.work / "usual.pc2"), readers.read_csv(tools.work / "render.csv"), 0)


def check_refusals(tools):
    before = sorted(path.name for path in tools.work.iterdir())
    assert "an export ends in .csv, .obj" in tools.export("drape.fbx", status=1)
    assert "no/x.glb" in tools.export("no/x.glb", status=2)
    assert "no/x.obj" in tools.export("no/x.obj", status=2)
    for extension in ("csv", "obj", "pc2", "mdd", "usda", "glb"):  # diverges during the run
        output = tools.export(f"burst.{extension}", "--frames", 1000, "--solver", "PD_JACOBI", "--relaxation", 1.9,
                           status=3)
        assert "frame " in output, output
    assert sorted(path.name for path in tools.work.iterdir()) == before


def main():
    voxelize, play, data, work = sys.argv[1:5]
    tools = Tools(voxelize, play, Path(data), Path(work))
    check_formats(tools, "render")
    check_formats(tools, "particles")
    check_defaults(tools)
    check_refusals(tools)


if __name__ == "__main__":
    main()
