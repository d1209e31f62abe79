# SPDX-License-Identifier: MIT
"""Poses of generated FBX files: all inheritance types, rotation orders, pivots and interpolations.

    fbx_blender.py POSE_DUMP SCRATCH

Each file is compared with the formulas of fbx_reference.py. With Blender as a module (pip install bpy), what its importer reads
right is compared with it too: files whose nodes inherit by multiplication and whose keys are joined by straight lines, at
the times of keys. It ignores other ways to inherit scale, tangents, the shear of geometric rotations and geometric transforms
of parents. Everything within 1e-5 of the diagonal, or refused.
"""
import contextlib
import io
import itertools
import os
import random
import shutil
import subprocess
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "common"))
from fbx_reference import FACES, POINTS, SHAPES, Node, key, random_keys  # noqa: E402
from fbx_writer import AUTO, CLAMP, LINEAR, SECOND, WAYS, Scene  # noqa: E402

try:
    import bpy
except ImportError:
    bpy = None

TOLERANCE = 1e-5  # of the diagonal
TIMES = [0.0, 1 / 3, 7 / 24, 1.0, 1.5, 2.0]
KEYS = [n / 24 for n in (0, 8, 24, 36, 48)]


def vector(rng, size, middle=0.0):
    return [middle + rng.uniform(-size, size) for _ in range(3)]


def shaped_keys(rng, shape, low, high):
    """Random keys of one interpolation. None: lines between the same times on every component."""
    if shape is None:
        return [key(time, rng.uniform(low, high), LINEAR) for time in KEYS]
    made = random_keys(rng, low, high)
    for before, after in zip([None] + made, made):
        after["flags"] = shape
        if shape & AUTO:
            after["slopes"] = (0.0, 0.0)
        if before and shape & CLAMP and abs(before["value"] - after["value"]) < 0.3:
            after["value"] = before["value"]  # values that are nearly equal are refused
    return made


def made_node(rng, parent, inheritance, order, pivots, shape, last):
    curves = {name: {axis: shaped_keys(rng, shape, low, high) for axis in "XYZ"}
              for name, low, high in (("Lcl Translation", -2, 2), ("Lcl Rotation", -170, 170), ("Lcl Scaling", 0.4, 1.8))}
    values = {}
    if pivots:
        values = {name: vector(rng, size) for name, size in (
            ("RotationOffset", 1), ("RotationPivot", 1), ("PreRotation", 180), ("PostRotation", 180), ("ScalingOffset", 1),
            ("ScalingPivot", 1), ("GeometricTranslation", 1), ("GeometricRotation", 180))}
        values["GeometricScaling"] = vector(rng, 0.4, 1.1)
        if inheritance == 1 and shape is None:  # what Blender reads right
            values = {name: value for name, value in values.items()
                      if not name.startswith("Geometric") or (last and name != "GeometricRotation")}
    return Node(parent, curves, Lcl_Translation=vector(rng, 2), Lcl_Rotation=vector(rng, 180),
                Lcl_Scaling=vector(rng, 0.6, 1.1), RotationOrder=order, InheritType=inheritance, RotationActive=1, **values)


def files():
    """(inheritance, order, pivots, interpolation): all of the first three with lines, and each interpolation with each order."""
    yield from itertools.product(range(3), range(6), (False, True), (None, None, None))
    yield from ((n % 3, order, bool(n % 2), shape) for n, (order, shape) in enumerate(itertools.product(range(6), SHAPES)))
    yield from ((1, order, pivots, None) for order in range(6) for pivots in (False, True) for _ in range(4))


def made_scene(seed, inheritance, order, pivots, shape):
    rng = random.Random(seed)
    scene = Scene()
    _, layer = scene.stack("move", 0, 2 * SECOND)
    node = None
    for depth in range(3):
        node = made_node(rng, node, inheritance, (order + depth) % 6, pivots, shape, depth == 2).put(scene, layer)
    scene.mesh(node.number, POINTS, FACES)
    return scene, node


def off(got, expected):
    diagonal = float(np.linalg.norm(np.ptp(expected.reshape(-1, 3), axis=0)))
    return float(np.abs(got - expected).max()) / diagonal


def read(pose_dump, path, clip, times):
    """Poses [time][vertex][3], or the message of the refusal."""
    done = subprocess.run([pose_dump, path, str(clip), *[repr(t) for t in times]], capture_output=True, text=True)
    if done.returncode == 3:
        return done.stderr
    assert done.returncode == 0, done.stderr
    return np.array([[float(x) for x in line.split()] for line in done.stdout.splitlines()]).reshape(len(times), -1, 3)


def read_in_blender(path, times):
    """The same from Blender, in the units and axes of the file: it has metres and z up. Times None: at rest."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    with contextlib.redirect_stdout(io.StringIO()):
        bpy.ops.import_scene.fbx(filepath=path, use_anim=times is not None)
    shown = [one for one in bpy.data.objects if one.type == "MESH"]
    assert len(shown) == 1, shown
    poses = []
    for time in times or [0.0]:
        frame = 1 + time * bpy.context.scene.render.fps / bpy.context.scene.render.fps_base
        bpy.context.scene.frame_set(int(frame + 1e-6), subframe=max(0.0, frame - int(frame + 1e-6)))
        places = [shown[0].matrix_world @ vertex.co for vertex in shown[0].data.vertices]
        poses.append([(100 * x, 100 * z, -100 * y) for x, y, z in places])
    return np.array(poses)


def main(pose_dump, scratch):
    shutil.rmtree(scratch, ignore_errors=True)
    os.makedirs(scratch)
    path = os.path.join(scratch, "made.fbx")
    counts = {"files": 0, "refused": 0, "in Blender": 0}
    worst = {"formulas": 0.0, "Blender": 0.0}
    for seed, what in enumerate(files()):
        scene, node = made_scene(seed, *what)
        scene.write(path, seed % len(WAYS))
        counts["files"] += 1
        rest, poses = read(pose_dump, path, -1, [0.0]), read(pose_dump, path, 0, TIMES)
        counts["refused"] += isinstance(poses, str)
        pairs = [("formulas", rest, np.array([node.points(None)]))]
        if not isinstance(poses, str):
            pairs.append(("formulas", poses, np.array([node.points(time) for time in TIMES])))
        inheritance, _, _, shape = what
        if bpy and inheritance == 1 and shape is None:
            scene.write(path, 0)  # it reads binary files only
            counts["in Blender"] += 1
            pairs += [("Blender", rest, read_in_blender(path, None)),
                      ("Blender", read(pose_dump, path, 0, KEYS), read_in_blender(path, KEYS))]
        for name, got, expected in pairs:
            share = off(got, expected)
            worst[name] = max(worst[name], share)
            if not share <= TOLERANCE:
                print(f"WRONG: file {seed} (inheritance, order, pivots, interpolation: {what}): {share:.3g} of the diagonal "
                      f"from {name}")
                return 1
    print(", ".join(f"{number} {name}" for name, number in counts.items()) + "; at most "
          + ", ".join(f"{share:.2g} of the diagonal from {name}" for name, share in worst.items()))
    assert counts["files"] >= 200 and counts["refused"] == 0
    if not bpy:
        print("skipped: no module bpy; pip install bpy compares with Blender")
        return 77
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
