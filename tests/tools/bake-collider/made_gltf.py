# SPDX-License-Identifier: MIT
"""Small glTF characters for tests, valid and invalid."""
import base64
import json
import math
import struct


class Made:
    """A glTF under construction. Each add_… returns its number."""

    def __init__(self):
        self.json = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": []}], "nodes": [], "meshes": [],
                     "accessors": [], "bufferViews": [], "buffers": []}
        self.bytes = b""

    def add_floats(self, rows, kind):
        flat = [x for row in rows for x in (row if isinstance(row, (list, tuple)) else [row])]
        return self.add_bytes(struct.pack(f"<{len(flat)}f", *flat), 5126, kind, len(rows))

    def add_integers(self, values):
        return self.add_bytes(struct.pack(f"<{len(values)}I", *values), 5125, "SCALAR", len(values))

    def add_joints(self, rows):
        return self.add_bytes(b"".join(struct.pack("<4H", *row) for row in rows), 5123, "VEC4", len(rows))

    def add_bytes(self, data, component, kind, count):
        self.json["bufferViews"].append({"buffer": 0, "byteOffset": len(self.bytes), "byteLength": len(data)})
        self.bytes += data + b"\0" * (-len(data) % 4)
        self.json["accessors"].append({"bufferView": len(self.json["bufferViews"]) - 1, "componentType": component,
                                       "type": kind, "count": count})
        return len(self.json["accessors"]) - 1

    def add_node(self, root=True, **node):
        self.json["nodes"].append(node)
        if root:
            self.json["scenes"][0]["nodes"].append(len(self.json["nodes"]) - 1)
        return len(self.json["nodes"]) - 1

    def add_clip(self, name, channels):
        """channels: (node, path, times, values, interpolation)"""
        clip = {"name": name, "channels": [], "samplers": []}
        for node, path, times, values, interpolation in channels:
            kind = "VEC4" if path == "rotation" else "SCALAR" if path == "weights" else "VEC3"
            clip["samplers"].append({"input": self.add_floats(times, "SCALAR"),
                                     "output": self.add_floats(values, kind), "interpolation": interpolation})
            clip["channels"].append({"sampler": len(clip["samplers"]) - 1, "target": {"node": node, "path": path}})
        self.json.setdefault("animations", []).append(clip)

    def write(self, path):
        uri = "data:application/octet-stream;base64," + base64.b64encode(self.bytes).decode()
        self.json["buffers"] = [{"byteLength": len(self.bytes), "uri": uri}]
        with open(path, "w") as out:
            json.dump(self.json, out)
        return path


def tube(radius, length, around, along):
    """A closed tube along y: points and triangles."""
    points, triangles = [], []
    for j in range(along + 1):
        for i in range(around):
            angle = 2 * math.pi * i / around
            points.append([radius * math.cos(angle), length * j / along, radius * math.sin(angle)])
    bottom, top = len(points), len(points) + 1
    points += [[0, 0, 0], [0, length, 0]]
    for i in range(around):
        n = (i + 1) % around
        for j in range(along):
            a, b = j * around + i, j * around + n
            triangles += [[a, a + around, b], [b, a + around, b + around]]
        triangles += [[i, n, bottom], [along * around + n, along * around + i, top]]
    return points, triangles


def bending_tube(frames=31, rate=30.0, influences=2, stretch=0.0):
    """A tube of 1 m on two joints; the upper one bends by 100 degrees and, with an option, moves away."""
    made = Made()
    points, triangles = tube(0.1, 1.0, 12, 12)
    upper = [min(max((p[1] - 0.3) / 0.4, 0.0), 1.0) for p in points]
    attributes = {"POSITION": made.add_floats(points, "VEC3"),
                  "JOINTS_0": made.add_joints([(0, 1, 0, 0)] * len(points)),
                  "WEIGHTS_0": made.add_floats([(1 - u, u, 0, 0) for u in upper], "VEC4")}
    if influences > 4:  # half of the upper joint's weight through a second set
        attributes["WEIGHTS_0"] = made.add_floats([(1 - u, u / 2, 0, 0) for u in upper], "VEC4")
        attributes["JOINTS_1"] = made.add_joints([(1, 0, 0, 0)] * len(points))
        attributes["WEIGHTS_1"] = made.add_floats([(u / 2, 0, 0, 0) for u in upper], "VEC4")
    made.json["meshes"].append({"primitives": [{"attributes": attributes, "indices": made.add_integers(
        [i for t in triangles for i in t])}]})
    low = made.add_node(children=[1])
    made.add_node(root=False, translation=[0, 0.5, 0])
    made.add_node(mesh=0, skin=0)
    bind = [[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, y, 0, 1] for y in (0.0, -0.5)]
    made.json["skins"] = [{"joints": [low, 1], "inverseBindMatrices": made.add_floats(bind, "MAT4")}]
    times = [f / rate for f in range(frames)]
    angles = [math.radians(50) * (1 - math.cos(2 * math.pi * f / max(1, frames - 1))) / 2 for f in range(frames)]
    made.add_clip("bend", [(1, "rotation", times, [(0, 0, math.sin(a), math.cos(a)) for a in angles], "LINEAR"),
                           (1, "translation", times, [(0, 0.5 + stretch * a, 0) for a in angles], "LINEAR")])
    return made


def still_box():
    made = Made()
    corners = [[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    triangles = [t for a, b, c, d in faces for t in ((a, b, c), (a, c, d))]
    made.json["meshes"].append({"primitives": [{"attributes": {"POSITION": made.add_floats(corners, "VEC3")},
                                                "indices": made.add_integers([i for t in triangles for i in t])}]})
    made.add_node(mesh=0)
    return made
