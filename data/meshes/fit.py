# SPDX-License-Identifier: MIT
"""Fits garments to the mannequin, whose shape is a distance field."""

from math import dist

from mannequin.shape import field
from mannequin.skin import onto_surface

from .mesh import between


def ease_off(mesh, clearance):
    """Moves points that lie nearer to the skin than that outwards, straight away from it."""
    for index, point in enumerate(mesh.positions):
        for _ in range(8):
            distance = field(*point)
            if distance >= clearance - 1e-4:
                break
            point, _ = onto_surface(lambda x, y, z: field(x, y, z) - clearance, point, 0.02)
        mesh.positions[index] = point


def smooth_out(mesh, rounds, keep=frozenset()):
    """Moves each point half of the distance to the mean of its neighbors; rims and points to keep stay."""
    around = [set() for _ in mesh.positions]
    uses = {}
    for face in (face for faces in mesh.groups.values() for face in faces):
        for (a, _), (b, _) in zip(face, face[1:] + face[:1]):
            around[a].add(b)
            around[b].add(a)
            edge = (min(a, b), max(a, b))
            uses[edge] = uses.get(edge, 0) + 1
    still = set(keep) | {p for edge, count in uses.items() if count == 1 for p in edge}
    for _ in range(rounds):
        moved = list(mesh.positions)
        for index, ring in enumerate(around):
            if index in still or not ring:
                continue
            total = [0.0, 0.0, 0.0]
            for other in sorted(ring):
                total = [a + b for a, b in zip(total, mesh.positions[other])]
            moved[index] = tuple(between(p, t / len(ring), 0.5) for p, t in zip(mesh.positions[index], total))
        mesh.positions = moved


def even_out(mesh, lines):
    """Spaces the points of each line evenly along it; its ends stay."""
    for line in lines:
        old = [mesh.positions[index] for index in line]
        lengths = [0.0]
        for a, b in zip(old, old[1:]):
            lengths.append(lengths[-1] + dist(a, b))
        for number, index in enumerate(line[1:-1], 1):
            target = lengths[-1] * number / (len(line) - 1)
            piece = max(n for n in range(len(line) - 1) if lengths[n] <= target)
            long = lengths[piece + 1] - lengths[piece]
            share = (target - lengths[piece]) / long if long > 0.0 else 0.0
            mesh.positions[index] = tuple(between(a, b, share) for a, b in zip(old[piece], old[piece + 1]))


def closest(mesh):
    """Smallest distance to the skin of points, middles of edges and middles of faces; negative inside."""
    least = 1.0
    for face in (face for faces in mesh.groups.values() for face in faces):
        corners = [mesh.positions[p] for p, _ in face]
        tries = list(corners)
        tries += [tuple((p + q) / 2 for p, q in zip(a, b)) for a, b in zip(corners, corners[1:] + corners[:1])]
        tries.append(tuple((a + b + c + d) / 4 for a, b, c, d in zip(*corners)))
        least = min([least] + [field(*point) for point in tries])
    return least
