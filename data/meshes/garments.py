# SPDX-License-Identifier: MIT
"""Garments of the mannequin, and a curtain. Each function makes one mesh; groups become particle sets."""

from math import cos, pi, sin, sqrt

from mannequin import shape

from .fit import ease_off, even_out, smooth_out
from .mesh import Mesh, between, smooth, unit

EASE, OVER = 0.022, 0.040  # metres that cloth keeps from the skin: next to it, and over a shirt. Colliders with
# particles of 12 mm and cloth with particles of 7 to 10 mm stand that far off: cut tighter, it would be stretched.


def cape():
    """Hangs from the shoulders behind the arms, in soft folds that grow towards the hem at the knees."""
    mesh = Mesh()
    rows, columns = 40, 44

    def point_at(row, column):
        down, aside = row / rows, 2 * column / columns - 1
        over, fall = smooth(down / 0.14), max(0.0, (down - 0.06) / 0.94)
        fold = 0.055 * smooth(fall * 1.3) * cos(5 * pi * aside)
        x = aside * (between(0.150, 0.205, over) + 0.17 * fall)
        edge = aside * aside
        y = 1.490 - 0.036 * edge - 0.045 * over * (1 - 0.6 * edge) - 0.93 * fall
        z = between(-0.112 + 0.062 * edge, -0.172 + 0.010 * edge, over) - 0.18 * fall + fold
        return mesh.point(x, y, z)

    # Seen from behind, which is outside, +x lies at the left.
    points = [[point_at(row, columns - column) for column in range(columns + 1)] for row in range(rows + 1)]
    mesh.sheet(points, mesh.uv_table(rows, columns),
               lambda row: "collar" if row < 1 else "hem" if row == rows - 1 else "cloth")
    ease_off(mesh, OVER)
    return mesh


def poncho():
    """A round sheet with a hole for the head, a shallow cone: it can lie flat without stretching."""
    mesh = Mesh()
    rings, columns = 22, 64

    def polar(ring, column):
        radius, angle = between(0.115, 0.66, ring / rings), 2 * pi * column / columns
        return radius * cos(angle), radius * sin(angle)

    points, uvs = [], []
    for ring in range(rings + 1):
        flat = [polar(ring, -column) for column in range(columns)]
        row = [mesh.point(x, 1.532 - 0.36 * sqrt(x * x + z * z), z - 0.008) for x, z in flat]
        row_uvs = [mesh.uv(0.5 + x / 1.4, 0.5 - z / 1.4) for x, z in flat]
        points.append(row + row[:1])
        uvs.append(row_uvs + row_uvs[:1])
    mesh.sheet(points, uvs, lambda ring: "neck" if ring == 0 else "hem" if ring == rings - 1 else "cloth")
    return mesh


# --- T-shirt -------------------------------------------------------------------------------------

def tunic():
    """A short-sleeved shirt: a tube for the body with two sleeves sewn into its arm holes."""
    mesh = Mesh()
    columns, rows = 56, 30          # column 0 lies at the left arm (+x), the middle one at the right
    hole_top, hole_bottom = 5, 14   # rows of the body that an arm hole spans
    hole_half = 5                   # columns to either side of the arm
    points = [tunic_ring(mesh, row, rows, hole_top, columns) for row in range(rows + 1)]
    half = columns // 2

    def in_hole(row, column):
        from_arm = min((column + 0.5) % half, half - (column + 0.5) % half)
        return hole_top <= row < hole_bottom and from_arm < hole_half

    mesh.sheet(points, mesh.uv_table(rows, columns, height=0.60),
               lambda row: "neck" if row == 0 else "hem" if row == rows - 1 else "body", in_hole)
    lines = [[points[row][column] for row in range(hole_top + 1)] for column in range(columns)]  # over the shoulders
    for side, center in (("left", 0), ("right", half)):
        loop = hole_loop(points, center, hole_half, hole_top, hole_bottom, columns)
        lines += sew_sleeve(mesh, side, loop)
    for _ in range(3):  # rows moved away from throat and armpits would coincide
        ease_off(mesh, EASE)
        even_out(mesh, lines)
    drop_unused(mesh)
    smooth_out(mesh, 2)
    ease_off(mesh, EASE)
    return mesh


def tunic_ring(mesh, row, rows, hole_top, columns):
    """One ring of the body, from the neck (row 0) down; the last column is the first again."""
    if row <= hole_top:  # over the shoulders
        t = row / hole_top
        width, depth = between(0.115, 0.186, t), between(0.111, 0.118, smooth(t))
        height, middle = 1.482 - 0.050 * t * t, -0.026
    else:  # from the shoulders to the hem
        t = (row - hole_top) / (rows - hole_top)
        width = 0.186 + 0.020 * smooth(2 * t - 0.8)
        depth = between(0.118, 0.146, smooth(2.5 * t))
        height, middle = 1.432 - 0.45 * t, between(-0.026, -0.008, smooth(2 * t))
    angles = [-2 * pi * column / columns for column in range(columns)]
    front_low = 0.018 * max(0.0, 1 - row / 18)  # the neckline dips in front, and the rows below make room for it
    ring = [mesh.point(width * cos(angle), height - front_low * max(0.0, sin(angle)),
                       middle + depth * sin(angle)) for angle in angles]
    return ring + ring[:1]


def hole_loop(points, center, half, top, bottom, columns):
    """Points around an arm hole, from its top middle, the body's outside kept on the left."""
    def at(row, offset):
        return points[row][(center + offset) % columns]

    loop = [at(top, offset) for offset in range(0, half)]
    loop += [at(row, half) for row in range(top, bottom)]
    loop += [at(bottom, offset) for offset in range(half, -half, -1)]
    loop += [at(row, -half) for row in range(bottom, top, -1)]
    return loop + [at(top, offset) for offset in range(-half, 0)]


def sew_sleeve(mesh, side, loop):
    """Straight lines from the arm hole to a round cuff about the upper arm, in rings of quads; the lines."""
    out = 1 if side == "left" else -1
    rings, count, cuff_radius = 11, len(loop), 0.094
    along = (out * shape.ARM[0], shape.ARM[1], 0.0)
    cuff = tuple(s + 0.215 * a for s, a in zip((out * shape.SHOULDER[0],) + shape.SHOULDER[1:], along))
    up, aside = (-out * along[1] * 1.0, out * along[0], 0.0), (0.0, 0.0, -out)

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
    return [[row[i] for row in rows] for i in range(count)]


def drop_unused(mesh):
    """Points in the middle of the arm holes belong to no face."""
    used = sorted({p for faces in mesh.groups.values() for face in faces for p, _ in face})
    number = {old: new for new, old in enumerate(used)}
    mesh.positions = [mesh.positions[old] for old in used]
    for faces in mesh.groups.values():
        for face in faces:
            face[:] = [(number[p], t) for p, t in face]


# --- Skirt and curtain ---------------------------------------------------------------------------

def skirt():
    """Sits on the waist, flares over the hips, falls to the knees in soft pleats."""
    mesh = Mesh()
    rows, columns, pleats = 30, 72, 12
    points = []
    for row in range(rows + 1):
        t = row / rows
        hips, fall = smooth(t / 0.32), max(0.0, (t - 0.25) / 0.75)
        width = between(0.158, 0.190, hips) + 0.095 * fall
        depth = between(0.114, 0.150, hips) + 0.105 * fall
        height = 1.035 - 0.50 * t
        ring = []
        for column in range(columns):
            angle = -2 * pi * column / columns
            pleat = 1 + 0.075 * smooth(fall * 1.2) * cos(pleats * angle)
            ring.append(mesh.point(width * pleat * cos(angle), height, 0.002 + depth * pleat * sin(angle)))
        points.append(ring + ring[:1])
    mesh.sheet(points, mesh.uv_table(rows, columns),
               lambda row: "waist" if row == 0 else "hem" if row == rows - 1 else "cloth")
    ease_off(mesh, EASE)
    smooth_out(mesh, 3)
    ease_off(mesh, EASE)
    return mesh


def curtain():
    """Two metres high, gathered to two thirds of its width; the first row hangs on the rail."""
    mesh = Mesh()
    rows, columns, pleats = 50, 60, 10
    width, depth = 1.0, 0.042

    def point_at(row, column):
        u = column / columns
        wave = cos(2 * pi * pleats * u)
        return mesh.point(width * (u - 0.5), 2.1 - 2.0 * row / rows, depth * wave)

    points = [[point_at(row, column) for column in range(columns + 1)] for row in range(rows + 1)]
    mesh.sheet(points, mesh.uv_table(rows, columns),
               lambda row: "rail" if row == 0 else "hem" if row == rows - 1 else "cloth")
    return mesh
