# SPDX-License-Identifier: MIT
"""Small FBX files in text, and the expected positions of their vertices.

A node of an FBX file turns and scales about pivots of its own. Its matrix, by the file format's documentation:

    T · Roff · Rp · Rpre · R · Rpost⁻¹ · Rp⁻¹ · Soff · Sp · S · Sp⁻¹

and the geometric transform, which children do not inherit, stands behind it for the node's own mesh.
"""
import numpy as np

SECOND = 46186158000  # ticks
CORNERS = np.array([[x, y, z] for x in (0.0, 1.0) for y in (0.0, 2.0) for z in (0.0, 0.5)])
FACES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
STILL = {"Lcl Translation": (0, 0, 0), "Lcl Rotation": (0, 0, 0), "Lcl Scaling": (1, 1, 1), "RotationOffset": (0, 0, 0),
         "RotationPivot": (0, 0, 0), "PreRotation": (0, 0, 0), "PostRotation": (0, 0, 0), "ScalingOffset": (0, 0, 0),
         "ScalingPivot": (0, 0, 0), "GeometricTranslation": (0, 0, 0), "GeometricRotation": (0, 0, 0),
         "GeometricScaling": (1, 1, 1)}
KINDS = {"Lcl Translation": "T", "Lcl Rotation": "R", "Lcl Scaling": "S"}


def moved(vector):
    matrix = np.eye(4)
    matrix[:3, 3] = vector
    return matrix


def turned(degrees):
    """About x first, then y, then z: the default order of the format."""
    matrix = np.eye(4)
    for axis, angle in enumerate(np.radians(degrees)):
        turn = np.eye(4)
        i, j = (axis + 1) % 3, (axis + 2) % 3
        turn[i, i] = turn[j, j] = np.cos(angle)
        turn[j, i], turn[i, j] = np.sin(angle), -np.sin(angle)
        matrix = turn @ matrix
    return matrix


def scaled(vector):
    return np.diag([*vector, 1.0])


class Node:
    """properties: as in STILL; keys: {"Lcl Rotation": ((x, y, z) at 0 s, at 1 s)}, straight in between."""

    def __init__(self, name, properties=None, keys=None):
        self.name, self.properties, self.keys = name, {**STILL, **(properties or {})}, keys or {}

    def values(self, time):
        values = {key: np.array(value, float) for key, value in self.properties.items()}
        for key, (start, end) in self.keys.items():
            values[key] = np.array(start, float) * (1 - time) + np.array(end, float) * time
        return values

    def matrix(self, time):
        v = self.values(time)
        inverse = np.linalg.inv
        return (moved(v["Lcl Translation"]) @ moved(v["RotationOffset"]) @ moved(v["RotationPivot"])
                @ turned(v["PreRotation"]) @ turned(v["Lcl Rotation"]) @ inverse(turned(v["PostRotation"]))
                @ moved(-v["RotationPivot"]) @ moved(v["ScalingOffset"]) @ moved(v["ScalingPivot"])
                @ scaled(v["Lcl Scaling"]) @ moved(-v["ScalingPivot"]))

    def geometric(self):
        v = self.values(0.0)
        return moved(v["GeometricTranslation"]) @ turned(v["GeometricRotation"]) @ scaled(v["GeometricScaling"])


def pose(chain, time):
    """Vertices of the box that hangs on the last node of a chain."""
    world = np.eye(4)
    for node in chain:
        world = world @ node.matrix(time)
    world = world @ chain[-1].geometric()
    return (world @ np.c_[CORNERS, np.ones(len(CORNERS))].T).T[:, :3]


def numbers(values):
    return ",".join(f"{float(v):.9g}" for v in values)


def write_fbx(path, chain):
    """A box on the last node of a chain of nodes, and one clip of a second."""
    flat = [i if k < len(face) - 1 else -i - 1 for face in FACES for k, i in enumerate(face)]
    objects = [f'Geometry: 10, "Geometry::box", "Mesh" {{\n Vertices: *{CORNERS.size} {{ a: {numbers(CORNERS.ravel())} }}\n'
               f' PolygonVertexIndex: *{len(flat)} {{ a: {",".join(map(str, flat))} }}\n GeometryVersion: 124\n}}',
               f'AnimationStack: 20, "AnimStack::move", "" {{\n Properties70: {{ P: "LocalStop", "KTime", "Time", "",{SECOND} }}\n}}',
               'AnimationLayer: 21, "AnimLayer::base", "" {\n}']
    links = ['C: "OO",21,20', f'C: "OO",10,{100 + len(chain) - 1}']
    for n, node in enumerate(chain):
        kind = "Mesh" if node is chain[-1] else "Null"
        lines = ['P: "RotationActive", "bool", "", "",1', 'P: "InheritType", "enum", "", "",1']
        lines += [f'P: "{key}", "Vector3D", "Vector", "",{numbers(value)}' for key, value in node.properties.items()
                  if tuple(value) != STILL[key]]
        objects.append(f'Model: {100 + n}, "Model::{node.name}", "{kind}" {{\n Version: 232\n Properties70: {{\n  '
                       + "\n  ".join(lines) + "\n }\n}")
        links.append(f'C: "OO",{100 + n},{100 + n - 1 if n else 0}')
        for k, (key, (start, end)) in enumerate(node.keys.items()):
            curve_node = 1000 + 100 * n + 10 * k
            objects.append(f'AnimationCurveNode: {curve_node}, "AnimCurveNode::{KINDS[key]}", "" {{\n Properties70: {{\n'
                           + "\n".join(f'  P: "d|{axis}", "Number", "", "A",{start[d]}' for d, axis in enumerate("XYZ"))
                           + "\n }\n}")
            links += [f'C: "OP",{curve_node},{100 + n},"{key}"', f'C: "OO",{curve_node},21']
            for d, axis in enumerate("XYZ"):
                objects.append(f'AnimationCurve: {curve_node + 1 + d}, "AnimCurve::", "" {{\n Default: {start[d]}\n KeyVer: 4008\n'
                               f' KeyTime: *2 {{ a: 0,{SECOND} }}\n KeyValueFloat: *2 {{ a: {numbers((start[d], end[d]))} }}\n}}')
                links.append(f'C: "OP",{curve_node + 1 + d},{curve_node},"d|{axis}"')
    with open(path, "w") as out:
        out.write("; FBX 7.4.0 project file\nFBXHeaderExtension: {\n FBXHeaderVersion: 1003\n FBXVersion: 7400\n}\n"
                  'GlobalSettings: {\n Version: 1000\n Properties70: {\n  P: "UpAxis", "int", "Integer", "",1\n'
                  '  P: "UpAxisSign", "int", "Integer", "",1\n  P: "FrontAxis", "int", "Integer", "",2\n'
                  '  P: "FrontAxisSign", "int", "Integer", "",1\n  P: "CoordAxis", "int", "Integer", "",0\n'
                  '  P: "CoordAxisSign", "int", "Integer", "",1\n  P: "UnitScaleFactor", "double", "Number", "",1\n }\n}\n'
                  "Objects: {\n" + "\n".join(objects) + "\n}\nConnections: {\n" + "\n".join(links) + "\n}\n")
