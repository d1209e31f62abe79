# SPDX-License-Identifier: MIT
"""What is read from which format: one small file for each feature, read by both programs and compared with numbers that are
computed here. The rows are the table of docs/IMPORT.md, which must agree; import_gltf.py and others have them.

    import_table.py VOXELIZE BAKE INSPECT SCRATCH IMPORT.md [--write] [CODEC…]

CODEC: an extension of glTF, or JPEG, that the programs were built to decode.
"""
import os
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import import_gltf  # noqa: E402,F401
import import_fbx  # noqa: E402,F401
import import_others  # noqa: E402,F401
from import_tools import ROWS, Tools  # noqa: E402

BEGIN, END = "<!-- table -->\n", "<!-- end of table -->\n"


def table():
    lines = ["| format | feature | |", "|---|---|---|"]
    return "\n".join(lines + [f"| {f} | {what} | {outcome} |" for f, what, outcome, _ in ROWS]) + "\n"


def main(voxelize, bake, inspect, scratch, document, *options):
    with open(document) as file:
        text = file.read()
    before, rest = text.split(BEGIN)
    old, after = rest.split(END)
    if "--write" in options:
        with open(document, "w") as file:
            file.write(before + BEGIN + table() + END + after)
        return 0
    shutil.rmtree(scratch, ignore_errors=True)
    os.makedirs(scratch)
    tools = Tools(*[os.path.abspath(p) for p in (voxelize, bake, inspect)], options)
    os.chdir(scratch)
    wrong = 0
    for formats, feature, outcome, function in ROWS:
        try:
            function(tools)
            print(f"ok: {formats}: {feature}: {outcome}")
        except (AssertionError, KeyError, ValueError) as error:
            wrong += 1
            print(f"WRONG: {formats}: {feature}: {outcome}: {type(error).__name__} {error}")
    if old != table():
        wrong += 1
        print("WRONG: the table of the document differs: --write makes it anew")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
