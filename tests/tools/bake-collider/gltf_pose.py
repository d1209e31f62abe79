# SPDX-License-Identifier: MIT
"""Poses of a glTF character, evaluated plainly with numpy: the reference for the baker.

Written from the glTF 2.0 specification alone, for simplicity rather than speed. As a program:

    gltf_pose.py FILE CLIP TIME

prints "x y z" of every corner's vertex, primitive by primitive, in the order of a traversal of the scene.
CLIP is a number or -1 for the pose at rest.
"""
import base64
import json
import os
import struct
import sys
import urllib.parse

import numpy as np

COMPONENTS = {5120: np.int8, 5121: np.uint8, 5122: np.int16, 5123: np.uint16, 5125: np.uint32, 5126: np.float32}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


class Gltf:
    def __init__(self, path):
        data = open(path, "rb").read()
        binary = None
        if data[:4] == b"glTF":
            length = struct.unpack_from("<I", data, 12)[0]
            self.json = json.loads(data[20:20 + length])
            if 20 + length + 8 < len(data):
                size = struct.unpack_from("<I", data, 20 + length)[0]
                binary = data[28 + length:28 + length + size]
        else:
            self.json = json.loads(data)
        self.buffers = []
        for buffer in self.json.get("buffers", []):
            uri = buffer.get("uri")
            if uri is None:
                self.buffers.append(binary)
            elif uri.startswith("data:"):
                self.buffers.append(base64.b64decode(uri.split(",", 1)[1]))
            else:
                self.buffers.append(open(os.path.join(os.path.dirname(path), urllib.parse.unquote(uri)), "rb").read())

    def view(self, number, offset, dtype, width, count):
        view = self.json["bufferViews"][number]
        data = self.buffers[view["buffer"]]
        start = view.get("byteOffset", 0) + offset
        step = view.get("byteStride", dtype().itemsize * width)
        rows = [np.frombuffer(data, dtype, width, start + i * step) for i in range(count)]
        return np.array(rows).reshape(count, width)

    def accessor(self, number):
        a = self.json["accessors"][number]
        dtype, width, count = COMPONENTS[a["componentType"]], WIDTHS[a["type"]], a["count"]
        values = np.zeros((count, width), dtype)
        if "bufferView" in a:
            values = self.view(a["bufferView"], a.get("byteOffset", 0), dtype, width, count).copy()
        if "sparse" in a:
            s = a["sparse"]
            kind = COMPONENTS[s["indices"]["componentType"]]
            rows = self.view(s["indices"]["bufferView"], s["indices"].get("byteOffset", 0), kind, 1, s["count"])
            values[rows[:, 0]] = self.view(s["values"]["bufferView"], s["values"].get("byteOffset", 0), dtype, width,
                                           s["count"])
        values = values.astype(np.float64) if dtype == np.float32 or a.get("normalized") else values
        if a.get("normalized"):
            values = np.maximum(values / np.iinfo(dtype).max, -1.0)
        return values


def slerp(a, b, t):
    d = float(np.dot(a, b))
    if d < 0:
        b, d = -b, -d
    if d > 0.9999999:
        q = a + t * (b - a)
        return q / np.linalg.norm(q)
    angle = np.arccos(min(d, 1.0))
    return (np.sin((1 - t) * angle) * a + np.sin(t * angle) * b) / np.sin(angle)


def sample(times, values, interpolation, t, rotation):
    """values: [keys][width], or [keys * 3][width] for cubic splines (tangent in, value, tangent out)."""
    cubic = interpolation == "CUBICSPLINE"
    point = (lambda k: values[3 * k + 1]) if cubic else (lambda k: values[k])
    n = len(times)
    if t <= times[0]:
        q = point(0)
    elif t >= times[-1]:
        q = point(n - 1)
    else:
        k = int(np.searchsorted(times, t, side="right")) - 1
        step = times[k + 1] - times[k]
        u = (t - times[k]) / step
        if interpolation == "STEP":
            q = point(k)
        elif cubic:
            q = ((2 * u**3 - 3 * u**2 + 1) * values[3 * k + 1] + step * (u**3 - 2 * u**2 + u) * values[3 * k + 2] +
                 (-2 * u**3 + 3 * u**2) * values[3 * k + 4] + step * (u**3 - u**2) * values[3 * k + 3])
        elif rotation:
            q = slerp(values[k] / np.linalg.norm(values[k]), values[k + 1] / np.linalg.norm(values[k + 1]), u)
        else:
            q = (1 - u) * values[k] + u * values[k + 1]
    return q / np.linalg.norm(q) if rotation else q


def compose(t, r, s):
    x, y, z, w = r
    m = np.eye(4)
    m[:3, :3] = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                          [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                          [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]) * s
    m[:3, 3] = t
    return m


class Character:
    """Everything decoded once; pose(clip, t) gives the positions of all vertices, [n][3]."""

    def __init__(self, path):
        self.gltf = Gltf(path)
        g = self.gltf.json
        self.nodes = g.get("nodes", [])
        self.parents = [-1] * len(self.nodes)
        for i, node in enumerate(self.nodes):
            for child in node.get("children", []):
                self.parents[child] = i
        scene = g["scenes"][g.get("scene", 0)]["nodes"] if "scenes" in g else [
            i for i, p in enumerate(self.parents) if p < 0]
        self.walk = []

        def visit(i):
            self.walk.append(i)
            for child in self.nodes[i].get("children", []):
                visit(child)

        for root in scene:
            visit(root)
        self.clips = []
        for animation in g.get("animations", []):
            channels = []
            for channel in animation["channels"]:
                if "node" not in channel["target"]:
                    continue
                s = animation["samplers"][channel["sampler"]]
                channels.append((channel["target"]["node"], channel["target"]["path"],
                                 self.gltf.accessor(s["input"])[:, 0], self.gltf.accessor(s["output"]),
                                 s.get("interpolation", "LINEAR")))
            self.clips.append(channels)
        self.parts = []  # (node, positions, targets, joints, weights)
        self.triangles = []
        first = 0
        for i in self.walk:
            if "mesh" not in self.nodes[i]:
                continue
            for p in g["meshes"][self.nodes[i]["mesh"]]["primitives"]:
                if p.get("mode", 4) != 4 or "POSITION" not in p["attributes"]:
                    continue
                a = p["attributes"]
                positions = self.gltf.accessor(a["POSITION"]).astype(np.float64)
                targets = [self.gltf.accessor(t["POSITION"]) if "POSITION" in t else np.zeros_like(positions)
                           for t in p.get("targets", [])]
                joints, weights = [], []
                n = 0
                while f"JOINTS_{n}" in a:
                    joints.append(self.gltf.accessor(a[f"JOINTS_{n}"]).astype(np.int64))
                    weights.append(self.gltf.accessor(a[f"WEIGHTS_{n}"]).astype(np.float64))
                    n += 1
                self.parts.append((i, positions, targets, np.concatenate(joints, 1) if joints else None,
                                   np.concatenate(weights, 1) if weights else None))
                index = (self.gltf.accessor(p["indices"])[:, 0].astype(np.int64) if "indices" in p else
                         np.arange(len(positions)))
                self.triangles.append(index.reshape(-1, 3) + first)
                first += len(positions)
        self.triangles = np.concatenate(self.triangles)
        self.skins = []
        for skin in g.get("skins", []):
            inverse = (self.gltf.accessor(skin["inverseBindMatrices"]).reshape(-1, 4, 4).transpose(0, 2, 1)
                       if "inverseBindMatrices" in skin else np.tile(np.eye(4), (len(skin["joints"]), 1, 1)))
            self.skins.append((skin["joints"], inverse))

    def span(self, clip):
        times = [c[2] for c in self.clips[clip]]
        return min(t[0] for t in times), max(t[-1] for t in times)

    def pose(self, clip, t):
        local, morph = [], {}
        for i, node in enumerate(self.nodes):
            local.append({"translation": np.array(node.get("translation", [0, 0, 0]), float),
                          "rotation": np.array(node.get("rotation", [0, 0, 0, 1]), float),
                          "scale": np.array(node.get("scale", [1, 1, 1]), float)})
            mesh = self.gltf.json["meshes"][node["mesh"]] if "mesh" in node else {}
            morph[i] = np.array(node.get("weights", mesh.get("weights", [])), float)
        animated = set()
        for node, path, times, values, interpolation in (self.clips[clip] if clip >= 0 else []):
            if path == "weights":
                count = len(values) // len(times) // (3 if interpolation == "CUBICSPLINE" else 1)
                morph[node] = sample(times, values.reshape(-1, count), interpolation, t, False)
            else:
                local[node][path] = sample(times, values, interpolation, t, path == "rotation")
                animated.add(node)
        world = [None] * len(self.nodes)
        for i in self.walk:
            node = self.nodes[i]
            m = compose(local[i]["translation"], local[i]["rotation"], local[i]["scale"])
            if "matrix" in node and i not in animated:
                m = np.array(node["matrix"], float).reshape(4, 4).T
            world[i] = m if self.parents[i] < 0 else world[self.parents[i]] @ m
        result = []
        for i, positions, targets, joints, weights in self.parts:
            p = positions.copy()
            for k, target in enumerate(targets):
                p += (morph[i][k] if k < len(morph[i]) else 0.0) * target
            h = np.concatenate([p, np.ones((len(p), 1))], 1)
            if joints is not None and "skin" in self.nodes[i]:
                names, inverse = self.skins[self.nodes[i]["skin"]]
                matrices = np.array([world[j] @ inverse[k] for k, j in enumerate(names)])
                blend = np.einsum("vk,vkab->vab", weights, matrices[joints])
                q = np.einsum("vab,vb->va", blend, h)
                result.append(q[:, :3] / weights.sum(1)[:, None])
            else:
                result.append((h @ world[i].T)[:, :3])
        return np.concatenate(result)


if __name__ == "__main__":
    for x, y, z in Character(sys.argv[1]).pose(int(sys.argv[2]), float(sys.argv[3])):
        print(repr(float(x)), repr(float(y)), repr(float(z)))
