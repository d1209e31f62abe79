#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The studies of the mass-spring solvers: CSV, SVG and a page each.
#   bench/lab/run.sh STUDY [--quick]     STUDY: stability, order, quality, stretch, cost, fabric, plan, or all
#   bench/lab/run.sh plan LIST           the tests of another list (JSON, or the paper's XML), into build/results/lab
# Writes to bench/results/lab; with --quick fewer and smaller cases to build/results/lab. Timed studies need an idle machine.
set -euo pipefail
cd "$(dirname "$0")/../.."
export LC_ALL=C.UTF-8

study=${1:-all}
quick=${2:-}
results=bench/results/lab
list=bench/lab/test-list.json
if [ "$quick" = --quick ]; then
    results=build/results/lab
    list=bench/lab/test-list-short.json
fi
if [ -n "$quick" ] && [ "$quick" != --quick ]; then
    results=build/results/lab
    list=$quick
    quick=
fi
mkdir -p "$results" build
if [ "${list##*.}" = xml ]; then
    python3 bench/lab/test_list.py "$list" "$results/test-list.json"
    list=$results/test-list.json
fi
cmake --preset release >build/lab.log 2>&1 && cmake --build --preset release --target selvage_lab >>build/lab.log 2>&1 ||
    { cat build/lab.log >&2; exit 1; }
lab=build/release/bench/lab
case $study in
stability | order | quality | stretch | cost | fabric) "$lab" "$study" "$results" $quick ;;
plan) "$lab" plan "$results" "$list" ;;
all)
    "$lab" stability "$results" $quick
    "$lab" order "$results" $quick
    "$lab" quality "$results" $quick
    "$lab" stretch "$results" $quick
    "$lab" cost "$results" $quick
    "$lab" fabric "$results" $quick
    "$lab" plan "$results" "$list"
    ;;
*)
    echo "usage: bench/lab/run.sh stability|order|quality|stretch|cost|fabric|plan|all [--quick]" >&2
    exit 1
    ;;
esac
python3 bench/lab/pages.py "$results" $quick
