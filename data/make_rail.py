#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes rail.glb, seven hooks of a curtain that slide together and apart, and rail.attach.json, which binds the
particles of the curtain to them.

    data/make_rail.py [FOLDER]      (default: the folder of this program)
"""

import json

from mannequin.glb import FLOAT, Glb, cuboid, rounded, save
from mannequin.vec import ease

HOOKS, FPS, SECONDS = 7, 30, 8
HALF, HEIGHT = 0.012, 2.0  # metres: half the edge of a hook, and how high it hangs
PARTICLES_APART = 10       # along the curtain's upper edge


def open_at(hook):
    return -0.6 + 0.2 * hook


def drawn_at(hook):
    return -0.6 + 0.085 * hook


def position_at(hook, time):
    """Drawn from 1 s to 3 s, apart again from 5 s to 7 s."""
    drawn = ease((time - 1) / 2) - ease((time - 5) / 2)
    return (open_at(hook) + (drawn_at(hook) - open_at(hook)) * drawn, HEIGHT, 0.0)


def rail():
    glb = Glb()
    mesh = {"name": "hook", "primitives": [cuboid(glb, (HALF, HALF, HALF))]}
    frames = range(SECONDS * FPS + 1)
    times = glb.add([[frame / FPS] for frame in frames], "SCALAR", FLOAT, bounds=True)
    samplers = [{"input": times, "output": glb.add([rounded(position_at(hook, frame / FPS), 6) for frame in frames],
                                                   "VEC3", FLOAT)} for hook in range(HOOKS)]
    return glb.bytes({
        "asset": {"version": "2.0", "generator": "data/make_rail.py"},
        "scene": 0,
        "scenes": [{"nodes": list(range(HOOKS))}],
        "nodes": [{"name": f"hook_{hook}", "mesh": 0, "translation": rounded(position_at(hook, 0), 6)}
                  for hook in range(HOOKS)],
        "meshes": [mesh],
        "animations": [{"name": "draw", "samplers": samplers, "channels": [
            {"sampler": hook, "target": {"node": hook, "path": "translation"}} for hook in range(HOOKS)]}],
    })


def attachments():
    return json.dumps({"attachments": [
        {"name": f"hook_{hook}", "position": rounded(position_at(hook, 0), 6), "particle": PARTICLES_APART * hook}
        for hook in range(HOOKS)]}, indent=1) + "\n"


if __name__ == "__main__":
    save("rail", rail(), attachments())
