# SPDX-License-Identifier: MIT
"""Writes a skinned, animated mesh as binary glTF 2.0. Values are rounded before they become float32, so
that the file is the same wherever it is made."""

import json
import struct
import sys
from pathlib import Path

FLOAT, UBYTE, USHORT = 5126, 5121, 5123
CODE = {FLOAT: "f", UBYTE: "B", USHORT: "H"}
WIDTH = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}
ARRAY_BUFFER, ELEMENT_BUFFER = 34962, 34963


class Glb:
    def __init__(self):
        self.views, self.accessors, self.data = [], [], bytearray()

    def add(self, rows, kind, component, target=None, bounds=False, normalized=False):
        """Rows of numbers become an accessor; its number."""
        flat = [value for row in rows for value in row]
        payload = struct.pack(f"<{len(flat)}{CODE[component]}", *flat)
        view = {"buffer": 0, "byteOffset": len(self.data), "byteLength": len(payload)}
        if target:
            view["target"] = target
        self.data += payload + b"\0" * (-len(payload) % 4)
        accessor = {"bufferView": len(self.views), "componentType": component, "count": len(rows), "type": kind}
        if normalized:
            accessor["normalized"] = True
        if bounds:
            accessor["min"] = [_single(min(row[i] for row in rows)) for i in range(WIDTH[kind])]
            accessor["max"] = [_single(max(row[i] for row in rows)) for i in range(WIDTH[kind])]
        self.views.append(view)
        self.accessors.append(accessor)
        return len(self.accessors) - 1

    def bytes(self, content):
        """The whole file; content is the rest of the JSON."""
        content = dict(content, accessors=self.accessors, bufferViews=self.views,
                       buffers=[{"byteLength": len(self.data)}])
        text = json.dumps(content, separators=(",", ":")).encode("ascii")
        text += b" " * (-len(text) % 4)
        size = 12 + 8 + len(text) + 8 + len(self.data)
        return (struct.pack("<4sII", b"glTF", 2, size) + struct.pack("<I4s", len(text), b"JSON") + text +
                struct.pack("<I4s", len(self.data), b"BIN\0") + bytes(self.data))


def _single(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def rounded(row, digits):
    return tuple(round(value, digits) + 0.0 for value in row)


def cuboid(glb, half):
    """A primitive: a box of half extents about the origin."""
    corners = [(x, y, z) for x in (-half[0], half[0]) for y in (-half[1], half[1]) for z in (-half[2], half[2])]
    faces = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
    triangles = [[i] for a, b, c, d in faces for i in (a, b, c, a, c, d)]
    return {"attributes": {"POSITION": glb.add(corners, "VEC3", FLOAT, ARRAY_BUFFER, bounds=True)},
            "indices": glb.add(triangles, "SCALAR", USHORT, ELEMENT_BUFFER)}


class Character:
    """What is written: see mannequin.make()."""

    def __init__(self, name, points, triangles, normals, weights, joints):
        self.name, self.points, self.triangles, self.normals = name, points, triangles, normals
        self.weights, self.joints, self.clips = weights, joints, []

    def add_clip(self, name, fps, poses):
        self.clips.append((name, fps, poses))

    def glb(self):
        glb = Glb()
        nodes = [{"name": name, "translation": rounded(offset, 6)} for name, _, offset, _ in self.joints]
        index = {name: i for i, (name, _, _, _) in enumerate(self.joints)}
        for name, parent, _, _ in self.joints:
            if parent:
                nodes[index[parent]].setdefault("children", []).append(index[name])
        nodes.append({"name": self.name, "mesh": 0, "skin": 0})
        roots = [index[name] for name, parent, _, _ in self.joints if not parent]
        return glb.bytes({
            "asset": {"version": "2.0", "generator": "data/make_mannequin.py"},
            "scene": 0,
            "scenes": [{"nodes": roots + [len(nodes) - 1]}],
            "nodes": nodes,
            "materials": [{"name": "skin", "pbrMetallicRoughness": {
                "baseColorFactor": [0.62, 0.57, 0.52, 1], "metallicFactor": 0, "roughnessFactor": 0.6}}],
            "meshes": [{"name": self.name, "primitives": [self._primitive(glb)]}],
            "skins": [{"joints": list(range(len(self.joints))), "skeleton": roots[0],
                       "inverseBindMatrices": self._inverse_binds(glb)}],
            "animations": [self._animation(glb, index, *clip) for clip in self.clips],
        })

    def _primitive(self, glb):
        joints = [[j for j, _ in row] + [0] * (4 - len(row)) for row in self.weights]
        parts = [[w for _, w in row] + [0] * (4 - len(row)) for row in self.weights]
        return {"attributes": {
            "POSITION": glb.add(self.points, "VEC3", FLOAT, ARRAY_BUFFER, bounds=True),
            "NORMAL": glb.add([rounded(n, 5) for n in self.normals], "VEC3", FLOAT, ARRAY_BUFFER),
            "JOINTS_0": glb.add(joints, "VEC4", UBYTE, ARRAY_BUFFER),
            "WEIGHTS_0": glb.add(parts, "VEC4", UBYTE, ARRAY_BUFFER, normalized=True),
        }, "indices": glb.add([[i] for triangle in self.triangles for i in triangle], "SCALAR", USHORT,
                              ELEMENT_BUFFER), "material": 0}

    def _inverse_binds(self, glb):
        return glb.add([(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0) + tuple(-c for c in rounded(position, 6)) + (1,)
                        for _, _, _, position in self.joints], "MAT4", FLOAT)

    def _animation(self, glb, index, name, fps, poses):
        times = glb.add([[frame / fps] for frame in range(len(poses))], "SCALAR", FLOAT, bounds=True)
        samplers, channels = [], []

        def track(joint, path, rows, kind):
            if all(row == rows[0] for row in rows):
                rows, clock = rows[:1], glb.add([[0.0]], "SCALAR", FLOAT, bounds=True)
            else:
                clock = times
            channels.append({"sampler": len(samplers), "target": {"node": index[joint], "path": path}})
            samplers.append({"input": clock, "output": glb.add(rows, kind, FLOAT), "interpolation": "LINEAR"})

        root = self.joints[0][0]
        track(root, "translation", [rounded(position, 6) for position, _ in poses], "VEC3")
        for joint, _, _, _ in self.joints:
            track(joint, "rotation", steady([pose[joint] for _, pose in poses]), "VEC4")
        return {"name": name, "channels": channels, "samplers": samplers}


def save(name, model, attachments):
    """Writes NAME.glb and NAME.attach.json to the folder that the command line names; without one, to data/."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent
    (folder / f"{name}.glb").write_bytes(model)
    (folder / f"{name}.attach.json").write_text(attachments, encoding="ascii", newline="\n")


def steady(turns):
    """Rounded, and each with the sign that lies nearer to the one before."""
    rows = []
    for q in turns:
        q = rounded(q, 6)
        if rows and q[0] * rows[-1][0] + q[1] * rows[-1][1] + q[2] * rows[-1][2] + q[3] * rows[-1][3] < 0:
            q = tuple(-c + 0.0 for c in q)
        rows.append(q)
    return rows
