#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares selvage-colorize with six orderings of NetworkX on the same graphs, for every mesh of a folder.

    networkx_colours.py BUILD MESHES [--quick]

For each mesh: the graph of its particles, and for each kind of constraint the graph of those that share a
particle. We must never take more colours than the best of the six, nor more than the clique number and one.
Needs python3-networkx and some minutes, and is no part of the default tests. --quick leaves out DSATUR where a
graph has more than 3000 nodes (NetworkX takes quadratic time for it)."""

import csv
import io
import json
import subprocess
import sys
import tempfile
from collections import defaultdict
from itertools import combinations
from pathlib import Path

import networkx

ORDERINGS = ("largest_first", "smallest_last", "DSATUR", "independent_set", "connected_sequential_bfs",
             "random_sequential")


def run(*command):
    return subprocess.run([str(c) for c in command], check=True, capture_output=True, text=True).stdout


def graphs_of(build, pack):
    """Particle graph and constraint graphs, from what selvage-inspect prints."""
    rows = list(csv.DictReader(io.StringIO(run(build / "tools/inspect/selvage-inspect", pack, "--dump", "constraints"))))
    particles = networkx.Graph()
    kinds = defaultdict(lambda: (networkx.Graph(), defaultdict(list)))
    for number, row in enumerate(rows):
        ends = [int(row[c]) for c in "abcd" if row.get(c)]
        if row["kind"] == "distance":
            particles.add_edge(*ends)
        graph, stars = kinds[row["kind"]]
        graph.add_node(number)
        for end in ends:
            stars[end].append(number)
    for graph, stars in kinds.values():
        for star in stars.values():
            graph.add_edges_from(combinations(star, 2))
    return particles, {kind: graph for kind, (graph, _) in kinds.items()}


def best_of_networkx(graph, quick):
    counts = {}
    for ordering in ORDERINGS:
        if ordering == "DSATUR" and quick and len(graph) > 3000:
            continue
        colours = networkx.greedy_color(graph, ordering)
        counts[ordering] = max(colours.values(), default=-1) + 1
    return counts


def main(build, meshes, quick):
    failed = 0
    for mesh in sorted(Path(meshes).iterdir()):
        with tempfile.TemporaryDirectory() as folder:
            pack, coloured = Path(folder) / "m.slv", Path(folder) / "c.slv"
            run(build / "tools/voxelize/selvage-voxelize", mesh, "-o", pack, "--mode", "surface", "--quiet")
            colorize = build / "tools/colorize/selvage-colorize"
            ours = json.loads(run(colorize, pack, "-o", coloured, "--scheme", "greedy", "--json"))
            ours_particles = json.loads(run(colorize, pack, "-o", coloured, "--scheme", "greedy", "--of", "particles",
                                            "--json"))
            particles, kinds = graphs_of(build, pack)
        entries = [("particles", particles, ours_particles["particle_colouring"])]
        entries += [(k["kind"], kinds[k["kind"]], k) for k in ours["constraint_colouring"]["kinds"]]
        for name, graph, entry in entries:
            counts = best_of_networkx(graph, quick)
            best = min(counts.values())
            clique = entry["clique_number"]
            # The particle graph of a mesh may need more than the clique and one; no ordering finds less then.
            good = entry["colours"] <= best and (entry["colours"] <= clique + 1)
            failed += not good
            print(f"{mesh.name} {name}: {len(graph)} nodes, ours {entry['colours']}, best of NetworkX {best} "
                  f"({', '.join(f'{o} {c}' for o, c in counts.items())}), clique {clique}: {'ok' if good else 'MISSED'}",
                  flush=True)
    print(f"{failed} missed" if failed else "all kept")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2], "--quick" in sys.argv[3:]))
