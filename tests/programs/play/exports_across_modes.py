#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""An export has the same bytes in every mode: on the CPU, on OpenCL, with offscreen drawing.

    exports_across_modes.py VOXELIZE PLAY DATA WORK

Skipped (status 77) without OpenCL and OpenGL.
"""

import subprocess
import sys
from pathlib import Path

from exports_agree import Workshop

NOT_HERE = 5
WAYS = {
    "opencl": ("--headless", "--backend", "opencl", "--no-fallback"),
    "offscreen": ("--offscreen", "64x48", "--samples", "1", "--png"),
}


def export(shop, name, options):
    command = [shop.play, shop.work / "cape.slv", shop.work / "cloth.slv", "--fixed", "0,1", "--frames", "4", "--quiet",
               "--export", shop.work / name, *options]
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    assert done.returncode in (0, NOT_HERE), (command, done.returncode, done.stderr)
    return done.returncode == 0


def main():
    voxelize, play, data, work = sys.argv[1:5]
    shop = Workshop(voxelize, play, Path(data), Path(work))
    assert export(shop, "plain.pc2", ("--headless",)) and export(shop, "plain.usda", ("--headless",))
    compared = []
    for way, options in WAYS.items():
        place = (shop.work / way,) if options[-1] == "--png" else ()
        for extension in ("pc2", "usda"):
            if export(shop, f"{way}.{extension}", options + place):
                same = (shop.work / f"{way}.{extension}").read_bytes() == (shop.work / f"plain.{extension}").read_bytes()
                assert same, (way, extension)
                compared.append(way)
    print("compared:", ", ".join(compared) or "nothing")
    sys.exit(0 if compared else 77)


if __name__ == "__main__":
    main()
