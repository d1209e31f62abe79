# SPDX-License-Identifier: MIT
"""Distances of points from the exact surfaces of a scene: shapes by their definition, furniture by its blocks, the
mannequin by its render mesh. Independent of the simulation's code. Needs numpy and scipy."""

import json
import subprocess
from pathlib import Path

import numpy as np
from scipy.spatial import cKDTree

# Blocks of data/meshes/props.py: lower corner, upper corner, bevel.
CHAIR = [((-0.22, 0.42, -0.22), (0.22, 0.46, 0.22), 0.012), ((-0.22, 0.62, -0.22), (0.22, 0.95, -0.18), 0.012)]
CHAIR += [((x - 0.02, 0.0, z0), (x + 0.02, top, z1), 0.006) for x in (-0.2, 0.2)
          for top, z0, z1 in ((0.90, -0.218, -0.182), (0.43, 0.18, 0.216))]
STOOL = [((x - 0.018, 0.0, z - 0.378), (x + 0.018, 0.375, z - 0.342), 0.005) for x in (-0.1, 0.1) for z in (-0.1, 0.1)]


# --- Shapes --------------------------------------------------------------------------------------

def rotation_of(angles):
    """Degrees about x, then y, then z; or a quaternion."""
    if len(angles) == 4:
        x, y, z, w = np.array(angles) / np.linalg.norm(angles)
        return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                         [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                         [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])
    total = np.eye(3)
    for axis, degrees in enumerate(angles):
        total = about(np.eye(3)[axis], np.radians(degrees)) @ total
    return total


def about(axis, angle):
    k = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * (k @ k)


def box_distance(points, low, high):
    middle, half = (np.array(low) + high) / 2, (np.array(high) - low) / 2
    over = np.abs(points - middle) - half
    return np.linalg.norm(np.maximum(over, 0), axis=1) + np.minimum(over.max(axis=1), 0)


def block_distance(points, low, high, bevel):
    """A box whose edges and corners are cut off; outside, near those, too small rather than too large."""
    half = (np.array(high) - low) / 2
    out = np.abs(points - (np.array(low) + high) / 2)
    edges = [(out[:, a] + out[:, b] - half[a] - half[b] + bevel) / np.sqrt(2) for a, b in ((0, 1), (1, 2), (2, 0))]
    corner = (out.sum(axis=1) - half.sum() + 2 * bevel) / np.sqrt(3)
    return np.max([box_distance(points, low, high)] + edges + [corner], axis=0)


def disc_distance(points, center, radius, low, high):
    """A flat cylinder about the vertical."""
    across = np.linalg.norm(points[:, [0, 2]] - center, axis=1) - radius
    up = np.abs(points[:, 1] - (low + high) / 2) - (high - low) / 2
    outside = np.linalg.norm(np.maximum(np.stack([across, up], axis=1), 0), axis=1)
    return outside + np.minimum(np.maximum(across, up), 0)


def wedge_distance(points, size):
    """Valid inside only, which is sufficient here: the nearest of its planes."""
    width, height, length = size
    slope = np.hypot(width / 2, height)
    sides = (np.abs(points[:, 0]) * height - points[:, 1] * width / 2) / slope
    return np.max([sides, points[:, 1] - height, np.abs(points[:, 2]) - length / 2], axis=0)


def funnel_distance(points, shape):
    """Inside is where cloth may be; far from its wall, and above and below it, there is no contact."""
    across = np.linalg.norm(points[:, [0, 2]], axis=1)
    steep, low, high = shape["steepness"], shape["low"], shape["high"]
    y = np.clip(points[:, 1], low, high)
    radius = np.exp(y / steep)
    off = (radius - across) / np.sqrt(1 + (radius / steep) ** 2)  # along the normal, near the wall
    met = (points[:, 1] > low) & (points[:, 1] < high) & (off > -shape.get("wall", 0.05))
    return np.where(met, off, np.inf)


def own_frame(shape, points, time):
    """The points in the frame of the moving shape."""
    center = np.array(shape.get("center", [0, 0, 0]), float) + np.array(shape.get("velocity", [0, 0, 0])) * time
    turn = rotation_of(shape.get("rotation", [0, 0, 0]))
    spin = np.array(shape.get("angularVelocity", [0, 0, 0]), float)
    if np.linalg.norm(spin) > 0:
        turn = about(spin / np.linalg.norm(spin), np.linalg.norm(spin) * time) @ turn
    return (points - center) @ turn


def distance(shape, points, time):
    """Metres outside of the shape, negative inside."""
    kind = shape["type"]
    if kind == "plane":
        normal = np.array(shape["normal"], float)
        return points @ (normal / np.linalg.norm(normal)) - shape.get("offset", 0)
    if kind == "box" and "min" in shape:
        shape = dict(shape, center=(np.array(shape["min"]) + shape["max"]) / 2,
                     size=np.array(shape["max"], float) - shape["min"])
    local = own_frame(shape, points, time)
    if kind == "sphere":
        return np.linalg.norm(local, axis=1) - shape["radius"]
    if kind == "capsule":
        half = shape["length"] / 2
        axis = np.clip(local[:, 1], -half, half)
        return np.linalg.norm(local - np.outer(axis, [0, 1, 0]), axis=1) - shape["radius"]
    if kind == "box":
        half = np.array(shape["size"], float) / 2
        return box_distance(local, -half, half)
    if kind == "wedge":
        return wedge_distance(local, shape["size"])
    if kind == "funnel":
        return funnel_distance(local, shape)
    name = Path(shape["src"]).stem
    if name == "chair":
        return np.min([block_distance(local, *block) for block in CHAIR], axis=0)
    if name == "stool":
        seat = disc_distance(local, (0.0, -0.36), 0.178, 0.365, 0.405)
        return np.min([seat] + [block_distance(local, *block) for block in STOOL], axis=0)
    raise ValueError(f"nothing is known about the surface of {name}")


# --- The mannequin -------------------------------------------------------------------------------

class Skin:
    """The surface of a baked mannequin: the mesh that is drawn, between two frames as the player has it."""

    def __init__(self, inspect, pack):
        self.inspect, self.pack, self.frames = inspect, pack, {}
        octets = [int(line.split(",")[1]) for line in self.dump("RTRI")]
        self.triangles = np.frombuffer(bytes(octets), "<u4").reshape(-1, 3).astype(int)
        about_pack = json.loads(subprocess.run([inspect, pack, "--json"], check=True, capture_output=True).stdout)
        self.count, self.rate = find(about_pack, "frames"), find(about_pack, "frame_rate")
        self.rings = rings_of(self.triangles, len(self.frame(0)))

    def dump(self, section):
        command = [self.inspect, self.pack, "--dump", section]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()[1:]

    def frame(self, number):
        if number not in self.frames:
            self.frames[number] = np.array([line.split(",")[1:4] for line in self.dump(f"mesh:{number}")], float)
        return self.frames[number]

    def at(self, seconds):
        """Clips of whole loops: after the last frame comes the second."""
        frame_number = seconds * self.rate % (self.count - 1)
        first, share = int(frame_number), frame_number % 1
        return (1 - share) * self.frame(first) + share * self.frame(first + 1)

    def distance(self, points, seconds):
        """To the nearest triangle, signed by its normal, which is mixed of those at its corners."""
        vertices = self.at(seconds)
        corners = vertices[self.triangles]
        outwards = np.zeros_like(vertices)
        for corner in range(3):
            np.add.at(outwards, self.triangles[:, corner],
                      np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]))
        around = self.rings[cKDTree(vertices).query(points, k=4)[1]].reshape(len(points), -1)
        shares = barycentric(points[:, None, :], corners[around])
        ways = points[:, None, :] - np.einsum("ptc,ptcd->ptd", shares, corners[around])
        best = np.argmin(np.einsum("ptd,ptd->pt", ways, ways), axis=1)
        each = np.arange(len(points))
        way = ways[each, best]
        normal = np.einsum("pc,pcd->pd", shares[each, best], outwards[self.triangles[around[each, best]]])
        return np.linalg.norm(way, axis=1) * np.sign(np.einsum("pd,pd->p", way, normal))


def rings_of(triangles, count):
    """Triangles around each vertex, the last repeated."""
    rings = [[] for _ in range(count)]
    for number, corners in enumerate(triangles):
        for corner in corners:
            rings[corner].append(number)
    most = max(len(ring) for ring in rings)
    return np.array([ring + ring[-1:] * (most - len(ring)) for ring in rings])


def barycentric(points, corners):
    """Barycentric weights of the nearest point of each triangle: in its plane, else on the nearest edge."""
    a, b, c = corners[..., 0, :], corners[..., 1, :], corners[..., 2, :]

    def dot(left, right):
        return np.einsum("...d,...d->...", left, right)

    ab, ac, ap = b - a, c - a, points - a
    d00, d01, d11, d20, d21 = dot(ab, ab), dot(ab, ac), dot(ac, ac), dot(ap, ab), dot(ap, ac)
    whole = np.maximum(d00 * d11 - d01 * d01, 1e-30)
    v, w = (d11 * d20 - d01 * d21) / whole, (d00 * d21 - d01 * d20) / whole
    found = np.stack([1 - v - w, v, w], axis=-1)
    least = np.where((found >= 0).all(axis=-1), 0.0, np.inf)
    for first, second in ((0, 1), (1, 2), (2, 0)):
        start, way = corners[..., first, :], corners[..., second, :] - corners[..., first, :]
        share = np.clip(dot(points - start, way) / np.maximum(dot(way, way), 1e-30), 0, 1)
        off = points - start - share[..., None] * way
        square = dot(off, off)
        nearer = square < least
        least = np.where(nearer, square, least)
        edge = np.zeros(found.shape)
        edge[..., first], edge[..., second] = 1 - share, share
        found = np.where(nearer[..., None], edge, found)
    return found


def find(value, name):
    """The first member of that name in nested JSON."""
    if isinstance(value, dict):
        if isinstance(value.get(name), (int, float)):
            return value[name]
        value = list(value.values())
    if isinstance(value, list):
        for member in value:
            found = find(member, name)
            if found is not None:
                return found
    return None
