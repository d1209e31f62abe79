#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Small files that ask for gigabytes are refused by every program, within two seconds and little memory.

    memory_bombs.py BUILD WORK MAKE_BOMBS"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

BUILD, WORK, MAKE_BOMBS = (Path(a).resolve() for a in sys.argv[1:4])
VOXELIZE, COLORIZE, BAKE, INSPECT = (f"{BUILD}/tools/{n}/selvage-{n}"
                                     for n in ("voxelize", "colorize", "bake-collider", "inspect"))
PLAY = f"{BUILD}/runtime/player/selvage-play"
MIB = 1 << 20
failures = []


def measure(*command):
    """Exit status, message, seconds of the processor, largest resident memory in bytes."""
    with open("message", "w+") as message:
        child = subprocess.Popen([str(c) for c in command], stdout=subprocess.DEVNULL, stderr=message)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        message.seek(0)
        return child.returncode, message.read().strip(), usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def refused(statuses, words, most, *command):
    """The run ends with one of the statuses, all words in its message, within 2 s and `most` bytes."""
    status, message, seconds, memory = measure(*command)
    sound = status in statuses and all(w in message for w in words) and seconds < 2 and memory <= most
    if not sound or list(Path(".").glob("out*")):
        failures.append(command)
        print(f"FAILED: {' '.join(map(str, command))}: status {status}, {seconds:.2f} s, {memory / MIB:.0f} MiB: {message}")


def default_limit(path):
    return 64 * os.path.getsize(path) + 256 * MIB


def bomb_packs():
    subprocess.run([VOXELIZE, "--shape", "grid:4x4", "-o", "grid.slv", "--quiet"], check=True)
    shutil.copy("grid.slv", "true.slv")
    subprocess.run([MAKE_BOMBS, "grid.slv", "clip.slv"], check=True)
    Path("grid.json").write_text(json.dumps(
        {"softObjects": [{"src": "grid.slv", "shearStiffness": 100, "bendingStiffness": 10, "drag": 1}]}))
    Path("clip.json").write_text(json.dumps({"softObjects": [{"src": "true.slv"}], "modelPath": "clip.slv"}))
    programs = 64 * MIB  # code and libraries
    clip, grid = default_limit("clip.slv") + programs, default_limit("grid.slv") + programs
    refused({4}, ["memory limit"], grid, PLAY, "grid.json", "--headless", "--frames", "1")
    refused({4}, ["memory limit of 64 MiB"], grid, PLAY, "grid.json", "--headless", "--memory-limit", "64")
    refused({3, 4}, ["limit"], clip, PLAY, "clip.json", "--headless", "--frames", "1")
    refused({3, 4}, ["--memory-limit"], clip, INSPECT, "clip.slv")
    refused({3, 4}, ["limit"], clip, INSPECT, "clip.slv", "--verify", "--memory-limit", "100")
    refused({3, 4}, ["limit"], clip + 512 * MIB, INSPECT, "clip.slv", "--picture", "out.png")  # and the picture
    refused({3, 4}, [], clip, COLORIZE, "clip.slv", "-o", "out.slv")
    for options in ([], ["--scheme", "greedy"], ["--memory-limit", "1000"]):
        status, message, seconds, memory = measure(COLORIZE, "grid.slv", "-o", "colored.slv", *options)
        if status not in (0, 4) or seconds > 2 or memory > grid:
            failures.append(options)
            print(f"FAILED: colorize {options}: status {status}, {seconds:.2f} s, {memory / MIB:.0f} MiB: {message}")


def given_limits():
    """A true pack works within a limit that is enough, and the message of one that is not names it."""
    subprocess.run([VOXELIZE, "--shape", "grid:300x300", "-o", "large.slv", "--quiet"], check=True)
    for command in ([INSPECT, "large.slv", "--verify"], [COLORIZE, "large.slv", "-o", "colored.slv", "--quiet"]):
        subprocess.run([*command, "--memory-limit", "500"], check=True, stdout=subprocess.DEVNULL)
    refused({4}, ["--memory-limit 1 "], 128 * MIB, COLORIZE, "large.slv", "-o", "out.slv", "--memory-limit", "1")
    refused({1}, ["--memory-limit"], 128 * MIB, INSPECT, "large.slv", "--memory-limit", "0")


def bomb_meshes():
    header = "ply\nformat binary_little_endian 1.0\nelement vertex 4000000000\n" \
             "property float x\nproperty float y\nproperty float z\nelement face 4000000000\n" \
             "property list uchar int vertex_indices\nend_header\n"
    Path("many.ply").write_bytes(header.encode() + bytes(64))
    Path("sliver.ply").write_text(
        "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
        "element face 4\nproperty list uchar int vertex_indices\nend_header\n"
        "0 0 0\n1000 0 0\n0 1000 0\n0 0 1e-3\n3 0 1 2\n3 0 1 3\n3 0 2 3\n3 1 2 3\n")
    for mesh in ("many.ply", "sliver.ply"):
        refused({1, 3, 4}, [mesh], 512 * MIB, BAKE, mesh, "-o", "out.slv", "--radius", "0.001")
        refused({1, 3, 4}, [mesh], 512 * MIB, VOXELIZE, mesh, "-o", "out.slv", "--spacing", "0.001")


def bomb_scene():
    with open("large.json", "wb") as scene:
        scene.truncate(3 << 30)
    refused({3}, ["large.json"], 64 * MIB, PLAY, "large.json", "--headless")


shutil.rmtree(WORK, ignore_errors=True)
WORK.mkdir(parents=True)
os.chdir(WORK)
bomb_packs()
given_limits()
bomb_meshes()
bomb_scene()
shutil.rmtree(WORK)
sys.exit(f"{len(failures)} failed" if failures else 0)
