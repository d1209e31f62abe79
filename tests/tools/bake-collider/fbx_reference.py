# SPDX-License-Identifier: MIT
"""World transforms and curves of FBX files by formulas of their own, and random files to try them on.

World transforms are composed as the documentation of the format does: rotations, shears and scales are split from the
parent's matrix. Curves are Bézier curves in time and value whose parameter is a root of a polynomial.
"""
import os
import random
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "common"))
from fbx_writer import (AUTO, BROKEN, CLAMP, CONSTANT, CUBIC, LINEAR, NEXT, PROGRESSIVE, SECOND,  # noqa: E402
                        TIME_INDEPENDENT, USER, WEIGHTED_IN, WEIGHTED_OUT, Scene, single)

ORDERS = ("xyz", "xzy", "yzx", "yxz", "zxy", "zyx")
POINTS = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 2.0, 0.0), (0.0, 0.0, 0.5)]
FACES = [(0, 1, 2), (0, 3, 1), (1, 3, 2), (0, 2, 3)]


# --- Matrices and curves ---------------------------------------------------------------------------

def moved(vector):
    matrix = np.eye(4)
    matrix[:3, 3] = vector
    return matrix


def scaled(vector):
    return np.diag([*vector, 1.0])


def turned(degrees, order="xyz"):
    """About the first axis of the order first."""
    matrix = np.eye(4)
    for axis in order:
        k = "xyz".index(axis)
        c, s = np.cos(np.radians(degrees[k])), np.sin(np.radians(degrees[k]))
        i, j = (k + 1) % 3, (k + 2) % 3
        turn = np.eye(4)
        turn[i, i], turn[i, j], turn[j, i], turn[j, j] = c, -s, s, c
        matrix = turn @ matrix
    return matrix


def apply(matrix, points):
    return (matrix @ np.c_[points, np.ones(len(points))].T).T[:, :3]


def slope(a, b):
    return (b["value"] - a["value"]) / (b["time"] - a["time"])


def automatic(keys, i):
    """The slope at a key whose tangents are automatic."""
    key, before, after = keys[i], keys[i - 1] if i else None, keys[i + 1] if i + 1 < len(keys) else None
    if key["flags"] & CLAMP and any(k["value"] == key["value"] for k in (before, after) if k):
        return 0.0
    if not (before and after):
        return 0.0 if key["flags"] & PROGRESSIVE else slope(before or key, after or key)
    whole = slope(before, after)
    if not key["flags"] & TIME_INDEPENDENT:
        x = (key["time"] - before["time"]) / (after["time"] - before["time"])
        whole = (whole + (1 - x) * slope(before, key) + x * slope(key, after)) / 2
    if key["flags"] & PROGRESSIVE:
        limits = [np.sign(whole) * slope(*pair) / (pair[0]["weights"][side] if pair[0]["flags"] & flag else 1 / 3)
                  for pair, side, flag in (((before, key), 1, WEIGHTED_IN), ((key, after), 0, WEIGHTED_OUT))]
        whole = np.sign(whole) * max(0.0, min(abs(whole), *limits))
    return whole


def curve_value(keys, time):
    if time <= keys[0]["time"]:
        return keys[0]["value"]
    if time >= keys[-1]["time"]:
        return keys[-1]["value"]
    i = max(k for k in range(len(keys)) if keys[k]["time"] <= time + 1e-9)
    a, b = keys[i], keys[min(i + 1, len(keys) - 1)]
    if a["flags"] & CONSTANT:
        return b["value"] if a["flags"] & NEXT and time > a["time"] + 1e-9 else a["value"]
    step = b["time"] - a["time"]
    x = (time - a["time"]) / step
    if a["flags"] & LINEAR:
        return a["value"] + x * (b["value"] - a["value"])
    out = a["slopes"][0] if a["flags"] & USER else automatic(keys, i)
    into = automatic(keys, i + 1) if b["flags"] & CUBIC and not b["flags"] & USER else a["slopes"][1]
    w = [weight if a["flags"] & flag else 1 / 3 for weight, flag in zip(a["weights"], (WEIGHTED_OUT, WEIGHTED_IN))]
    # Bernstein polynomials to powers: time and value of the control points.
    powers = np.array([[1, 0, 0, 0], [-3, 3, 0, 0], [3, -6, 3, 0], [-1, 3, -3, 1]], float)
    times = powers @ [0.0, w[0], 1 - w[1], 1.0]
    times[0] -= x
    roots = np.roots(times[::-1])
    real = [r.real for r in roots if abs(r.imag) < 1e-6 and -1e-6 <= r.real <= 1 + 1e-6]
    t = min(real, key=lambda r: abs(np.polyval(times[::-1], r)))
    values = powers @ [a["value"], a["value"] + out * w[0] * step, b["value"] - into * w[1] * step, b["value"]]
    return float(np.polyval(values[::-1], t))


DEFAULTS = {"Lcl Translation": (0, 0, 0), "Lcl Rotation": (0, 0, 0), "Lcl Scaling": (1, 1, 1), "RotationOffset": (0, 0, 0),
            "RotationPivot": (0, 0, 0), "PreRotation": (0, 0, 0), "PostRotation": (0, 0, 0), "ScalingOffset": (0, 0, 0),
            "ScalingPivot": (0, 0, 0), "GeometricTranslation": (0, 0, 0), "GeometricRotation": (0, 0, 0),
            "GeometricScaling": (1, 1, 1), "RotationOrder": 0, "InheritType": 1, "RotationActive": 1}


class Node:
    """curves: {"Lcl Rotation": {"X": keys}}, with keys as in the scene; components without keys have the node's values."""

    def __init__(self, parent=None, curves=None, **properties):
        self.parent, self.curves = parent, curves or {}
        self.given = {k.replace("_", " "): v for k, v in properties.items()}
        self.properties = {**DEFAULTS, **self.given}
        self.number = None

    def put(self, scene, layer=None):
        self.number = scene.model(f"n{len(scene.objects)}", self.parent.number if self.parent else 0,
                                  **{k: v for k, v in self.properties.items()})
        for name, components in self.curves.items() if layer else ():
            node = scene.curve_node(layer, self.number, name, dict(zip("XYZ", self.properties[name])))
            for axis, keys in components.items():
                scene.curve(node, axis, [(round(k["time"] * SECOND), k["value"], k["flags"], *k["slopes"], *k["weights"])
                                         for k in keys])
        return self

    def value(self, name, time):
        value = list(self.properties[name])
        for axis, keys in (self.curves.get(name, {}) if time is not None else {}).items():
            value["XYZ".index(axis)] = curve_value(keys, time)
        return value

    def parts(self, time):
        """Local rotation, and the local matrix."""
        p = self.properties
        inverse = np.linalg.inv
        turn = turned(self.value("Lcl Rotation", time))
        if p["RotationActive"]:
            turn = turned(p["PreRotation"]) @ turned(self.value("Lcl Rotation", time), ORDERS[p["RotationOrder"]]) \
                @ inverse(turned(p["PostRotation"]))
        scale = scaled(self.value("Lcl Scaling", time))
        return turn, (moved(self.value("Lcl Translation", time)) @ moved(p["RotationOffset"]) @ moved(p["RotationPivot"]) @ turn
                      @ inverse(moved(p["RotationPivot"])) @ moved(p["ScalingOffset"]) @ moved(p["ScalingPivot"]) @ scale
                      @ inverse(moved(p["ScalingPivot"])))

    def rotation(self, time):
        """Product of all rotations from the root on."""
        own = self.parts(time)[0]
        return self.parent.rotation(time) @ own if self.parent else own

    def world(self, time):
        own_turn, local = self.parts(time)
        scale = scaled(self.value("Lcl Scaling", time))
        if not self.parent:
            return local
        above = self.parent.world(time)
        parent_turn = self.parent.rotation(time)
        shear = np.linalg.inv(parent_turn) @ np.linalg.inv(moved(above[:3, 3])) @ above
        kind = self.properties["InheritType"]
        if kind == 0:
            linear = parent_turn @ own_turn @ shear @ scale
        elif kind == 1:
            linear = parent_turn @ shear @ own_turn @ scale
        else:
            linear = parent_turn @ own_turn @ shear @ np.linalg.inv(scaled(self.parent.value("Lcl Scaling", time))) @ scale
        return moved((above @ local)[:3, 3]) @ linear

    def geometric(self):
        p = self.properties
        return moved(p["GeometricTranslation"]) @ turned(p["GeometricRotation"]) @ scaled(p["GeometricScaling"])

    def points(self, time, points=POINTS):
        return apply(self.world(time) @ self.geometric(), points)


def key(time, value, flags=LINEAR, slopes=(0.0, 0.0), weights=(1 / 3, 1 / 3)):
    return {"time": round(time * SECOND) / SECOND, "value": single(value), "flags": flags,
            "slopes": tuple(single(s) for s in slopes), "weights": tuple(round(w, 4) for w in weights)}


SHAPES = (LINEAR, CONSTANT, CONSTANT | NEXT, CUBIC | USER, CUBIC | USER | BROKEN, CUBIC | USER | WEIGHTED_OUT,
          CUBIC | USER | WEIGHTED_OUT | WEIGHTED_IN, CUBIC | USER | WEIGHTED_IN, CUBIC | AUTO, CUBIC | AUTO | TIME_INDEPENDENT,
          CUBIC | AUTO | CLAMP, CUBIC | AUTO | PROGRESSIVE)


def random_keys(rng, low, high):
    times = sorted(rng.sample([n / 24 for n in range(49)], rng.choice((1, 2, 3, 5, 8))))
    made = []
    for time in times:
        flags = rng.choice(SHAPES)
        stored = flags & USER
        made.append(key(time, rng.uniform(low, high), flags,
                        [rng.uniform(-80, 80) if stored or flags & TIME_INDEPENDENT else 0.0 for _ in range(2)],
                        [rng.uniform(0.01, 0.99) if flags & flag else 1 / 3 for flag in (WEIGHTED_OUT, WEIGHTED_IN)]))
    for before, after in zip(made, made[1:]):
        if (before["flags"] | after["flags"]) & CLAMP and abs(before["value"] - after["value"]) < 0.3:
            after["value"] = before["value"]  # values that are nearly equal are refused
        if after["flags"] & CUBIC and not after["flags"] & (USER | TIME_INDEPENDENT):
            before["slopes"] = (before["slopes"][0], 0.0)  # there stands the bias of the next key
    return made


def random_node(rng, parent):
    def vector(size, middle=0.0):
        return [middle + rng.uniform(-size, size) for _ in range(3)]

    curves = {}
    for name, low, high in (("Lcl Translation", -2, 2), ("Lcl Rotation", -200, 200), ("Lcl Scaling", 0.4, 1.8)):
        axes = rng.sample("XYZ", rng.choice((0, 1, 3)))
        if axes:
            curves[name] = {axis: random_keys(rng, low, high) for axis in axes}
    some = {"RotationOffset": 1, "RotationPivot": 1, "PreRotation": 180, "PostRotation": 180, "ScalingOffset": 1,
            "ScalingPivot": 1, "GeometricTranslation": 1, "GeometricRotation": 180}
    values = {name: vector(size) for name, size in some.items() if rng.random() < 0.5}
    if rng.random() < 0.3:
        values["GeometricScaling"] = vector(0.5, 1.2)
    return Node(parent, curves, Lcl_Translation=vector(2), Lcl_Rotation=vector(180), Lcl_Scaling=vector(0.6, 1.1),
                RotationOrder=rng.randrange(6), InheritType=rng.randrange(3), RotationActive=int(rng.random() < 0.85), **values)


def random_scene(seed, chains):
    """Chains of four nodes with everything that places a node, and a tetrahedron at the end of each."""
    rng = random.Random(seed)
    scene = Scene()
    _, layer = scene.stack("move", 0, 2 * SECOND)
    ends = []
    for _ in range(chains):
        node = None
        for _ in range(4):
            node = random_node(rng, node).put(scene, layer)
        scene.mesh(node.number, POINTS, FACES)
        ends.append(node)
    return scene, ends
