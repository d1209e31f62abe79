#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds with optimization and runs every benchmark. A missed target does not change the exit status.
#   bench/run.sh [--full]     --full takes several minutes longer
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C

.ci/setup.sh test
mkdir -p build
if ! { cmake --preset release && cmake --build --preset release; } >build/bench.log 2>&1; then
    cat build/bench.log >&2
    exit 1
fi
printf '%s, %s processors\n' "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)" "$(nproc)"
for program in build/release/bench/bench-*; do
    [ -x "$program" ] || continue
    printf '\n--- %s\n' "$(basename "$program")"
    "$program"
done
printf '\n--- selvage-voxelize, end to end\n'
python3 bench/end_to_end.py build/release/tools/voxelize/selvage-voxelize build/bench "$@"
