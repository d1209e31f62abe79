#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the meshes of this folder, one function per model.

    data/make_meshes.py [FOLDER [NAME…]]      (default: the folder of this program, and all of them)

Metres, y up, a person faces +z. Faces are quads, wound counter-clockwise seen from outside (cloth: from
the side that is worn outside). Groups name the parts: a garment pack turns each into a particle set to
pin or attach. A seam in the texture never splits a position, so the cloth stays connected. Garments fit
the mannequin in the pose that it was made in, about 2 cm from its skin, which is checked.
"""

import sys
from pathlib import Path

from meshes import garments, props
from meshes.fit import closest
from meshes.mesh import enclosed, openings

WEARER = (0.0, 1.1, 0.0)  # garments face away from here
BEHIND = (0.0, 1.0, -1.0)  # and a curtain from here

WORN = (  # description, number of openings
    (garments.cape, "A cape, hangs from the shoulders", 1),
    (garments.poncho, "A poncho: a round sheet with a hole for the head", 2),
    (garments.tunic, "A T-shirt, open at neck, hem and both cuffs", 4),
    (garments.skirt, "A flared skirt, open at waist and hem", 2),
)
OTHERS = (
    (garments.curtain, "A pleated curtain", 1),
    (props.cushion, "A cushion: two sheets sewn together, closed", 0),
    (props.knot, "A trefoil knot made of a tube, closed", 0),
    (props.chair, "A chair, closed parts that overlap", 0),
    (props.stool, "A stool of the height that the mannequin sits down on, closed parts that overlap", 0),
    (props.wedge, "A wedge, edge down, closed", 0),
    (props.box, "A box of half a metre with blunt edges, closed", 0),
)


def check(make, mesh, expected):
    name = make.__name__
    if openings(mesh) != expected:
        raise ValueError(f"{name} has {openings(mesh)} openings, wanted {expected}")
    worn = make in [row[0] for row in WORN]
    if enclosed(mesh, WEARER if worn else BEHIND if make == garments.curtain else None) <= 0:
        raise ValueError(f"{name} is inside out")
    if worn and closest(mesh) < 0.004:
        raise ValueError(f"{name} comes within {closest(mesh):.4f} m of the mannequin")


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    for make, title, expected in WORN + OTHERS:
        if sys.argv[2:] and make.__name__ not in sys.argv[2:]:
            continue
        mesh = make()
        check(make, mesh, expected)
        (folder / f"{make.__name__}.obj").write_text(mesh.text(title), encoding="ascii", newline="\n")


if __name__ == "__main__":
    main()
