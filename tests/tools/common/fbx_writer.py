# SPDX-License-Identifier: MIT
"""Writes FBX files for tests, in binary (7.0 to 7.7, arrays plain or deflated) and in text, from one description.

A record is (name, values, records). Values are int (32 bits), Long, float, bool, str and Array.
"""
import struct
import zlib

SECOND = 46186158000  # ticks
CONSTANT, LINEAR, CUBIC = 0x2, 0x4, 0x8
NEXT, AUTO, TCB, USER, BROKEN = 0x100, 0x100, 0x200, 0x400, 0x800
CLAMP, TIME_INDEPENDENT, PROGRESSIVE = 0x1000, 0x2000, 0x4000
WEIGHTED_OUT, WEIGHTED_IN, VELOCITY = 0x1000000, 0x2000000, 0x10000000
SIZES = {"i": 4, "l": 8, "f": 4, "d": 8, "b": 1}


class Long(int):
    """An integer of 64 bits."""


class Byte(int):
    """An integer of 8 bits without a sign."""


class Array:
    """kind: one of i, l, f, d, b. bits: in text the bits of floats as integers, as keys have them from version 7.2 on."""

    def __init__(self, kind, numbers, bits=False):
        self.kind, self.numbers, self.bits = kind, list(numbers), bits

    def packed(self):
        return struct.pack(f"<{len(self.numbers)}{self.kind.replace('l', 'q')}", *self.numbers)


class Name(str):
    """The name of an object with its kind, which the two encodings spell differently: Name("arm", "Model")."""

    def __new__(cls, name, kind):
        made = str.__new__(cls, name)
        made.kind = kind
        return made


def binary_value(value, deflated):
    if isinstance(value, Array):
        data = value.packed()
        stored = zlib.compress(data) if deflated else data
        return value.kind.encode() + struct.pack("<III", len(value.numbers), int(deflated), len(stored)) + stored
    if isinstance(value, bool):
        return b"C" + bytes([value])
    if isinstance(value, Byte):
        return b"Z" + bytes([value])
    if isinstance(value, Long):
        return b"L" + struct.pack("<q", value)
    if isinstance(value, int):
        return b"I" + struct.pack("<i", value)
    if isinstance(value, float):
        return b"D" + struct.pack("<d", value)
    if isinstance(value, bytes):
        return b"R" + struct.pack("<I", len(value)) + value
    data = value.encode() + (b"\0\1" + value.kind.encode() if isinstance(value, Name) else b"")
    return b"S" + struct.pack("<I", len(data)) + data


def binary_record(record, at, wide, deflated):
    name, values, records = record
    head = 25 if wide else 13
    data = b"".join(binary_value(v, deflated) for v in values)
    inside = b""
    start = at + head + len(name) + len(data)
    for child in records or ():
        inside += binary_record(child, start + len(inside), wide, deflated)
    if records:
        inside += b"\0" * head
    return struct.pack("<QQQB" if wide else "<IIIB", start + len(inside), len(values), len(data), len(name)) + \
        name.encode() + data + inside


def binary(records, version=7400, deflated=True):
    out = b"Kaydara FBX Binary  \0\x1a\0" + struct.pack("<I", version)
    for record in records:
        out += binary_record(record, len(out), version >= 7500, deflated)
    out += b"\0" * (25 if version >= 7500 else 13)
    return out + b"\xfa\xbc\xab\x09\xd0\xc8\xd4\x66\xb1\x76\xfb\x83\x1c\xf7\x26\x7e" + b"\0" * 20


def text_number(value):
    """Whole numbers have no point, as in files of applications, whatever their type is."""
    return repr(float(value)).removesuffix(".0") if isinstance(value, float) else str(int(value))


def text_value(value):
    if isinstance(value, Name):
        return f'"{value.kind}::{value}"'.replace("\n", " ")
    if isinstance(value, str):
        return '"' + value.replace('"', "&quot;") + '"'
    return text_number(value)


def text_array(array, version, indent):
    if array.kind == "f" and array.bits and version >= 7200:
        numbers = [str(n) for n in struct.unpack(f"<{len(array.numbers)}i", array.packed())]
    elif array.kind == "f":
        numbers = [text_number(n) for n in struct.unpack(f"<{len(array.numbers)}f", array.packed())]
    else:
        numbers = [text_number(float(n) if array.kind == "d" else n) for n in array.numbers]
    lines = [",".join(numbers[i:i + 50]) for i in range(0, len(numbers), 50)]
    gap = "\n" if version >= 7700 else " "
    return f"*{len(numbers)} {{\n{indent} a:{gap}" + ",\n".join(lines) + f"\n{indent}}}"


def text_record(record, version, indent=""):
    name, values, records = record
    if values and isinstance(values[0], Array):
        return f"{indent}{name}: {text_array(values[0], version, indent)}\n"
    line = f"{indent}{name}: " + ", ".join(text_value(v) for v in values)
    if records is None:
        return line + "\n"
    return line + " {\n" + "".join(text_record(r, version, indent + " ") for r in records) + indent + "}\n"


def text(records, version=7400):
    return (f"; FBX {version // 1000}.{version // 100 % 10}.0 project file\n; made by a test\n\n"
            + "".join(text_record(r, version) for r in records)).encode()


KINDS = {"RotationActive": "bool", "RotationOrder": "enum", "InheritType": "enum"}  # of properties that have no other


def properties(values):
    """Properties70 of numbers, vectors and texts by name."""
    records = []
    for name, value in values.items():
        value = [float(v) for v in value] if isinstance(value, (list, tuple)) else [value]
        kind, label = ((KINDS[name], "") if name in KINDS else ("KTime", "Time") if isinstance(value[0], Long) else ("int", "Integer") if isinstance(value[0], int)
                       else ("Vector3D", "Vector") if len(value) > 1 else ("double", "Number"))
        records.append(("P", [name, kind, label, "" if name in KINDS else "A", *[v if isinstance(v, (int, str)) else float(v) for v in value]], None))
    return ("Properties70", [], records)


class Scene:
    """Objects and connections, numbered from 1000 on; 0 is the root."""

    def __init__(self, **settings):
        self.settings = {"UpAxis": 1, "UpAxisSign": 1, "FrontAxis": 2, "FrontAxisSign": 1, "CoordAxis": 0, "CoordAxisSign": 1,
                         "UnitScaleFactor": 1.0, **settings}
        self.objects, self.links, self.templates, self.header = [], [], {}, []
        self.next = 1000

    def add(self, kind, name, sub, values=None, records=(), spelled=None):
        number = Long(self.next)
        self.next += 1
        more = [properties(values)] if values is not None else []
        self.objects.append((kind, [number, Name(name, spelled or kind), sub], more + list(records)))
        return number

    def link(self, child, parent, prop=None):
        self.links.append(("C", ["OP" if prop else "OO", Long(child), Long(parent)] + ([prop] if prop else []), None))

    def model(self, name, parent=0, sub="Null", **values):
        number = self.add("Model", name, sub, {k.replace("_", " "): v for k, v in values.items()}, [("Version", [232], None)])
        self.link(number, parent)
        return number

    def mesh(self, model, points, polygons, records=(), name="surface"):
        """A geometry at a model, or at none."""
        index = [~p if k == len(polygon) - 1 else p for polygon in polygons for k, p in enumerate(polygon)]
        number = self.add("Geometry", name, "Mesh", None, [
            ("Vertices", [Array("d", [float(v) for p in points for v in p])], None),
            ("PolygonVertexIndex", [Array("i", index)], None), ("GeometryVersion", [124], None), *records])
        if model is not None:
            self.link(number, model)
        return number

    def material(self, model, name):
        number = self.add("Material", name, "")
        self.link(number, model)
        return number

    def skin(self, geometry, clusters, kind=None, mode=None):
        """clusters: (model, points, weights, transform, link transform); matrices in rows."""
        skin = self.add("Deformer", "skin", "Skin", None, [("SkinningType", [kind], None)] if kind else [])
        self.link(skin, geometry)
        for bone, points, weights, transform, bind in clusters:
            records = [("Mode", [mode], None)] if mode else []
            if points:
                records += [("Indexes", [Array("i", points)], None), ("Weights", [Array("d", weights)], None)]
            records += [(name, [Array("d", [m[k % 4][k // 4] for k in range(16)])], None)
                        for name, m in (("Transform", transform), ("TransformLink", bind))]
            cluster = self.add("Deformer", "cluster", "Cluster", None, records, "SubDeformer")
            self.link(cluster, skin)
            if bone is not None:
                self.link(bone, cluster)
        return skin

    def shape(self, geometry, name, points, moves, percent=0.0, full=100.0, deformer=None):
        """Returns the channel and the deformer."""
        if deformer is None:
            deformer = self.add("Deformer", "blend", "BlendShape")
            self.link(deformer, geometry)
        channel = self.add("Deformer", name, "BlendShapeChannel", {"DeformPercent": percent},
                           [("FullWeights", [Array("d", [full])], None)], "SubDeformer")
        moved = self.add("Geometry", name, "Shape", None, [
            ("Indexes", [Array("i", points)], None), ("Vertices", [Array("d", [float(v) for m in moves for v in m])], None)])
        self.link(channel, deformer)
        self.link(moved, channel)
        return channel, deformer

    def stack(self, name, start=None, stop=None, **values):
        """A clip of one layer. Returns its stack and layer."""
        span = {} if stop is None else {"LocalStart": Long(start), "LocalStop": Long(stop)}
        stack = self.add("AnimationStack", name, "", {**span, **values}, spelled="AnimStack")
        return stack, self.layer(stack)

    def layer(self, stack, **values):
        layer = self.add("AnimationLayer", "layer", "", values, spelled="AnimLayer")
        self.link(layer, stack)
        return layer

    def curve_node(self, layer, moved, prop, defaults):
        number = self.add("AnimationCurveNode", "T", "", {f"d|{k}": v for k, v in defaults.items()}, spelled="AnimCurveNode")
        self.link(number, layer)
        self.link(number, moved, prop)
        return number

    def curve(self, curve_node, component, keys, records=()):
        """keys: (ticks, value, flags, right slope, next left slope, right weight, next left weight)."""
        keys = [tuple(k) + (LINEAR, 0.0, 0.0, 1 / 3, 1 / 3)[len(k) - 2:] for k in keys]
        floats = []
        for key in keys:
            packed = round(key[5] * 10000) | round(key[6] * 10000) << 16
            velocity = key[7] if len(key) > 7 else 0.0
            floats += [key[3], key[4], struct.unpack("<f", struct.pack("<I", packed))[0], velocity]
        number = self.add("AnimationCurve", "", "", None, [
            ("Default", [0.0], None), ("KeyVer", [4008], None), ("KeyTime", [Array("l", [k[0] for k in keys])], None),
            ("KeyValueFloat", [Array("f", [k[1] for k in keys])], None),
            ("KeyAttrFlags", [Array("i", [k[2] for k in keys])], None),
            ("KeyAttrDataFloat", [Array("f", floats, bits=True)], None),
            ("KeyAttrRefCount", [Array("i", [1] * len(keys))], None), *records], "AnimCurve")
        self.link(number, curve_node, f"d|{component}")
        return number

    def records(self, version=7400):
        definitions = [("ObjectType", [kind], [("PropertyTemplate", ["Fbx" + kind], [properties(values)])])
                       for kind, values in self.templates.items()]
        return [("FBXHeaderExtension", [], [("FBXHeaderVersion", [1003], None), ("FBXVersion", [version], None),
                                            ("EncryptionType", [0], None), *self.header]),
                ("GlobalSettings", [], [("Version", [1000], None), properties(self.settings)]),
                ("Definitions", [], [("Version", [100], None), *definitions]),
                ("Objects", [], self.objects), ("Connections", [], self.links)]

    def binary(self, version=7400, deflated=True):
        return binary(self.records(version), version, deflated)

    def text(self, version=7400):
        return text(self.records(version), version)

    def every_way(self):
        """The same content as (what, bytes) in all encodings."""
        return [(what, make(self)) for what, make in WAYS]

    def write(self, path, way=0):
        with open(path, "wb") as out:
            out.write(WAYS[way][1](self))


WAYS = (("binary 7.4, deflated", lambda scene: scene.binary(7400)), ("binary 7.0, plain", lambda scene: scene.binary(7000, False)),
        ("binary 7.5, deflated", lambda scene: scene.binary(7500)), ("binary 7.7, plain", lambda scene: scene.binary(7700, False)),
        ("text 7.1", lambda scene: scene.text(7100)), ("text 7.7", lambda scene: scene.text(7700)))


def single(value):
    """A float as a file keeps it."""
    return struct.unpack("<f", struct.pack("<f", value))[0]


def identity():
    return [[float(i == j) for j in range(4)] for i in range(4)]


def sample():
    """A bit of everything that a file can have, small: the seeds of the fuzzer and of tests of damaged files."""
    points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1)]
    polygons = [(0, 3, 2, 1), (0, 1, 4), (1, 2, 4)]
    layers = [("LayerElementNormal", [0], [("MappingInformationType", ["ByPolygon"], None),
                                           ("ReferenceInformationType", ["Direct"], None),
                                           ("Normals", [Array("d", [0, 0, -1, 0, -1, 0, 1, 0, 0])], None)]),
              ("LayerElementUV", [0], [("MappingInformationType", ["ByPolygonVertex"], None),
                                       ("ReferenceInformationType", ["IndexToDirect"], None),
                                       ("UV", [Array("d", [0, 0, 1, 0, 0.5, 1])], None),
                                       ("UVIndex", [Array("i", [0, 1, 2, -1, 0, 1, 2, 0, 1, 2])], None)]),
              ("LayerElementColor", [0], [("MappingInformationType", ["AllSame"], None),
                                          ("ReferenceInformationType", ["IndexToDirect"], None),
                                          ("Colors", [Array("d", [1, 0.5, 0, 1])], None),
                                          ("ColorIndex", [Array("i", [0])], None)]),
              ("LayerElementMaterial", [0], [("MappingInformationType", ["ByPolygon"], None),
                                             ("Materials", [Array("i", [1, 0, 0])], None)])]
    scene = Scene(UpAxis=2, FrontAxis=1, FrontAxisSign=-1)
    scene.templates["Model"] = {"InheritType": 2}
    stack, layer = scene.stack("clip", 0, SECOND)
    root = scene.model("root", 0, Lcl_Scaling=(1, 2, 1))
    bone = scene.model("bone", root, PreRotation=(0, 0, 90), RotationOrder=3)
    node = scene.model("skin", root, GeometricScaling=(-1, 1, 1))
    scene.material(node, "red")
    scene.material(node, "blue")
    geometry = scene.mesh(node, points, polygons, layers)
    scene.skin(geometry, [(bone, [0, 4], [0.5, 1.0], identity(), identity())], "Linear")
    channel, _ = scene.shape(geometry, "open", [4], [(0, 0, 1)], 50.0)
    turn = scene.curve_node(layer, bone, "Lcl Rotation", {"X": 0.0, "Y": 10.0})
    scene.curve(turn, "Z", [(0, 0.0, CUBIC | USER | WEIGHTED_OUT, 10.0, 0.0, 0.5), (SECOND // 2, 40.0, CUBIC | AUTO),
                            (SECOND, 90.0, CONSTANT)])
    scene.curve(scene.curve_node(layer, channel, "DeformPercent", {}), "DeformPercent", [(0, 0.0), (SECOND, 100.0)])
    group = scene.model("levels", 0, "LodGroup")
    scene.link(scene.add("NodeAttribute", "levels", "LodGroup"), group)
    for n in range(2):
        scene.link(geometry, scene.model(f"level{n}", group, Show=n))
    follow = scene.add("Constraint", "follow", "Parent-Child", {"Active": 1})
    scene.link(group, follow, "Constrained object (Child)")
    scene.link(bone, follow, "Source (Parent)")
    return scene


def main(folder):
    """Writes the sample in all encodings."""
    for n, (_, data) in enumerate(sample().every_way()):
        with open(f"{folder}/sample{n}.fbx", "wb") as out:
            out.write(data)


if __name__ == "__main__":
    import sys
    main(sys.argv[1])
