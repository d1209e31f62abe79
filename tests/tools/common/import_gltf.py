# SPDX-License-Identifier: MIT
"""The rows of glTF; see import_table.py."""
import base64
import csv
import io
import json
import math
import os
import struct
import subprocess
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


@row("glTF", "vertex and joint numbers that are negative, fractional or too large", "refused")
def wrong_numbers(tools):
    for code, kind, bad in ((5122, "h", -1), (5126, "f", 0.5), (5126, "f", math.nan), (5125, "I", 8)):
        made = box()
        values = [bad] + FLAT[1:]
        made.json["meshes"][0]["primitives"][0]["indices"] = made.add_bytes(struct.pack(f"<36{kind}", *values), code, "SCALAR", 36)
        made.add_node(mesh=0)
        made.write("numbers.gltf")
        tools.refused("numbers.gltf", f"names vertex {bad} ")
    for code, kind, bad in ((5122, "h", -3), (5126, "f", 0.5), (5123, "H", 2)):
        made = box()
        joints = [bad, 0, 0, 0] * 8
        attributes = made.json["meshes"][0]["primitives"][0]["attributes"]
        attributes["JOINTS_0"] = made.add_bytes(struct.pack(f"<32{kind}", *joints), code, "VEC4", 8)
        attributes["WEIGHTS_0"] = made.add_floats([(1, 0, 0, 0)] * 8, "VEC4")
        made.add_node(mesh=0, skin=0)
        made.json["skins"] = [{"joints": [made.add_node(), made.add_node()]}]
        made.write("numbers.gltf")
        tools.refused("numbers.gltf", f"joint {bad}, its skin has 2")


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


# The box with texture coordinates (i / 8, 1 - i / 16) and, of vertex i, weights 1 - i / 8 and i / 8 of joints 0 and 1; made
# with libdraco 1.5.5, sequentially without loss, and by its edgebreaker with positions of 14 bits and the others of 12.
DRACO_PLAIN = (
    "RFJBQ08CAgEAAAAMCAEAAQMAAwIEBgcEBwUABAUABQECAwcCBwYAAgYABgQBBQcBBwMBBAAJAwAAAwkCAAEEAgQAAgQJBAADAAAB"
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAPwAAAAAAAABAAAAAAAAAAAAAAABAAAAAPwAAgD8AAAAAAAAAAAAAgD8AAAAAAAAAPwAA"
    "gD8AAABAAAAAAAAAgD8AAABAAAAAPwAAAAAAAIA/AAAAPgAAcD8AAIA+AABgPwAAwD4AAFA/AAAAPwAAQD8AACA/AAAwPwAAQD8A"
    "ACA/AABgPwAAED8AAQEBAQIBPgECAwC/kwAAAAABAAAAAACAPwAAAAAAAAAAAAAAAAAAYD8AAAA+AAAAAAAAAAAAAEA/AACAPgAA"
    "AAAAAAAAAAAgPwAAwD4AAAAAAAAAAAAAAD8AAAA/AAAAAAAAAAAAAMA+AAAgPwAAAAAAAAAAAACAPgAAQD8AAAAAAAAAAAAAAD4A"
    "AGA/AAAAAAAAAAA=")
DRACO_SMALL = (
    "RFJBQ08CAgEBAAAACAwDCwAAA19LFQEBEP8CNUH/AjVB/wI1QQT/AAEAAAABAAACAAABAAkDAAACAQMJAgABAgEEAgQAAgEBBAkE"
    "AAMCAQEBAA8HAQgnAQgBMAMA0Gb/PwAAAAAAAQAAiPz/AsD/BwAAwP8HAAIAAPD/BwD+v/8/AAAAAAAAAAD/PwAAAAAAAAAAAAAA"
    "AAAAAAAAQA4FAQEADSsBCAE4AwA6hbfNbba9bSjaKNxKUtOR5EhmWySFJNxKEgYAAACAAwD9gwAAAAD/DwAAAAAAAAAAED8AAGA/"
    "DAEBAQEEAgE+AQIDAL+TAAAAAAEAAAABAQEADQMBECMBCAEoBAByKIG2fdsAAAC1bdsAAAAkOZIAAACTpCQAAAAlaZIAAABg27UN"
    "AAAAAAAAAP8PAAAAAAA+AAAAAAAAAAAAAAAAAABgPww=")


def decodes(tools, name, path):
    """Whether the programs were built with the library that this extension needs; if not, they refuse the file by name."""
    if name not in tools.codecs:
        tools.refused(path, f"'{name}'")
    return name in tools.codecs


@row("glTF", "Draco compression (KHR_draco_mesh_compression)", "read, if built with libdraco; else refused by name")
def draco(tools):
    name = "KHR_draco_mesh_compression"
    for required in (True, False):  # required or not: the accessors have no other numbers
        for data, exact in ((DRACO_PLAIN, True), (DRACO_SMALL, False)):
            made = Made()
            made.add_bytes(base64.b64decode(data), 5121, "SCALAR", 1)
            kinds = (("POSITION", 5126, "VEC3"), ("TEXCOORD_0", 5126, "VEC2"), ("JOINTS_0", 5121, "VEC4"),
                     ("WEIGHTS_0", 5126, "VEC4"))
            made.json["accessors"] = [{"componentType": c, "type": t, "count": 8} for _, c, t in kinds]
            made.json["accessors"].append({"componentType": 5123, "type": "SCALAR", "count": 36})
            made.json["meshes"].append({"primitives": [{
                "attributes": {k: i for i, (k, _, _) in enumerate(kinds)}, "indices": 4, "extensions": {
                    name: {"bufferView": 0, "attributes": {k: i for i, (k, _, _) in enumerate(kinds)}}}}]})
            made.add_node(mesh=0, skin=0)
            made.add_node(translation=[0, 0, 0])
            made.add_node(translation=[0, 8, 0])
            made.json["skins"] = [{"joints": [1, 2]}]
            made.json["extensionsRequired"] = [name] if required else []
            made.write("draco.gltf")
            if not decodes(tools, name, "draco.gltf"):
                continue
            got = {(round(8 * r["u"]), round(16 * r["v"])): (r["x"], r["y"], r["z"]) for r in tools.mesh("draco.gltf")}
            near([volume(tools)], [2.0], 2e-6 if exact else 8 / 4095)  # vertex i = 4 x + y + 2 z moves up by i
            assert sorted(got) == sorted((i, i) for i in range(8)), got
            for i, (x, y, z) in enumerate(BOX):
                near(got[i, i], (x, y + i, z), 2e-6 if exact else 8 / 4095)
            tools.fits("draco.gltf")
    if name in tools.codecs:
        made.json["bufferViews"][0]["byteLength"] = 100
        made.write("draco.gltf")
        tools.refused("draco.gltf", "compression")


# Positions of the box, its triangles and the same as a sequence; directions to its corners of 8 bits, the box with mantissas
# of 15 bits, turns about z by 0.3 i; made with libmeshoptimizer 0.18.
MESHOPT = {
    "positions": "oAAAAQDAAAD/AQDAAAB+AAAAAQzMAACAf4AAAAABP/8AAH59fn1+fX4AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
    "triangles": "4f4A/w8HFqECBxORBQ8G/wIEAgMAdodWZ3iphmWJaJgBaQAA",
    "indices": "0QAECAoMAggIBAoMBhIQBBIUDgQEEBIUAhYIEBYYBgoQCBYYDgAAAAA=",
    "oct": "oAE//wAAVlVW/lVWVQE//wAAVv5V/Vb+VQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAKurfwA=",
    "exp": (
    "oAABAMwAAEAfAAEMSAAABAABDMwAAEA/QAABDEgAAAQAAT//AABAPxAPIB8QAAEMSAAABAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    "8gAAAPIAAADy"),
    "quat": (
    "oAEADwAA9ecBAA8AAOArAAABP/wAABrifPJcxQE//AAANjQyMCr1AQAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    "/38="),
}


def compressed(made, data, component, kind, count, stride, mode, bits="NONE"):
    """An accessor of a compressed view. What the view says without the extension is a buffer without bytes."""
    data = base64.b64decode(MESHOPT[data])
    number = made.add_bytes(data, component, kind, count)
    view = made.json["bufferViews"][-1]
    extension = {**view, "byteStride": stride, "mode": mode, "filter": bits, "count": count}
    view.update(buffer=1, byteOffset=0, byteLength=stride * count, extensions={"EXT_meshopt_compression": extension})
    if mode == "ATTRIBUTES":
        view["byteStride"] = stride
    return number


@row("glTF", "meshoptimizer compression (EXT_meshopt_compression)", "read, if built with libmeshoptimizer; else refused by name")
def meshopt(tools):
    name = "EXT_meshopt_compression"

    def write(made):
        made.json["extensionsRequired"] = [name]
        made.write("meshopt.gltf")
        with open("meshopt.gltf") as file:
            root = json.load(file)
        root["buffers"].append({"byteLength": 4096, "extensions": {name: {"fallback": True}}})
        with open("meshopt.gltf", "w") as file:
            json.dump(root, file)
        return "meshopt.gltf"

    for positions, bits in (("positions", "NONE"), ("exp", "EXPONENTIAL")):
        for mode in ("triangles", "indices"):
            made = Made()
            normals = compressed(made, "oct", 5120, "VEC3", 8, 4, "ATTRIBUTES", "OCTAHEDRAL")
            made.json["accessors"][normals]["normalized"] = True
            made.json["meshes"].append({"primitives": [{
                "attributes": {"POSITION": compressed(made, positions, 5126, "VEC3", 8, 12, "ATTRIBUTES", bits), "NORMAL": normals},
                "indices": compressed(made, mode, 5125, "SCALAR", 36, 4, mode.upper())}]})
            made.add_node(mesh=0)
            if not decodes(tools, name, write(made)):
                return
            rows = tools.mesh("meshopt.gltf")
            same_points([(r["x"], r["y"], r["z"]) for r in rows], BOX)
            near([volume(tools)], [1.0])
            for r in rows:  # 8 bits
                near([r["nx"], r["ny"], r["nz"]], [math.copysign(math.sqrt(1 / 3), r[k] - 0.1) for k in "xyz"], 0.01)
            tools.fits("meshopt.gltf")
    made = box()
    times = made.add_floats([i / 10 for i in range(8)], "SCALAR")
    turns = compressed(made, "quat", 5122, "VEC4", 8, 8, "ATTRIBUTES", "QUATERNION")
    made.json["accessors"][turns]["normalized"] = True
    made.add_node(mesh=0)
    made.json["animations"] = [{"channels": [{"sampler": 0, "target": {"node": 0, "path": "rotation"}}],
                                "samplers": [{"input": times, "output": turns}]}]
    report = tools.baked(write(made), "--start", "0.5", "--end", "0.5")
    turned = [(math.cos(1.5) * x - math.sin(1.5) * y, math.sin(1.5) * x + math.cos(1.5) * y, z) for x, y, z in BOX]
    near(report["bounds"]["min"], [min(p[k] for p in turned) for k in range(3)], 2e-3)
    near(report["bounds"]["max"], [max(p[k] for p in turned) for k in range(3)], 2e-3)
    made = box()
    bad = compressed(made, "positions", 5126, "VEC3", 8, 12, "ATTRIBUTES")
    made.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = bad
    made.add_node(mesh=0)
    for changes in ({"count": 4000000000}, {"byteStride": 10}, {"mode": "TRIANGLES"}, {"filter": "QUATERNION"}, {"byteLength": 70},
                    {"buffer": 1, "byteLength": 0}):
        extension = made.json["bufferViews"][-1]["extensions"][name]
        before = dict(extension)
        extension.update(changes)
        tools.refused(write(made), "compression is damaged")
        extension.update(before)


@row("glTF", "clips that point to transforms and weights of nodes (KHR_animation_pointer)", "read")
def pointers(tools):
    for pointer, end, span in (("/nodes/0/translation", 6.0, ("--start", 1)), ("/materials/0/emissiveFactor", 1.0, ()),
                               ("/meshes/0/weights", None, ())):
        made = box()
        made.add_node(mesh=0)
        made.json["animations"] = [{"channels": [{"sampler": 0, "target": {
            "path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": pointer}}}}],
            "samplers": [{"input": made.add_floats([0, 1], "SCALAR"), "output": made.add_floats([(0, 0, 0), (5, 0, 0)], "VEC3")}]}]
        made.json["extensionsRequired"] = ["KHR_animation_pointer"]
        made.write("pointer.gltf")
        if end is None:
            done = subprocess.run([tools.bake, "pointer.gltf", "-o", "out.slv"], capture_output=True, text=True)
            assert done.returncode == 3 and f"'{pointer}'" in done.stderr, done.stderr
        else:
            near(tools.baked("pointer.gltf", *span)["bounds"]["max"][:1], [end])


@row("glTF", "instances made on the GPU (EXT_mesh_gpu_instancing)", "refused by name")
def instancing(tools):
    made = box()
    made.add_node(mesh=0, extensions={"EXT_mesh_gpu_instancing": {"attributes": {}}})
    made.write("instancing.gltf")
    tools.refused("instancing.gltf", "'EXT_mesh_gpu_instancing'")
