# SPDX-License-Identifier: MIT
"""Joints of the body, and how much each of them moves each point of the skin."""

from . import shape
from .vec import IDENTITY, add, compose, dot, inverse, minus, rotate

LEFT_JOINTS = (  # name, parent, position
    ("clavicle", "chest", (0.030, 1.420, 0.000)),
    ("upper_arm", "clavicle", shape.SHOULDER),
    ("forearm", "upper_arm", shape.ELBOW),
    ("hand", "forearm", shape.WRIST),
    ("thigh", "hips", shape.HIP),
    ("shin", "thigh", shape.KNEE),
    ("foot", "shin", shape.ANKLE),
    ("toes", "foot", shape.BALL),
)
MIDDLE_JOINTS = (
    ("hips", None, (0.0, 0.950, -0.010)),
    ("spine", "hips", (0.0, 1.040, -0.020)),
    ("chest", "spine", (0.0, 1.190, -0.030)),
    ("neck", "chest", (0.0, 1.455, -0.022)),
    ("head", "neck", (0.0, 1.545, 0.000)),
)


def mirrored(position):
    return (-position[0], position[1], position[2])


def _all_joints():
    joints = list(MIDDLE_JOINTS)
    for name, parent, position in LEFT_JOINTS:
        for side, at in (("left", position), ("right", mirrored(position))):
            in_middle = parent in ("chest", "hips")
            joints.append((f"{side}_{name}", parent if in_middle else f"{side}_{parent}", at))
    return joints


JOINTS = _all_joints()  # parents come before their children
NAMES = [name for name, _, _ in JOINTS]
INDEX = {name: i for i, name in enumerate(NAMES)}
PARENT = {name: parent for name, parent, _ in JOINTS}
POSITION = {name: position for name, _, position in JOINTS}


def offset(name):
    """From the parent, in the pose that the body is made in."""
    return minus(POSITION[name], POSITION[PARENT[name]]) if PARENT[name] else POSITION[name]


def world_poses(root, local):
    """name -> (rotation, position) of each joint, for a position of the hips and rotations relative to the parents."""
    world = {}
    for name in NAMES:
        own = local.get(name, IDENTITY)
        if PARENT[name] is None:
            world[name] = (own, root)
        else:
            q, p = world[PARENT[name]]
            world[name] = (compose(q, own), add(p, rotate(q, offset(name))))
    return world


def local_turns(world):
    """The inverse: local rotations from rotations in the world."""
    return {name: compose(inverse(world[PARENT[name]]), q) if PARENT[name] else q
            for name, q in world.items()}


# --- Weights -------------------------------------------------------------------------------------

def _owner(p):
    """The joint that a point belongs to most, for the left half."""
    fields = {"trunk": shape._trunk(p), "arm": shape._arm(p), "leg": shape._leg(p)}
    if p[1] > 1.43:
        fields["head"] = shape._head(p)
    part = min(fields, key=fields.get)
    if part == "arm":
        if dot(minus(p, shape.WRIST), shape.FOREARM) > 0:
            return "left_hand"
        return "left_forearm" if dot(minus(p, shape.ELBOW), shape.ARM) > 0 else "left_upper_arm"
    if part == "leg" or p[1] < 0.87:
        if p[1] < 0.095 and p[2] > 0.105:
            return "left_toes"
        return "left_foot" if p[1] < 0.085 else "left_shin" if p[1] < shape.KNEE[1] else "left_thigh"
    if part == "head":
        return "head" if p[1] > 1.53 else "neck"
    if p[1] > 1.37 and p[0] > 0.07:
        return "left_clavicle"
    return "neck" if p[1] > 1.475 else "chest" if p[1] > 1.19 else "spine" if p[1] > 1.03 else "hips"


def _neighbors(count, triangles):
    around = [set() for _ in range(count)]
    for a, b, c in triangles:
        around[a].update((b, c))
        around[b].update((a, c))
        around[c].update((a, b))
    return [sorted(ring) for ring in around]


def weights(points, triangles, everywhere=14, at_the_roots=26):
    """For each point up to four (joint, weight), weights in 1/255 that add up to 255.

    Each point starts with its owner alone; then weights spread over the skin like heat: a few rounds
    everywhere, more where limbs join the trunk, which bend further.
    """
    around = _neighbors(len(points), triangles)
    spread = []
    for p in points:
        owner = _owner((abs(p[0]), p[1], p[2]))
        spread.append({owner if p[0] >= 0 else owner.replace("left_", "right_"): 1.0})
    roots = [abs(p[0]) < 0.30 and 0.72 < p[1] < 1.50 for p in points]
    for step in range(everywhere + at_the_roots):
        spread = [_mixed(spread, i, around[i]) if step < everywhere or roots[i] else spread[i]
                  for i in range(len(points))]
    return [_four(weight) for weight in spread]


def _mixed(spread, i, ring):
    total = {name: 0.5 * value for name, value in spread[i].items()}
    share = 0.5 / len(ring)
    for j in ring:
        for name, value in spread[j].items():
            total[name] = total.get(name, 0.0) + share * value
    return total


def _four(weight):
    """The four largest, in whole parts of 255. Rounding before sorting keeps mirror images alike."""
    largest = sorted(weight.items(), key=lambda item: (-round(item[1], 9), INDEX[item[0]]))[:4]
    whole = 0.0
    for _, value in largest:
        whole += value
    parts = [(INDEX[name], int(255 * value / whole + 0.5)) for name, value in largest]
    missing = 255 - sum(part for _, part in parts)
    parts[0] = (parts[0][0], parts[0][1] + missing)
    return [(joint, part) for joint, part in parts if part > 0]
