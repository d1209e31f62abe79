#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The XML lists of the mass-spring laboratory: what bench/lab/test_list.py makes of them, and what it refuses.

    lab_lists.py PROJECT
"""

import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(sys.argv[1]) / "bench/lab"))
from test_list import convert  # noqa: E402

GOOD = {"integrator": "RK4", "rows": "20", "columns": "20", "time_step": "0.001", "stiffness": "100", "damping": "0.2",
        "mass": "0.2"}
EXPECTED = {"integrators": ["MS_RK4"], "sizes": [20], "seconds_a_step": [0.001], "stiffness": [100.0], "damping": [0.002],
            "mass": [0.2]}


def as_attributes(values):
    return "<test_list><test " + " ".join(f'{k}="{v}"' for k, v in values.items()) + "/></test_list>"


def as_elements(values):
    return "<test_list><test>" + "".join(f"<{k}>{v}</{k}>" for k, v in values.items()) + "</test></test_list>"


def refuses(text, word):
    try:
        convert(text)
    except SystemExit as error:
        return word in str(error)
    return False


def main():
    example = (Path(sys.argv[1]) / "bench/lab/test-list.xml").read_text("utf-8")
    checks = {
        "attributes": convert(as_attributes(GOOD))["tests"] == [EXPECTED],
        "elements": convert(as_elements(GOOD))["tests"] == [EXPECTED],
        "the example": [t["integrators"][0] for t in convert(example)["tests"]] ==
                       ["MS_EXPLICIT_EULER", "MS_RK4", "MS_VERLET", "MS_IMPLICIT_EULER"],
        "an unknown integrator": refuses(as_attributes({**GOOD, "integrator": "magic"}), "integrator"),
        "a cloth that is not square": refuses(as_attributes({**GOOD, "rows": "10"}), "equal"),
        "a mass that is no number": refuses(as_elements({**GOOD, "mass": "much"}), "mass"),
        "no stiffness": refuses(as_elements({**GOOD, "stiffness": "0"}), "stiffness"),
        "another element": refuses("<tests/>", "test_list"),
    }
    wrong = [name for name, right in checks.items() if not right]
    print("\n".join(f"wrong: {name}" for name in wrong) or f"{len(checks)} checks")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
