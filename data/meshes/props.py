# SPDX-License-Identifier: MIT
"""Props: soft bodies, and furniture for cloth to fall on."""

from math import cos, pi, sin, sqrt

from mannequin.motion import SEAT, SEAT_BEHIND

from .mesh import Mesh, cross, minus, unit


def cushion():
    """Two square sheets sewn together at their rims and filled: thick in the middle, thin corners."""
    mesh = Mesh()
    size = 20
    rim = {}

    def point_at(side, i, j):
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
        points = [[point_at(side, column if side > 0 else size - column, row) for column in range(size + 1)]
                  for row in range(size + 1)]
        mesh.sheet(points, mesh.uv_table(size, size, left, 0.0, 0.49, 0.49), lambda row: name)
    return mesh


def knot():
    """A trefoil made of a round tube, lying on the ground."""
    mesh = Mesh()
    segments, sides = 84, 10
    big, small, tube = 0.17, 0.075, 0.042

    def center(t):
        radius = big + small * cos(3 * t)
        return (radius * cos(2 * t), small * sin(3 * t) + small + tube, radius * sin(2 * t))

    def ring(t):
        step = 1e-3
        along = unit(minus(center(t + step), center(t - step)))
        aside = unit(cross((0.0, 1.0, 0.0), along))  # the tube never stands upright
        up = cross(along, aside)
        angles = [2 * pi * side / sides for side in range(sides)]
        return [mesh.point(*(c + tube * (u * cos(a) + s * sin(a)) for c, u, s in zip(center(t), up, aside)))
                for a in angles]

    rings = [ring(2 * pi * segment / segments) for segment in range(segments)]
    points = [row + row[:1] for row in rings + rings[:1]]
    mesh.sheet(points, mesh.uv_table(segments, sides), lambda row: "tube")
    return mesh


# --- Furniture -----------------------------------------------------------------------------------

def block(mesh, name, low, high, bevel):
    """A box with blunt edges: per axis four planes (rim, flat, flat, rim), quads all round, closed."""
    def plane(axis, i):
        return (low[axis], low[axis] + bevel, high[axis] - bevel, high[axis])[i]

    corners = {}

    def corner(i, j, k):  # on one outer plane, on the inner ones of both other axes
        if (i, j, k) not in corners:
            corners[i, j, k] = mesh.point(plane(0, i), plane(1, j), plane(2, k))
        return corners[i, j, k]

    def quad(ring):
        uvs = [mesh.uv(0.0, 0.0), mesh.uv(1.0, 0.0), mesh.uv(1.0, 1.0), mesh.uv(0.0, 1.0)]
        mesh.face(name, [(corner(*at), uv) for at, uv in zip(ring, uvs)])

    def turned(at, axis):
        return at[-axis:] + at[:-axis] if axis else at

    for axis in range(3):
        for side in (0, 3):  # the six flats
            ring = [(side, 1, 1), (side, 2, 1), (side, 2, 2), (side, 1, 2)]
            quad([turned(at, axis) for at in (ring if side else ring[::-1])])
        for a in (0, 3):  # the twelve edges: flat on plane a of this axis to flat on plane b of the next
            for b in (0, 3):
                ina, inb = (1 if a == 0 else 2), (1 if b == 0 else 2)
                ring = [(a, inb, 1), (ina, b, 1), (ina, b, 2), (a, inb, 2)]
                quad([turned(at, axis) for at in (ring if (a == 0) == (b == 0) else ring[::-1])])
    for i in (0, 3):  # the eight corners
        for j in (0, 3):
            for k in (0, 3):
                ini, inj, ink = (1 if i == 0 else 2), (1 if j == 0 else 2), (1 if k == 0 else 2)
                ring = [(i, inj, ink), (ini, j, ink), (ini, inj, k)]
                if (i == 0) ^ (j == 0) ^ (k == 0):
                    ring = ring[::-1]
                uvs = [mesh.uv(0.0, 0.0), mesh.uv(1.0, 0.0), mesh.uv(0.5, 1.0)]
                mesh.face(name, [(corner(*at), uv) for at, uv in zip(ring, uvs)])


def box():
    mesh = Mesh()
    block(mesh, "box", (-0.25, 0.0, -0.25), (0.25, 0.5, 0.25), 0.015)
    return mesh


def chair():
    mesh = Mesh()
    block(mesh, "seat", (-0.22, 0.42, -0.22), (0.22, 0.46, 0.22), 0.012)
    block(mesh, "back", (-0.22, 0.62, -0.22), (0.22, 0.95, -0.18), 0.012)
    for x in (-0.2, 0.2):
        block(mesh, "posts", (x - 0.02, 0.0, -0.218), (x + 0.02, 0.90, -0.182), 0.006)
        block(mesh, "legs", (x - 0.02, 0.0, 0.18), (x + 0.02, 0.43, 0.216), 0.006)
    return mesh


def turned_solid(mesh, name, center, profile, sides):
    """Profile: (radius, height) from the bottom up, closed by ending at small radii."""
    rings = []
    for radius, height in profile:
        angles = [-2 * pi * side / sides for side in range(sides)]
        ring = [mesh.point(center[0] + radius * cos(a), height, center[1] + radius * sin(a)) for a in angles]
        rings.append(ring + ring[:1])
    mesh.sheet(rings[::-1], mesh.uv_table(len(rings) - 1, sides), lambda row: name)
    for ring, up in ((rings[0][:-1], False), (rings[-1][:-1], True)):
        mesh.face(name, [(p, mesh.uv(0.5, 0.5)) for p in (ring if not up else ring[::-1])][::-1])


def stool():
    """The seat is where the mannequin's clips sit down, with room for its garments: cloth between two solids that
    touch would have to be inside one of them."""
    mesh = Mesh()
    top, z = SEAT - 0.025, -SEAT_BEHIND
    profile = ((0.05, -0.040), (0.165, -0.040), (0.175, -0.032), (0.178, -0.022), (0.175, -0.010),
               (0.165, -0.002), (0.05, 0.0))
    turned_solid(mesh, "seat", (0.0, z), [(radius, top + height) for radius, height in profile], 32)
    for x in (-0.1, 0.1):
        for deep in (-0.1, 0.1):
            block(mesh, "legs", (x - 0.018, 0.0, z + deep - 0.018), (x + 0.018, top - 0.03, z + deep + 0.018), 0.005)
    return mesh


def wedge():
    """A blade for ropes: 0.8 m long, 0.3 m high, edge down and blunted by two millimetres."""
    mesh = Mesh()
    long, high, half, edge = 0.4, 0.3, 0.10, 0.002
    ends = [[mesh.point(x, y, z) for x, y in ((-edge, 0.0), (edge, 0.0), (half, high), (-half, high))]
            for z in (-long, long)]
    back, front = ends

    def quad(corners):
        mesh.face("wedge", [(p, mesh.uv(u, v)) for p, (u, v) in zip(corners, ((0, 0), (1, 0), (1, 1), (0, 1)))])

    quad(front)
    quad(back[::-1])
    for i in range(4):
        j = (i + 1) % 4
        quad([back[i], back[j], front[j], front[i]])
    return mesh
