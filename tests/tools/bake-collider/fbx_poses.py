# SPDX-License-Identifier: MIT
"""Poses of FBX files are those of matrices and curves that are evaluated here by other formulas, in every encoding alike.

    fbx_poses.py POSE_DUMP SCRATCH

The formulas are in fbx_reference.py.
"""
import os
import random
import shutil
import subprocess
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "common"))
from fbx_reference import FACES, POINTS, Node, apply, curve_value, key, moved, random_scene, scaled, turned  # noqa: E402
from fbx_writer import (AUTO, CLAMP, CONSTANT, CUBIC, SECOND, TCB, USER, VELOCITY, Array, Long, Scene, binary,  # noqa: E402
                        identity)

TOLERANCE = 1e-9  # of the largest coordinate
CHECKS = []


def check(function):
    CHECKS.append(function)
    return function


class Poses:
    def __init__(self, pose_dump, scratch):
        self.pose_dump, self.path = pose_dump, os.path.join(scratch, "made.fbx")

    def run(self, data, *arguments):
        with open(self.path, "wb") as out:
            out.write(data)
        return subprocess.run([self.pose_dump, self.path, *map(str, arguments)], capture_output=True, text=True)

    def clips(self, scene):
        done = self.run(scene.binary())
        assert done.returncode == 0, done.stderr
        return [(float(a), float(b), c) for a, b, c in (line.split(" ", 2) for line in done.stdout.splitlines())]

    def dump(self, scene, clip, times, ways=None):
        """Poses [time][vertex][3], the same from every encoding."""
        texts = set()
        for what, data in ways or scene.every_way():
            done = self.run(data, clip, *[repr(float(t)) for t in times])
            assert done.returncode == 0, f"{what}: {done.stderr}"
            texts.add(done.stdout)
        assert len(texts) == 1, "encodings differ"
        return np.array([[float(x) for x in line.split()] for line in texts.pop().splitlines()]).reshape(len(times), -1, 3)

    def matches(self, scene, clip, times, expected, ways=None):
        got = self.dump(scene, clip, times, ways)
        for i, time in enumerate(times):
            wanted = np.concatenate(expected(time))
            assert got[i].shape == wanted.shape, f"{got[i].shape} vertices, expected {wanted.shape}"
            off = float(np.abs(got[i] - wanted).max())
            assert off <= TOLERANCE * max(1.0, float(np.abs(wanted).max())), f"at {time}: {off:.3g} off"

    def refused(self, scene, words, clip=None):
        for what, data in scene.every_way()[::5] if isinstance(scene, Scene) else [("bytes", scene)]:
            done = self.run(data, *([clip, 0] if clip is not None else []))
            assert done.returncode == 3, f"{what}: status {done.returncode}: {done.stderr}"
            assert len(done.stderr.splitlines()) == 1, done.stderr
            for word in words:
                assert word in done.stderr, f"'{word}' is not in: {done.stderr}"


# --- Tests -----------------------------------------------------------------------------------------

@check
def rest_poses_of_all_orders_and_inheritance_types(poses):
    scene, ends = random_scene(1, 40)
    poses.matches(scene, -1, [0.0], lambda time: [end.points(None) for end in ends], scene.every_way()[2::3])


@check
def clips_with_all_kinds_of_keys(poses):
    scene, ends = random_scene(7, 25)
    times = [0.0, 1 / 24, 0.123, 0.5, 19 / 24, 1.7, 2.0]
    poses.matches(scene, 0, times, lambda time: [end.points(time) for end in ends])


@check
def frames_on_stepped_keys_have_the_new_value(poses):
    frames = [1 / 3 + n / 24 for n in range(200)]  # of which half are a little earlier than the tick of their key
    keys = [key(time, n, CONSTANT) for n, time in enumerate(frames)]
    scene = Scene()
    node = Node(None, {"Lcl Translation": {"X": keys}})
    node.put(scene, scene.stack("step", 0, 9 * SECOND)[1])
    scene.mesh(node.number, POINTS, FACES)
    poses.matches(scene, 0, frames[:-1], lambda time: [np.array(POINTS) + [round(24 * time - 8), 0, 0]],
                  scene.every_way()[:1])


@check
def properties_come_from_templates_too(poses):
    scene = Scene()
    scene.templates["Model"] = {"Lcl Translation": (1.0, 2.0, 3.0), "InheritType": 0, "RotationActive": 1}
    number = scene.model("a", 0, Lcl_Scaling=(1, 2, 3))
    below = scene.model("b", number, Lcl_Rotation=(0, 0, 90))
    scene.mesh(below, POINTS, FACES)
    above = Node(Lcl_Translation=(1, 2, 3), Lcl_Scaling=(1, 2, 3), InheritType=0)
    node = Node(above, Lcl_Translation=(1, 2, 3), Lcl_Rotation=(0, 0, 90), InheritType=0)
    poses.matches(scene, -1, [0], lambda time: [node.points(None)])


def bent_tube(mode=None, weights_of=None, **properties):
    """A mesh with six bones that turn, bound in a pose of their own. Returns the scene and its evaluation."""
    rng = random.Random(3)
    scene = Scene()
    _, layer = scene.stack("bend", 0, SECOND)
    mesh = Node(None, Lcl_Translation=(1, 0, 0), Lcl_Scaling=(2, 1, 1), GeometricTranslation=(0, 1, 0),
                GeometricScaling=(1, 1, 3), **properties).put(scene, layer)
    bones = []
    for n in range(6):
        bones.append(Node(bones[-1] if bones else None, {"Lcl Rotation": {"Z": [key(0, 0), key(1, 40 + n)]}},
                          Lcl_Translation=(0.1, 0.5, 0), Lcl_Scaling=(1, 1.2, 0.9), InheritType=rng.randrange(3)).put(scene, layer))
    points = [(rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)) for _ in range(7)]
    faces = [(0, 1, 2, 3), (4, 5, 6)]
    weights = weights_of(rng) if weights_of else [[rng.uniform(0.1, 2) for _ in range(6)] for _ in range(6)] + [[0.0] * 6]
    geometry = scene.mesh(mesh.number, points, faces)
    binds = [moved((n, 0, 1)) @ turned((10 * n, 0, 5)) @ scaled((1, 1, 1.5)) for n in range(6)]
    inverse = [np.linalg.inv(b) @ mesh.world(None) for b in binds]
    clusters = []
    for n in range(6):
        used = [p for p in range(7) if weights[p][n] > 0]
        clusters.append((bones[n].number, used, [float(weights[p][n]) for p in used], inverse[n], binds[n]))
    scene.skin(geometry, clusters, None, mode)
    placed = apply(mesh.geometric(), points)

    def expected(time):
        result = []
        for p in range(7):
            point = np.append(placed[p], 1)
            images = [bones[n].world(time) @ inverse[n] @ point for n in range(6)]
            total = sum(weights[p])
            if mode == "Total1":
                images.append(mesh.world(time) @ point)
                shares = weights[p] + [1 - total]
            else:
                shares = [w / total for w in weights[p]] if total else []
            result.append(sum(s * i for s, i in zip(shares, images)) if shares else mesh.world(time) @ point)
        return [np.array(result)[:, :3]]

    return scene, expected


@check
def skins_with_six_influences_and_points_without_any(poses):
    scene, expected = bent_tube()
    poses.matches(scene, -1, [0], lambda time: expected(None))
    poses.matches(scene, 0, [0, 0.3, 1], expected)


@check
def weights_that_are_to_sum_to_one_leave_the_rest_to_the_mesh(poses):
    scene, expected = bent_tube("Total1", lambda rng: [[rng.uniform(0.01, 0.12) for _ in range(6)] for _ in range(7)])
    poses.matches(scene, 0, [0, 1], expected)


@check
def blend_shapes_at_static_weights_and_in_clips(poses):
    scene = Scene()
    _, layer = scene.stack("talk", 0, SECOND)
    node = Node(None, Lcl_Translation=(1, 0, 0), GeometricScaling=(1, 2, 1)).put(scene)
    geometry = scene.mesh(node.number, POINTS, FACES)
    first, deformer = scene.shape(geometry, "open", [1, 3], [(1, 0, 0), (0, 1, 0)], 25.0)
    second, _ = scene.shape(geometry, "wide", [0], [(0, 0, 2)], 30.0, 50.0, deformer)
    third, _ = scene.shape(geometry, "other", [2], [(0, 0, 1)], 0.0)
    keys = [key(0, 0, CUBIC | USER, (100, 0)), key(1, 50, CUBIC | USER, (0, 0))]
    curve_node = scene.curve_node(layer, second, "DeformPercent", {"DeformPercent": 30.0})
    scene.curve(curve_node, "DeformPercent", [(round(k["time"] * SECOND), k["value"], k["flags"], *k["slopes"]) for k in keys])
    still = scene.curve_node(layer, third, "DeformPercent", {"DeformPercent": 10.0})
    assert still and first

    def expected(time):
        points = np.array(POINTS)
        weights = (0.25, 0.6 if time is None else curve_value(keys, time) / 50, 0.0 if time is None else 0.1)
        points[1] += weights[0] * np.array([1, 0, 0])
        points[3] += weights[0] * np.array([0, 1, 0])
        points[0] += weights[1] * np.array([0, 0, 2])
        points[2] += weights[2] * np.array([0, 0, 1])
        return [node.points(None, points)]

    poses.matches(scene, -1, [0], lambda time: expected(None))
    poses.matches(scene, 0, [0, 0.25, 1], expected)


@check
def geometries_at_several_nodes_move_at_each(poses):
    scene = Scene()
    nodes = [Node(None, Lcl_Translation=(3 * n, 0, 0), Lcl_Rotation=(0, 40 * n, 0)).put(scene) for n in range(3)]
    geometry = scene.mesh(None, POINTS, FACES)
    for node in nodes:
        scene.link(geometry, node.number)
    poses.matches(scene, -1, [0], lambda time: [node.points(None) for node in nodes])


@check
def clips_begin_and_end_where_the_stack_says(poses):
    def made(**values):
        scene = Scene()
        node = Node(None, {"Lcl Translation": {"X": [key(0.5, 0), key(1.5, 1)]}})
        number, layer = scene.stack("clip", **values)
        node.put(scene, layer)
        scene.mesh(node.number, POINTS, FACES)
        return scene

    for values, span in (({"start": SECOND, "stop": 3 * SECOND}, (1, 3)), ({"start": -SECOND, "stop": SECOND}, (-1, 1)),
                         ({}, (0.5, 1.5)), ({"ReferenceStart": Long(SECOND), "ReferenceStop": Long(2 * SECOND)}, (1, 2)),
                         ({"start": 0, "stop": 0}, (0.5, 1.5))):
        assert poses.clips(made(**values)) == [(*span, "clip")], (values, poses.clips(made(**values)))
    scene = made(start=SECOND, stop=3 * SECOND)
    poses.matches(scene, 0, [1, 3], lambda time: [np.array(POINTS) + [min(time - 0.5, 1), 0, 0]])


@check
def ticks_are_those_of_the_header(poses):
    scene = Scene()
    scene.header = [("OtherFlags", [], [("TCDefinition", [0], None)])]
    node = Node(None, {"Lcl Translation": {"X": [key(0, 0), key(2, 1)]}})
    node.put(scene, scene.stack("clip", 0, 2 * SECOND)[1])
    scene.mesh(node.number, POINTS, FACES)
    wide = [r for r in scene.records() if r[0] != "FBXHeaderExtension"]
    header = ("FBXHeaderExtension", [], [("FBXHeaderVersion", [1004], None), ("FBXVersion", [7700], None), *scene.header])
    done = poses.run(binary([header, *wide], 7700))
    assert abs(float(done.stdout.split()[1]) - 2 * SECOND / 141120000) < 1e-9, done.stdout + done.stderr


def one_curve(keys, records=(), stop=SECOND, **values):
    scene = Scene()
    _, layer = scene.stack("clip", 0, stop)
    number = scene.model("node", 0, **values)
    scene.mesh(number, POINTS, FACES)
    scene.curve(scene.curve_node(layer, number, "Lcl Rotation", {"X": 0.0, "Y": 0.0, "Z": 0.0}), "X", keys, records)
    return scene, layer, number


@check
def clips_that_would_be_wrong_are_refused_by_name(poses):
    two = [(0, 0.0), (SECOND, 1.0)]
    for flags, slopes, word in ((CUBIC | TCB, (0.5, 0, 1 / 3, 1 / 3), "(TCB)"), (CUBIC | AUTO, (0.5, 0, 1 / 3, 1 / 3), "bias"),
                                (CUBIC | USER | VELOCITY, (0, 0, 1 / 3, 1 / 3, 1.0), "velocities")):
        scene = one_curve([(0, 0.0, flags, *slopes), (SECOND, 1.0)])[0]
        poses.refused(scene, ["'clip'", "'node'", word], 0)
    clamped = CUBIC | AUTO | CLAMP
    for value, good in ((0.03, False), (0.0, True), (0.2, True)):
        scene = one_curve([(0, 0.0, clamped), (SECOND // 2, value, clamped), (SECOND, 5.0, clamped)])[0]
        if good:
            assert poses.run(scene.binary(), 0, 0).returncode == 0
        else:
            poses.refused(scene, ["'clip'", "'node'", "nearly equal"], 0)
    poses.refused(one_curve(two, QuaternionInterpolate=2)[0], ["'clip'", "'node'", "quaternion interpolation"], 0)
    for name in ("Pre-Extrapolation", "Post-Extrapolation"):
        records = [(name, [], [("Type", [ord("R")], None), ("Repetition", [-1], None)])]
        inside = one_curve(two, records)[0]
        assert poses.run(inside.binary(), 0, 0).returncode == 0
        times = [(-SECOND, 0.0), (SECOND, 1.0)] if name == "Post-Extrapolation" else [(SECOND // 2, 0.0), (2 * SECOND, 1.0)]
        poses.refused(one_curve(times, records, 2 * SECOND)[0], ["'clip'", "'node'", "beyond the keys"], 0)
    scene, layer, number = one_curve(two)
    pivot = scene.curve_node(layer, number, "RotationPivot", {"X": 0.0})
    scene.curve(pivot, "X", two)
    poses.refused(scene, ["'clip'", "RotationPivot", "'node'"], 0)
    scene, layer, number = one_curve(two)
    stack = scene.links[0][1][2]
    more = scene.layer(stack)
    scene.curve(scene.curve_node(more, number, "Lcl Translation", {"X": 0.0}), "X", two)
    poses.refused(scene, ["'clip'", "blends 2 animation layers"], 0)
    scene, layer, number = one_curve(two)
    scene.curve(scene.curve_node(layer, layer, "Weight", {"Weight": 100.0}), "Weight", two)
    poses.refused(scene, ["'clip'", "weight of an animation layer"], 0)
    scene, layer, number = one_curve(two)
    scene.layer(scene.links[0][1][2])  # a layer without curves changes nothing
    assert poses.run(scene.binary(), 0, 0).returncode == 0


@check
def layers_with_a_weight_are_refused_and_muted_ones_ignored(poses):
    for values, lower, good in (({"Weight": 50.0}, 0, False), ({"Weight": 100.0}, 0, True), ({"Mute": 1}, 0, True),
                                ({"BlendMode": 0}, 1, False), ({"BlendMode": 1}, 1, True), ({}, 1, False)):
        scene = Scene()
        stack = scene.add("AnimationStack", "clip", "", {"LocalStart": Long(0), "LocalStop": Long(SECOND)}, spelled="AnimStack")
        for _ in range(lower):
            scene.layer(stack)
        layer = scene.layer(stack, **values)
        number = scene.model("node")
        scene.mesh(number, POINTS, FACES)
        scene.curve(scene.curve_node(layer, number, "Lcl Translation", {"X": 0.0}), "X", [(0, 0.0), (SECOND, 1.0)])
        if good:
            reach = 0 if "Mute" in values else 1
            poses.matches(scene, 0, [1], lambda time: [np.array(POINTS) + [reach, 0, 0]])
        else:
            poses.refused(scene, ["'clip'", "'layer'", "weight" if "Weight" in values else "adds"], 0)


@check
def nodes_that_only_a_constraint_moves_are_refused(poses):
    for baked, active, good in ((False, 1, False), (True, 1, True), (False, 0, True)):
        scene, layer, source = one_curve([(0, 0.0), (SECOND, 90.0)])
        follower = scene.model("follower", 0, Lcl_Translation=(5, 0, 0))
        scene.mesh(follower, POINTS, FACES)
        constraint = scene.add("Constraint", "follow", "Parent-Child", {"Active": active})
        scene.link(follower, constraint, "Constrained object (Child)")
        scene.link(source, constraint, "Source (Parent)")
        if baked:
            scene.curve(scene.curve_node(layer, follower, "Lcl Rotation", {"X": 0.0}), "X", [(0, 0.0), (SECOND, 90.0)])
        assert poses.run(scene.binary(), -1, 0).returncode == 0
        if good:
            assert poses.run(scene.binary(), 0, 0).returncode == 0
        else:
            poses.refused(scene, ["'clip'", "'follower'", "'follow'"], 0)


@check
def files_that_would_be_wrong_are_refused_by_name(poses):
    def box(**values):
        scene = Scene()
        number = scene.model("node", 0, **values)
        return scene, number, scene.mesh(number, POINTS, FACES)

    for kind in ("DualQuaternion", "Blend"):
        scene, number, geometry = box()
        scene.skin(geometry, [(number, [0], [1.0], identity(), identity())], kind)
        poses.refused(scene, [f"'{kind}'"])
    scene, number, geometry = box()
    scene.skin(geometry, [(number, [0], [1.0], identity(), identity())], "Linear", "Additive")
    poses.refused(scene, ["'cluster'", "additive"])
    scene, number, geometry = box()
    scene.skin(geometry, [(None, [0], [1.0], identity(), identity())])
    poses.refused(scene, ["'cluster'", "bone"])
    scene, number, geometry = box()
    scene.skin(geometry, [(number, [9], [1.0], identity(), identity())])
    poses.refused(scene, ["'cluster'", "vertex that is missing"])
    scene, number, geometry = box()
    channel, _ = scene.shape(geometry, "smile", [0], [(1, 1, 1)])
    between = scene.add("Geometry", "half", "Shape", None, [("Indexes", [Array("i", [0])], None),
                                                            ("Vertices", [Array("d", [1.0, 1.0, 1.0])], None)])
    scene.link(between, channel)
    poses.refused(scene, ["'smile'", "in between"])
    scene, number, geometry = box()
    scene.link(scene.add("Deformer", "cache", "VertexCacheDeformer", {"Active": 1}), geometry)
    poses.refused(scene, ["vertex cache"])
    scene, number, geometry = box(RotationOrder=6)
    poses.refused(scene, ["'node'", "SphericXYZ"])
    scene, number, geometry = box()
    scene.link(scene.add("Geometry", "patch", "NurbsSurface"), number)
    poses.refused(scene, ["'node'", "NurbsSurface"])
    scene, number, geometry = box()
    scene.links.append(("C", ["OO", number, scene.model("child", number)], None))
    scene.links.pop(0)
    poses.refused(scene, ["form no tree"])
    scene, number, geometry = box()
    scene.mesh(scene.model("other"), POINTS, [(0, 1, 7)])
    poses.refused(scene, ["'other'", "vertex that does not exist"])


@check
def other_versions_and_encrypted_files_are_refused(poses):
    scene = Scene()
    scene.mesh(scene.model("node"), POINTS, FACES)
    poses.refused(scene.binary(6100), ["FBX 6.1", "7.0 to 7.7"])
    poses.refused(scene.text(6100), ["FBX 6.1", "7.0 to 7.7"])
    poses.refused(scene.binary(8000), ["FBX 8.0"])
    poses.refused(scene.binary(7400).replace(b"EncryptionTypeI\0\0\0\0", b"EncryptionTypeI\1\0\0\0"), ["encrypted"])
    poses.refused(b"solid but no FBX", ["no FBX file"])
    swapped = bytearray(scene.binary())
    swapped[22] = 1
    poses.refused(bytes(swapped), ["big-endian"])


def main(pose_dump, scratch):
    shutil.rmtree(scratch, ignore_errors=True)
    os.makedirs(scratch)
    poses = Poses(os.path.abspath(pose_dump), scratch)
    wrong = 0
    for function in CHECKS:
        name = function.__name__.replace("_", " ")
        try:
            function(poses)
            print(f"ok: {name}")
        except AssertionError as error:
            wrong += 1
            print(f"WRONG: {name}: {error}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
