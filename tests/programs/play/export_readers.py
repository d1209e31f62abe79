# SPDX-License-Identifier: MIT
"""Readers of selvage-play's export formats, written from the formats' descriptions with the standard library. Each
returns a list of frames; a frame is a list of (x, y, z) as float32 values, garment after garment."""

import csv
import json
import re
import struct
from pathlib import Path


def single(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def triples(flat):
    return list(zip(flat[0::3], flat[1::3], flat[2::3]))


def read_csv(path):
    frames = []
    with open(path, encoding="ascii", newline="") as file:
        rows = csv.reader(file)
        header = next(rows)
        assert header[0] == "frame" and header[2:] == ["x", "y", "z"], header
        for row in rows:
            if int(row[0]) == len(frames):
                frames.append([])
            assert int(row[1]) == len(frames[-1]), row
            frames[-1].append(tuple(single(float(value)) for value in row[2:]))
    return frames


def read_obj(path):
    """(points, faces as lists of indices from 0, uvs)"""
    points, faces, uvs = [], [], []
    for line in Path(path).read_text(encoding="ascii").splitlines():
        kind, *rest = line.split()
        if kind == "v":
            points.append(tuple(single(float(value)) for value in rest))
        elif kind == "vt":
            uvs.append(tuple(single(float(value)) for value in rest))
        elif kind == "f":
            faces.append([int(corner.split("/")[0]) - 1 for corner in rest])
            assert all(0 <= index < len(points) for index in faces[-1]), line
    return points, faces, uvs


def read_obj_sequence(stem):
    frames = []
    while Path(f"{stem}_{len(frames):04d}.obj").exists():
        frames.append(read_obj(f"{stem}_{len(frames):04d}.obj")[0])
    return frames


def read_pc2(path):
    data = Path(path).read_bytes()
    magic, version, points, start, rate, samples = struct.unpack_from("<12siiffi", data)
    assert magic == b"POINTCACHE2\0" and version == 1 and start == 0 and rate == 1, data[:32]
    assert len(data) == 32 + 12 * points * samples, (len(data), points, samples)
    return [triples(struct.unpack_from(f"<{3 * points}f", data, 32 + 12 * points * sample))
            for sample in range(samples)]


def read_mdd(path):
    """(frames, times)"""
    data = Path(path).read_bytes()
    count, points = struct.unpack_from(">ii", data)
    assert len(data) == 8 + 4 * count + 12 * points * count, (len(data), points, count)
    times = struct.unpack_from(f">{count}f", data, 8)
    begin = 8 + 4 * count
    return [triples(struct.unpack_from(f">{3 * points}f", data, begin + 12 * points * frame))
            for frame in range(count)], times


def read_usda(path):
    """(frames, number of faces)"""
    text = Path(path).read_text(encoding="ascii")
    assert text.startswith("#usda 1.0\n"), text[:20]
    frames, faces = [], 0
    for block in re.findall(r"point3f\[\] points\.timeSamples = \{\n(.*?)\n        \}", text, re.S):
        for number, line in enumerate(block.splitlines()):
            time, values = re.fullmatch(r" *(\d+): \[(.*)\],", line).groups()
            assert int(time) == number, line[:40]
            if number == len(frames):
                frames.append([])
            flat = [single(float(value)) for value in re.findall(r"[-+.e\d]+", values)]
            frames[number] += triples(flat)
    for counts in re.findall(r"faceVertexCounts = \[(.*?)\]", text):
        faces += len(counts.split(","))
    assert f"endTimeCode = {len(frames) - 1}\n" in text
    return frames, faces


class Glb:
    def __init__(self, path):
        data = Path(path).read_bytes()
        magic, version, size, length, kind = struct.unpack_from("<4sIII4s", data)
        assert (magic, version, size, kind) == (b"glTF", 2, len(data), b"JSON"), data[:20]
        self.json = json.loads(data[20:20 + length])
        size, kind = struct.unpack_from("<I4s", data, 20 + length)
        assert kind == b"BIN\0" and self.json["buffers"][0]["byteLength"] == size
        self.data = data[28 + length:28 + length + size]

    def accessor(self, index):
        """Rows of an accessor of floats or 32-bit integers, sparse ones filled in."""
        accessor = self.json["accessors"][index]
        width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3}[accessor["type"]]
        code = {5125: "I", 5126: "f"}[accessor["componentType"]]
        rows = [(0,) * width] * accessor["count"]
        if "bufferView" in accessor:
            view = self.json["bufferViews"][accessor["bufferView"]]
            stride = view.get("byteStride", 4 * width)
            begin = accessor.get("byteOffset", 0)
            assert begin + stride * (accessor["count"] - 1) + 4 * width <= view["byteLength"]
            rows = [struct.unpack_from(f"<{width}{code}", self.data, view["byteOffset"] + begin + stride * i)
                    for i in range(accessor["count"])]
        if "sparse" in accessor:
            self.fill_in(rows, accessor["sparse"], code)
        for i in range(width if "min" in accessor else 0):
            assert single(accessor["min"][i]) == min(row[i] for row in rows)
            assert single(accessor["max"][i]) == max(row[i] for row in rows)
        return rows

    def fill_in(self, rows, sparse, code):
        views = self.json["bufferViews"]
        indices, values = views[sparse["indices"]["bufferView"]], views[sparse["values"]["bufferView"]]
        for i in range(sparse["count"]):
            at, = struct.unpack_from("<I", self.data, indices["byteOffset"] + 4 * i)
            rows[at] = struct.unpack_from(f"<{code}", self.data, values["byteOffset"] + 4 * i)


def read_glb(path):
    """(frames, times): what a viewer shows at each key, mesh + sum of weight * target."""
    glb = Glb(path)
    animation = glb.json["animations"][0]
    sampler = animation["samplers"][0]
    times = [row[0] for row in glb.accessor(sampler["input"])]
    weights = [row[0] for row in glb.accessor(sampler["output"])]
    frames = [[] for _ in times]
    assert {channel["target"]["node"] for channel in animation["channels"]} == set(range(len(glb.json["nodes"])))
    for node in glb.json["nodes"]:
        primitive = glb.json["meshes"][node["mesh"]]["primitives"][0]
        base = glb.accessor(primitive["attributes"]["POSITION"])
        targets = [glb.accessor(target["POSITION"]) for target in primitive["targets"]]
        assert len(weights) == len(times) * len(targets)
        for key in range(len(times)):
            row = weights[key * len(targets):(key + 1) * len(targets)]
            points = base
            for weight, target in zip(row, targets):
                if weight:
                    points = [tuple(p + weight * d for p, d in zip(point, delta))
                              for point, delta in zip(points, target)]
            frames[key] += points
    return frames, times
