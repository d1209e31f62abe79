#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Draws the pictures of packs for TOOLS.md and the READMEs of tools from the models in data/. make_showcases.sh draws those
# of the player.
#   docs/images/make.sh BUILD      (for example build/release)
set -euo pipefail
build=$(realpath "$1")
cd "$(dirname "$0")"
pack=$(mktemp --suffix=.slv)
trap 'rm -f "$pack"' EXIT

draw() { # draw NAME MESH "options of selvage-voxelize" "options of selvage-inspect"
    # shellcheck disable=SC2086
    "$build/tools/voxelize/selvage-voxelize" "../../data/$2.obj" -o "$pack" --quiet $3
    # shellcheck disable=SC2086
    "$build/tools/inspect/selvage-inspect" "$pack" --picture "$1.png" --size 340x340 --quiet $4
}

draw cape-mesh cape "--mode shell --spacing 0.02" "--what mesh --view 205,18"
draw cape-particles cape "--mode shell --spacing 0.02" "--what particles --view 205,18"
draw tunic tunic "--mode shell --spacing 0.016" "--what both --view 20,18"
draw cushion cushion "--mode solid --resolution 24" "--what both --view 25,32"

"$build/tools/bake-collider/selvage-bake-collider" ../../data/mannequin.glb -o "$pack" --clip set_off --end 1 --radius 0.015 --quiet
"$build/tools/inspect/selvage-inspect" "$pack" --picture mannequin-particles.png --size 640x480 --view 30,28 --quiet
