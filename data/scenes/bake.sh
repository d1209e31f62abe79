#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes the packs that the scenes in this folder name, and copies the scenes beside them:
#   data/scenes/bake.sh FOLDER [PATH-OF-SELVAGE-VOXELIZE]
# Afterwards `selvage-play FOLDER/hanging-cloth.json --headless` works.
set -euo pipefail
out=${1:?"usage: data/scenes/bake.sh FOLDER [PATH-OF-SELVAGE-VOXELIZE]"}
voxelize=${2:-selvage-voxelize}
here=$(cd "$(dirname "$0")" && pwd)

mkdir -p "$out"
"$voxelize" --shape grid:100x100 -o "$out/cloth.slv" --quiet
"$voxelize" --shape grid:61x81 --spacing 0.02 -o "$out/curtain.slv" --quiet
"$voxelize" --shape rope:64 -o "$out/rope.slv" --quiet
"$voxelize" "$here/../cape.obj" --mode surface -o "$out/cape.slv" --quiet
cp "$here"/*.json "$out/"
