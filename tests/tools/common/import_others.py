# SPDX-License-Identifier: MIT
"""The rows of Collada, OBJ and other formats, and of the choice of parts; see import_table.py."""
import base64
import csv
import io
import json
import struct
import subprocess
import zlib

from import_gltf import box
from made_gltf import Made
from import_tools import BOX, FLAT, QUADS, TRIANGLES, near, row, same_points


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


@row("Collada", "curves between keys more than 0.1 s apart", "refused, unless `--straight-keys` joins them")
def collada_keys(tools):
    collada("keys.dae", 1, "Y_UP")
    with open("keys.dae") as file:
        text = file.read()
    sources = "".join(
        f'<source id="{name}"><{kind} id="{name}a" count="{len(values.split())}">{values}</{kind}><technique_common>'
        f'<accessor source="#{name}a" count="2" stride="{stride}"><param type="{of}"/></accessor></technique_common></source>'
        for name, kind, values, stride, of in (
            ("t", "float_array", "0 1", 1, "float"), ("i", "Name_array", "BEZIER BEZIER", 1, "name"),
            ("o", "float_array", "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 1 0 0 4 0 1 0 0 0 0 1 0 0 0 0 1", 16, "float4x4")))
    text = text.replace("<translate>10 0 0</translate>", '<matrix sid="m">1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</matrix>')
    text = text.replace("<library_visual_scenes>", f'<library_animations><animation id="a">{sources}<sampler id="s0">'
                        '<input semantic="INPUT" source="#t"/><input semantic="OUTPUT" source="#o"/>'
                        '<input semantic="INTERPOLATION" source="#i"/></sampler><channel source="#s0" target="n/m"/></animation>'
                        '</library_animations><library_visual_scenes>')
    with open("keys.dae", "w") as file:
        file.write(text)
    done = subprocess.run([tools.bake, "keys.dae", "-o", "out.slv"], capture_output=True, text=True)
    assert done.returncode == 3 and "1 s apart" in done.stderr and len(done.stderr.splitlines()) == 1, done.stderr
    bounds = tools.baked("keys.dae", "--straight-keys", "--start", "0.5", "--end", "0.5")["bounds"]
    near([bounds["min"][0], bounds["max"][0]], [2.0, 3.0])
    assert "joined by straight lines" in tools.warnings, tools.warnings


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


@row("OBJ", "a byte order mark before the text, zero bytes after it, continued lines", "read")
def obj_text(tools):
    obj("text.obj")
    with open("text.obj") as file:
        text = file.read()
    assert text.startswith("v ")  # a vertex in the line with the mark
    with open("text.obj", "w", encoding="utf-8-sig") as file:
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


# --- Textures ------------------------------------------------------------------------------------

# 16 x 8 pixels: (200, 40, 60) in the left half, (30, 90, 160) in the right half; made with libjpeg at quality 95.
JPEG = (
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAIBAQEBAQIBAQECAgICAgQDAgICAgUEBAMEBgUGBgYFBgYGBwkIBgcJBwYGCAsICQoK"
    "CgoKBggLDAsKDAkKCgr/2wBDAQICAgICAgUDAwUKBwYHCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoK"
    "CgoKCgoKCgr/wAARCAAIABADAREAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAABgj/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QA"
    "FgEBAQEAAAAAAAAAAAAAAAAACQcI/8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAwDAQACEQMRAD8AmdOycC7fAN3/2Q==")


def pixels_in(path):
    """Rows of (red, green, blue) of the PNG in a pack, whose lines may be filtered."""
    with open(path, "rb") as file:
        data = file.read()
    at = data.index(b"\x89PNG") + 8
    packed = b""
    while packed == b"" or kind == b"IDAT":
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"IHDR":
            width, height, depth, color = struct.unpack(">IIBB", data[at + 8:at + 18])
            assert (depth, color) == (8, 2)
        if kind == b"IDAT":
            packed += data[at + 8:at + 8 + length]
        at += 12 + length
    raw, rows = zlib.decompress(packed), []
    for y in range(height):
        line = bytearray(raw[y * (3 * width + 1) + 1:(y + 1) * (3 * width + 1)])
        for i, value in enumerate(line):
            left, up, corner = (row[i - back] if i >= back and row is not None else 0
                                for row, back in ((line, 3), (rows[-1] if rows else None, 0), (rows[-1] if rows else None, 3)))
            nearest = min((abs(up - corner), 0, left), (abs(left - corner), 1, up), (abs(left + up - 2 * corner), 2, corner))[2]
            line[i] = (value + (0, left, up, (left + up) // 2, nearest)[raw[y * (3 * width + 1)]]) % 256
        rows.append(line)
    return [[tuple(line[3 * x:3 * x + 3]) for x in range(width)] for line in rows]


@row("all", "a base color texture that is a JPEG, kept as PNG", "read, if built with libjpeg; else left out, with a warning")
def jpeg(tools):
    bytes_of_file = base64.b64decode(JPEG)
    with open("paint.mtl", "w", encoding="utf-8-sig") as out:
        out.write("newmtl paint\nmap_Kd paint.jpg\n")
    with open("jpeg.obj", "w", encoding="utf-8-sig") as out:
        out.write("mtllib paint.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nusemtl paint\nf 1/1 2/2 3/3\n")
    made = Made()
    picture = made.add_bytes(bytes_of_file, 5121, "SCALAR", 1)
    made.json["images"] = [{"bufferView": picture, "mimeType": "image/jpeg"}]
    made.json["textures"] = [{"source": 0}]
    made.json["materials"] = [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]
    box(made, TEXCOORD_0=made.add_floats([(0, 0)] * 8, "VEC2")).add_node(mesh=0)
    made.json["meshes"][0]["primitives"][0]["material"] = 0
    made.write("jpeg.gltf")
    for path in ("jpeg.obj", "jpeg.gltf"):
        with open("paint.jpg", "wb") as out:
            out.write(bytes_of_file)
        tools.mesh(path)
        assert tools.report["mesh"]["textured"] == ("JPEG" in tools.codecs), tools.warnings
        assert ("is a JPEG and is left out" in tools.warnings) == ("JPEG" not in tools.codecs), tools.warnings
        for y, line in enumerate(pixels_in("m.slv") if "JPEG" in tools.codecs else []):
            for x, color in enumerate(line):
                near(color, (200, 40, 60) if x < 8 else (30, 90, 160), 0.03)  # what the compression loses
            assert len(line) == 16 and y < 8
    for damaged in (bytes_of_file[:-20], bytes_of_file[:80], bytes_of_file.replace(b"\xff\xc0", b"\xff\xcb")):
        with open("paint.jpg", "wb") as out:
            out.write(damaged)
        tools.mesh("jpeg.obj")
        assert not tools.report["mesh"]["textured"] and "paint.jpg is" in tools.warnings, tools.warnings
