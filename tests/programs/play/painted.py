#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Paint from a mesh file to a scene: vertex colors of OBJ, glTF and PLY files pass selvage-voxelize, in every mode, and
selvage-colorize. Particles in the scene stay within the painted distance, with the same bits on every backend.

    painted.py VOXELIZE COLORIZE INSPECT PLAY WORK
"""

import base64
import csv
import io
import json
import math
import struct
import subprocess
import sys
from pathlib import Path

SIDE = 9  # vertices along a side of a sheet of one metre
FARTHEST = 0.25  # metres, where it is white
FRAMES = 25
UNSUPPORTED = 5


def shade(x, z):
    """Red grows along z, green falls along x; the middle is black in blue."""
    return z + 0.5, 0.5 - x, 0.0 if math.hypot(x, z) < 0.2 else 1.0, 1.0


def sheet():
    points = [(i / (SIDE - 1) - 0.5, 0.0, j / (SIDE - 1) - 0.5) for j in range(SIDE) for i in range(SIDE)]
    triangles = []
    for j in range(SIDE - 1):
        for i in range(SIDE - 1):
            a = j * SIDE + i
            triangles += [(a, a + SIDE, a + 1), (a + 1, a + SIDE, a + SIDE + 1)]
    return points, triangles


def slab():
    """Two vertices per side suffice: paint is interpolated between them."""
    points = [(x, y, z) for z in (-0.5, 0.5) for y in (-0.1, 0.1) for x in (-0.5, 0.5)]
    faces = ((0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5))
    return points, [t for a, b, c, d in faces for t in ((a, b, c), (a, c, d))]


def write_obj(path, points, triangles):
    lines = ["v %r %r %r %r %r %r" % (*p, *shade(p[0], p[2])[:3]) for p in points]
    lines += ["f %d %d %d" % tuple(i + 1 for i in t) for t in triangles]
    path.write_text("\n".join(lines) + "\n")


def write_ply(path, points, triangles):
    names = "".join(f"property float {axis}\n" for axis in "xyz")
    names += "".join(f"property uchar {name}\n" for name in ("red", "green", "blue", "alpha"))
    text = f"ply\nformat ascii 1.0\nelement vertex {len(points)}\n{names}"
    text += f"element face {len(triangles)}\nproperty list uchar int vertex_indices\nend_header\n"
    for p in points:
        text += " ".join([*(str(c) for c in p), *(str(round(255 * c)) for c in shade(p[0], p[2]))]) + "\n"
    path.write_text(text + "".join("3 %d %d %d\n" % t for t in triangles))


def write_gltf(path, points, triangles):
    parts = [b"".join(struct.pack("<3f", *p) for p in points),
             b"".join(struct.pack("<4f", *shade(p[0], p[2])) for p in points),
             b"".join(struct.pack("<3I", *t) for t in triangles)]
    starts = [sum(map(len, parts[:i])) for i in range(3)]
    data = b"".join(parts)
    ends = {"min": [min(c) for c in zip(*points)], "max": [max(c) for c in zip(*points)]}
    path.write_text(json.dumps({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "COLOR_0": 1}, "indices": 2}]}],
        "buffers": [{"byteLength": len(data),
                     "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode()}],
        "bufferViews": [{"buffer": 0, "byteOffset": s, "byteLength": len(p)} for s, p in zip(starts, parts)],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": len(points), "type": "VEC3", **ends},
                      {"bufferView": 1, "componentType": 5126, "count": len(points), "type": "VEC4"},
                      {"bufferView": 2, "componentType": 5125, "count": 3 * len(triangles), "type": "SCALAR"}]}))


def run(*command, status=0):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    assert done.returncode == status, (command, done.returncode, done.stderr)
    return done


class Tools:
    def __init__(self, voxelize, colorize, inspect, play, work):
        self.voxelize, self.colorize, self.inspect, self.play, self.work = voxelize, colorize, inspect, play, work
        work.mkdir(parents=True, exist_ok=True)

    def paint_of(self, pack):
        rows = csv.reader(io.StringIO(run(self.inspect, pack, "--dump", "paint").stdout))
        next(rows)
        return [tuple(int(c) for c in row[1:]) for row in rows]

    def write_scene(self, pack, solver):
        scene = self.work / "scene.json"
        scene.write_text(json.dumps({
            "solver": solver, "shearStiffness": 0, "bendingStiffness": 0, "stiffness": 1000,  # soft: solids bend far
            "softObjects": [{"src": pack.name, "position": [0, 1, 0], "limits": {"*": [FARTHEST, -1]},
                             "paint": {"maxDistance": "red"}}]}))
        return scene

    def play_scene(self, scene, backend):
        """Positions and hashes by frame; None where the backend is not available."""
        report, positions = self.work / "report.json", self.work / "positions.csv"
        done = subprocess.run([self.play, scene, "--headless", "--frames", str(FRAMES), "--backend", backend, "--no-fallback",
                               "--report", report, "--export", positions, "--quiet"], capture_output=True, text=True, check=False)
        if done.returncode == UNSUPPORTED and backend != "cpu":
            return None
        assert done.returncode == 0, done.stderr
        frames = {}
        with positions.open() as file:
            for row in csv.DictReader(file):
                frames.setdefault(int(row["frame"]), []).append(tuple(float(row[axis]) for axis in "xyz"))
        return [frames[f] for f in sorted(frames)], [f["hash"] for f in json.loads(report.read_text())["frames"]]

    def check_pack(self, pack, solver):
        paint = self.paint_of(pack)
        scene = self.write_scene(pack, solver)
        frames, state = self.play_scene(scene, "cpu")
        rows = list(csv.reader(io.StringIO(run(self.inspect, pack, "--dump", "particles").stdout)))[1:]
        start = [(float(r[1]), float(r[2]) + 1, float(r[3])) for r in rows if r[5] == "-1"]
        assert len(start) == len(paint) == len(frames[0])
        farthest = 0.0
        for frame in frames:
            for position, origin, color in zip(frame, start, paint):
                distance = math.dist(position, origin)
                assert distance <= FARTHEST * color[0] / 255 + 1e-5, (pack, distance, color)
                farthest = max(farthest, distance)
        assert farthest > 0.5 * FARTHEST, (pack, farthest)  # the particles do move
        other = self.play_scene(scene, "opencl")
        assert other is None or other[1] == state, (pack, "opencl differs")
        return start, paint, other is not None


def main():
    tools = Tools(*sys.argv[1:5], Path(sys.argv[5]))
    meshes = {}
    for name, write in (("sheet.obj", write_obj), ("sheet.gltf", write_gltf), ("sheet.ply", write_ply)):
        meshes[name] = tools.work / name
        write(meshes[name], *sheet())
    meshes["slab.obj"] = tools.work / "slab.obj"
    write_obj(meshes["slab.obj"], *slab())

    cases = [("sheet.obj", "surface", "PD_RBGS", ()), ("sheet.gltf", "surface", "PBD_GS", ()),
            ("sheet.ply", "surface", "PD_GS", ()), ("sheet.obj", "shell", "PD_RBGS", ("--resolution", "20")),
            ("sheet.gltf", "shell", "PD_JACOBI", ("--resolution", "20")),
            ("slab.obj", "solid", "PBD_GS", ("--resolution", "10", "--tetrahedra"))]
    both = False
    for number, (mesh, mode, solver, options) in enumerate(cases):
        pack = tools.work / f"{number}.slv"
        output = run(tools.voxelize, meshes[mesh], "-o", pack, "--mode", mode, *options).stdout
        assert "painted" in output, output
        start, paint, compared = tools.check_pack(pack, solver)
        both = both or compared
        tolerance = 27 if mode == "solid" else 1  # inside, the surface is up to 0.1 m away
        for (x, _, z), color in zip(start, paint):  # the painted color, at vertices and between them
            near = min(max(x, -0.5), 0.5), min(max(z, -0.5), 0.5)
            expected = shade(*near)
            assert all(abs(c - 255 * w) <= tolerance for c, w in zip(color[:2], expected[:2])), (mesh, mode, x, z, color)
        colored = tools.work / f"{number}-colored.slv"
        run(tools.colorize, pack, "-o", colored, "--quiet")
        assert tools.paint_of(colored) == paint, "selvage-colorize lost the paint"
    tools.check_pack(tools.work / "0-colored.slv", "PBD_GS")

    # A pack without colors, and colors of 0 to 255.
    plain = tools.work / "plain.slv"
    run(tools.voxelize, "--shape", "grid:5x5", "-o", plain, "--quiet")
    output = run(tools.play, tools.write_scene(plain, "PD_RBGS"), "--headless", "--frames", "1", status=3).stderr
    assert "softObjects[0]: paint: the pack has none" in output and "selvage-voxelize" in output, output
    output = run(tools.inspect, plain, "--picture", tools.work / "no.png", "--what", "paint", status=3).stderr
    assert "no paint to draw" in output and not (tools.work / "no.png").exists(), output
    bright = tools.work / "bright.obj"
    bright.write_text("v 0 0 0 255 0 0\nv 1 0 0 0 255 0\nv 0 0 1 0 0 0\nf 1 3 2\n")
    output = run(tools.voxelize, bright, "-o", tools.work / "bright.slv", "--mode", "surface").stderr
    assert "go up to 255" in output and "divided by 255" in output, output
    picture = tools.work / "paint.png"
    run(tools.inspect, tools.work / "3.slv", "--picture", picture, "--what", "paint", "--size", "64x48")
    assert picture.read_bytes()[:4] == b"\x89PNG"
    print("all painted limits held", "on the CPU and OpenCL alike" if both else "on the CPU; OpenCL is not here")


if __name__ == "__main__":
    main()
