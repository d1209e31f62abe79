#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes a list file of lab of the XML test list that the integrators paper (2016) announces.

    bench/lab/test_list.py LIST.xml LIST.json

The paper names the elements test_list and test and lists what a test says; its printed form is lost. A test has these as
attributes or as elements:

    <test_list>
      <test integrator="RK4" rows="50" columns="50" time_step="0.001" stiffness="100" damping="0.2" mass="0.2"/>
    </test_list>

integrator: a name of lab, or that of the paper. rows and columns, or size: particles; the cloth is square. time_step:
seconds. stiffness: N/m. damping: N s/m, as in the paper's equation 2.8. mass: kg of the whole cloth. Every test is run as
sheet and as flag, for a minute at most. Needs only the standard library.
"""

import json
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

INTEGRATORS = {
    "expliciteuler": "MS_EXPLICIT_EULER", "euler": "MS_EXPLICIT_EULER", "symplecticeuler": "MS_SYMPLECTIC_EULER",
    "semiimpliciteuler": "MS_SYMPLECTIC_EULER", "midpoint": "MS_MIDPOINT", "rk4": "MS_RK4", "rungekutta4": "MS_RK4",
    "fourthorderrungekutta": "MS_RK4", "verlet": "MS_VERLET", "impliciteuler": "MS_IMPLICIT_EULER",
    "constantmatrix": "MS_CONSTANT_MATRIX", "localglobal": "MS_LOCAL_GLOBAL",
}
OTHER_NAMES = {"cols": "columns", "timestep": "time_step", "step": "time_step", "spring": "stiffness",
               "springcoefficient": "stiffness", "dampingcoefficient": "damping"}
NUMBERS = ("time_step", "stiffness", "damping", "mass")


def plain(name):
    return "".join(c for c in name.lower() if c.isalnum())


def read_values(test):
    found = dict(test.attrib)
    found.update({child.tag: (child.text or "").strip() for child in test})
    return {OTHER_NAMES.get(plain(name), name.lower()): value for name, value in found.items()}


def read_test(test, number):
    def stop(what):
        raise SystemExit(f"test_list.py: error: test {number}: {what}")

    values = read_values(test)
    name = plain(values.get("integrator", ""))
    integrator = INTEGRATORS.get(name[2:] if name.startswith("ms") else name)
    if not integrator:
        stop(f"integrator: expected one of {', '.join(sorted(INTEGRATORS))}")
    sizes = [values[key] for key in ("size", "rows", "columns") if key in values]
    if not sizes or not all(size.isdigit() for size in sizes) or len(set(sizes)) > 1:
        stop("expected size, or rows and columns that are equal")
    numbers = {}
    for key in NUMBERS:
        try:
            numbers[key] = float(values[key])
        except (KeyError, ValueError):
            stop(f"{key}: expected a number")
    if not numbers["stiffness"] > 0:
        stop("stiffness: expected a number above 0")
    return {"integrators": [integrator], "sizes": [int(sizes[0])], "seconds_a_step": [numbers["time_step"]],
            "stiffness": [numbers["stiffness"]], "damping": [numbers["damping"] / numbers["stiffness"]],
            "mass": [numbers["mass"]]}


def convert(text):
    root = ElementTree.fromstring(text)
    if root.tag != "test_list":
        raise SystemExit("test_list.py: error: expected an element test_list")
    return {"seconds": 60, "tests": [read_test(test, n + 1) for n, test in enumerate(root.iter("test"))]}


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit("usage: test_list.py LIST.xml LIST.json")
    made = convert(Path(sys.argv[1]).read_text("utf-8"))
    Path(sys.argv[2]).write_text(json.dumps(made, indent=1) + "\n", "utf-8")
