# SPDX-License-Identifier: MIT
"""The rows of glTF; see import_table.py."""
import csv
import io
import json
import math
import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "bake-collider"))
from made_gltf import Made, bending_tube  # noqa: E402
from import_tools import BOX, FLAT, near, row, same_points, volume  # noqa: E402


def box(made=None, **attributes):
    """A glTF with the box as mesh 0, and no node yet."""
    made = made or Made()
    made.json["meshes"].append({"name": "box", "primitives": [{
        "attributes": {"POSITION": made.add_floats(BOX, "VEC3"), **attributes}, "indices": made.add_integers(FLAT)}]})
    return made


@row("glTF", "node transforms, instances; mirrored ones keep their faces outwards", "read")
def nodes(tools):
    made = box()
    half = math.sqrt(0.5)
    made.add_node(mesh=0, name="turned", translation=[3, 0, 0], rotation=[0, 0, half, half], scale=[2, 1, 1])
    made.add_node(mesh=0, name="mirrored", translation=[-5, 0, 0], scale=[-1, 1, 1])
    made.write("nodes.gltf")
    same_points(tools.points("nodes.gltf"), [(3 - y, 2 * x, z) for x, y, z in BOX] + [(-5 - x, y, z) for x, y, z in BOX])
    near([volume(tools)], [3.0])
    tools.fits("nodes.gltf")


@row("glTF", "skins at rest and in clips, any number of influences", "read")
def skins(tools):
    made = bending_tube(influences=8)
    made.json["nodes"][0]["translation"] = [0, 1, 0]  # at rest the skeleton stands 1 m higher than it was bound
    made.write("skin.gltf")
    rest = tools.points("skin.gltf")
    near([min(p[1] for p in rest), max(p[1] for p in rest)], [1.0, 2.0])
    near(tools.fits("skin.gltf")["max"][1:2], [2.0])


@row("glTF", "quantized and normalized positions (KHR_mesh_quantization)", "read")
def quantized(tools):
    made = Made()
    shorts = [round(32767 * v / 2) for p in BOX for v in p] 
    data = b"".join(struct.pack("<3hxx", *shorts[3 * i:3 * i + 3]) for i in range(8))
    position = made.add_bytes(data, 5122, "VEC3", 8)
    made.json["accessors"][position]["normalized"] = True
    made.json["bufferViews"][-1]["byteStride"] = 8
    made.json["extensionsRequired"] = ["KHR_mesh_quantization"]
    made.json["meshes"].append({"primitives": [{"attributes": {"POSITION": position}, "indices": made.add_integers(FLAT)}]})
    made.add_node(mesh=0, scale=[2, 2, 2])
    made.write("quantized.gltf")
    same_points(tools.points("quantized.gltf"),
                [tuple(2 * shorts[3 * i + d] / 32767 for d in range(3)) for i in range(8)])
    tools.fits("quantized.gltf")


@row("glTF", "texture coordinates as normalized bytes and shorts", "read")
def small_uvs(tools):
    for component, code, most in (("B", 5121, 255), ("H", 5123, 65535)):
        made = Made()
        values = [(i * most // 8, most - i * most // 9) for i in range(8)]
        data = b"".join(struct.pack(f"<2{component}", *v) + b"\0" * (2 if most == 255 else 0) for v in values)
        uv = made.add_bytes(data, code, "VEC2", 8)
        made.json["accessors"][uv]["normalized"] = True
        made.json["bufferViews"][-1]["byteStride"] = 4
        box(made, TEXCOORD_0=uv).add_node(mesh=0)
        made.write("uvs.gltf")
        for r in tools.mesh("uvs.gltf"):
            u, v = values[int(r["source"])]
            near([r["u"], r["v"]], [u / most, 1 - v / most])


@row("glTF", "sparse accessors", "read")
def sparse(tools):
    made = box()
    index = made.add_bytes(struct.pack("<2B", 1, 6), 5121, "SCALAR", 2)
    value = made.add_floats([(9, 8, 7), (-1, -2, -3)], "VEC3")
    views = [made.json["accessors"].pop()["bufferView"], made.json["accessors"].pop()["bufferView"]]
    assert index == value - 1
    made.json["accessors"][0]["sparse"] = {"count": 2, "indices": {"bufferView": views[1], "componentType": 5121},
                                           "values": {"bufferView": views[0]}}
    made.add_node(mesh=0)
    made.write("sparse.gltf")
    expected = list(BOX)
    expected[1], expected[6] = (9, 8, 7), (-1, -2, -3)
    same_points(tools.points("sparse.gltf"), expected)
    tools.fits("sparse.gltf")


@row("glTF", "default weights of morph targets, of the mesh and of the node", "read")
def morphs(tools):
    made = box()
    made.json["meshes"][0]["primitives"][0]["targets"] = [{"POSITION": made.add_floats([(1, 0, 0)] * 8, "VEC3")},
                                                          {"POSITION": made.add_floats([(0, y, 0) for _, y, _ in BOX], "VEC3")}]
    made.json["meshes"][0]["weights"] = [0.5, 0.25]
    made.add_node(mesh=0)
    made.add_node(mesh=0, translation=[9, 0, 0], weights=[0, 1])
    made.write("morphs.gltf")
    same_points(tools.points("morphs.gltf"),
                [(x + 0.5, 1.25 * y, z) for x, y, z in BOX] + [(x + 9, 2 * y, z) for x, y, z in BOX])
    tools.fits("morphs.gltf")


@row("glTF", "vertex colors of three components (alpha 1) and of four, normalized", "read")
def colors(tools):
    for width in (3, 4):
        made = Made()
        rows = [[(40 * i + 20 * k) % 256 for k in range(width)] for i in range(8)]
        color = made.add_bytes(b"".join(bytes(r) + b"\0" * (4 - width) for r in rows), 5121, f"VEC{width}", 8)
        made.json["accessors"][color]["normalized"] = True
        made.json["bufferViews"][-1]["byteStride"] = 4
        box(made, COLOR_0=color).add_node(mesh=0)
        made.write("colors.gltf")
        tools.mesh("colors.gltf")
        table = list(csv.reader(io.StringIO(tools.good(tools.inspect, "m.slv", "--dump", "paint"))))[1:]
        near([float(v) for r in table for v in r[1:5]], [v for r in rows for v in (r + [255])[:4]])


@row("glTF", "KHR_texture_transform of the base color, and its set of coordinates", "read")
def transform(tools):
    made = Made()
    uvs = [(0.1 * i, 0.05 * i * i) for i in range(8)]
    box(made, TEXCOORD_0=made.add_floats([(7, 7)] * 8, "VEC2"), TEXCOORD_1=made.add_floats(uvs, "VEC2")).add_node(mesh=0)
    made.json["meshes"][0]["primitives"][0]["material"] = 0
    made.json["materials"] = [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0, "extensions": {
        "KHR_texture_transform": {"offset": [0.3, 0.1], "rotation": 0.5, "scale": [2, 3], "texCoord": 1}}}}}]
    made.json["extensionsRequired"] = ["KHR_texture_transform"]
    made.write("transform.gltf")
    sine, cosine = math.sin(0.5), math.cos(0.5)
    for r in tools.mesh("transform.gltf"):
        u, v = uvs[int(r["source"])]
        near([r["u"], 1 - r["v"]], [cosine * 2 * u + sine * 3 * v + 0.3, cosine * 3 * v - sine * 2 * u + 0.1])


@row("glTF", "triangle strips and fans", "read")
def strips(tools):
    made = Made()
    flat = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0), (0, 2, 0)]
    made.json["meshes"].append({"primitives": [{"attributes": {"POSITION": made.add_floats(flat, "VEC3")}, "mode": 5}]})
    fan = [(5, 0, 0), (6, 0, 0), (6, 1, 0), (5, 1, 0)]
    made.json["meshes"][0]["primitives"].append({"attributes": {"POSITION": made.add_floats(fan, "VEC3")}, "mode": 6})
    made.add_node(mesh=0)
    made.write("strips.gltf")
    assert all(abs(r["nz"] - 1) < 1e-6 for r in tools.mesh("strips.gltf"))
    assert tools.report["mesh"]["triangles"] == 5


@row("glTF", "points and lines", "ignored")
def points_and_lines(tools):
    made = box()
    made.json["meshes"][0]["primitives"].append({"attributes": {"POSITION": made.add_floats([(50, 0, 0)] * 2, "VEC3")}, "mode": 1})
    made.add_node(mesh=0)
    made.write("lines.gltf")
    assert tools.fits("lines.gltf")["max"][0] == 1


@row("glTF", "extensions that the file requires and that are not in this table", "refused by name")
def required(tools):
    made = box()
    made.add_node(mesh=0)
    made.json["extensionsRequired"] = ["VENDOR_squeeze"]
    made.write("required.gltf")
    tools.refused("required.gltf", "'VENDOR_squeeze'")


@row("glTF", "Draco compression (KHR_draco_mesh_compression)", "refused by name")
def draco(tools):
    made = box()
    made.add_node(mesh=0)
    made.json["meshes"][0]["primitives"][0]["extensions"] = {"KHR_draco_mesh_compression": {"bufferView": 0}}
    del made.json["accessors"][0]["bufferView"]  # required or not: without it the accessor would be all zeros
    made.write("draco.gltf")
    tools.refused("draco.gltf", "'KHR_draco_mesh_compression'")
    made.json["extensionsRequired"] = ["KHR_draco_mesh_compression"]
    made.write("draco.gltf")
    tools.refused("draco.gltf", "'KHR_draco_mesh_compression'")


@row("glTF", "meshoptimizer compression (EXT_meshopt_compression)", "refused by name")
def meshopt(tools):
    made = box()
    made.add_node(mesh=0)
    made.write("meshopt.gltf")
    with open("meshopt.gltf") as file:
        root = json.load(file)
    root["buffers"].append({"byteLength": 99, "extensions": {"EXT_meshopt_compression": {"fallback": True}}})
    with open("meshopt.gltf", "w") as file:
        json.dump(root, file)
    tools.refused("meshopt.gltf", "'EXT_meshopt_compression'")


@row("glTF", "instances made on the GPU (EXT_mesh_gpu_instancing)", "refused by name")
def instancing(tools):
    made = box()
    made.add_node(mesh=0, extensions={"EXT_mesh_gpu_instancing": {"attributes": {}}})
    made.write("instancing.gltf")
    tools.refused("instancing.gltf", "'EXT_mesh_gpu_instancing'")
