#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Programs leave all their files or none: where files may not grow, where a signal ends the program, where a call fails.

    whole_files.py BUILD WORK KILLS SHIM STEP

Each program is ended KILLS times, by SIGTERM, SIGINT and SIGHUP in turn, at moments spread over its run. One call in
STEP that writes, flushes, closes, renames or maps a file fails in turn; SHIM is fail_call.c as a shared library."""

import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

BUILD, WORK = (Path(a).resolve() for a in sys.argv[1:3])
KILLS = int(sys.argv[3])
SHIM, STEP = Path(sys.argv[4]).resolve(), int(sys.argv[5])
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tools/bake-collider"))
from made_gltf import bending_tube  # noqa: E402

VOXELIZE, COLORIZE, BAKE, INSPECT = (f"{BUILD}/tools/{n}/selvage-{n}"
                                     for n in ("voxelize", "colorize", "bake-collider", "inspect"))
PLAY = f"{BUILD}/runtime/player/selvage-play"
SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
SCENE = """{"softObjects": [{"src": "cloth.slv"}]}"""

CASES = {
    "voxelize": [VOXELIZE, "--shape", "grid:60x60", "-o", "out.slv", "--depfile", "out.d"],
    "colorize": [COLORIZE, "../cloth.slv", "-o", "out.slv", "--svg", "out.svg"],
    "bake-collider": [BAKE, "../tube.gltf", "-o", "out.slv", "--particles", "50", "--fps", "90"],
    "inspect": [INSPECT, "../cloth.slv", "--picture", "out.png", "--size", "200x200"],
    **{f"play {kind}": [PLAY, "../scene.json", "--headless", "--frames", "12", "--export", f"out.{kind}"]
       for kind in ("csv", "obj", "pc2", "mdd", "usda", "glb")},
    "play record": [PLAY, "../scene.json", "--headless", "--frames", "100", "--record", "out.input"],
    "play report": [PLAY, "../scene.json", "--headless", "--frames", "100", "--report", "out.json"],
}


def fail(text):
    sys.exit(f"FAILED: {text}")


def make_inputs():
    shutil.rmtree(WORK, ignore_errors=True)
    (WORK / "run").mkdir(parents=True)
    os.chdir(WORK)
    bending_tube(frames=30).write("tube.gltf")
    subprocess.run([VOXELIZE, "--shape", "grid:16x16", "-o", "cloth.slv", "--quiet"], check=True)
    Path("scene.json").write_text(SCENE)
    os.chdir("run")


def files():
    return {f: Path(f).read_bytes() for f in sorted(os.listdir("."))}


def clear(old=()):
    """An empty folder, or one with earlier files of these names."""
    for f in os.listdir("."):
        Path(f).unlink()
    for f in old:
        Path(f).write_bytes(b"old")


def a_limit_of_file_sizes_leaves_nothing(name, command):
    clear()
    done = subprocess.run([*command, "--quiet"], capture_output=True,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10)))
    if done.returncode != 2 or files():
        fail(f"{name}, files of 10 bytes at most: status {done.returncode}, left {list(files())}: {done.stderr.decode()}")
    if b"out." not in done.stderr or b"File too large" not in done.stderr:
        fail(f"{name}: the message names another file: {done.stderr.decode()}")


def signals_leave_old_or_new(name, command):
    clear()
    start = time.monotonic()
    subprocess.run([*command, "--quiet"], check=True)
    seconds = time.monotonic() - start
    new = files()
    ended = 0
    for n in range(KILLS):
        clear(new)
        old = files()
        running = subprocess.Popen([*command, "--quiet"], stderr=subprocess.DEVNULL)
        time.sleep(seconds * (n + 0.5) / KILLS)
        running.send_signal(SIGNALS[n % len(SIGNALS)])
        running.wait()
        ended += running.returncode != 0
        left = files()
        if left.keys() != old.keys() or (left != old and any(left[f] == b"old" for f in left)):
            fail(f"{name}, signal {SIGNALS[n % 3].name} after {seconds * (n + 0.5) / KILLS:.3f} s: "
                 f"{[(f, left[f][:3] == b'old') for f in left if left[f] != old.get(f)]}")
    return ended


def failing_calls_leave_old_or_new(name, command):
    """How many calls were tried."""
    clear()
    subprocess.run([*command, "--quiet"], check=True)
    new = set(files())
    mark = WORK / "mark"
    environment = {**os.environ, "LD_PRELOAD": str(SHIM), "SLV_FAIL_MARK": str(mark)}
    for number in range(1, 1000000, STEP):
        clear(new)
        mark.write_bytes(b"\0")
        done = subprocess.run([*command, "--quiet"], capture_output=True, timeout=60,
                              env={**environment, "SLV_FAIL_AT": str(number)})
        left = files()
        old = [f for f in left if left[f] == b"old"]
        if mark.read_bytes() == b"\0":
            break
        if mark.read_bytes() == b"\1" and done.returncode == 0:
            fail(f"{name}, call {number}: not noticed")
        whole = left.keys() == new and len(old) in ((0,) if done.returncode == 0 else (0, len(new)))
        if not whole or done.returncode not in (0, 2, 3, 4):
            fail(f"{name}, call {number}: status {done.returncode}, old {old} of {list(left)}: {done.stderr.decode()}")
        if done.returncode != 0 and not done.stderr.strip():
            fail(f"{name}, call {number}: no message")
    assert number > 1, "no call failed: is SHIM a library?"
    return number - 1


def main():
    make_inputs()
    for name, command in CASES.items():
        a_limit_of_file_sizes_leaves_nothing(name, command)
        ended = signals_leave_old_or_new(name, command)
        calls = failing_calls_leave_old_or_new(name, command)
        print(f"{name}: {ended} of {KILLS} runs ended by a signal; one in {STEP} of {calls} calls failed", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
