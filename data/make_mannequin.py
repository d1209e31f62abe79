#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes mannequin.glb: a person 1.75 m tall with a skeleton and clips, in a few seconds.

    data/make_mannequin.py [FOLDER]      (default: the folder of this program)

Metres, y up, facing +z, standing on y = 0 with the arms held out; 60 keys a second. Python's standard
library alone; the folder mannequin/ has the parts.
"""

import sys
from pathlib import Path

from mannequin import make


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    (folder / "mannequin.glb").write_bytes(make())


if __name__ == "__main__":
    main()
