# SPDX-License-Identifier: MIT
"""The rows of FBX; see import_table.py."""
import csv
import io
import math
import struct
import subprocess
import zlib

from fbx_writer import (AUTO, CONSTANT, CUBIC, LINEAR, SECOND, TCB, USER, VELOCITY, WEIGHTED_IN, WEIGHTED_OUT, Array, Byte,
                        Scene, identity)
from import_tools import BOX, QUADS, near, row, same_points, volume


def centimetres(points):
    return [tuple(0.01 * v for v in p) for p in points]


def fbx_box(scene=None, name="box", parent=0, layers=(), **values):
    """A scene with the box at a node. Returns the scene, the node and the geometry."""
    scene = scene or Scene()
    node = scene.model(name, parent, "Mesh", **values)
    return scene, node, scene.mesh(node, BOX, QUADS, layers)


def fbx_clip(keys, prop="Lcl Translation", records=(), **values):
    """The box with one animated component, X."""
    scene, node, geometry = fbx_box(**values)
    stack, first = scene.stack("clip", 0, SECOND)
    scene.curve(scene.curve_node(first, node, prop, {"X": 0.0}), "X", keys, records)
    return scene, stack, node


def refused_clip(tools, scene, *words):
    """A clip is refused where it is used; the pose without it is read."""
    scene.write("clip.fbx")
    tools.mesh("clip.fbx")
    for command in ([tools.voxelize, "clip.fbx", "-o", "out.slv", "--pose", "start"], [tools.bake, "clip.fbx", "-o", "out.slv"]):
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 3, f"status {done.returncode}: {done.stderr}{done.stdout}"
        assert len(done.stderr.splitlines()) == 1, done.stderr
        for word in words:
            assert word in done.stderr, f"'{word}' is not in: {done.stderr}"


@row("FBX", "binary 7.0 to 7.7, arrays plain and deflated; text 7.x", "read")
def fbx_encodings(tools):
    for way in range(6):
        scene = fbx_box()[0]
        scene.header.append(("Channels", [Byte(200)], None))  # as files with sound have it
        scene.write("way.fbx", way)
        same_points(tools.points("way.fbx"), centimetres(BOX))


@row("FBX", "other versions, encrypted and big-endian files", "refused")
def fbx_versions(tools):
    for version, word in ((6100, "FBX 6.1"), (8000, "FBX 8.0")):
        with open("version.fbx", "wb") as out:
            out.write(fbx_box()[0].binary(version))
        tools.refused("version.fbx", word, "7.0 to 7.7")
    with open("version.fbx", "wb") as out:
        out.write(fbx_box()[0].binary().replace(b"EncryptionTypeI\0\0\0\0", b"EncryptionTypeI\1\0\0\0"))
    tools.refused("version.fbx", "encrypted")


@row("FBX", "unit and axes of the file", "read")
def fbx_space(tools):
    fbx_box(Scene(UnitScaleFactor=2.54, UpAxis=2, FrontAxis=1, FrontAxisSign=-1))[0].write("space.fbx")
    tools.fits("space.fbx")
    assert tools.report["import"]["text"] == "inches in the file, x0.0254; Z up, turned"
    same_points(tools.points("space.fbx"), [(0.0254 * x, 0.0254 * z, -0.0254 * y) for x, y, z in BOX])
    fbx_box()[0].write("space.fbx")
    tools.fits("space.fbx")
    assert tools.report["import"]["text"] == "centimetres in the file, x0.01; Y up"
    tools.fits("space.fbx", "--scale", "1", "--up", "z")
    same_points(tools.points("space.fbx", "--scale", "1", "--up", "z"), [(x, z, -y) for x, y, z in BOX])


@row("FBX", "left-handed axes: the scene is mirrored, faces stay outwards", "read")
def fbx_left(tools):
    fbx_box(Scene(CoordAxisSign=-1))[0].write("left.fbx")
    same_points(tools.points("left.fbx"), centimetres([(-x, y, z) for x, y, z in BOX]))
    near([1e6 * volume(tools)], [1.0])
    tools.fits("left.fbx")


@row("FBX", "scale of parents: multiplied (RSrs), before the rotation (RrSs), not inherited (Rrs, segment scale compensation)", "read")
def fbx_scale(tools):
    for kind, expected in ((1, [(-2 * y, 3 * x, 4 * z) for x, y, z in BOX]), (0, [(-3 * y, 2 * x, 4 * z) for x, y, z in BOX]),
                           (2, [(-y, x, z) for x, y, z in BOX])):
        scene = Scene()
        parent = scene.model("parent", 0, Lcl_Scaling=(2, 3, 4))
        fbx_box(scene, "box", parent, Lcl_Rotation=(0, 0, 90), InheritType=kind)[0].write("scale.fbx", kind)
        same_points(tools.points("scale.fbx"), centimetres(expected))
        tools.fits("scale.fbx")


@row("FBX", "rotation orders, rotations before and after, pivots, offsets, geometric transforms", "read")
def fbx_pivots(tools):
    # About x by 90, then y by 90 in the order XYZ; the other way round in YXZ.
    for order, turn in ((0, lambda x, y, z: (y, -z, -x)), (3, lambda x, y, z: (z, x, y))):
        fbx_box(Lcl_Rotation=(90, 90, 0), RotationOrder=order, RotationActive=1)[0].write("turn.fbx")
        same_points(tools.points("turn.fbx"), centimetres([turn(*p) for p in BOX]))
    fbx_box(PreRotation=(0, 0, 90), PostRotation=(0, 0, 90), Lcl_Rotation=(0, 0, 90), RotationPivot=(1, 0, 0), RotationActive=1,
            RotationOffset=(0, 0, 5), Lcl_Scaling=(2, 2, 2), ScalingPivot=(1, 2, 0.5), ScalingOffset=(0, 1, 0),
            GeometricTranslation=(0, 0, 7), GeometricScaling=(1, 1, -1))[0].write("pivots.fbx")
    expected = []
    for x, y, z in BOX:
        p = (x, y, 7 - z)
        p = [c + 2 * (v - c) for v, c in zip(p, (1, 2, 0.5))]   # scaled about its pivot
        p = (p[0], p[1] + 1, p[2])
        p = (1 - p[1], p[0] - 1, p[2])                          # a quarter turn about (1, 0, 0)
        expected.append((p[0], p[1], p[2] + 5))
    same_points(tools.points("pivots.fbx"), centimetres(expected))
    near([1e6 * volume(tools)], [8.0])
    tools.fits("pivots.fbx")


@row("FBX", "transforms, normals and points that are infinite or not numbers", "refused")
def fbx_not_finite(tools):
    for prop in ("Lcl_Rotation", "Lcl_Scaling", "PreRotation", "PostRotation", "RotationPivot", "ScalingOffset",
                 "GeometricRotation", "GeometricTranslation"):
        for bad in (math.nan, math.inf):
            fbx_box(**{prop: (0, bad, 0)})[0].write("finite.fbx")
            tools.refused("finite.fbx", "finite")
    for points, normal in (([(math.nan, 0, 0)] + BOX[1:], 1.0), (BOX, math.inf)):
        scene = Scene()
        scene.mesh(scene.model("box", 0, "Mesh"), points, QUADS,
                   [layer("LayerElementNormal", [("Normals", "d", [0.0, 0.0, normal])], "AllSame", "Direct")])
        scene.write("finite.fbx")
        done = subprocess.run([tools.voxelize, "finite.fbx", "-o", "out.slv"], capture_output=True, text=True)
        assert done.returncode == 3 and "finite" in done.stderr and len(done.stderr.splitlines()) == 1, done.stderr


@row("FBX", "several nodes with one geometry; mirrored ones keep their faces outwards", "read")
def fbx_instances(tools):
    scene, node, geometry = fbx_box()
    scene.link(geometry, scene.model("other", 0, "Mesh", Lcl_Translation=(5, 0, 0), Lcl_Scaling=(-1, 1, 1)))
    scene.write("instances.fbx")
    same_points(tools.points("instances.fbx"), centimetres(BOX + [(5 - x, y, z) for x, y, z in BOX]))
    near([1e6 * volume(tools)], [2.0])
    tools.fits("instances.fbx")


def layer(name, arrays, mapping, reference):
    return (name, [0], [("MappingInformationType", [mapping], None), ("ReferenceInformationType", [reference], None),
                        *[(key, [Array(kind, values)], None) for key, kind, values in arrays]])


@row("FBX", "numbers of control points; normals, texture coordinates and colors by corner, point, polygon or all the same", "read")
def fbx_layers(tools):
    corners = [p for q in QUADS for p in q]
    uvs = [(0.5 * p, 0.01 * p * p) for p in range(8)]  # whole numbers too, which text files spell without a point
    flat = [v for uv in uvs for v in uv]
    normals = [(0, 0.6, 0.8), (1, 0, 0), (0, 0, -1), (0, 1, 0), (0.8, 0.6, 0), (0.6, 0, 0.8)]  # of polygons
    for way, (mapping, kind, values, index) in enumerate((
            ("ByPolygonVertex", "Direct", [v for p in corners for v in uvs[p]], None),
            ("ByPolygonVertex", "IndexToDirect", flat, corners), ("ByVertice", "Direct", flat, None),
            ("ByVertex", "IndexToDirect", flat, list(range(8))), ("ByVertice", "Direct", flat, None),
            ("ByPolygonVertex", "IndexToDirect", flat, corners))):
        arrays = [("UV", "d", values)] + ([("UVIndex", "i", index)] if index else [])
        colors = layer("LayerElementColor", [("Colors", "d", [0.2, 0.4, 0.6, 1, 1, 1, 1, 1]), ("ColorIndex", "i", [0])], "AllSame",
                       "IndexToDirect")
        facing = layer("LayerElementNormal", [("Normals", "d", [v for n in normals for v in n])], "ByPolygon", "Direct")
        fbx_box(layers=[layer("LayerElementUV", arrays, mapping, kind), colors, facing])[0].write("layers.fbx", way)
        seen = set()
        for r in tools.mesh("layers.fbx"):
            p = int(r["source"])
            near([r["x"], r["y"], r["z"]], [0.01 * v for v in BOX[p]])
            near([r["u"], r["v"]], list(uvs[p]))
            facing = [n for n in normals if math.dist(n, (r["nx"], r["ny"], r["nz"])) < 1e-6]
            assert len(facing) == 1, r
            seen.add((p, normals.index(facing[0])))
        assert seen == {(p, n) for n, q in enumerate(QUADS) for p in q}, seen
        table = list(csv.reader(io.StringIO(tools.good(tools.inspect, "m.slv", "--dump", "paint"))))[1:]
        near([float(v) for r in table for v in r[1:5]], [51, 102, 153, 255] * 8)


@row("FBX", "materials by polygon, as parts of a mesh", "read")
def fbx_materials(tools):
    scene, node, _ = fbx_box(layers=[layer("LayerElementMaterial", [("Materials", "i", [0, 1, 1, 0, 0, 0])], "ByPolygon",
                                           "IndexToDirect")])
    scene.material(node, "red")
    scene.material(node, "blue")
    scene.write("materials.fbx")
    for name, count in (("red", 8), ("blue", 4), ("*", 12)):
        rows = tools.mesh("materials.fbx", "--material", name)
        assert tools.report["mesh"]["triangles"] == count, tools.report
        for r in rows:
            near([r["x"], r["y"], r["z"]], [0.01 * v for v in BOX[int(r["source"])]])


def png(width, height):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\0" + b"\x80" * 3 * width) * height
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


@row("FBX", "base color texture, a PNG in the file or beside it, also behind a layered texture", "read")
def fbx_texture(tools):
    flat = [v for p in range(8) for v in (0.1 * p, 0.5)]
    with open("beside.png", "wb") as out:
        out.write(png(3, 5))
    for inside, layered, size in ((False, False, (3, 5)), (True, False, (7, 2)), (False, True, (3, 5))):
        scene, node, _ = fbx_box(layers=[layer("LayerElementUV", [("UV", "d", flat)], "ByVertice", "Direct")])
        material = scene.material(node, "paint")
        texture = scene.add("Texture", "t", "", None, [("RelativeFilename", ["C:\\art\\beside.png"], None)])
        if inside:
            scene.link(scene.add("Video", "v", "Clip", None, [("Content", [png(7, 2)], None)]), texture)
        if layered:
            several = scene.add("LayeredTexture", "l", "")
            scene.link(texture, several)
            texture = several
        scene.link(texture, material, "DiffuseColor")
        scene.write("texture.fbx")
        tools.mesh("texture.fbx")
        assert tools.report["mesh"]["textured"], tools.warnings
        line = tools.good(tools.inspect, "m.slv", "--dump", "texture").splitlines()[1]
        assert line.startswith(f"{size[0]},{size[1]},"), line


@row("FBX", "skins with any number of influences, weights normalized; points without weights move with the mesh", "read")
def fbx_skin(tools):
    scene, node, geometry = fbx_box(Lcl_Translation=(0, 0, 3))
    bones = [scene.model(f"bone{n}", 0, Lcl_Translation=(n, 0, 0)) for n in range(6)]
    bound = [[1.0, 0, 0, 0], [0, 1.0, 0, 0], [0, 0, 1.0, 3.0], [0, 0, 0, 1.0]]  # of the mesh
    scene.skin(geometry, [(bone, [0, 1, 2, 3], [2.0] * 4, bound, identity()) for bone in bones])
    scene.write("skin.fbx")
    same_points(tools.points("skin.fbx"), centimetres([(x + (2.5 if x == 0 else 0), y, z + 3) for x, y, z in BOX]))
    tools.fits("skin.fbx")


@row("FBX", "skins that are not linear (dual quaternion, blend), additive clusters", "refused by name")
def fbx_dual(tools):
    for kind, mode, word in (("DualQuaternion", None, "'DualQuaternion'"), ("Blend", None, "'Blend'"), ("Linear", "Additive", "additive")):
        scene, node, geometry = fbx_box()
        scene.skin(geometry, [(node, [0], [1.0], identity(), identity())], kind, mode)
        scene.write("dual.fbx")
        tools.refused("dual.fbx", word)


@row("FBX", "blend shapes at the weights of the file and in clips", "read")
def fbx_shapes(tools):
    scene, node, geometry = fbx_box()
    scene.shape(geometry, "wide", [4, 5, 6, 7], [(2, 0, 0)] * 4, 25.0)
    channel, _ = scene.shape(geometry, "tall", [2, 3, 6, 7], [(0, 4, 0)] * 4, 0.0, 50.0)
    _, of_clip = scene.stack("clip", 0, SECOND)
    scene.curve(scene.curve_node(of_clip, channel, "DeformPercent", {}), "DeformPercent", [(0, 25.0), (SECOND, 50.0)])
    scene.links += scene.links  # counted once
    scene.write("shapes.fbx")
    same_points(tools.points("shapes.fbx"), centimetres([(1.5 * x, y, z) for x, y, z in BOX]))
    near(tools.fits("shapes.fbx")["max"], [0.015, 0.04, 0.005])


@row("FBX", "blend shapes with shapes in between", "refused")
def fbx_between(tools):
    scene, node, geometry = fbx_box()
    channel, _ = scene.shape(geometry, "smile", [0], [(1, 1, 1)])
    scene.link(scene.add("Geometry", "half", "Shape", None, [("Indexes", [Array("i", [0])], None),
                                                             ("Vertices", [Array("d", [1.0, 1.0, 1.0])], None)]), channel)
    scene.write("between.fbx")
    tools.refused("between.fbx", "'smile'")


@row("FBX", "levels of subdivision surfaces", "ignored: the control mesh is read")
def fbx_subdivision(tools):
    scene = Scene()
    scene.mesh(scene.model("box", 0, "Mesh"), BOX, QUADS, [("Smoothness", [2], None), ("PreviewDivisionLevels", [3], None),
                                                           ("RenderDivisionLevels", [3], None)])
    scene.write("subdivision.fbx")
    same_points(tools.points("subdivision.fbx"), centimetres(BOX))
    assert tools.report["mesh"]["triangles"] == 12


@row("FBX", "NURBS surfaces, meshes that a vertex cache moves", "refused")
def fbx_nurbs(tools):
    scene, node, geometry = fbx_box()
    scene.link(scene.add("Geometry", "surface", "NurbsSurface"), node)
    scene.write("nurbs.fbx")
    tools.refused("nurbs.fbx", "'box'", "NurbsSurface")
    scene, node, geometry = fbx_box()
    scene.link(scene.add("Deformer", "cache", "VertexCacheDeformer"), geometry)
    scene.write("cache.fbx")
    tools.refused("cache.fbx", "vertex cache")


@row("FBX", "curves of one component: constant, linear, cubic and automatic keys, weighted tangents, keys far apart", "read")
def fbx_curves(tools):
    for keys, expected in (
            ([(0, 0.0, CONSTANT), (SECOND, 8.0)], 0.0), ([(0, 0.0, LINEAR), (SECOND, 8.0)], 4.0),
            ([(0, 0.0, CUBIC | USER, 8.0, 24.0), (SECOND, 8.0)], 2.0),  # Hermite: half of the sum and an eighth of the slopes
            ([(-SECOND, 0.0, CUBIC | AUTO), (0, 0.0, CUBIC | AUTO), (SECOND, 8.0, CUBIC | AUTO)], 3.5),
            ([(0, 0.0, CUBIC | USER | WEIGHTED_OUT | WEIGHTED_IN, 8.0, 8.0, 0.5, 0.5), (SECOND, 8.0)], 4.0),
            ([(0, 0.0, CUBIC | USER | WEIGHTED_OUT | WEIGHTED_IN, 0.0, 0.0, 0.9, 0.9), (SECOND, 8.0)], 4.0)):
        scene = fbx_clip(keys)[0]
        scene.write("curves.fbx")
        bounds = tools.baked("curves.fbx", "--start", "0.5", "--end", "0.5")["bounds"]
        near([bounds["min"][0], bounds["max"][0]], [0.01 * expected, 0.01 * (expected + 1)])


@row("FBX", "clips from the start to the stop of their stack", "read")
def fbx_span(tools):
    scene, node, _ = fbx_box()
    _, of_clip = scene.stack("late", SECOND, 2 * SECOND)
    scene.curve(scene.curve_node(of_clip, node, "Lcl Translation", {"X": 0.0}), "X", [(0, 0.0), (4 * SECOND, 8.0)])
    scene.write("span.fbx")
    near(tools.fits("span.fbx")["min"][:1], [0.02])
    report = tools.baked("span.fbx", "--fps", "10")
    assert report["frames"] == 11 and report["start"] == 1.0, report


@row("FBX", "clips with TCB keys, biased automatic keys or key velocities; quaternion interpolation; repetition beyond the keys; "
     "blended layers; animated pivots", "refused by name")
def fbx_clips_refused(tools):
    straight = [(0, 0.0), (SECOND, 1.0)]
    refused_clip(tools, fbx_clip([(0, 0.0, CUBIC | TCB, 0.5), (SECOND, 1.0)])[0], "'clip'", "'box'", "TCB")
    refused_clip(tools, fbx_clip([(0, 0.0, CUBIC | AUTO, 0.5), (SECOND, 1.0)])[0], "'clip'", "'box'", "bias")
    refused_clip(tools, fbx_clip([(0, 0.0, CUBIC | USER | VELOCITY, 0.0, 0.0, 0.3, 0.3, 1.0), (SECOND, 1.0)])[0], "velocities")
    refused_clip(tools, fbx_clip(straight, "Lcl Rotation", QuaternionInterpolate=1)[0], "'clip'", "'box'", "quaternion")
    refused_clip(tools, fbx_clip(straight, "RotationPivot")[0], "'clip'", "'box'", "RotationPivot")
    repeated = [("Post-Extrapolation", [], [("Type", [ord("R")], None)])]
    refused_clip(tools, fbx_clip([(0, 0.0), (SECOND // 2, 1.0)], records=repeated)[0], "'clip'", "'box'", "beyond the keys")
    scene, stack, node = fbx_clip(straight)
    more = scene.layer(stack)
    scene.curve(scene.curve_node(more, node, "Lcl Rotation", {"X": 0.0}), "X", straight)
    refused_clip(tools, scene, "'clip'", "2 animation layers")


@row("FBX", "clips in which only a constraint or IK moves a node", "refused by name")
def fbx_constraint(tools):
    scene, _, node = fbx_clip([(0, 0.0), (SECOND, 1.0)])
    fbx_box(scene, "hand", Lcl_Translation=(5, 0, 0))
    follow = scene.add("Constraint", "grip", "Parent-Child", {"Active": 1})
    scene.link(scene.next - 3, follow, "Constrained object (Child)")
    scene.link(node, follow, "Source (Parent)")
    refused_clip(tools, scene, "'clip'", "'hand'", "'grip'")


@row("FBX", "nodes that are hidden (Show, Visibility, display layers), lower levels of detail (LodGroup)", "left out, with a warning")
def fbx_hidden(tools):
    for values in ({"Show": 0}, {"Visibility": 0.0}, {}):
        scene, _, _ = fbx_box()
        other = scene.model("other", 0, "Mesh", **values)
        scene.mesh(other, [(9, 0, 0), (10, 0, 0), (9, 1, 0)], [(0, 1, 2)])
        if not values:
            scene.link(other, scene.add("CollectionExclusive", "layer", "DisplayLayer", {"Show": 0}))
        scene.write("hidden.fbx")
        near([tools.fits("hidden.fbx")["max"][0]], [0.01])
        assert "1 hidden part left out" in tools.warnings, tools.warnings
        near([tools.fits("hidden.fbx", "--node", "*")["max"][0]], [0.1])
    scene = Scene()
    group = scene.model("levels", 0, "LodGroup")
    scene.link(scene.add("NodeAttribute", "levels", "LodGroup"), group)
    for n in range(3):
        fbx_box(scene, "near far farther".split()[n], group, Lcl_Translation=(10 * n, 0, 0))
    scene.write("levels.fbx")
    near([tools.fits("levels.fbx")["max"][0]], [0.01])
    assert "2 parts of lower detail left out" in tools.warnings, tools.warnings
