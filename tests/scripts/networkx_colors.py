#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares selvage-colorize with six orderings of NetworkX, or seven, on the same graphs, for every mesh of a folder.

    networkx_colors.py BUILD MESHES

For each mesh: the graph of its particles, and for each kind of constraint the graph of those that share a
particle. We must never take more colors than the best of the six, nor more than the clique number and one.
Needs python3-networkx and a minute, and is no part of the default tests. NetworkX takes quadratic time for DSATUR,
an hour for some of these graphs; large ones get the same order from a heap, and small ones show that it is the same."""

import csv
import heapq
import io
import json
import subprocess
import sys
import tempfile
from collections import defaultdict
from itertools import combinations
from pathlib import Path

import networkx

ORDERINGS = ("largest_first", "smallest_last", "connected_sequential_bfs", "connected_sequential_dfs",
             "random_sequential")  # and DSATUR
SLOW = ("independent_set",)  # a seventh, for graphs of no more than FEW nodes: quadratic too
FEW = 1000


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


def saturation_order(graph, colors):
    """NetworkX's DSATUR: most colors among neighbors first, then most neighbors, then first in the graph."""
    rank = {node: n for n, node in enumerate(graph)}
    seen = {node: set() for node in graph}
    heap = [(0, -graph.degree(node), n, node) for node, n in rank.items()]
    heapq.heapify(heap)
    while heap:
        saturation, _, _, node = heapq.heappop(heap)
        if node in colors or -saturation != len(seen[node]):
            continue  # an entry from before its neighbors got more colors
        yield node
        for other in graph[node]:
            if other not in colors and colors[node] not in seen[other]:
                seen[other].add(colors[node])
                heapq.heappush(heap, (-len(seen[other]), -graph.degree(other), rank[other], other))


def count_colors(graph, ordering):
    return max(networkx.greedy_color(graph, ordering).values(), default=-1) + 1


def best_of_networkx(graph):
    orderings = ORDERINGS + (SLOW if len(graph) <= FEW else ())
    counts = {ordering: count_colors(graph, ordering) for ordering in orderings}
    counts["DSATUR"] = count_colors(graph, saturation_order)
    if len(graph) <= FEW and networkx.greedy_color(graph, "DSATUR") != networkx.greedy_color(graph, saturation_order):
        sys.exit("this is not NetworkX's DSATUR any more")
    return counts


def main(build, meshes):
    failed = 0
    for mesh in sorted(Path(meshes).iterdir()):
        with tempfile.TemporaryDirectory() as folder:
            pack, colored = Path(folder) / "m.slv", Path(folder) / "c.slv"
            run(build / "tools/voxelize/selvage-voxelize", mesh, "-o", pack, "--mode", "surface", "--quiet")
            colorize = build / "tools/colorize/selvage-colorize"
            ours = json.loads(run(colorize, pack, "-o", colored, "--scheme", "greedy", "--json"))
            ours_particles = json.loads(run(colorize, pack, "-o", colored, "--scheme", "greedy", "--of", "particles",
                                            "--json"))
            particles, kinds = graphs_of(build, pack)
        entries = [("particles", particles, ours_particles["particle_coloring"])]
        entries += [(k["kind"], kinds[k["kind"]], k) for k in ours["constraint_coloring"]["kinds"]]
        for name, graph, entry in entries:
            counts = best_of_networkx(graph)
            best = min(counts.values())
            clique = entry["clique_number"]
            # The particle graph of a mesh may need more than the clique and one; no ordering finds less then.
            good = entry["colors"] <= best and (entry["colors"] <= clique + 1)
            failed += not good
            print(f"{mesh.name} {name}: {len(graph)} nodes, ours {entry['colors']}, best of NetworkX {best} "
                  f"({', '.join(f'{o} {c}' for o, c in counts.items())}), clique {clique}: {'ok' if good else 'MISSED'}",
                  flush=True)
    print(f"{failed} missed" if failed else "all kept")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2]))
