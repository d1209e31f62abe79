#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The schema is a schema, and the sample scenes fit it: sample_scenes_fit.py DATA. Needs jsonschema."""

import json
import sys
from pathlib import Path

try:
    from jsonschema import Draft202012Validator
except ImportError:
    print("skipped: the Python package jsonschema is not installed")
    sys.exit(77)

DATA = Path(sys.argv[1])
SCHEMA = json.loads((DATA / "scene.schema.json").read_text(encoding="utf-8"))
Draft202012Validator.check_schema(SCHEMA)
CHECK = Draft202012Validator(SCHEMA)

# What the loader refuses, the schema refuses.
for wrong in ({}, {"softObjects": [{}]}, {"softObjects": [], "wind": 1},
              {"softObjects": [], "timestep": 0}, {"softObjects": [], "gravity": [0, 1]},
              {"softObjects": [{"src": "a", "fixed": [-3]}]}, {"softObjects": [], "relaxation": 2}):
    assert not CHECK.is_valid(wrong), wrong

scenes = sorted((DATA / "scenes").glob("*.json"))
assert scenes, "no sample scenes"
for path in scenes:
    CHECK.validate(json.loads(path.read_text(encoding="utf-8")))
print(f"{len(scenes)} scenes fit")
