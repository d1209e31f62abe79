# SPDX-License-Identifier: MIT
"""A closed mesh on the zero level of a field that is symmetric in x: surface nets.

One vertex in each cell of a grid that the surface passes through, one quad across each grid edge that
it crosses. The surface is followed from cell to cell, so only cells near it are visited. Then
each vertex slides towards the middle of its neighbors and back onto the surface, a few times over,
which makes the quads even. The half with x > 0 is made, the other half is its mirror image.
"""

from .vec import add, cross, dot, length, minus, times

AXES = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
CORNERS = [(a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1)]
EDGES = [(corner, axis) for corner in CORNERS for axis in range(3) if corner[axis] == 0]


class Grid:
    """Samples at ((i + 0.5) h, j h, k h): the plane x = 0 runs through the middle of cells i = -1."""

    def __init__(self, field, spacing):
        self.field, self.spacing, self.samples = field, spacing, {}

    def position(self, sample):
        i, j, k = sample
        return ((i + 0.5) * self.spacing, j * self.spacing, k * self.spacing)

    def value(self, sample):
        key = (sample[0] if sample[0] >= 0 else -1 - sample[0], sample[1], sample[2])
        if key not in self.samples:
            self.samples[key] = self.field(*self.position(key))
        return self.samples[key]

    def crossings(self, cell):
        """Where the surface cuts the edges of a cell."""
        found = []
        for corner, axis in EDGES:
            a = (cell[0] + corner[0], cell[1] + corner[1], cell[2] + corner[2])
            b = tuple(p + q for p, q in zip(a, AXES[axis]))
            fa, fb = self.value(a), self.value(b)
            if (fa < 0) != (fb < 0):
                pa, pb = self.position(a), self.position(b)
                found.append(add(pa, times(minus(pb, pa), fa / (fa - fb))))
        return found


    def settle(self, cell):
        """Counts a sample as inside where two diagonal corners of a face are in and two are out: there
        two sheets would share an edge. True where that was needed. The vertices find the true surface
        again in the end."""
        for axis in range(3):
            u, v = AXES[(axis + 1) % 3], AXES[(axis + 2) % 3]
            corners = [cell, add(cell, u), add(add(cell, u), v), add(cell, v)]
            signs = [self.value(corner) < 0 for corner in corners]
            if signs[0] == signs[2] and signs[1] == signs[3] and signs[0] != signs[1]:
                i, j, k = min((corner for corner, sign in zip(corners, signs) if not sign), key=self.value)
                self.samples[i if i >= 0 else -1 - i, j, k] = -1e-9
                return True
        return False


def follow_settled(grid, start):
    while True:
        cells = follow(grid, start)
        if not [cell for cell in sorted(cells) if grid.settle(cell)]:
            return cells


def follow(grid, start):
    """All cells with x >= 0 that the surface passes through and that hang together with start."""
    found, waiting = {}, [start]
    while waiting:
        cell = waiting.pop()
        if cell in found or cell[0] < -1:
            continue
        points = grid.crossings(cell)
        if not points:
            continue
        total = (0.0, 0.0, 0.0)
        for point in points:
            total = add(total, point)
        middle = times(total, 1 / len(points))
        found[cell] = (0.0, middle[1], middle[2]) if cell[0] == -1 else middle
        waiting += [tuple(p + s * q for p, q in zip(cell, axis)) for axis in AXES for s in (1, -1)]
    return found


def quads_between(grid, cells):
    """Corners are cells; counter-clockwise seen from outside."""
    quads = []
    for cell in sorted(cells):
        if cell[0] < 0:
            continue
        inside = grid.value(cell) < 0
        for axis in range(3):
            ahead = tuple(p + q for p, q in zip(cell, AXES[axis]))
            if inside == (grid.value(ahead) < 0):
                continue
            u, v = AXES[(axis + 1) % 3], AXES[(axis + 2) % 3]
            ring = [minus(minus(cell, u), v), minus(cell, v), cell, minus(cell, u)]
            quads.append(ring if inside else ring[::-1])
    return quads


def gradient(field, p):
    e = 1e-4
    x, y, z = p
    return ((field(x + e, y, z) - field(x - e, y, z)) / (2 * e),
            (field(x, y + e, z) - field(x, y - e, z)) / (2 * e),
            (field(x, y, z + e) - field(x, y, z - e)) / (2 * e))


def onto_surface(field, p, step_limit):
    """A Newton step along the gradient; the normal too."""
    g = gradient(field, p)
    square = dot(g, g)
    step = times(g, -field(*p) / square) if square > 1e-6 else (0.0, 0.0, 0.0)
    size = length(step)
    if size > step_limit:
        step = times(step, step_limit / size)
    return add(p, step), g


def even_out(field, spacing, positions, quads, rounds):
    """positions: cell -> point; changed in place. Cells with i = -1 stay in the plane x = 0."""
    neighbors = {cell: set() for cell in positions}
    for ring in quads:
        for a, b in zip(ring, ring[1:] + ring[:1]):
            neighbors[a].add(b)
            neighbors[b].add(a)
    order = sorted(positions)
    around = {cell: sorted(neighbors[cell]) for cell in order}
    for _ in range(rounds):
        moved = {}
        for cell in order:
            p = positions[cell]
            total = (0.0, 0.0, 0.0)
            for other in around[cell]:
                q = positions[other]
                total = add(total, (abs(q[0]), q[1], q[2]))
            count = len(around[cell])
            if cell[0] == -1:  # its mirrored neighbors weigh as much again
                total, count = (0.0, total[1], total[2]), count
            middle = times(total, 1 / count)
            moved[cell], _ = onto_surface(field, add(p, times(minus(middle, p), 0.5)), spacing)
            if cell[0] == -1:
                moved[cell] = (0.0, moved[cell][1], moved[cell][2])
        positions.update(moved)


def triangles_of(ring, point):
    """Split along the shorter diagonal; ties (mirror images) alike on both sides."""
    a, b, c, d = ring
    if length(minus(point[a], point[c])) <= length(minus(point[b], point[d])):
        return [(a, b, c), (a, c, d)]
    return [(a, b, d), (b, c, d)]


def skin(field, spacing, start, rounds=3, digits=5):
    """Points and triangles; coordinates rounded to that many decimals. start: a point near the skin."""
    grid = Grid(field, spacing)
    first = (int(start[0] / spacing), int(start[1] / spacing), int(start[2] / spacing))
    seed = next(cell for k in range(200) for cell in [(first[0], first[1], first[2] + k)]
                if grid.crossings(cell))
    positions = follow_settled(grid, seed)
    quads = quads_between(grid, positions)
    even_out(field, spacing, positions, quads, rounds)
    point = {cell: tuple(round(c, digits) + 0.0 for c in p) for cell, p in positions.items()}
    index, points = {}, []
    for cell in sorted(point):
        for side in ((1,) if cell[0] == -1 else (1, -1)):
            index[cell, side] = len(points)
            points.append((side * point[cell][0] + 0.0, point[cell][1], point[cell][2]))
    triangles = []
    for ring in quads:
        for corners in triangles_of(ring, point):
            for side in (1, -1):
                named = [index[cell, 1 if cell[0] == -1 else side] for cell in corners]
                triangles.append(tuple(named[::side]))
    return points, triangles


def check_closed(points, triangles):
    """Raises unless every edge joins two triangles and the triangles around a point hang together."""
    edges, fans = {}, {}
    for a, b, c in triangles:
        for p, q, r in ((a, b, c), (b, c, a), (c, a, b)):
            if (p, q) in edges:
                raise ValueError(f"edge {p}-{q} is used twice in one direction near {points[p]}")
            edges[p, q] = r
            fans.setdefault(p, {})[q] = r
    for p, q in edges:
        if (q, p) not in edges:
            raise ValueError(f"edge {p}-{q} is open near {points[p]}")
    for p, fan in fans.items():
        start = next(iter(fan))
        at, steps = fan[start], 1
        while at != start:
            at, steps = fan[at], steps + 1
        if steps != len(fan):
            raise ValueError(f"two sheets touch in one point near {points[p]}")


def normals(points, triangles):
    """Unit, weighted by area."""
    total = [(0.0, 0.0, 0.0)] * len(points)
    for a, b, c in triangles:
        n = cross(minus(points[b], points[a]), minus(points[c], points[a]))
        for p in (a, b, c):
            total[p] = add(total[p], n)
    return [times(n, 1 / length(n)) for n in total]
