#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The programs in runtime/examples run, and the documents show them as they are:

    examples_run.py SOURCE HELLO FRAME_LOOP WORK [VOXELIZE]

The first C block of docs/LIBRARY.md is hello.c from its first #include on; the others are parts of frame_loop.c.
"""

import re
import subprocess
import sys
from pathlib import Path


def c_blocks(path):
    return re.findall(r"^```c\n(.*?)^```", path.read_text(encoding="utf-8"), re.S | re.M)


def documents_are_true(source):
    examples = source / "runtime/examples"
    hello = (examples / "hello.c").read_text(encoding="utf-8")
    loop = (examples / "frame_loop.c").read_text(encoding="utf-8")
    shown = c_blocks(source / "docs/LIBRARY.md")
    first, others = shown[:1], shown[1:]
    assert first == [hello[hello.index("#include"):]], "LIBRARY.md shows another hello.c"
    assert others and all(block in loop for block in others), "LIBRARY.md shows another frame_loop.c"


def hello_runs(hello, work):
    printed = subprocess.run([hello], cwd=work, check=True, capture_output=True, text=True).stdout
    numbers = re.fullmatch(r"the middle is at (\S+) (\S+) (\S+) m\n", printed)
    assert numbers, printed
    x, y, z = (float(number) for number in numbers.groups())
    assert abs(x - 0.1) < 1e-3 and abs(z - 0.1) < 1e-3 and -0.2 < y < -1e-3, printed
    lost = subprocess.run([hello, "lost.slv"], cwd=work, check=False, capture_output=True, text=True)
    assert lost.returncode == 1 and "cannot open" in lost.stderr, lost.stderr


def loop_runs(loop, work):
    printed = subprocess.run([loop], cwd=work, check=True, capture_output=True, text=True).stdout
    # 20 frames of 25 ms, 40 of 16.667 ms: 1.167 s, 583 steps of 2 ms.
    assert re.fullmatch(r"1\.167 s, 583 steps, [1-9]\d* vertices to draw\n", printed), printed


def main():
    source, hello, loop, work = Path(sys.argv[1]), sys.argv[2], sys.argv[3], Path(sys.argv[4])
    documents_are_true(source)
    if len(sys.argv) < 6:
        print("skipped: nothing here makes a pack for it")
        return 77
    work.mkdir(parents=True, exist_ok=True)
    subprocess.run([sys.argv[5], "--shape", "grid:21x21", "-o", work / "cloth.slv", "--quiet"],
                   check=True)
    hello_runs(hello, work)
    loop_runs(loop, work)
    print("the examples run")
    return 0


if __name__ == "__main__":
    sys.exit(main())
