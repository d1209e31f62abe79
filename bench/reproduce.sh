#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Repeats both experiments of the red-black paper (section 6.1) and draws them. Takes a few minutes.
#   bench/reproduce.sh [--quick]
# Writes CSV, SVG and a table to bench/results/. --quick measures less and writes to build/results/.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C.UTF-8

results=bench/results
[ "${1:-}" = --quick ] && results=build/results
.ci/setup.sh test
mkdir -p build "$results"
if ! { cmake --preset release &&
    cmake --build --preset release --target selvage_experiments selvage-voxelize; } >build/bench.log 2>&1; then
    cat build/bench.log >&2
    exit 1
fi
data/scenes/bake.sh build/scenes build/release/tools/voxelize/selvage-voxelize
experiments=build/release/bench/experiments
# Real-time priority while times are measured, where it is permitted.
first=()
conditions="normal priority"
if chrt -f 1 true 2>/dev/null; then
    first=(chrt -f 1)
    conditions="real-time priority"
fi
conditions+=", load average $(cut -d ' ' -f 1 /proc/loadavg) on $(nproc) processors before measuring"
"${first[@]}" "$experiments" fits build/scenes "$results" "$@" | tee build/experiments.log
"${first[@]}" "$experiments" steps build/scenes "$results" "$@"
"$experiments" curves build/scenes "$results" "$@"
python3 bench/plot.py "$results" "$(head -n 1 build/experiments.log)" "$conditions"
echo "See $results/convergence.md"
