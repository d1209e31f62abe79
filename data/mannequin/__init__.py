# SPDX-License-Identifier: MIT
"""The mannequin: its shape, skin, skeleton and motion, each in a file of its own."""

from . import motion, shape, skeleton
from .glb import Character
from .skin import check_closed, normals, skin

SPACING = 0.0165  # metres between points of the skin, about


def make():
    """The whole character as the bytes of a .glb file."""
    points, triangles = skin(shape.field, SPACING, start=(0.09, 0.30, 0.0))
    check_closed(points, triangles)
    joints = [(name, parent, skeleton.offset(name), position) for name, parent, position in skeleton.JOINTS]
    character = Character("mannequin", points, triangles, normals(points, triangles),
                          skeleton.weights(points, triangles), joints)
    for name, at, seconds in motion.CLIPS:
        character.add_clip(name, motion.FPS, motion.frames(at, seconds))
    return character.glb()
