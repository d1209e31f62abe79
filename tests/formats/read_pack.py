#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A reader of garment and collider packs written from formats/PACK.md alone, with Python's standard library.

    read_pack.py PACK...          prints what is in them
    read_pack.py --samples DIR    checks the packs that make_samples writes

Checksums are verified where the module xxhash is installed, compressed sections read where zstandard is
(or Python has compression.zstd); the output names what was left out.
"""

import math
import struct
import sys
from pathlib import Path

try:
    import xxhash
except ImportError:
    xxhash = None

try:
    from compression import zstd
except ImportError:
    zstd = None

try:
    import zstandard
except ImportError:
    zstandard = None


def expect(condition, text):
    if not condition:
        raise ValueError(text)


def decompress(stored, raw_size):
    """None where there is no zstd here."""
    if zstd is not None:
        return zstd.decompress(stored)
    if zstandard is not None:
        return zstandard.ZstdDecompressor().decompress(stored, max_output_size=raw_size)
    return None


def check_sum(name, data, checksum):
    if xxhash is not None:
        expect(xxhash.xxh3_64_intdigest(data) == checksum, f"{name}: checksum")


def read_sections(data):
    """{kind: bytes}; None for a compressed section that cannot be read here."""
    magic, order, major, _, contents, count, size, checksum = struct.unpack_from("<8sIHH4sIQQ", data)
    expect(magic == b"SELVAGE\0" and order == 0x0A0B0C0D and major == 1, "header")
    expect(size == len(data) and count <= 64 and data[40:64] == bytes(24), "header")
    end = 64 + 48 * count
    check_sum("header", data[:32] + bytes(8) + data[40:end], checksum)
    sections = {}
    for i in range(count):
        kind, codec, flags, zero, offset, stored, raw, checksum = struct.unpack_from(
            "<4sIIIQQQQ", data, 64 + 48 * i)
        kind = kind.decode("ascii")
        expect(kind not in sections and codec in (0, 1) and flags in (0, 1) and zero == 0, kind)
        expect(offset % 64 == 0 and end <= offset and offset + stored <= size, kind)
        expect(data[end:offset] == bytes(offset - end), f"{kind}: padding")
        content = data[offset:offset + stored]
        check_sum(kind, content, checksum)
        if codec == 1:
            content = decompress(content, raw)
        expect(content is None or len(content) == raw, f"{kind}: size")
        sections[kind] = content
        end = offset + stored
    expect(end == size, "bytes behind the last section")
    return contents.decode("ascii"), sections


def numbers(letter, data, offset=0, count=None):
    if count is None:
        count = (len(data) - offset) // 4
    return list(struct.unpack_from(f"<{count}{letter}", data, offset))


# Kinds of constraint that have ends and a rest value: section and number of ends.
CONSTRAINTS = {1: ("CDST", 2), 2: ("CBND", 2), 3: ("CTET", 4), 5: ("CFLX", 4)}


class Garment:
    def __init__(self, sections):
        self.sections = sections
        (self.n, self.mode, *rest) = struct.unpack("<II3d3f3fff32x", sections["INFO"])
        self.frame, self.low, self.high = rest[0:3], rest[3:6], rest[6:9]
        self.spacing, self.mass = rest[9:11]
        n = self.n
        position = numbers("f", sections["PPOS"])
        self.position = list(zip(position[:n], position[n:2 * n], position[2 * n:]))
        self.inverse_mass = numbers("f", sections["PINV"])
        paint = sections.get("PPNT")
        self.paint = [tuple(paint[4 * s:4 * s + 4]) for s in range(self.n)] if paint else None
        order = numbers("I", sections["PORD"])
        self.own_of_stored, self.stored_of_own = order[:n], order[n:]
        self.colors = [struct.unpack_from("<III4x", sections["PCOL"], i)
                        for i in range(0, len(sections["PCOL"]), 16)]
        self.groups = [struct.unpack_from("<III4xQQ", sections["CGRP"], i)
                       for i in range(0, len(sections["CGRP"]), 32)]
        self.constraints = {kind: self.read_constraints(*layout) for kind, layout in CONSTRAINTS.items()}
        self.distance, self.bending, self.tetrahedra = (self.constraints[kind] for kind in (1, 2, 3))
        self.copy_of = self.read_phantoms()
        self.clusters = self.read_clusters()
        self.materials = [self.read_material(i) for i in range(0, len(sections["MATL"]), 128)]
        self.read_grid()
        self.read_mesh()
        self.sets = self.read_sets()
        self.provenance = sections.get("PROV", b"").decode("utf-8")

    def read_constraints(self, section, ends):
        """Tuples of ends and a rest value."""
        data = self.sections.get(section, b"")
        m = len(data) // (4 * ends + 4)
        return list(zip(*(numbers("I", data, 4 * e * m, m) for e in range(ends)),
                        numbers("f", data, 4 * ends * m, m)))

    def read_phantoms(self):
        """What each copy, from number n on, is a copy of."""
        data = self.sections.get("CPHM", b"")
        m = len(data) // 8
        original, end = numbers("I", data, 0, m), numbers("I", data, 4 * m, m)
        copy_of = []
        for particle, last in zip(original, end):
            copy_of += [particle] * (last - len(copy_of))
        return copy_of

    def read_clusters(self):
        """Lists of stored numbers."""
        data = self.sections.get("CCLU", b"")
        if not data:
            return []
        count, members = numbers("I", data, 0, 2)
        ends, member = numbers("I", data, 16, count), numbers("I", data, 16 + 4 * count, members)
        expect(len(data) == 16 + 4 * (count + members) and ends[-1] == members, "CCLU")
        return [list(member[first:end]) for first, end in zip([0, *ends], ends)]

    def original(self, number):
        return number if number < self.n else self.copy_of[number - self.n]

    def check_groups(self):
        """No number occurs twice in a colored group."""
        for kind, color, _, first, count in self.groups:
            used = [p for c in self.constraints.get(kind, [])[first:first + count] for p in c[:-1]]
            expect(color == 0xFFFFFFFF or len(used) == len(set(used)), "a group shares a particle")

    def read_material(self, offset):
        name, *values = struct.unpack_from("<32s12fIf40x", self.sections["MATL"], offset)
        return name.rstrip(b"\0").decode("utf-8"), values

    def read_grid(self):
        self.grid = None
        if "GRID" in self.sections:
            nx, ny, nz, ox, oy, oz, spacing = struct.unpack("<3I4x4d", self.sections["GRID"])
            self.grid = (nx, ny, nz), (ox, oy, oz), spacing
            self.cell = numbers("I", self.sections["PCEL"])
            slots = numbers("i", self.sections["NBRS"])
            self.neighbors = [slots[i * self.n:(i + 1) * self.n] for i in range(6)]

    def read_mesh(self):
        self.vertices, self.triangles = [], []
        if "RPOS" not in self.sections:
            return
        flat = numbers("f", self.sections["RPOS"])
        self.vertices = list(zip(flat[0::3], flat[1::3], flat[2::3]))
        flat = numbers("I", self.sections["RTRI"])
        self.triangles = list(zip(flat[0::3], flat[1::3], flat[2::3]))
        data = self.sections["REMB"]
        v, k, flags = struct.unpack_from("<III", data)
        expect(v == len(self.vertices), "REMB")
        particles = numbers("I", data, 16, v * k)
        weights = numbers("f", data, 16 + 4 * v * k, v * k)
        offsets = numbers("f", data, 16 + 8 * v * k, 3 * v) if flags & 1 else [0.0] * (3 * v)
        self.embedding = [(particles[k * i:k * i + k], weights[k * i:k * i + k],
                           offsets[3 * i:3 * i + 3]) for i in range(v)]

    def embedded(self, vertex):
        """Where the particles put a render vertex."""
        particles, weights, offset = self.embedding[vertex]
        points = [self.position[p] for p in particles]
        position = [sum(w * p[a] for w, p in zip(weights, points)) for a in range(3)]
        for axis, length in zip(frame_of(points), offset):
            position = [p + length * a for p, a in zip(position, axis)]
        return position

    def read_sets(self):
        data = self.sections.get("PSET")
        if data is None:
            return {}
        count, indices, names, _ = struct.unpack_from("<IIII", data)
        first_number = 16 + 16 * count
        first_name = first_number + 4 * indices
        expect(len(data) == first_name + names, "PSET: size")
        sets = {}
        for i in range(count):
            offset, length, first, size = struct.unpack_from("<IIII", data, 16 + 16 * i)
            name = data[first_name + offset:first_name + offset + length].decode("utf-8")
            sets[name] = numbers("I", data, first_number + 4 * first, size)
        return sets


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def frame_of(points):
    world = [1, 0, 0], [0, 1, 0], [0, 0, 1]
    if len(points) < 3:
        return world
    along = [b - a for a, b in zip(points[0], points[1])]
    other = [b - a for a, b in zip(points[0], points[2])]
    normal = cross(along, other)
    if math.hypot(*normal) == 0:
        return world
    e1 = [a / math.hypot(*along) for a in along]
    e3 = [a / math.hypot(*normal) for a in normal]
    return e1, cross(e3, e1), e3


def read_field(data):
    """(cells, values) of an SDFG section."""
    nx, ny, nz, slab = struct.unpack_from("<4I", data)
    mask = 0xFFFFFFFF
    values = []
    offset = 48
    for first in range(0, nz, slab):
        layers = min(slab, nz - first)
        count = nx * ny * layers
        planes = [data[offset + p * count:offset + (p + 1) * count] for p in range(4)]
        offset += 4 * count
        u = []
        for i in range(count):
            folded = sum(planes[p][i] << (8 * p) for p in range(4))
            u.append((folded >> 1) ^ (mask if folded & 1 else 0))
        for step, size in ((1, nx), (nx, ny), (nx * ny, layers)):  # sums along x, then y, then z
            for i in range(count):
                if i // step % size:
                    u[i] = (u[i] + u[i - step]) & mask
        bits = [a & 0x7FFFFFFF if a >> 31 else ~a & mask for a in u]
        values += struct.unpack(f"<{count}f", struct.pack(f"<{count}I", *bits))
    expect(offset == len(data), "SDFG: size")
    return (nx, ny, nz), values


def read_garment(path):
    contents, sections = read_sections(Path(path).read_bytes())
    expect(contents == "GARM", "not a garment")
    return Garment(sections)


# --- colliders --------------------------------------------------------------------------------------


def single(value):
    """Rounded to float32."""
    return struct.unpack("<f", struct.pack("<f", value))[0]


def folded_planes(data, count):
    """count numbers of either sign out of four byte planes."""
    expect(len(data) == 4 * count, "planes: size")
    values = []
    for i in range(count):
        folded = sum(data[p * count + i] << (8 * p) for p in range(4))
        values.append((folded >> 1) ^ (-(folded & 1)))
    return values


class Motion:
    """Points over all frames; frames[f][point] is (x, y, z)."""

    def __init__(self, sections, letter, points, frame_count):
        table, groups, index = (sections[letter + kind] for kind in ("PRD", "GRP", "IDX"))
        p, k, step, zero = struct.unpack_from("<IIfI", table)
        expect(p == points and 1 <= k <= 16 and zero == 0 and len(table) == 16 + 6 * p * k, "predictors")
        count = p * k
        numbers = [sum(table[16 + plane * count + i] << (8 * plane) for plane in range(4)) for i in range(count)]
        weights = [table[16 + 4 * count + i] | table[16 + 5 * count + i] << 8 for i in range(count)]
        weights = [(w - 0x10000 if w >= 0x8000 else w) / 4096 for w in weights]
        self.frames = []
        for g in range((frame_count + 7) // 8):
            offset, *sizes, escapes = struct.unpack_from("<QIIII", index, 24 * g)
            parts = []
            for size, raw in zip(sizes, (12 * p, 7 * p, 12 * escapes)):
                parts.append(decompress(groups[offset:offset + size], raw) if raw else b"")
                offset += size
            rows = self.decode_group(parts, p, k, step, numbers, weights, escapes)
            for f in range(min(8, frame_count - 8 * g)):
                self.frames.append([tuple(rows[i][d][f] for d in range(3)) for i in range(p)])

    @staticmethod
    def decode_group(parts, p, k, step, numbers, weights, escapes):
        keys, tokens, changes = folded_planes(parts[0], 3 * p), parts[1], folded_planes(parts[2], 3 * escapes)
        rows, escape = [], 0
        for i in range(p):
            now = [keys[d * p + i] for d in range(3)]
            residuals = [list(now)]
            for token in tokens[7 * i:7 * (i + 1)]:
                if token == 255:
                    change = [changes[d * escapes + escape] for d in range(3)]
                    escape += 1
                else:
                    expect(token < 125, "token")
                    change = [token % 5 - 2, token // 5 % 5 - 2, token // 25 - 2]
                now = [a + b for a, b in zip(now, change)]
                residuals.append(list(now))
            row = []
            for d in range(3):
                values = []
                for f in range(8):
                    a = 0.0
                    for n, w in zip(numbers[k * i:k * (i + 1)], weights[k * i:k * (i + 1)]) if i else ():
                        a = single(a + single(w * rows[n][d][f]))
                    values.append(single(a + single(step * single(residuals[f][d]))))
                row.append(values)
            rows.append(row)
        expect(escape == escapes, "escapes")
        return rows


def read_collider(path):
    """(clip's numbers, {letter: motion}); None for the motions where there is no zstd."""
    contents, sections = read_sections(Path(path).read_bytes())
    expect(contents == "COLL", "not a collider")
    clip = struct.unpack("<6I6d10f16s", sections["CLIP"])
    if zstd is None and zstandard is None:
        return clip, None
    counts = {"P": clip[0], "A": clip[1], "M": clip[2]}
    return clip, {letter: Motion(sections, letter, n, clip[4]) for letter, n in counts.items() if n}


# --- the samples: the contents that sample_garment.c and sample_collider.c write -----------------------------------------------------


def close(a, b):
    return abs(a - b) < 1e-6


def check_grid(garment, cells):
    (nx, ny, nz), origin, spacing = garment.grid
    expect((nx, ny, nz) == cells and garment.n == nx * ny * nz and garment.mode == 1, "grid")
    expect(garment.frame == [1, 2, 3] and close(garment.mass, 0.001 * (garment.n - 1)), "info")
    for s in range(garment.n):
        own = garment.own_of_stored[s]
        at = own % nx, own // nx % ny, own // nx // ny
        expect(garment.stored_of_own[own] == s and garment.cell[s] == own, "order")
        expect(garment.paint[s] == (own % 256, 255, 0, s % 256), "paint")
        expect(all(close(p, o + spacing * i) for p, o, i in zip(garment.position[s], origin, at)),
               "position")
        color = next(c for c, first, count in garment.colors if first <= s < first + count)
        expect(color == sum(at) % 2, "color")
        for slot in range(6):
            there = list(at)
            there[slot // 2] += -1 if slot % 2 == 0 else 1
            inside = 0 <= there[slot // 2] < cells[slot // 2]
            number = there[0] + nx * (there[1] + ny * there[2])
            expected = garment.stored_of_own[number] if inside else -1
            expect(garment.neighbors[slot][s] == expected, "neighbor")
    expected = (nx - 1) * ny * nz + nx * (ny - 1) * nz + nx * ny * (nz - 1)
    expect(len(garment.distance) == expected, "distance constraints")
    for a, b, rest in garment.distance + garment.bending:
        expect(close(math.dist(garment.position[a], garment.position[b]), rest), "rest length")
    for kind, color, material, first, count in garment.groups:
        ends = [p for a, b, _ in garment.distance[first:first + count] for p in (a, b)]
        expect(kind == 2 or len(ends) == len(set(ends)), "a colored group shares a particle")
    expect(garment.groups[-1][:3] == (2, 0xFFFFFFFF, 1), "bending group")
    expect(garment.sets == {"first": [0], "all": list(range(garment.n))}, "sets")
    expect([name for name, _ in garment.materials] == ["cotton", "seide-ü"], "materials")


def check_mesh(garment):
    for v, vertex in enumerate(garment.vertices):
        expect(all(close(a, b) for a, b in zip(garment.embedded(v), vertex)), "embedding")
    expect(all(i < len(garment.vertices) for t in garment.triangles for i in t), "triangles")


def check_field(data):
    cells, values = read_field(data)
    expect(cells == (6, 5, 11) and len(values) == 330, "field")
    for number, value in enumerate(values):
        x, y, z = number % 6 - 2.683, number // 6 % 5 - 2.329, number // 30 - 5.407
        expect(close(value, (math.hypot(x, y, z) - 2.4) * 0.01), "a distance to the sphere")


def check_soft(garment):
    expect(garment.copy_of == [0, 0, 3] and garment.n == 5, "phantoms")
    expect(len(garment.tetrahedra) == 2 and len(garment.distance) == 9, "soft")
    garment.check_groups()
    for a, b, rest in garment.distance:
        ends = garment.position[garment.original(a)], garment.position[garment.original(b)]
        expect(close(math.dist(*ends), rest), "rest length")
    for *corners, rest in garment.tetrahedra:
        a, b, c, d = (garment.position[garment.original(p)] for p in corners)
        edges = [[q - p for p, q in zip(a, end)] for end in (b, c, d)]
        normal = cross(edges[0], edges[1])
        expect(close(sum(p * q for p, q in zip(normal, edges[2])) / 6, rest), "rest volume")


def swing(frame):
    phase = frame / 40 - math.floor(frame / 40)
    return phase * (0.5 - phase) * 4 if phase < 0.5 else -(phase - 0.5) * (1 - phase) * 4


def check_collider(folder):
    clip, motions = read_collider(folder / "collider.slv")
    expect(clip[:6] == (6, 3, 5, 3, 21, 0) and clip[6:8] == (30.0, 0.5), "clip")
    for letter, motion in (motions or {}).items():
        expect(len(motion.frames) == 21, "frames")
        for f, frame in enumerate(motion.frames):
            for i, at in enumerate(frame):
                along = {"P": 0.05 * i, "A": 0.11 * i, "M": 0.07 * i + 0.01}[letter]
                there = (along, 1 + along * swing(f), 0.3 * along * along * swing(f + 11))
                expect(math.dist(at, there) <= 1e-4, f"{letter}: point {i} of frame {f}")
                expect(all(low <= a <= high for low, a, high in zip(clip[12:15], at, clip[15:18])), "bounds")


def check_samples(folder):
    grid = read_garment(folder / "grid.slv")
    check_grid(grid, (4, 3, 3))
    field = read_garment(folder / "grid-field.slv")
    check_grid(field, (2, 2, 2))
    surface = read_garment(folder / "surface.slv")
    expect(surface.n == 8 and surface.mode == 3 and surface.grid is None, "surface")
    expect(surface.colors == [(0xFFFFFFFF, 0, 8)] and len(surface.triangles) == 6, "surface")
    for garment in (grid, field, surface):
        check_mesh(garment)
        expect(garment.provenance.startswith('{"tool"'), "provenance")
    check_soft(read_garment(folder / "soft.slv"))
    body = read_garment(folder / "body.slv")
    expect(body.clusters == [[0, 1, 2, 3], [2, 3, 4], [5]] and not body.groups, "clusters")
    empty = read_garment(folder / "empty.slv")
    expect(empty.n == 0 and not empty.colors and not empty.groups, "empty")
    check_field(read_garment(folder / "raw-field.slv").sections["SDFG"])
    if field.sections["SDFG"] is not None:
        check_field(field.sections["SDFG"])
    check_collider(folder)
    left_out = [what for what, module in (("checksums (no module xxhash)", xxhash),
                                          ("a compressed section (no zstd)", zstd or zstandard)) if module is None]
    print("eight packs read as PACK.md says" + "".join(f"; not checked: {a}" for a in left_out))


def main(arguments):
    if len(arguments) == 2 and arguments[0] == "--samples":
        check_samples(Path(arguments[1]))
        return 0
    for path in arguments:
        if Path(path).read_bytes()[16:20] == b"COLL":
            clip, motions = read_collider(path)
            print(f"{path}: {clip[0]} particles, {clip[4]} frames, motions {list(motions or {})}")
            continue
        garment = read_garment(path)
        print(f"{path}: {garment.n} particles, {len(garment.distance)} distance constraints, "
              f"{len(garment.vertices)} render vertices, sets {list(garment.sets)}")
    return 0 if arguments else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
