#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes winches.glb, two boxes that turn against each other and come nearer as the ropes between them are twisted, and
winches.attach.json, which binds both ends of three ropes to them.

    data/make_winches.py [FOLDER]      (default: the folder of this program)
"""

import json

from mannequin.glb import FLOAT, Glb, cuboid, rounded, save, steady
from mannequin.vec import PI, cos, ease, pitch, sin

FPS, SECONDS = 30, 10
HALF = (0.05, 0.17, 0.17)  # metres
HEIGHT = 1.2
SIDES = {"left": -1, "right": 1}
TURNS, SLIDE = 2.5, 0.05          # of each box, and metres that it comes nearer
ROPES, LAST, APART = 3, 399, 0.0055  # particles of a rope from 0, and metres between them
RING = 0.11                       # metres from the axis to where a rope is tied
REACH = LAST * APART / 2 + HALF[0]


def wound(time):
    """0 to 1: at rest for half a second, then round and round, at rest for the last half."""
    return ease((time - 0.5) / (SECONDS - 1))


def angle(box, time):
    return -360 * SIDES[box] * TURNS * wound(time)


def position_at(box, time):
    return (SIDES[box] * (REACH - SLIDE * wound(time)), HEIGHT, 0.0)


def winches():
    glb = Glb()
    mesh = {"name": "winch", "primitives": [cuboid(glb, HALF)]}
    frames = range(SECONDS * FPS + 1)
    times = glb.add([[frame / FPS] for frame in frames], "SCALAR", FLOAT, bounds=True)
    samplers, channels = [], []
    for node, box in enumerate(SIDES):
        for path, kind, rows in (
                ("rotation", "VEC4", steady([pitch(angle(box, frame / FPS)) for frame in frames])),
                ("translation", "VEC3", [rounded(position_at(box, frame / FPS), 6) for frame in frames])):
            channels.append({"sampler": len(samplers), "target": {"node": node, "path": path}})
            samplers.append({"input": times, "output": glb.add(rows, kind, FLOAT)})
    return glb.bytes({
        "asset": {"version": "2.0", "generator": "data/make_winches.py"},
        "scene": 0,
        "scenes": [{"nodes": list(range(len(SIDES)))}],
        "nodes": [{"name": box, "mesh": 0, "translation": rounded(position_at(box, 0), 6)} for box in SIDES],
        "meshes": [mesh],
        "animations": [{"name": "wind", "samplers": samplers, "channels": channels}],
    })


def tie(box, rope):
    """Where a rope is tied to the inner face of a box."""
    around = 2 * PI * rope / ROPES
    return rounded((SIDES[box] * LAST * APART / 2, HEIGHT + RING * cos(around), RING * sin(around)), 6)


def attachments():
    return json.dumps({"attachments": [
        {"name": f"{box}_{rope}", "position": tie(box, rope), "particle": 0 if box == "left" else LAST}
        for rope in range(ROPES) for box in SIDES]}, indent=1) + "\n"


if __name__ == "__main__":
    save("winches", winches(), attachments())
