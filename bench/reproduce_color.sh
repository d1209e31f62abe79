#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Repeats the experiments of the paper on phantoms and draws them. Takes a few minutes.
#   bench/reproduce_color.sh [--quick]
# Writes CSV, SVG and a table to bench/results/phantoms/. --quick measures less and writes to build/results/.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C.UTF-8

results=bench/results/phantoms
[ "${1:-}" = --quick ] && results=build/results/phantoms
.ci/setup.sh test
mkdir -p build "$results"
packs=build/phantoms
mkdir -p "$packs"
if ! { cmake --preset release && cmake --build --preset release \
    --target selvage_color_shapes selvage_color_experiments selvage-colorize; } >build/bench.log 2>&1; then
    cat build/bench.log >&2
    exit 1
fi
colorize=build/release/tools/colorize/selvage-colorize
build/release/bench/color-shapes "$packs"
for scene in ball blob tori cloth; do
    for scheme in greedy phantom hybrid; do
        "$colorize" "$packs/$scene.slv" -o "$packs/$scene-$scheme.slv" --scheme "$scheme" --quiet
    done
done
for colors in 2 3 4 5 6; do
    "$colorize" "$packs/cloth.slv" -o "$packs/cloth-$colors.slv" --scheme phantom --colors "$colors" --quiet
done
for backend in cpu opencl cuda; do
    if build/release/bench/color-experiments "$packs" "$results" "$backend" "$@"; then
        continue
    fi
    rm -f "$results/table2-$backend.csv" "$results"/*-"$backend"-time.csv
    echo "$backend is not available"
done
python3 bench/plot_color.py "$results" \
    "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), one thread"
echo "See $results/phantoms.md"
