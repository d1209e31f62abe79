#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The schema refuses what the loader refuses, and the sample scenes fit it: sample_scenes_fit.py DATA.

Where the Python package jsonschema is installed, it checks the schema itself as well.
"""

import json
import sys
from pathlib import Path

DATA = Path(sys.argv[1])
SCHEMA = json.loads((DATA / "scene.schema.json").read_text(encoding="utf-8"))
TYPES = {"object": dict, "array": list, "string": str, "number": (int, float), "integer": int, "boolean": bool}


def follow(schema):
    """What a $ref leads to, or the schema itself."""
    while "$ref" in schema:
        found = SCHEMA
        for step in schema["$ref"].split("/")[1:]:
            found = found[step]
        schema = found
    return schema


def fits(value, schema):
    """The part of JSON Schema that scene.schema.json uses."""
    schema = follow(schema)
    kind = schema.get("type")
    if kind and (not isinstance(value, TYPES[kind]) or (isinstance(value, bool) and kind != "boolean")):
        return False
    if "enum" in schema and value not in schema["enum"] or "const" in schema and value != schema["const"]:
        return False
    if "oneOf" in schema and sum(fits(value, choice) for choice in schema["oneOf"]) != 1:
        return False
    if isinstance(value, (int, float)):
        return schema.get("minimum", value) <= value <= schema.get("maximum", value)
    if isinstance(value, str):
        return len(value) >= schema.get("minLength", 0)
    if isinstance(value, list):
        return (schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value))
                and all(fits(item, schema.get("items", {})) for item in value))
    if isinstance(value, dict):
        known = schema.get("properties", {})
        other = schema.get("additionalProperties", {})
        return (all(name in value for name in schema.get("required", []))
                and all(fits(item, known[name]) if name in known else other is not False and fits(item, other)
                        for name, item in value.items()))
    return True


VALIDATORS = [lambda value: fits(value, SCHEMA)]
try:
    from jsonschema import Draft202012Validator
    Draft202012Validator.check_schema(SCHEMA)
    VALIDATORS.append(Draft202012Validator(SCHEMA).is_valid)
except ImportError:
    pass

WRONG = [{}, {"softObjects": [{}]}, {"softObjects": [], "wind": 1}, {"softObjects": [], "timestep": 0},
         {"softObjects": [], "gravity": [0, 1]}, {"softObjects": [], "gravity": "down"},
         {"softObjects": [{"src": "a", "fixed": [-3]}]}, {"softObjects": [], "relaxation": 2},
         {"softObjects": [{"src": "a", "drag": 1e-9}]}, {"softObjects": [{"src": "a", "solver": "PD_GS"}]},
         {"softObjects": [], "solver": "GS"}, {"softObjects": [], "colliders": [{"type": "ball"}]},
         {"softObjects": [{"src": "a", "paint": {"fixed": "pink"}}]}]
RIGHT = [{"softObjects": []}, {"softObjects": [], "gravity": [0, 1, 0]}, {"softObjects": [], "gravity": 9.81},
         {"softObjects": [{"src": "a", "drag": 0, "limits": {"*": [0.1, -1]}, "paint": {"fixed": "red"}}]}]
for fit in VALIDATORS:
    for wrong in WRONG:
        assert not fit(wrong), wrong
    for right in RIGHT:
        assert fit(right), right

scenes = sorted((DATA / "scenes").glob("*.json"))
assert scenes, "no sample scenes"
for path in scenes:
    for fit in VALIDATORS:
        assert fit(json.loads(path.read_text(encoding="utf-8"))), path
print(f"{len(scenes)} scenes fit")
