# SPDX-License-Identifier: MIT
"""What is read from which format: one small file for each feature, read by both programs and compared with numbers that are
computed here. The rows are the table of docs/IMPORT.md, which must agree.

    import_table.py VOXELIZE BAKE INSPECT SCRATCH IMPORT.md [--write]
"""
import csv
import io
import json
import math
import os
import shutil
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "bake-collider"))
from made_gltf import Made, bending_tube  # noqa: E402

ROWS = []
BEGIN, END = "<!-- table -->\n", "<!-- end of table -->\n"
BOX = [(x, y, z) for x in (0.0, 1.0) for y in (0.0, 2.0) for z in (0.0, 0.5)]
QUADS = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
TRIANGLES = [t for a, b, c, d in QUADS for t in ((a, b, c), (a, c, d))]
FLAT = [i for t in TRIANGLES for i in t]


def row(formats, feature, outcome):
    def add(function):
        ROWS.append((formats, feature, outcome, function))
        return function
    return add


class Tools:
    def __init__(self, voxelize, bake, inspect):
        self.voxelize, self.bake, self.inspect = voxelize, bake, inspect

    def good(self, *command):
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
        assert done.returncode == 0, f"status {done.returncode}: {done.stderr}"
        self.warnings = done.stderr
        return done.stdout

    def mesh(self, path, *options):
        """Render vertices in the file's order, as dictionaries; the report is in self.report."""
        self.report = json.loads(self.good(self.voxelize, path, "-o", "m.slv", "--mode", "surface", "--json", *options))
        rows = csv.DictReader(io.StringIO(self.good(self.inspect, "m.slv", "--dump", "render-vertices")))
        return [{k: float(v) if v else None for k, v in r.items()} for r in rows]

    def points(self, path, *options):
        return [(r["x"], r["y"], r["z"]) for r in self.mesh(path, *options)]

    def baked(self, path, *options):
        return json.loads(self.good(self.bake, path, "-o", "b.slv", "--particles", 60, "--json", *options))

    def fits(self, path, *options):
        """Both programs place the file alike. Returns the bounds."""
        self.mesh(path, "--pose", "start", *options)
        bounds = self.report["bounds"]
        baked = self.baked(path, *options)
        near(bounds["min"] + bounds["max"], baked["bounds"]["min"] + baked["bounds"]["max"])
        assert self.report["import"] == baked["import"]
        return bounds

    def refused(self, path, *words):
        for command in ([self.voxelize, path, "-o", "out.slv"], [self.bake, path, "-o", "out.slv"]):
            done = subprocess.run(command, capture_output=True, text=True)
            assert done.returncode == 3, f"status {done.returncode}: {done.stderr}{done.stdout}"
            assert len(done.stderr.splitlines()) == 1 and done.stdout == "", done.stderr + done.stdout
            for word in words:
                assert word in done.stderr, f"'{word}' is not in: {done.stderr}"


def near(got, expected, tolerance=2e-6):
    assert len(got) == len(expected), f"{len(got)} values, expected {len(expected)}"
    for a, b in zip(got, expected):
        assert abs(a - b) <= tolerance * max(1.0, abs(b)), f"{got} is not {expected}"


def same_points(got, expected):
    """As sets: vertices may be stored in another order or split."""
    for one, other in ((got, expected), (expected, got)):
        for p in one:
            assert min(math.dist(p, q) for q in other) < 3e-6, f"{p} is missing: {sorted(got)} and {sorted(expected)}"


def volume(tools):
    rows = csv.DictReader(io.StringIO(tools.good(tools.inspect, "m.slv", "--dump", "render-vertices")))
    points = [tuple(float(r[k]) for k in "xyz") for r in rows]
    rows = list(csv.reader(io.StringIO(tools.good(tools.inspect, "m.slv", "--dump", "triangles"))))[1:]
    total = 0.0
    for r in rows:
        a, b, c = (points[int(i)] for i in r[1:4])
        total += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2])
                  + a[2] * (b[0] * c[1] - b[1] * c[0])) / 6
    return total


def box(made=None, **attributes):
    """A glTF with the box as mesh 0, and no node yet."""
    made = made or Made()
    made.json["meshes"].append({"name": "box", "primitives": [{
        "attributes": {"POSITION": made.add_floats(BOX, "VEC3"), **attributes}, "indices": made.add_integers(FLAT)}]})
    return made


# --- glTF ----------------------------------------------------------------------------------------

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


# --- FBX -----------------------------------------------------------------------------------------

def fbx(path, model="", up=(1, 1), front=(2, 1), unit=1.0, more="", links="", vertices=BOX):
    flat = [i if k < 3 else -i - 1 for q in QUADS for k, i in enumerate(q)]
    with open(path, "w") as out:
        out.write("; FBX 7.4.0 project file\nFBXHeaderExtension: {\n FBXHeaderVersion: 1003\n FBXVersion: 7400\n}\n"
                  "GlobalSettings: {\n Version: 1000\n Properties70: {\n"
                  f'  P: "UpAxis", "int", "Integer", "",{up[0]}\n  P: "UpAxisSign", "int", "Integer", "",{up[1]}\n'
                  f'  P: "FrontAxis", "int", "Integer", "",{front[0]}\n  P: "FrontAxisSign", "int", "Integer", "",{front[1]}\n'
                  f'  P: "UnitScaleFactor", "double", "Number", "",{unit}\n }}\n}}\nObjects: {{\n'
                  f'Geometry: 10, "Geometry::box", "Mesh" {{\n Vertices: *24 {{ a: {",".join(str(v) for p in vertices for v in p)} }}\n'
                  f' PolygonVertexIndex: *24 {{ a: {",".join(map(str, flat))} }}\n GeometryVersion: 124\n}}\n'
                  f'Model: 100, "Model::box", "Mesh" {{\n Version: 232\n Properties70: {{\n{model}\n }}\n}}\n{more}\n}}\n'
                  f'Connections: {{\n C: "OO",10,100\n{links or "C: " + chr(34) + "OO" + chr(34) + ",100,0"}\n}}\n')


@row("FBX", "unit and axes of the file", "read")
def fbx_space(tools):
    fbx("space.fbx", unit=2.54, up=(2, 1), front=(1, -1))
    tools.fits("space.fbx")
    assert tools.report["import"]["text"] == "inches in the file, x0.0254; Z up, turned"
    same_points(tools.points("space.fbx"), [(0.0254 * x, 0.0254 * z, -0.0254 * y) for x, y, z in BOX])
    fbx("space.fbx")
    tools.fits("space.fbx")
    assert tools.report["import"]["text"] == "centimetres in the file, x0.01; Y up"
    tools.fits("space.fbx", "--scale", "1", "--up", "z")
    same_points(tools.points("space.fbx", "--scale", "1", "--up", "z"), [(x, z, -y) for x, y, z in BOX])


PARENT = ('Model: 101, "Model::parent", "Null" {{\n Version: 232\n Properties70: {{\n'
          '  P: "Lcl Scaling", "Lcl Scaling", "", "A",{0}\n }}\n}}')
LINKS = 'C: "OO",100,101\nC: "OO",101,0'


@row("FBX", "scale of parents, inherited by multiplication (RSrs)", "read")
def fbx_scale(tools):
    fbx("scale.fbx", model='  P: "InheritType", "enum", "", "",1', more=PARENT.format("2,3,4"), links=LINKS)
    same_points(tools.points("scale.fbx"), [(0.02 * x, 0.03 * y, 0.04 * z) for x, y, z in BOX])


@row("FBX", "scale of parents not inherited (segment scale compensation, Rrs; RrSs with uneven scale)", "refused")
def fbx_compensation(tools):
    for kind, scale in ((2, "2,2,2"), (0, "2,3,4")):
        fbx("compensated.fbx", model=f'  P: "InheritType", "enum", "", "",{kind}', more=PARENT.format(scale), links=LINKS)
        tools.refused("compensated.fbx", "segment scale compensation")
    for kind, scale in ((2, "1,1,1"), (0, "2,2,2")):  # no difference
        fbx("compensated.fbx", model=f'  P: "InheritType", "enum", "", "",{kind}', more=PARENT.format(scale), links=LINKS)
        tools.fits("compensated.fbx")


@row("FBX", "skins that are not linear (dual quaternion, blend)", "refused")
def fbx_dual(tools):
    fbx("dual.fbx", more='Deformer: 200, "Deformer::", "Skin" {\n Version: 101\n SkinningType: "DualQuaternion"\n}')
    tools.refused("dual.fbx", "'DualQuaternion'")
    fbx("linear.fbx", more='Deformer: 200, "Deformer::", "Skin" {\n Version: 101\n SkinningType: "Linear"\n}')
    tools.fits("linear.fbx")


# --- Collada -------------------------------------------------------------------------------------

def collada(path, unit, up):
    numbers = " ".join(str(v) for p in BOX for v in p)
    with open(path, "w") as out:
        out.write('<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">'
                  f'<asset><unit name="u" meter="{unit}"/><up_axis>{up}</up_axis></asset><library_geometries><geometry id="g">'
                  f'<mesh><source id="p"><float_array id="pa" count="24">{numbers}</float_array><technique_common>'
                  '<accessor source="#pa" count="8" stride="3"><param name="X" type="float"/><param name="Y" type="float"/>'
                  '<param name="Z" type="float"/></accessor></technique_common></source><vertices id="v">'
                  '<input semantic="POSITION" source="#p"/></vertices><triangles count="12">'
                  f'<input semantic="VERTEX" source="#v" offset="0"/><p>{" ".join(map(str, FLAT))}</p></triangles></mesh>'
                  '</geometry></library_geometries><library_visual_scenes><visual_scene id="s"><node id="n">'
                  '<translate>10 0 0</translate><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>'
                  '<scene><instance_visual_scene url="#s"/></scene></COLLADA>')


@row("Collada", "unit and axes of the file", "read")
def collada_space(tools):
    collada("space.dae", 0.01, "Z_UP")
    tools.fits("space.dae")
    assert tools.report["import"]["text"] == "centimetres in the file, x0.01; Z up, turned"
    same_points(tools.points("space.dae"), [(0.01 * (x + 10), 0.01 * z, -0.01 * y) for x, y, z in BOX])
    collada("space.dae", 1, "Y_UP")
    tools.fits("space.dae")
    same_points(tools.points("space.dae"), [(x + 10, y, z) for x, y, z in BOX])
    tools.fits("space.dae", "--scale", "0.5", "--up", "z")


# --- OBJ and others ------------------------------------------------------------------------------

def obj(path, head="", faces=QUADS):
    with open(path, "w") as out:
        out.write(head + "".join(f"v {x} {y} {z}\n" for x, y, z in BOX)
                  + "".join("f " + " ".join(str(i + 1) for i in f) + "\n" for f in faces))


@row("OBJ, STL, PLY, OFF", "no unit and no axes: metres, y up, unless `--scale` and `--up` say otherwise", "assumed")
def plain(tools):
    obj("plain.obj")
    tools.fits("plain.obj")
    assert tools.report["import"]["text"] == "no unit in the file, taken as metres; Y up assumed"
    same_points(tools.points("plain.obj"), BOX)
    tools.fits("plain.obj", "--scale", "0.001", "--up", "z")
    assert tools.report["import"]["text"] == "x0.001 as given; Z up as given, turned"
    with open("plain.off", "w") as out:
        out.write("OFF\n8 12 0\n" + "".join(f"{x} {y} {z}\n" for x, y, z in BOX)
                  + "".join("3 " + " ".join(map(str, t)) + "\n" for t in TRIANGLES))
    same_points(tools.points("plain.off"), BOX)
    tools.fits("plain.off")


@row("OBJ", "zero bytes after the text, continued lines", "read")
def obj_text(tools):
    obj("text.obj")
    with open("text.obj") as file:
        text = file.read()
    with open("text.obj", "w") as file:
        file.write(text.replace("f 1 2", "f \\\n 1 \\\r\n2") + "\0\0")
    same_points(tools.points("text.obj"), BOX)
    assert tools.report["mesh"]["triangles"] == 12
    tools.fits("text.obj")


@row("OBJ", "objects, groups and materials as sets, also where they alternate (polygroups)", "read")
def obj_sets(tools):
    with open("sets.obj", "w") as out:
        out.write("".join(f"v {x} {y} {z}\n" for x, y, z in BOX) + "o all\n")
        for n, q in enumerate(QUADS):
            out.write(f"g {44000 + n % 2}\nusemtl m{n // 3}\nf " + " ".join(str(i + 1) for i in q) + "\n")
    tools.mesh("sets.obj")
    rows = list(csv.DictReader(io.StringIO(tools.good(tools.inspect, "m.slv", "--dump", "sets"))))
    names = {r.get("name") or r.get("set") for r in rows}
    assert {"all", "44000", "44001", "m0", "m1"} <= names, rows


# --- Parts ---------------------------------------------------------------------------------------

def boxes(path):
    """Boxes at x = 0, 10 … with names, materials, levels of detail, and a hidden one."""
    made = box()
    for n, name in enumerate(("body", "hat", "arm_LOD0", "arm_LOD1", "arm_LOD2")):
        made.add_node(mesh=n, name=name, translation=[10 * n, 0, 0])
        made.json["materials"] = made.json.get("materials", []) + [{"name": f"paint{n}"}]
        if n > 0:
            made.json["meshes"].append(json.loads(json.dumps(made.json["meshes"][0])))
        made.json["meshes"][n]["name"] = f"shape{n}"
        made.json["meshes"][n]["primitives"][0]["material"] = n
    made.json["nodes"][1]["extensions"] = {"KHR_node_visibility": {"visible": False}}
    made.write(path)


def places(tools, path, *options):
    """Which of the boxes are read, by both programs."""
    found = sorted({int(p[0] + 1) // 10 for p in tools.points(path, *options)})
    baked = tools.baked(path, *options)
    near([baked["bounds"]["min"][0], baked["bounds"]["max"][0]], [10 * found[0], 10 * found[-1] + 1])
    assert baked["triangles"] == 12 * len(found)
    return found


@row("glTF", "nodes that are hidden (KHR_node_visibility), lower levels of detail (NAME_LOD1, MSFT_lod)", "left out, with a warning")
def left_out(tools):
    boxes("parts.gltf")
    assert places(tools, "parts.gltf") == [0, 2]
    assert "1 hidden part and 2 parts of lower detail left out" in tools.warnings, tools.warnings
    assert tools.report["parts"] == {"kept": 2, "not_chosen": 0, "hidden": 1, "lower_detail": 2}
    made = box()
    made.add_node(mesh=0, extensions={"MSFT_lod": {"ids": [1]}})
    made.add_node(mesh=0, translation=[10, 0, 0])
    made.write("lod.gltf")
    assert places(tools, "lod.gltf") == [0]


@row("all", "`--node`, `--mesh`, `--material`, `--exclude` with * and ?; `--list`", "read")
def chosen(tools):
    boxes("parts.gltf")
    for options, expected in ((("--node", "*"), [0, 1, 2, 3, 4]), (("--node", "hat,arm_LOD?"), [1, 2, 3, 4]),
                              (("--mesh", "shape[2]"), None), (("--mesh", "shape0"), [0]),
                              (("--material", "*2"), [2]), (("--exclude", "b*y"), [2]),
                              (("--node", "arm*", "--exclude", "paint4"), [2, 3])):
        if expected is None:
            for program in (tools.voxelize, tools.bake):
                done = subprocess.run([program, "parts.gltf", "-o", "out.slv", *options], capture_output=True, text=True)
                assert done.returncode == 1 and "--list shows all" in done.stderr, done.stderr
        else:
            assert places(tools, "parts.gltf", *options) == expected, options
    for program in (tools.voxelize, tools.bake):
        listed = tools.good(program, "parts.gltf", "--list")
        assert "node 'hat'\n  mesh 'shape1', material 'paint1': 12 triangles, 1 x 2 x 0.5 m, left out: hidden" in listed, listed
        assert listed.count("left out: lower detail") == 2
    with open("parts.obj", "w") as out:
        for n in range(3):
            out.write("".join(f"v {x + 10 * n} {y} {z}\n" for x, y, z in BOX) + f"o part{n}\nusemtl paint{n}\n")
            out.write("".join("f " + " ".join(str(i + 1 + 8 * n) for i in q) + "\n" for q in QUADS))
    assert places(tools, "parts.obj", "--node", "part[12],part1") == [1]
    assert places(tools, "parts.obj", "--exclude", "paint1") == [0, 2]
    for program in (tools.voxelize, tools.bake):
        assert "object 'part1': 6 polygons, 1 x 2 x 0.5 m\n" in tools.good(program, "parts.obj", "--list")


@row("FBX", "nodes that are hidden (Show, Visibility)", "left out, with a warning")
def fbx_hidden(tools):
    other = ('Geometry: 11, "Geometry::other", "Mesh" {\n Vertices: *9 { a: 9,0,0,10,0,0,9,1,0 }\n'
             ' PolygonVertexIndex: *3 { a: 0,1,-3 }\n GeometryVersion: 124\n}\n'
             'Model: 102, "Model::other", "Mesh" {\n Version: 232\n Properties70: {\n  P: "Show", "bool", "", "",0\n }\n}')
    fbx("hidden.fbx", more=other, links='C: "OO",100,0\nC: "OO",11,102\nC: "OO",102,0')
    near([tools.fits("hidden.fbx")["max"][0]], [0.01])
    assert "1 hidden part left out" in tools.warnings, tools.warnings
    near([tools.fits("hidden.fbx", "--node", "*")["max"][0]], [0.1])


def table():
    lines = ["| format | feature | |", "|---|---|---|"]
    return "\n".join(lines + [f"| {f} | {what} | {outcome} |" for f, what, outcome, _ in ROWS]) + "\n"


def main(voxelize, bake, inspect, scratch, document, *options):
    with open(document) as file:
        text = file.read()
    before, rest = text.split(BEGIN)
    old, after = rest.split(END)
    if "--write" in options:
        with open(document, "w") as file:
            file.write(before + BEGIN + table() + END + after)
        return 0
    shutil.rmtree(scratch, ignore_errors=True)
    os.makedirs(scratch)
    tools = Tools(*[os.path.abspath(p) for p in (voxelize, bake, inspect)])
    os.chdir(scratch)
    wrong = 0
    for formats, feature, outcome, function in ROWS:
        try:
            function(tools)
            print(f"ok: {formats}: {feature}: {outcome}")
        except (AssertionError, KeyError, ValueError) as error:
            wrong += 1
            print(f"WRONG: {formats}: {feature}: {outcome}: {type(error).__name__} {error}")
    if old != table():
        wrong += 1
        print("WRONG: the table of the document differs: --write makes it anew")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
