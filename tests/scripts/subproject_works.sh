#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Another project can include this one: add_subdirectory and FetchContent give the same targets as an installation,
# change nothing of the project around them, and bring no target whose name does not begin with selvage.
#   tests/scripts/subproject_works.sh SOURCE WORK GENERATOR VOXELIZE LIBRARY
# VOXELIZE makes the pack that is played and read; LIBRARY is the shared library of our own build.
set -euo pipefail
source=$(cd "$1" && pwd) work=$2 generator=$3 voxelize=$4 library=$(realpath "$5")
rm -rf "$work"
mkdir -p "$work"
work=$(cd "$work" && pwd)
users=$source/tests/scripts/users

run() { # run command…: shows what it printed only if it failed
    "$@" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
}
configure() { # configure NAME [option…]
    run cmake -S "$users/$1" -B "$work/$1" -G "$generator" -DSELVAGE_SOURCE="$source" \
        -DSELVAGE_OPENCL=OFF -DSELVAGE_CUDA=OFF "${@:2}"
}

"$voxelize" --shape grid:20x20 -o "$work/cloth.slv" --quiet

configure subdirectory -DSELVAGE_INSTRUCTION_SETS=
run cmake --build "$work/subdirectory"
configure fetched
run cmake --build "$work/fetched" --target copy-garment
configure everything

for program in hello-selvage hello-static; do
    "$work/subdirectory/$program" "$work/cloth.slv" >"$work/$program.txt"
    grep -q "the middle is at" "$work/$program.txt" || { echo "$program printed: $(cat "$work/$program.txt")"; exit 1; }
done
# The same state as from our own build, although that project compiles with fast-math.
both=$work/subdirectory/both-in-c++
"$both" "$work/cloth.slv" >"$work/state.txt"
grep -q "^400 particles, state [0-9a-f]*[1-9a-f]" "$work/state.txt" ||
    { echo "both-in-c++ printed: $(cat "$work/state.txt")"; exit 1; }
LD_PRELOAD=$library "$both" "$work/cloth.slv" | diff - "$work/state.txt"
for project in subdirectory fetched; do
    "$work/$project/copy-garment" "$work/cloth.slv" "$work/$project.slv" >/dev/null
    cmp "$work/cloth.slv" "$work/$project.slv"
done
