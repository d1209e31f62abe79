#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the meshes of this folder, one function per model.

    data/make_meshes.py [FOLDER]      (default: the folder of this program)

Metres, y up, a person faces +z. Faces are quads, wound counter-clockwise seen from outside (cloth:
from the side that is worn outside). Groups name the parts: a garment pack turns each into a particle
set to pin or attach. Coordinates are written to a tenth of a millimetre, which also makes the files
the same wherever they are made: the last bits of sin and cos, which differ between maths libraries,
never reach them. A seam in the texture never splits a position, so the cloth stays whole.
"""

import sys
from math import cos, pi, sin, sqrt
from pathlib import Path


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
        """Quads between neighbours of a table of points and the table of uvs of the same shape.

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


def enclosed(mesh):
    """Volume between the faces and the middle of all points; negative where a mesh is inside out."""
    count = len(mesh.positions)
    middle = tuple(sum(axis) / count for axis in zip(*mesh.positions))
    corners = [minus(position, middle) for position in mesh.positions]
    volume = 0.0
    for face in (face for faces in mesh.groups.values() for face in faces):
        a, b, c, d = (corners[p] for p, _ in face)
        volume += dot(a, cross(b, c)) / 6 + dot(a, cross(c, d)) / 6
    return volume


def smooth(t):
    """0 to 1 with level ends."""
    t = min(max(t, 0.0), 1.0)
    return t * t * (3 - 2 * t)


def between(a, b, t):
    return a + (b - a) * t


def cape():
    """Worn open at the front; from the neck over the shoulders down to the knees, in soft folds."""
    mesh = Mesh()
    rows, columns = 28, 36
    opening = 0.30 * pi  # half of the angle that the front leaves free

    def place(row, column):
        down = row / rows
        shoulder, fall = smooth(down / 0.22), max(0.0, (down - 0.12) / 0.88)
        fold = 1 + 0.10 * fall * fall * cos(6 * 2 * pi * column / columns)
        width = (between(0.075, 0.215, shoulder) + 0.16 * fall) * fold
        depth = (between(0.070, 0.130, shoulder) + 0.17 * fall) * fold
        angle = between(0.5 * pi - opening, 0.5 * pi + opening - 2 * pi, column / columns)
        height = 1.48 - 0.06 * shoulder - 0.95 * fall
        return mesh.point(width * cos(angle), height, depth * sin(angle))

    points = [[place(row, column) for column in range(columns + 1)] for row in range(rows + 1)]
    mesh.sheet(points, mesh.uv_table(rows, columns),
               lambda row: "collar" if row < 1 else "hem" if row == rows - 1 else "cloth")
    return mesh


def poncho():
    """A round sheet with a hole for the head, a shallow cone: it can lie flat without stretching."""
    mesh = Mesh()
    rings, columns = 14, 48

    def polar(ring, column):
        radius, angle = between(0.12, 0.66, ring / rings), 2 * pi * column / columns
        return radius * cos(angle), radius * sin(angle)

    points, uvs = [], []
    for ring in range(rings + 1):
        flat = [polar(ring, -column) for column in range(columns)]
        row = [mesh.point(x, 1.50 - 0.45 * sqrt(x * x + z * z), z) for x, z in flat]
        row_uvs = [mesh.uv(0.5 + x / 1.4, 0.5 - z / 1.4) for x, z in flat]
        points.append(row + row[:1])
        uvs.append(row_uvs + row_uvs[:1])
    mesh.sheet(points, uvs, lambda ring: "neck" if ring == 0 else "hem" if ring == rings - 1 else "cloth")
    return mesh


def tunic():
    """A short-sleeved shirt: a tube for the body with two sleeves sewn into its arm holes."""
    mesh = Mesh()
    columns, rows = 40, 26          # column 0 lies at the left arm (+x), column 20 at the right
    hole_top, hole_bottom = 5, 12   # rows of the body that an arm hole spans
    hole_half = 4                   # columns to either side of the arm
    points = [tunic_ring(mesh, row, rows, hole_top, columns) for row in range(rows + 1)]

    def in_hole(row, column):
        from_arm = min((column + 0.5) % 20, 20 - (column + 0.5) % 20)
        return hole_top <= row < hole_bottom and from_arm < hole_half

    mesh.sheet(points, mesh.uv_table(rows, columns, height=0.60),
               lambda row: "neck" if row == 0 else "hem" if row == rows - 1 else "body", in_hole)
    for side, centre in (("left", 0), ("right", 20)):
        loop = hole_loop(points, centre, hole_half, hole_top, hole_bottom, columns)
        sew_sleeve(mesh, side, loop)
    return mesh


def tunic_ring(mesh, row, rows, hole_top, columns):
    """One ring of the body, from the neck (row 0) down; the last column is the first again."""
    if row <= hole_top:  # over the shoulders
        t = row / hole_top
        width, depth = between(0.085, 0.205, t), between(0.080, 0.100, smooth(t))
        height = 1.47 - 0.055 * t * t
    else:  # from the shoulders to the hem
        t = (row - hole_top) / (rows - hole_top)
        width = 0.205 + 0.025 * smooth(3 * t) + 0.030 * smooth(2 * t - 1)
        depth = between(0.10, 0.15, smooth(3 * t))
        height = 1.415 - 0.72 * t
    angles = [-2 * pi * column / columns for column in range(columns)]
    ring = [mesh.point(width * cos(angle), height, depth * sin(angle)) for angle in angles]
    return ring + ring[:1]


def hole_loop(points, centre, half, top, bottom, columns):
    """Points around an arm hole, from its top middle, the body's outside kept on the left."""
    def at(row, offset):
        return points[row][(centre + offset) % columns]

    loop = [at(top, offset) for offset in range(0, half)]
    loop += [at(row, half) for row in range(top, bottom)]
    loop += [at(bottom, offset) for offset in range(half, -half, -1)]
    loop += [at(row, -half) for row in range(bottom, top, -1)]
    return loop + [at(top, offset) for offset in range(-half, 0)]


def sew_sleeve(mesh, side, loop):
    """Straight lines from the arm hole to the round cuff, in rings of quads."""
    out = 1 if side == "left" else -1
    rings, count, cuff_radius = 8, len(loop), 0.095
    cuff = (out * 0.385, 1.215, 0.0)
    up, aside = (out * 0.60, 0.80, 0.0), (0.0, 0.0, -out)  # both across an arm that leans (0.8, -0.6)

    def cuff_point(index):
        angle = 2 * pi * index / count  # 0 is the top of the arm, as in the loop
        return tuple(c + cuff_radius * (u * cos(angle) + a * sin(angle)) for c, u, a in zip(cuff, up, aside))

    rows = [loop + loop[:1]]
    for ring in range(1, rings + 1):
        t = ring / rings
        row = [mesh.point(*(between(a, b, t) for a, b in zip(mesh.positions[index], cuff_point(i))))
               for i, index in enumerate(loop)]
        rows.append(row + row[:1])
    left = 0.0 if side == "left" else 0.5
    mesh.sheet(rows, mesh.uv_table(rings, count, left, 0.65, 0.48, 0.35),
               lambda ring: f"{side}_cuff" if ring == rings - 1 else f"{side}_sleeve")


def cushion():
    """Two square sheets sewn together at their rims and filled: thick in the middle, thin corners."""
    mesh = Mesh()
    size = 20
    rim = {}

    def place(side, i, j):
        on_rim = i in (0, size) or j in (0, size)
        if on_rim and (i, j) in rim:
            return rim[i, j]
        u, v = 2 * i / size - 1, 2 * j / size - 1
        x, z = 0.24 * u * (1 - 0.10 * (1 - v * v)), 0.24 * v * (1 - 0.10 * (1 - u * u))
        y = 0.09 + side * 0.09 * sqrt((1 - u * u) * (1 - v * v))
        point = mesh.point(x, y, z)
        if on_rim:
            rim[i, j] = point
        return point

    for side, name, left in ((1, "top", 0.0), (-1, "bottom", 0.51)):
        points = [[place(side, column if side > 0 else size - column, row) for column in range(size + 1)]
                  for row in range(size + 1)]
        mesh.sheet(points, mesh.uv_table(size, size, left, 0.0, 0.49, 0.49), lambda row: name)
    return mesh


def knot():
    """A trefoil made of a round tube, lying on the ground."""
    mesh = Mesh()
    segments, sides = 84, 10
    big, small, tube = 0.17, 0.075, 0.042

    def centre(t):
        radius = big + small * cos(3 * t)
        return (radius * cos(2 * t), small * sin(3 * t) + small + tube, radius * sin(2 * t))

    def ring(t):
        step = 1e-3
        along = unit(minus(centre(t + step), centre(t - step)))
        aside = unit(cross((0.0, 1.0, 0.0), along))  # the tube never stands upright
        up = cross(along, aside)
        angles = [2 * pi * side / sides for side in range(sides)]
        return [mesh.point(*(c + tube * (u * cos(a) + s * sin(a)) for c, u, s in zip(centre(t), up, aside)))
                for a in angles]

    rings = [ring(2 * pi * segment / segments) for segment in range(segments)]
    points = [row + row[:1] for row in rings + rings[:1]]
    mesh.sheet(points, mesh.uv_table(segments, sides), lambda row: "tube")
    return mesh


MODELS = (  # function, what it is, how many openings it must have
    (cape, "A cape, worn open at the front", 1),
    (poncho, "A poncho: a round sheet with a hole for the head", 2),
    (tunic, "A short-sleeved tunic, open at neck, hem and both cuffs", 4),
    (cushion, "A cushion: two sheets sewn together, closed", 0),
    (knot, "A trefoil knot made of a tube, closed", 0),
)


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    for make, title, expected in MODELS:
        mesh = make()
        if openings(mesh) != expected:
            raise ValueError(f"{make.__name__} has {openings(mesh)} openings, wanted {expected}")
        if enclosed(mesh) <= 0:
            raise ValueError(f"{make.__name__} is inside out")
        (folder / f"{make.__name__}.obj").write_text(mesh.text(title), encoding="ascii", newline="\n")


if __name__ == "__main__":
    main()
