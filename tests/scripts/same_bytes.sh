#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The same input and options give the same bytes whatever compiled the program and however many
# threads it had.
#   tests/scripts/same_bytes.sh WORK BUILD BUILD…
# bakes a set of packs and fields with the programs of every build folder, plays every sample scene,
# and compares all with the first. Thread counts differ on purpose.
set -euo pipefail
work=$1
shift
data=$(cd "$(dirname "$0")/../../data" && pwd)

bake() { # bake BUILD FOLDER THREADS
    local program=$1/tools/voxelize/selvage-voxelize colorize=$1/tools/colorize/selvage-colorize
    local out=$2 threads=$3 mesh mode scheme
    rm -rf "$out"
    mkdir -p "$out"
    for mesh in cape poncho tunic cushion knot; do
        for mode in surface shell; do
            "$program" "$data/$mesh.obj" -o "$out/$mesh-$mode.slv" \
                --mode "$mode" --resolution 24 --threads "$threads" --quiet
        done
    done
    for mesh in cushion knot tunic; do # the tunic has openings: its inside is the winding number's
        "$program" "$data/$mesh.obj" -o "$out/$mesh-solid.slv" \
            --mode solid --resolution 24 --sdf "$out/$mesh.sdf" --threads "$threads" --quiet
    done
    for shape in grid:100x100 rope:64 box:12x10x8 poncho:41x41:9; do
        "$program" --shape "$shape" -o "$out/${shape//:/-}.slv" --threads "$threads" --quiet
    done
    "$1/tools/bake-collider/selvage-bake-collider" "$data/mannequin.glb" -o "$out/walk.slv" --clip walk --end 0.3 \
        --radius 0.02 --with-mesh --threads "$threads" --quiet
    for scheme in auto phantom hybrid; do
        "$colorize" "$out/tunic-surface.slv" -o "$out/tunic-$scheme.slv" --scheme "$scheme" --quiet
    done
}

play() { # play BUILD FOLDER THREADS: leaves the state's hash after every frame of every scene
    local program=$1/runtime/player/selvage-play scenes=$2/scenes scene
    "$data/scenes/bake.sh" "$scenes" "$1/tools/voxelize/selvage-voxelize"
    for scene in "$scenes"/*.json; do
        "$program" "$scene" --headless --frames 5 --threads "$3" --report "$scenes/report" --quiet
        grep -o '"hash": *"[0-9a-f]*"' "$scenes/report" >"$scene.states"
    done
    rm "$scenes/report"
}

threads=0
first=
for build in "$@"; do
    threads=$((threads + 1))
    out=$work/$(basename "$build")
    bake "$build" "$out" "$threads"
    play "$build" "$out" "$threads"
    first=${first:-$out}
    diff -rq "$first" "$out" # says which files differ
done
count=$(find "$first" -type f -size +0 | wc -l)
echo "step: $count files alike in $# builds"
[ "$count" -ge 20 ] # or the comparison compared nothing
