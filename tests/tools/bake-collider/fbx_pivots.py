# SPDX-License-Identifier: MIT
"""FBX nodes with pivots, offsets and pre-rotations: poses are right, or the file is refused with a reason.

    fbx_pivots.py POSE_DUMP BAKE SCRATCH

Assimp 5.2 applies some of these twice and leaves others out, so each is compared with the matrix of the format's documentation.
"""
import os
import shutil
import subprocess
import sys

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from made_fbx import Node, pose, write_fbx  # noqa: E402

TOLERANCE = 1e-5  # of the diagonal of the bounds
TURN = {"Lcl Rotation": ((0, 0, 0), (0, 0, 80))}
MOVE = {"Lcl Translation": ((0, 0, 0), (1, 0, 0))}
GROW = {"Lcl Scaling": ((1, 1, 1), (1, 2, 1))}
ALL = {"Lcl Translation": ((1, 0, 0), (2, 1, 0)), "Lcl Rotation": ((10, 0, 0), (10, 0, 40)), **GROW}
BENT = {"Lcl Rotation": (10, 20, 0)}


def hinge(keys, **properties):
    return Node("hinge", {name.replace("_", " "): value for name, value in properties.items()}, keys)


RIGHT = {
    "nothing special": [hinge(ALL)],
    "more than half a turn": [hinge({"Lcl Rotation": ((0, 0, 0), (0, 0, 300))})],
    "a pre-rotation, turning": [hinge(TURN, PreRotation=(0, 90, 0))],
    "a pre-rotation, all moving": [hinge(ALL, PreRotation=(30, 90, 0))],
    "a pre-rotation, sliding": [hinge(MOVE, PreRotation=(30, 90, 0), Lcl_Rotation=(0, 20, 0))],
    "a pre-rotation that stands still": [Node("post", {"PreRotation": (0, 90, 0), **BENT}), hinge(TURN)],
    "joints with pre-rotations": [Node("root", {"PreRotation": (0, 0, 90)}, ALL),
                                  hinge(TURN, PreRotation=(0, 20, 0), Lcl_Translation=(1, 0, 0))],
    "a rotation pivot": [hinge(TURN, RotationPivot=(1, 1, 0))],
    "a rotation pivot that stands still": [Node("post", {"RotationPivot": (1, 1, 0), **BENT}), hinge(TURN)],
    "a rotation offset": [hinge(TURN, RotationOffset=(1, 1, 0))],
    "a scaling pivot": [hinge(GROW, ScalingPivot=(1, 1, 0))],
    "a scaling offset": [hinge(GROW, ScalingOffset=(0, 1, 0))],
    "all pivots": [hinge(ALL, RotationPivot=(1, 1, 0), PreRotation=(0, 90, 0), ScalingPivot=(1, 1, 0))],
    "a geometric transform": [hinge(ALL, GeometricTranslation=(1, 0, 0), GeometricRotation=(0, 30, 0),
                                    GeometricScaling=(1, 2, 1))],
    "a mirrored node": [hinge({"Lcl Scaling": ((-1, 1, 1), (-1, 2, 1))})],
}
REFUSED = {
    "a post-rotation, turning": [hinge(TURN, PostRotation=(30, 0, 0))],
    "a post-rotation, sliding": [hinge(MOVE, PostRotation=(30, 0, 0))],
}


def farthest(points, others):
    gaps = points[:, None, :] - others[None, :, :]
    return float(np.sqrt((gaps**2).sum(2)).min(1).max())


def error_of(pose_dump, path, chain, time):
    text = subprocess.run([pose_dump, path, "0", str(time)], check=True, capture_output=True, text=True).stdout
    got = np.array([[float(x) for x in line.split()] for line in text.splitlines()])
    expected = pose(chain, time)
    apart = max(farthest(got, expected), farthest(expected, got))
    return apart / float(np.linalg.norm(expected.max(0) - expected.min(0)))


def main(pose_dump, bake, scratch):
    shutil.rmtree(scratch, ignore_errors=True)
    os.makedirs(scratch)
    path, pack = os.path.join(scratch, "made.fbx"), os.path.join(scratch, "made.slv")
    wrong = 0
    for name, chain in RIGHT.items():
        write_fbx(path, chain)
        worst = max(error_of(pose_dump, path, chain, time) for time in (0.0, 0.3, 1.0))
        wrong += worst > TOLERANCE
        print(f"{'ok' if worst <= TOLERANCE else 'WRONG'}: {name}: {worst:.3g}")
    for name, chain in REFUSED.items():
        write_fbx(path, chain)
        done = subprocess.run([bake, path, "-o", pack, "--particles", "50"], capture_output=True, text=True)
        good = done.returncode == 3 and "PostRotation" in done.stderr and not os.path.exists(pack)
        wrong += not good
        print(f"{'ok' if good else 'WRONG'}: {name}: {done.stderr.strip()}")
    # Two keys a second apart that turn about three axes: the interpolation between them is unknown.
    write_fbx(path, [hinge({"Lcl Rotation": ((0, 0, 0), (60, 50, 40))})])
    done = subprocess.run([bake, path, "-o", pack, "--particles", "50"], capture_output=True, text=True)
    good = done.returncode == 3 and "1 s apart" in done.stderr and not os.path.exists(pack)
    wrong += not good
    print(f"{'ok' if good else 'WRONG'}: keys far apart are refused: {done.stderr.strip()}")
    done = subprocess.run([bake, path, "-o", pack, "--particles", "50", "--straight-keys"], capture_output=True, text=True)
    good = done.returncode == 0 and "warning" in done.stderr and "joined by straight lines" in done.stderr
    wrong += not good
    print(f"{'ok' if good else 'WRONG'}: or joined by straight lines where that is asked for")
    # Small changes cannot cause large errors.
    write_fbx(path, [hinge({"Lcl Rotation": ((0, 0, 0), (0, 0, 0.3))})])
    done = subprocess.run([bake, path, "-o", pack, "--particles", "50"], capture_output=True, text=True)
    wrong += done.returncode != 0 or "apart" in done.stderr
    print(f"{'ok' if done.returncode == 0 else 'WRONG'}: a turn of 0.3 degrees between keys far apart")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*[os.path.abspath(a) for a in sys.argv[1:]]))
