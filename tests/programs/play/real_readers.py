#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Other tools read our exports correctly: Blender (PC2, MDD), usd-core (USDA), pygltflib and trimesh (GLB, OBJ).

    real_readers.py VOXELIZE PLAY DATA WORK READER      (blender | usd | gltf)

Exits with 77 (skipped) without the reader; real_readers.sh installs it first.
"""

import shutil
import subprocess
import sys
from pathlib import Path

import export_readers as readers
from exports_agree import FRAMES, Tools, nearly

SKIPPED = 77


def through_blender(tools, expected):
    blender = shutil.which("blender")
    if not blender:
        return SKIPPED
    script = Path(__file__).with_name("read_in_blender.py")
    for extension in ("pc2", "mdd"):
        tools.export(f"drape.{extension}")
        work = tools.work
        done = subprocess.run([blender, "--background", "--python-exit-code", "1", "--python", script, "--",
                               work / "drape.rest.obj", work / f"drape.{extension}", str(FRAMES + 1),
                               work / "blender.csv"], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        nearly(readers.read_csv(work / "blender.csv"), expected, 1e-6)
    return 0


def through_usd(tools, expected):
    try:
        from pxr import Usd, UsdGeom
    except ImportError:
        return SKIPPED
    tools.export("drape.usda")
    stage = Usd.Stage.Open(str(tools.work / "drape.usda"))
    assert UsdGeom.GetStageMetersPerUnit(stage) == 1 and UsdGeom.GetStageUpAxis(stage) == "Y"
    assert stage.GetEndTimeCode() == FRAMES and abs(stage.GetTimeCodesPerSecond() - 62.5) < 1e-9
    meshes = [UsdGeom.Mesh(prim) for prim in stage.Traverse() if prim.IsA(UsdGeom.Mesh)]
    assert len(meshes) == 2
    for mesh in meshes:
        assert UsdGeom.Mesh.ValidateTopology(mesh.GetFaceVertexIndicesAttr().Get(),
                                             mesh.GetFaceVertexCountsAttr().Get(),
                                             len(mesh.GetPointsAttr().Get(0)))[0]
        low, high = mesh.GetExtentAttr().Get(FRAMES)
        points = mesh.GetPointsAttr().Get(FRAMES)
        assert all(low[d] == min(p[d] for p in points) and high[d] == max(p[d] for p in points) for d in range(3))
        assert len(UsdGeom.PrimvarsAPI(mesh).GetPrimvar("st").Get()) == len(points)
    frames = [[tuple(point) for mesh in meshes for point in mesh.GetPointsAttr().Get(frame)]
              for frame in range(FRAMES + 1)]
    nearly(frames, expected, 0)
    return 0


def through_gltf(tools, expected):
    try:
        import numpy
        import pygltflib
        import trimesh
    except ImportError:
        return SKIPPED
    tools.export("drape.glb")
    path = tools.work / "drape.glb"
    gltf = pygltflib.GLTF2().load(str(path))
    blob = gltf.binary_blob()

    def vectors(index):
        accessor = gltf.accessors[index]
        view = gltf.bufferViews[accessor.bufferView]
        begin = view.byteOffset + accessor.byteOffset
        return numpy.frombuffer(blob, numpy.float32, 3 * accessor.count, begin).reshape(-1, 3)

    frames = []
    for frame in range(FRAMES + 1):
        points = []
        for mesh in gltf.meshes:
            primitive = mesh.primitives[0]
            base = vectors(primitive.attributes.POSITION)
            target = vectors(primitive.targets[frame - 1]["POSITION"]) if frame > 0 else 0
            points += [tuple(float(c) for c in point) for point in base + target]
        frames.append(points)
    nearly(frames, expected, 2e-7)
    scene = trimesh.load(path, process=False)
    shown = [tuple(float(c) for c in point) for name in sorted(scene.geometry)
             for point in scene.geometry[name].vertices]
    nearly([shown], expected[:1], 0)
    tools.export("drape.obj")
    mesh = trimesh.load(tools.work / "drape_0004.obj", process=False, maintain_order=True, force="mesh")
    nearly([[tuple(readers.single(float(c)) for c in point) for point in mesh.vertices]], expected[4:5], 0)
    return 0


def main():
    voxelize, play, data, work, reader = sys.argv[1:6]
    tools = Tools(voxelize, play, Path(data), Path(work))
    tools.export("drape.csv", "--export-what", "render")
    expected = readers.read_csv(tools.work / "drape.csv")
    status = {"blender": through_blender, "usd": through_usd, "gltf": through_gltf}[reader](tools, expected)
    if status == SKIPPED:
        print(f"skipped: there is no {reader} here")
    return status


if __name__ == "__main__":
    sys.exit(main())
