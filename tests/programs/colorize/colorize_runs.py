#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""selvage-colorize from the outside: what it writes is read back through selvage-inspect and checked here.

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


class Coloured:
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
        """Whatever colours do, the constraints themselves."""
        return Counter((r["kind"], r["rest"], self.originals(r)) for r in self.rows)

    def groups(self):
        groups = defaultdict(list)
        for row in self.rows:
            groups[row["kind"], int(row["colour"])].append(row)
        return groups

    def check(self):
        for (kind, colour), rows in self.groups().items():
            used = [e for row in rows for e in self.ends(row)]
            expect(colour < 0 or len(used) == len(set(used)), f"{kind} {colour} shares no particle")
        copies = [p for p, of in self.phantom_of.items() if of >= 0]
        tied = {int(r["b"]): int(r["a"]) for r in self.phantom_rows}
        expect(tied == {c: self.phantom_of[c] for c in copies}, "each phantom is tied to its particle")
        used = {e for r in self.rows for e in self.ends(r)}
        expect(all(c in used for c in copies), "no phantom without a constraint")
        places = {int(p["particle"]): (p["x"], p["y"], p["z"]) for p in self.particles}
        expect(all(places[c] == places[self.phantom_of[c]] for c in copies), "phantoms begin where particles are")
        return self

    def colours(self, kind):
        return len([c for k, c in self.groups() if k == kind and c >= 0])

    def check_particles(self):
        colour = {int(p["particle"]): int(p["colour"]) for p in self.particles}
        joined = [self.originals(r) for r in self.rows if r["kind"] == "distance"]
        expect(all(colour[a] != colour[b] for a, b in joined), "no spring joins particles of a colour")
        return len(set(colour.values()))


def make_packs():
    for mesh in ("cape", "tunic"):
        run(VOXELIZE, DATA / f"{mesh}.obj", "-o", f"{mesh}.slv", "--mode", "surface", "--quiet")
    run(VOXELIZE, "--shape", "box:7x6x5", "-o", "box.slv", "--quiet")
    run(MAKE_SAMPLES, ".")


def schemes_keep_the_garment():
    for pack in ("cape.slv", "box.slv", "soft.slv"):
        before = Coloured(pack)
        masses = table(pack, "masses")
        for scheme in ("auto", "greedy", "phantom", "hybrid"):
            run(COLORIZE, pack, "-o", "out.slv", "--scheme", scheme)
            after = Coloured("out.slv").check()
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


def reports_tell_what_is_there():
    report = json.loads(run(COLORIZE, "cape.slv", "-o", "out.slv", "--scheme", "phantom", "--colors", 3, "--json"))
    colouring = report["constraint_colouring"]
    pack = Coloured("out.slv").check()
    for kind in colouring["kinds"]:
        sizes = [len(rows) for (k, c), rows in sorted(pack.groups().items()) if k == kind["kind"]]
        expect(kind["colours"] == 3 == len(sizes) and sizes == kind["sizes"], "colours and their sizes")
        expect(sum(sizes) == kind["constraints"], "all of them")
        expect(kind["balance"] < 1.1, "balance")
    copies = [p for p in pack.particles if p["phantom_of"] != "-1"]
    expect(colouring["phantom_particles"] == len(copies) > 0, "phantoms")
    expect(colouring["phantom_constraints"] == len({p["phantom_of"] for p in copies}), "phantom constraints")
    expect(colouring["launches_per_iteration"] == {"before": 12, "after": 7}, "launches")
    hybrid = json.loads(run(COLORIZE, "cape.slv", "-o", "out.slv", "--scheme", "hybrid", "--colors", 4, "--json"))
    for kind in hybrid["constraint_colouring"]["kinds"]:
        expect(kind["colours"] == 4 and sum(kind["sizes"]) + kind["averaged"] == kind["constraints"], "hybrid")
    expect(len(Coloured("out.slv").check().groups()["distance", -1]) > 0, "what is averaged has no colour")
    words = run(COLORIZE, "cape.slv", "-o", "out.slv")
    expect("particles: greedy (there is an odd cycle" in words and "launches per iteration: 12" in words, words)


def particles_are_coloured():
    run(COLORIZE, "cape.slv", "-o", "out.slv", "--scheme", "greedy", "--of", "particles")
    pack = Coloured("out.slv").check()
    expect(3 <= pack.check_particles() <= 4, "few colours")
    expect(pack.colours("distance") == 0, "constraints stay as they were")
    run(COLORIZE, "box.slv", "-o", "out.slv", "--scheme", "red-black")
    box = Coloured("out.slv").check()
    expect(box.check_particles() == 2 and box.colours("distance") == 6, "a grid is red and black")
    expect(table("out.slv", "neighbours") == table("box.slv", "neighbours"), "neighbours are what they were")
    words = run(COLORIZE, "cape.slv", "-o", "none.slv", "--scheme", "red-black", status=3)
    expect("odd cycle of" in words and not (WORK / "none.slv").exists(), words)
    cycle = [int(p) for p in words.split("particles ")[1].split(" are")[0].split("-")]
    joined = {frozenset(pack.originals(r)) for r in pack.rows if r["kind"] == "distance"}
    expect(len(cycle) % 2 == 1, "odd")
    expect(all(frozenset((a, b)) in joined for a, b in zip(cycle, cycle[1:] + cycle[:1])), "and a cycle")


def coloured_anew_gives_the_same_bytes():
    for scheme in ("auto", "greedy", "phantom", "hybrid"):
        run(COLORIZE, "tunic.slv", "-o", "one.slv", "--scheme", scheme)
        run(COLORIZE, "one.slv", "-o", "two.slv", "--scheme", scheme)
        expect((WORK / "one.slv").read_bytes() == (WORK / "two.slv").read_bytes(), f"{scheme} twice")
    run(COLORIZE, "tunic.slv", "-o", "one.slv", "--scheme", "phantom")
    for step in ("hybrid", "greedy", "phantom"):
        run(COLORIZE, "two.slv" if step != "hybrid" else "one.slv", "-o", "three.slv", "--scheme", step)
        shutil.copy(WORK / "three.slv", WORK / "two.slv")
    expect((WORK / "one.slv").read_bytes() == (WORK / "two.slv").read_bytes(), "by way of other schemes")
    expect("coloured already" in run(COLORIZE, "one.slv", "-o", "two.slv", "--scheme", "phantom"), "it says so")
    # Particles and constraints are coloured in either order.
    run(COLORIZE, "tunic.slv", "-o", "one.slv", "--scheme", "greedy", "--of", "particles")
    run(COLORIZE, "one.slv", "-o", "two.slv", "--scheme", "phantom")
    run(COLORIZE, "tunic.slv", "-o", "one.slv", "--scheme", "phantom")
    run(COLORIZE, "one.slv", "-o", "three.slv", "--scheme", "greedy", "--of", "particles")
    both = Coloured("three.slv").check()
    expect(both.check_particles() <= 5 and both.phantom_rows, "particles coloured, phantoms kept")
    expect(both.constraints() == Coloured("two.slv").check().constraints(), "either order")


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
        said = run(COLORIZE, *arguments, status=status)
        expect(said.startswith("selvage-colorize: error: ") and words in said and said.count("\n") == 1, said)
        expect(not (WORK / "x.slv").exists(), "nothing is left behind")
    done = subprocess.run([str(COLORIZE), "cape.slv", "-o", "x.slv", "--scheme", "phantom", "--colors", "50"],
                          capture_output=True, text=True, cwd=WORK)
    expect(done.returncode == 0 and "more than needed: 6 suffice without phantoms" in done.stderr, done.stderr)
    expect(not Coloured("x.slv").check().phantom_rows, "and makes none")


def drawings_and_rules_are_written():
    run(COLORIZE, "cape.slv", "-o", "out.slv", "--scheme", "phantom", "--svg", "out.svg", "--depfile", "out.d")
    drawing = (WORK / "out.svg").read_text()
    expect(drawing.startswith("<svg ") and drawing.count("<path ") == 3 and drawing.endswith("</svg>\n"), "drawing")
    expect((WORK / "out.d").read_text().replace("\\\n", "").split() == ["out.slv", "out.svg:", "cape.slv"] or
           "out.svg" in (WORK / "out.d").read_text(), "rule")
    run(COLORIZE, "box.slv", "-o", "out.slv", "--scheme", "red-black", "--svg", "out.svg")
    expect((WORK / "out.svg").read_text().count("<circle ") == 7 * 6 * 5, "particles are drawn")


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    make_packs()
    for test in (schemes_keep_the_garment, reports_tell_what_is_there, particles_are_coloured,
                 coloured_anew_gives_the_same_bytes, wrong_usage_is_refused, drawings_and_rules_are_written):
        test()
        print(f"ok: {test.__name__}")
    shutil.rmtree(WORK)


main()
