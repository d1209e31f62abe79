#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""runtime/examples/hello.c runs, and the README shows it as it is:

    hello_runs.py SOURCE HELLO WORK [VOXELIZE]

The README's C block that includes the public header must be the example from its first #include on.
"""

import re
import subprocess
import sys
from pathlib import Path


def shown(readme):
    blocks = re.findall(r"^```c\n(.*?)^```", readme, re.S | re.M)
    return [block for block in blocks if "<selvage/selvage.h>" in block]


def main():
    source, hello = Path(sys.argv[1]), sys.argv[2]
    code = (source / "runtime/examples/hello.c").read_text(encoding="utf-8")
    code = code[code.index("#include"):]
    readme = source / "README.md"
    blocks = shown(readme.read_text(encoding="utf-8")) if readme.exists() else []
    for block in blocks:
        if block != code:
            print("README.md shows another program than runtime/examples/hello.c")
            return 1
    if len(sys.argv) < 5:
        print("skipped: nothing here makes a pack for it")
        return 77
    work = Path(sys.argv[3])
    work.mkdir(parents=True, exist_ok=True)
    subprocess.run([sys.argv[4], "--shape", "grid:21x21", "-o", work / "cloth.slv", "--quiet"],
                   check=True)
    printed = subprocess.run([hello], cwd=work, check=True, capture_output=True, text=True).stdout
    numbers = re.fullmatch(r"the middle is at (\S+) (\S+) (\S+) m\n", printed)
    assert numbers, printed
    x, y, z = (float(number) for number in numbers.groups())
    assert abs(x - 0.1) < 1e-3 and abs(z - 0.1) < 1e-3 and -0.2 < y < -1e-3, printed
    lost = subprocess.run([hello, "lost.slv"], cwd=work, check=False, capture_output=True, text=True)
    assert lost.returncode == 1 and "cannot open" in lost.stderr, lost.stderr
    print("hello runs" + ("" if blocks else "; the README does not show it"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
