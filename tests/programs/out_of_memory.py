#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One allocation of a program fails, each in turn: the exit status is 4 and no file is left, or nothing has changed.

    out_of_memory.py BUILD SHIM WORK STEP [CASE...]

STEP 1 tries every allocation, STEP 37 one in 37. SHIM is fail_allocation.c as a shared library."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

BUILD, SHIM, WORK = (Path(a).resolve() for a in sys.argv[1:4])
STEP = int(sys.argv[4])
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tools/bake-collider"))
from made_gltf import bending_tube  # noqa: E402

VOXELIZE, COLORIZE, BAKE, INSPECT = (f"{BUILD}/tools/{n}/selvage-{n}"
                                     for n in ("voxelize", "colorize", "bake-collider", "inspect"))
OUTPUTS = {"-o": "out.slv", "--svg": "out.svg", "--depfile": "out.d", "--sdf": "out.sdf", "--picture": "out.png"}

CASES = {
    "colors": [COLORIZE, "cube.slv", "-o", "--svg", "--depfile", "--scheme", "phantom"],
    "colors again": [COLORIZE, "colored.slv", "-o", "--scheme", "hybrid", "--of", "constraints"],
    "colors of a grid": [COLORIZE, "box.slv", "-o", "--json"],
    "a shell": [VOXELIZE, "cube.obj", "-o", "--sdf", "--depfile", "--mode", "shell", "--resolution", "6"],
    "tetrahedra": [VOXELIZE, "cube.obj", "-o", "--mode", "solid", "--tetrahedra", "--resolution", "4", "--json"],
    "a surface": [VOXELIZE, "cube.obj", "-o", "--mode", "surface"],
    "a shape": [VOXELIZE, "--shape", "grid:6x6", "-o"],
    "a mesh of the importer": [VOXELIZE, "cube.ply", "-o", "--mode", "surface"],
    "a character": [BAKE, "tube.gltf", "-o", "--depfile", "--particles", "30", "--with-mesh", "--attach", "attach.json"],
    "a character's report": [BAKE, "tube.gltf", "-o", "--particles", "10", "--json"],
    "a still character": [BAKE, "cube.obj", "-o", "--particles", "10"],
    "the summary of a pack": [INSPECT, "box.slv"],
    "the report of a pack": [INSPECT, "box.slv", "--json"],
    "a picture": [INSPECT, "grid.slv", "--picture", "--size", "64x64"],
    "a table": [INSPECT, "grid.slv", "--dump", "particles"],
}
IMPORTS = ("a mesh of the importer", "a character", "a character's report")

CUBE = ("".join(f"v {x} {y} {z}\n" for x in (0, 1) for y in (0, 1) for z in (0, 1)) +
        "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n")
PLY = ("ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
       "element face 4\nproperty list uchar int vertex_indices\nend_header\n"
       "0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 0 3 2\n")
ATTACH = ('{"attachments": [{"name": "hook", "position": [0.15, 0.9, 0]},'
          ' {"name": "rope", "garment": "grid.slv", "set": "edge-x-min", "at": [0.1, 0.2, 0]}]}')


def make_inputs():
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    os.chdir(WORK)
    Path("cube.obj").write_text(CUBE)
    Path("cube.ply").write_text(PLY)
    Path("attach.json").write_text(ATTACH)
    bending_tube(frames=3).write("tube.gltf")
    for arguments in ([VOXELIZE, "--shape", "box:4x3x3", "-o", "box.slv"], [VOXELIZE, "--shape", "grid:6x6", "-o", "grid.slv"],
                      [VOXELIZE, "cube.obj", "--mode", "surface", "-o", "cube.slv"],
                      [COLORIZE, "cube.slv", "-o", "colored.slv"]):
        subprocess.run([*arguments, "--quiet"], check=True)


def files():
    return {f: Path(f).read_bytes() for f in os.listdir(".") if f.startswith("out.") or ".selvage-" in f}


def fault(done, good, wanted):
    """What is wrong with a run, or None."""
    there = files()
    if done.returncode == 4:
        return f"left {sorted(there)}" if there else None if b"memory" in done.stderr else "another message"
    if done.returncode != 0:
        return f"status {done.returncode}"
    same = b"seconds" in good.stdout or done.stdout == good.stdout
    return None if there == wanted and same else "status 0 and other bytes"


def sweep(name, command, parent):
    command = [part for word in command for part in ((word, OUTPUTS[word]) if word in OUTPUTS else (word,))]
    command += ["--threads", "2"] if "inspect" not in command[0] else []
    good = subprocess.run(command, capture_output=True)
    wanted = files()
    assert good.returncode == 0, good.stderr
    environment = {**os.environ, "LD_PRELOAD": str(SHIM), "SLV_FAIL_MARK": "mark", **({"SLV_FAIL_PARENT": "1"} if parent else {})}
    faults = 0
    runs = 0
    for number in range(1, 1000000, STEP):
        for left in files():
            Path(left).unlink()
        Path("mark").write_bytes(b"\0")
        done = subprocess.run(command, capture_output=True, env={**environment, "SLV_FAIL_AT": str(number)}, timeout=60)
        if Path("mark").read_bytes() == b"\0":
            break
        runs += 1
        wrong = fault(done, good, wanted)
        if wrong:
            faults += 1
            print(f"FAILED: {name}, allocation {number}: {wrong}: {done.stderr.decode(errors='replace').strip()[-200:]}")
    for left in files():
        Path(left).unlink()
    assert runs > 0, "no allocation failed: is SHIM a library?"
    print(f"{name}: {runs} of {number - 1} allocations failed in turn, {faults} faults", flush=True)
    return faults


def main():
    make_inputs()
    faults = 0
    for name in sys.argv[5:] or CASES:
        faults += sweep(name, CASES[name], False)
        if name in IMPORTS:
            faults += sweep(f"{name}, the parent only", CASES[name], True)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
