#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""An export has the same bytes in every mode: on the CPU, on OpenCL, with offscreen drawing.

    exports_across_modes.py VOXELIZE PLAY DATA WORK

Skipped (status 77) without OpenCL and OpenGL.
"""

import subprocess
import sys
from pathlib import Path

from exports_agree import Tools

UNSUPPORTED = 5
MODES = {
    "opencl": ("--headless", "--backend", "opencl", "--no-fallback"),
    "offscreen": ("--offscreen", "64x48", "--samples", "1", "--png"),
}


def export(tools, name, options):
    command = [tools.play, tools.work / "cape.slv", tools.work / "cloth.slv", "--fixed", "0,1", "--frames", "4", "--quiet",
               "--export", tools.work / name, *options]
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    assert done.returncode in (0, UNSUPPORTED), (command, done.returncode, done.stderr)
    return done.returncode == 0


def main():
    voxelize, play, data, work = sys.argv[1:5]
    tools = Tools(voxelize, play, Path(data), Path(work))
    assert export(tools, "plain.pc2", ("--headless",)) and export(tools, "plain.usda", ("--headless",))
    compared = []
    for mode, options in MODES.items():
        folder = (tools.work / mode,) if options[-1] == "--png" else ()
        for extension in ("pc2", "usda"):
            if export(tools, f"{mode}.{extension}", options + folder):
                same = (tools.work / f"{mode}.{extension}").read_bytes() == (tools.work / f"plain.{extension}").read_bytes()
                assert same, (mode, extension)
                compared.append(mode)
    print("compared:", ", ".join(compared) or "nothing")
    sys.exit(0 if compared else 77)


if __name__ == "__main__":
    main()
