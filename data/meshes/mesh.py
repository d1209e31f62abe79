# SPDX-License-Identifier: MIT
"""A mesh of quads with texture coordinates and groups, what checks it, and its OBJ text.

Coordinates are written to a tenth of a millimetre, which also makes the files the same wherever they are
made: the last bits of sin and cos, which differ between maths libraries, never reach them.
"""

from math import sqrt


class Mesh:
    def __init__(self):
        self.positions = []
        self.uvs = []
        self.groups = {}  # name -> list of faces; a face is a list of (position, uv) indices

    def point(self, x, y, z):
        self.positions.append((x, y, z))
        return len(self.positions) - 1

    def uv(self, u, v):
        self.uvs.append((u, v))
        return len(self.uvs) - 1

    def face(self, group, corners):
        self.groups.setdefault(group, []).append(corners)

    def sheet(self, points, uvs, group_of, skip=lambda row, column: False):
        """Quads between neighbors of a table of points and the table of uvs of the same shape.

        Seen with rows going down and columns going right, the side towards the reader is outside.
        """
        for row in range(len(points) - 1):
            for column in range(len(points[row]) - 1):
                if not skip(row, column):
                    corners = [(row, column), (row + 1, column), (row + 1, column + 1), (row, column + 1)]
                    self.face(group_of(row), [(points[r][c], uvs[r][c]) for r, c in corners])

    def uv_table(self, rows, columns, left=0.0, bottom=0.0, width=1.0, height=1.0):
        """Uvs for a sheet of that many quads, first row at the top of the rectangle."""
        return [[self.uv(left + width * column / columns, bottom + height * (1 - row / rows))
                 for column in range(columns + 1)] for row in range(rows + 1)]

    def text(self, title):
        def fixed(values):
            return " ".join(f"{round(value, 4) + 0.0:.4f}" for value in values)

        lines = [f"# {title}", "# Made by data/make_meshes.py; metres, y up."]
        lines += [f"v {fixed(position)}" for position in self.positions]
        lines += [f"vt {fixed(uv)}" for uv in self.uvs]
        for name, faces in self.groups.items():
            lines.append(f"g {name}")
            lines += ["f " + " ".join(f"{p + 1}/{t + 1}" for p, t in face) for face in faces]
        return "\n".join(lines) + "\n"


def minus(a, b):
    return tuple(p - q for p, q in zip(a, b))


def dot(a, b):
    return sum(p * q for p, q in zip(a, b))


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def unit(a):
    length = sqrt(dot(a, a))
    return tuple(p / length for p in a)


def openings(mesh):
    """Number of boundary loops. Raises where faces disagree about which side is outside."""
    edges = set()
    for face in (face for faces in mesh.groups.values() for face in faces):
        for (a, _), (b, _) in zip(face, face[1:] + face[:1]):
            if a == b or (a, b) in edges:
                raise ValueError(f"edge {a}-{b} is used twice in one direction")
            edges.add((a, b))
    following = {b: a for a, b in edges if (b, a) not in edges}
    loops = 0
    while following:
        loops += 1
        start = next(iter(following))
        while start in following:
            start = following.pop(start)
    return loops


def enclosed(mesh, middle=None):
    """Volume between the faces and a point (the middle of all points); negative where it is inside out."""
    if middle is None:
        count = len(mesh.positions)
        middle = tuple(sum(axis) / count for axis in zip(*mesh.positions))
    corners = [minus(position, middle) for position in mesh.positions]
    volume = 0.0
    for face in (face for faces in mesh.groups.values() for face in faces):
        ring = [corners[p] for p, _ in face]
        for b, c in zip(ring[1:], ring[2:]):
            volume += dot(ring[0], cross(b, c)) / 6
    return volume


def smooth(t):
    """0 to 1 with level ends."""
    t = min(max(t, 0.0), 1.0)
    return t * t * (3 - 2 * t)


def between(a, b, t):
    return a + (b - a) * t
