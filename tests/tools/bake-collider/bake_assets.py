# SPDX-License-Identifier: MIT
"""Every animated file of a folder bakes, all its clips, or is refused for a reason.

    bake_assets.py BAKE INSPECT SCRATCH FOLDER

Where the folder is absent, prints a message and ends with 77, which ctest shows as skipped.
"""
import json
import os
import subprocess
import sys


def run(*arguments):
    return subprocess.run([str(a) for a in arguments], capture_output=True, text=True)


def clips_of(bake, path, pack):
    """How many clips the file has: --clip with a name that it lacks lists them."""
    listed = run(bake, path, "-o", pack, "--clip", "no such clip").stderr
    return max(1, listed.count("'") // 2) if "its clips are" in listed else 1


def main(bake, inspect, scratch, folder):
    if not os.path.isdir(folder):
        print(f"skipped: no folder {folder}")
        return 77
    os.makedirs(scratch, exist_ok=True)
    pack = os.path.join(scratch, "out.slv")
    wrong = 0
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        for clip in range(clips_of(bake, path, pack)):
            chosen = ["--clip", clip] if clip > 0 else []
            done = run(bake, path, "-o", pack, "--particles", 200, "--fps", 24, "--json", *chosen)
            if name.endswith(".bvh"):
                good, what = done.returncode == 3 and "no triangles" in done.stderr, "refused, motion alone"
            else:
                good = done.returncode == 0 and run(inspect, pack, "--verify").returncode == 0
                report = json.loads(done.stdout) if good else {}
                good = good and report["coverage"]["share_of_radius"] <= 1.1 + 1e-6
                good = good and report["largest_error_mm"] <= report["error_mm"]
                what = f"{report.get('frames')} frames of {report.get('clip') or 'no clip'}" if good else done.stderr
            wrong += not good
            print(f"{'ok' if good else 'WRONG'}: {name}: {what}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
