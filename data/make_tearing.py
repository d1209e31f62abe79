#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes scenes/tearing.input: mouse input that tears the cloth of scenes/tearing.json, as `selvage-play
--replay` reads it.

    data/make_tearing.py [FOLDER]      (default: scenes, beside this program)
"""

import sys
from pathlib import Path

from mannequin.vec import ease

ACROSS, STEPS = 66, 8            # particles along the cloth's upper edge; steps of a frame
DRAGS = (                        # frames from and to, particle (column, row), and where it is pulled, metres
    (30, 130, (16, 10), (-0.10, -1.30, 0.70)),
    (150, 240, (50, 30), (0.70, 0.15, 0.75)),
    (260, 360, (36, 10), (0.15, -1.35, 0.60)),
)
END = 480                        # frames


def grip(column, row):
    """The particles that a mouse grabs: one and those around it."""
    return [c + ACROSS * r for r in range(row - 2, row + 3) for c in range(column - 3, column + 4)]


def lines():
    yield "selvage-input 1"
    yield "begin -"
    for first, last, particle_at, pull in DRAGS:
        yield " ".join([str(STEPS * first), "grab 0"] + [str(particle) for particle in grip(*particle_at)])
        for frame in range(first, last):
            pulled = (ease((frame + 1 - first) / (last - first)) * w for w in pull)
            yield " ".join([str(STEPS * frame), "pull"] + [f"{value:.5f}" for value in pulled])
        yield f"{STEPS * last} release"
    yield f"end {STEPS * END} -"


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "scenes"
    (folder / "tearing.input").write_text("\n".join(lines()) + "\n", encoding="ascii", newline="\n")


if __name__ == "__main__":
    main()
