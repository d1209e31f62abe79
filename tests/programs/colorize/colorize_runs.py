#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests selvage-colorize as a program: selvage-inspect reads its packs, and this script checks them.

    colorize_runs.py BUILD DATA WORK MAKE_SAMPLES"""

import csv
import io
import json
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

BUILD, DATA, WORK, MAKE_SAMPLES = (Path(a).resolve() for a in sys.argv[1:5])
COLORIZE = BUILD / "tools/colorize/selvage-colorize"
INSPECT = BUILD / "tools/inspect/selvage-inspect"
VOXELIZE = BUILD / "tools/voxelize/selvage-voxelize"


def run(program, *arguments, status=0):
    done = subprocess.run([str(program), *map(str, arguments)], capture_output=True, text=True, cwd=WORK)
    if done.returncode != status:
        sys.exit(f"{program.name} {' '.join(map(str, arguments))}: status {done.returncode}, expected {status}\n"
                 f"{done.stdout}{done.stderr}")
    return done.stdout if status == 0 else done.stderr


def expect(condition, what):
    if not condition:
        sys.exit(f"not so: {what}")


def table(pack, name):
    return list(csv.DictReader(io.StringIO(run(INSPECT, pack, "--dump", name))))


class Colored:
    """A pack as its dumps show it."""

    def __init__(self, pack):
        expect(run(INSPECT, pack, "--verify") == f"{pack}: ok\n", f"{pack} verifies")
        self.particles = table(pack, "particles")
        rows = table(pack, "constraints")
        self.phantom_rows = [r for r in rows if r["kind"] == "phantom"]
        self.rows = [r for r in rows if r["kind"] != "phantom"]
        self.phantom_of = {int(p["particle"]): int(p["phantom_of"]) for p in self.particles}

    def ends(self, row):
        return [int(row[c]) for c in "abcd" if row.get(c)]

    def originals(self, row):
        return tuple(self.phantom_of[e] if self.phantom_of[e] >= 0 else e for e in self.ends(row))

    def constraints(self):
        """The constraints, independent of colors."""
        return Counter((r["kind"], r["rest"], self.originals(r)) for r in self.rows)

    def groups(self):
        groups = defaultdict(list)
        for row in self.rows:
            groups[row["kind"], int(row["color"])].append(row)
        return groups

    def check(self):
        for (kind, color), rows in self.groups().items():
            used = [e for row in rows for e in self.ends(row)]
            expect(color < 0 or len(used) == len(set(used)), f"{kind} {color} shares no particle")
        copies = [p for p, of in self.phantom_of.items() if of >= 0]
        tied = {int(r["b"]): int(r["a"]) for r in self.phantom_rows}
        expect(tied == {c: self.phantom_of[c] for c in copies}, "each phantom is tied to its particle")
        used = {e for r in self.rows for e in self.ends(r)}
        expect(all(c in used for c in copies), "no phantom without a constraint")
        places = {int(p["particle"]): (p["x"], p["y"], p["z"]) for p in self.particles}
        expect(all(places[c] == places[self.phantom_of[c]] for c in copies), "phantoms begin where particles are")
        return self

    def colors(self, kind):
        return len([c for k, c in self.groups() if k == kind and c >= 0])

    def check_particles(self):
        color = {int(p["particle"]): int(p["color"]) for p in self.particles}
        joined = [self.originals(r) for r in self.rows if r["kind"] == "distance"]
        expect(all(color[a] != color[b] for a, b in joined), "no spring joins particles of a color")
        return len(set(color.values()))


def make_packs():
    for mesh in ("cape", "tunic"):
        run(VOXELIZE, DATA / f"{mesh}.obj", "-o", f"{mesh}.slv", "--mode", "surface", "--quiet")
    run(VOXELIZE, "--shape", "box:7x6x5", "-o", "box.slv", "--quiet")
    run(MAKE_SAMPLES, ".")


def schemes_keep_the_garment():
    for pack in ("cape.slv", "box.slv", "soft.slv"):
        before = Colored(pack)
        masses = table(pack, "masses")
        for scheme in ("auto", "greedy", "phantom", "hybrid"):
            run(COLORIZE, pack, "-o", "out.slv", "--scheme", scheme)
            after = Colored("out.slv").check()
            expect(after.constraints() == before.constraints(), f"{pack} {scheme}: the same constraints")
            expect(table("out.slv", "masses") == masses, f"{pack} {scheme}: the same masses")
            own = [p for p in after.particles if p["phantom_of"] == "-1"]
            places = [(p["x"], p["y"], p["z"]) for p in own]
            expect(places == [(p["x"], p["y"], p["z"]) for p in before.particles if p["phantom_of"] == "-1"],
                   f"{pack} {scheme}: particles where they were")
            if pack == "cape.slv":
                for section in ("sets", "embedding", "triangles"):
                    expect(sorted(map(str, table("out.slv", section))) == sorted(map(str, table(pack, section))),
                           f"{scheme}: {section}")


def reports_agree_with_the_pack():
    report = json.loads(run(COLORIZE, "cape.slv", "-o", "out.slv", "--scheme", "phantom", "--colors", 3, "--json"))
    coloring = report["constraint_coloring"]
    pack = Colored("out.slv").check()
    for kind in coloring["kinds"]:
        sizes = [len(rows) for (k, c), rows in sorted(pack.groups().items()) if k == kind["kind"]]
        expect(kind["colors"] == 3 == len(sizes) and sizes == kind["sizes"], "colors and their sizes")
        expect(sum(sizes) == kind["constraints"], "all of them")
        expect(kind["balance"] < 1.1, "balance")
    copies = [p for p in pack.particles if p["phantom_of"] != "-1"]
    expect(coloring["phantom_particles"] == len(copies) > 0, "phantoms")
    expect(coloring["phantom_constraints"] == len({p["phantom_of"] for p in copies}), "phantom constraints")
    expect(coloring["launches_per_iteration"] == {"before": 12, "after": 7}, "launches")
    hybrid = json.loads(run(COLORIZE, "cape.slv", "-o", "out.slv", "--scheme", "hybrid", "--colors", 4, "--json"))
    for kind in hybrid["constraint_coloring"]["kinds"]:
        expect(kind["colors"] == 4 and sum(kind["sizes"]) + kind["averaged"] == kind["constraints"], "hybrid")
    expect(len(Colored("out.slv").check().groups()["distance", -1]) > 0, "what is averaged has no color")
    words = run(COLORIZE, "cape.slv", "-o", "out.slv")
    expect("particles: greedy (there is an odd cycle" in words and "launches per iteration: 12" in words, words)


def particles_are_colored():
    run(COLORIZE, "cape.slv", "-o", "out.slv", "--scheme", "greedy", "--of", "particles")
    pack = Colored("out.slv").check()
    expect(3 <= pack.check_particles() <= 4, "few colors")
    expect(pack.colors("distance") == 0, "constraints stay as they were")
    run(COLORIZE, "box.slv", "-o", "out.slv", "--scheme", "red-black")
    box = Colored("out.slv").check()
    expect(box.check_particles() == 2 and box.colors("distance") == 6, "a grid is red and black")
    expect(table("out.slv", "neighbors") == table("box.slv", "neighbors"), "neighbors are what they were")
    words = run(COLORIZE, "cape.slv", "-o", "none.slv", "--scheme", "red-black", status=3)
    expect("odd cycle of" in words and not (WORK / "none.slv").exists(), words)
    cycle = [int(p) for p in words.split("particles ")[1].split(" are")[0].split("-")]
    joined = {frozenset(pack.originals(r)) for r in pack.rows if r["kind"] == "distance"}
    expect(len(cycle) % 2 == 1, "odd")
    expect(all(frozenset((a, b)) in joined for a, b in zip(cycle, cycle[1:] + cycle[:1])), "and a cycle")


def coloring_again_gives_the_same_bytes():
    for scheme in ("auto", "greedy", "phantom", "hybrid"):
        run(COLORIZE, "tunic.slv", "-o", "one.slv", "--scheme", scheme)
        run(COLORIZE, "one.slv", "-o", "two.slv", "--scheme", scheme)
        expect((WORK / "one.slv").read_bytes() == (WORK / "two.slv").read_bytes(), f"{scheme} twice")
    run(COLORIZE, "tunic.slv", "-o", "one.slv", "--scheme", "phantom")
    for step in ("hybrid", "greedy", "phantom"):
        run(COLORIZE, "two.slv" if step != "hybrid" else "one.slv", "-o", "three.slv", "--scheme", step)
        shutil.copy(WORK / "three.slv", WORK / "two.slv")
    expect((WORK / "one.slv").read_bytes() == (WORK / "two.slv").read_bytes(), "by way of other schemes")
    expect("colored already" in run(COLORIZE, "one.slv", "-o", "two.slv", "--scheme", "phantom"), "it says so")
    # Particles and constraints can be colored in either order.
    run(COLORIZE, "tunic.slv", "-o", "one.slv", "--scheme", "greedy", "--of", "particles")
    run(COLORIZE, "one.slv", "-o", "two.slv", "--scheme", "phantom")
    run(COLORIZE, "tunic.slv", "-o", "one.slv", "--scheme", "phantom")
    run(COLORIZE, "one.slv", "-o", "three.slv", "--scheme", "greedy", "--of", "particles")
    both = Colored("three.slv").check()
    expect(both.check_particles() <= 5 and both.phantom_rows, "particles colored, phantoms kept")
    expect(both.constraints() == Colored("two.slv").check().constraints(), "either order")


def wrong_usage_is_refused():
    cases = [
        (1, ["cape.slv"], "nothing to write"),
        (1, ["-o", "x.slv"], "nothing to read"),
        (1, ["cape.slv", "-o", "x.slv", "--scheme", "phantom", "--colors", "1"], "--colors"),
        (1, ["cape.slv", "-o", "x.slv", "--scheme", "greedy", "--colors", "4"], "--colors goes with"),
        (1, ["cape.slv", "-o", "x.slv", "--scheme", "red-black", "--of", "constraints"], "is for particles"),
        (1, ["cape.slv", "-o", "x.slv", "--scheme", "phantom", "--of", "particles"], "are for constraints"),
        (1, ["cape.slv", "-o", "x.slv", "--scheme", "purple"], "purple"),
        (1, ["cape.slv", "-o", "cape.slv"], "cape.slv"),
        (2, ["missing.slv", "-o", "x.slv"], "missing.slv: "),
        (2, ["cape.slv", "-o", "nowhere/x.slv"], "nowhere/x.slv"),
        (3, ["empty.slv", "-o", "x.slv"], "no constraints"),
        (3, ["broken.slv", "-o", "x.slv"], "broken.slv: "),
    ]
    (WORK / "broken.slv").write_bytes((WORK / "cape.slv").read_bytes()[:9000])
    for status, arguments, words in cases:
        output = run(COLORIZE, *arguments, status=status)
        expect(output.startswith("selvage-colorize: error: ") and words in output and output.count("\n") == 1, output)
        expect(not (WORK / "x.slv").exists(), "nothing is left behind")
    done = subprocess.run([str(COLORIZE), "cape.slv", "-o", "x.slv", "--scheme", "phantom", "--colors", "50"],
                          capture_output=True, text=True, cwd=WORK)
    expect(done.returncode == 0 and "more than needed: 6 suffice without phantoms for" in done.stderr, done.stderr)
    expect(not Colored("x.slv").check().phantom_rows, "and makes none")


def drawings_and_rules_are_written():
    run(COLORIZE, "cape.slv", "-o", "out.slv", "--scheme", "phantom", "--svg", "out.svg", "--depfile", "out.d")
    drawing = (WORK / "out.svg").read_text()
    expect(drawing.startswith("<svg ") and drawing.count("<path ") == 3 and drawing.endswith("</svg>\n"), "drawing")
    expect((WORK / "out.d").read_text().replace("\\\n", "").split() == ["out.slv", "out.svg:", "cape.slv"] or
           "out.svg" in (WORK / "out.d").read_text(), "rule")
    run(COLORIZE, "box.slv", "-o", "out.slv", "--scheme", "red-black", "--svg", "out.svg")
    expect((WORK / "out.svg").read_text().count("<circle ") == 7 * 6 * 5, "particles are drawn")


def check_volumes(pack, expected):
    """Every tetrahedron has the volume of its corners, and their sum is the expected volume."""
    places = {int(p["particle"]): [float(p[c]) for c in "xyz"] for p in table(pack, "particles")}
    total = 0
    for row in table(pack, "tetrahedra"):
        a, b, c, d = (places[int(row[e])] for e in "abcd")
        u, v, w = ([q - p for p, q in zip(a, end)] for end in (b, c, d))
        volume = (u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) +
                  u[2] * (v[0] * w[1] - v[1] * w[0])) / 6
        expect(abs(volume - float(row["rest"])) < 1e-4 * abs(volume) + 1e-12, f"{pack}: a volume")
        total += volume
    expect(abs(total - expected) < 1e-4 * expected, f"{pack}: {total} filled, expected {expected}")


def solids_become_tetrahedra():
    words = run(VOXELIZE, "--shape", "box:7x6x5", "--spacing", 0.1, "-o", "solid.slv", "--tetrahedra")
    expect("and 720 volume constraints" in words, words)
    check_volumes("solid.slv", 0.6 * 0.5 * 0.4)
    report = json.loads(run(VOXELIZE, DATA / "cushion.obj", "-o", "solid.slv", "--resolution", 16, "--tetrahedra",
                            "--json"))
    expect(report["mode"] == "solid" and report["constraints"]["tetrahedra"] > 1000, "a solid")
    check_volumes("solid.slv", report["constraints"]["tetrahedra"] / 6 * report["spacing"] ** 3)
    report = json.loads(run(COLORIZE, "solid.slv", "-o", "out.slv", "--scheme", "phantom", "--json"))
    kind = report["constraint_coloring"]["kinds"][-1]
    expect(kind["kind"] == "tetrahedra" and kind["colors"] == kind["clique_number"] // 2, "half the colors")
    expect(len(Colored("out.slv").check().groups()) > 0, "colored tetrahedra")
    words = run(VOXELIZE, DATA / "cape.obj", "-o", "x2.slv", "--mode", "shell", "--tetrahedra", status=1)
    expect("--tetrahedra fill a solid" in words, words)


POINTS = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1)]
TETRAHEDRA = [(0, 1, 2, 3), (1, 2, 3, 4)]  # the second is inside out


def files_of_tetrahedra_are_read():
    medit = "MeshVersionFormatted 2\n# made by hand\nDimension 3\nVertices\n5\n"
    medit += "".join(f"{x} {y} {z} 7\n" for x, y, z in POINTS)
    medit += "Triangles\n1\n1 2 3 0\nTetrahedra\n2\n"
    medit += "".join(" ".join(str(c + 1) for c in t) + " 1\n" for t in TETRAHEDRA) + "End\n"
    (WORK / "two.mesh").write_text(medit)
    for base in (0, 1):
        nodes = "# nodes\n5 3 1 0\n" + "".join(f"{i + base} {x} {y} {z} 0.5\n" for i, (x, y, z) in enumerate(POINTS))
        elements = "2 4 0\n" + "".join(f"{i + base} " + " ".join(str(c + base) for c in t) + "\n"
                                       for i, t in enumerate(TETRAHEDRA))
        (WORK / f"two{base}.node").write_text(nodes)
        (WORK / f"two{base}.ele").write_text(elements)
    for name in ("two.mesh", "two0.node", "two1.ele"):
        words = run(VOXELIZE, name, "-o", "tets.slv", "--scale", 0.5, "--mass", 2)
        expect("5 particles, 9 distance and 2 volume constraints" in words and "2 kg" in words, words)
        check_volumes("tets.slv", (1 / 6 + 1 / 3) / 8)
        expect([[float(p[c]) * 2 for c in "xyz"] for p in table("tets.slv", "particles")] == [list(map(float, p))
               for p in POINTS], "points in the file's order")
        expect(len(table("tets.slv", "triangles")) == 6, "the skin is drawn, the face between is not")
    wrong = {
        "ends.mesh": (medit[:150], "should be a number"),
        "far.mesh": (medit.replace("1 2 3 4 1", "1 2 3 9 1"), "whole number within range"),
        "twice.mesh": (medit.replace("1 2 3 4 1", "1 2 3 3 1"), "has a corner twice"),
        "many.mesh": (medit.replace("Vertices\n5", "Vertices\n50000000"), "too few follow"),
        "again.mesh": (medit.replace("End\n", "Vertices\n1\n0 0 0 7\nEnd\n"), "vertices a second time"),
        "more.mesh": (medit.replace("End\n", "Tetrahedra\n1\n1 2 3 4 1\nEnd\n"), "tetrahedra a second time"),
        "none.mesh": (medit[:medit.index("Tetrahedra")], "no tetrahedra"),
        "ogre.mesh": ("\x00\x10[MeshSerializer_v1.40]", "only Medit's"),
        "nan.mesh": (medit.replace("1 1 1 7", "1 nan 1 7"), "should be a number"),
    }
    for name, (text, words) in wrong.items():
        (WORK / name).write_text(text)
        output = run(VOXELIZE, name, "-o", "x3.slv", status=3)
        expect(words in output and not (WORK / "x3.slv").exists(), f"{name}: {output}")
    (WORK / "alone.node").write_text("1 3 0 0\n0 0 0 0\n")
    run(VOXELIZE, "alone.node", "-o", "x3.slv", status=2)


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    make_packs()
    for test in (schemes_keep_the_garment, reports_agree_with_the_pack, particles_are_colored,
                 coloring_again_gives_the_same_bytes, wrong_usage_is_refused, drawings_and_rules_are_written,
                 solids_become_tetrahedra, files_of_tetrahedra_are_read):
        test()
        print(f"ok: {test.__name__}")
    shutil.rmtree(WORK)


main()
