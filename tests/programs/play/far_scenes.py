#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A hanging cloth, one that falls on a chair, and a dressed character move at 10 km as at the origin, for 10 s: every
frame has the same hash, residual, energy and stretch.

    far_scenes.py DATA VOXELIZE PLAY WORK
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path

SECONDS = 10
PLACE = (10000, 512, -10000)  # multiples of the 16 m that scenes choose their origin by
SCENES = {"hanging-cloth": ["cloth"], "cloth-on-a-chair": ["cloth-36", "chair"],
          "dressed-walk": ["tunic", "skirt", "cape", "walker"]}


def moved(position):
    return [x + far for x, far in zip(position, PLACE)]


def move(scene):
    """All that has a place: garments, colliders, the model, the camera."""
    for garment in scene["softObjects"]:
        garment["position"] = moved(garment.get("position", [0, 0, 0]))
    for collider in scene.get("colliders", []):
        if collider["type"] == "plane":
            collider["offset"] += PLACE[1]  # all are horizontal
        else:
            collider["center"] = moved(collider.get("center", [0, 0, 0]))
    if "modelPath" in scene:
        scene["modelPosition"] = moved(scene.get("modelPosition", [0, 0, 0]))
    for key in ("cameraPos", "cameraTarget"):
        scene[key] = moved(scene[key])


def play(program, path):
    """The report of each frame, without times."""
    scene = json.loads(path.read_text())
    frames = round(SECONDS / (scene["timestep"] * scene["stepsPerFrame"]))
    report = path.with_suffix(".report")
    subprocess.run([program, path, "--headless", "--frames", str(frames), "--report", report, "--quiet"], check=True,
                   stderr=subprocess.DEVNULL)
    played = json.loads(report.read_text())["frames"]
    assert len(played) >= frames, len(played)
    return [{key: value for key, value in frame.items() if key != "stepMs"} for frame in played]


def main():
    data, voxelize, program, work = Path(sys.argv[1]), sys.argv[2], sys.argv[3], Path(sys.argv[4])
    shutil.rmtree(work, ignore_errors=True)
    packs = [pack for names in SCENES.values() for pack in names]
    subprocess.run([data / "scenes/bake.sh", work, voxelize, *packs], check=True)
    for name in SCENES:
        scene = json.loads((work / f"{name}.json").read_text())
        move(scene)
        far = work / f"far-{name}.json"
        far.write_text(json.dumps(scene))
        here, there = play(program, work / f"{name}.json"), play(program, far)
        assert here[0]["hash"] != here[-1]["hash"], name
        for number, (one, other) in enumerate(zip(here, there)):
            assert one == other, (name, number, one, other)
        print(f"{name}: {len(here)} frames alike")
    shutil.rmtree(work)


main()
