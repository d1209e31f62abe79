#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes the packs that the scenes in this folder name (packs.txt), and copies the scenes beside them:
#   data/scenes/bake.sh FOLDER [PATH-OF-SELVAGE-VOXELIZE]
# The other programs are those beside it, installed or in a build.
# Afterwards `selvage-play FOLDER/hanging-cloth.json --headless` works.
set -euo pipefail
out=${1:?"usage: data/scenes/bake.sh FOLDER [PATH-OF-SELVAGE-VOXELIZE]"}
voxelize=$(realpath "$(command -v "${2:-selvage-voxelize}")")
bake=$(dirname "$voxelize")/selvage-bake-collider
[ -x "$bake" ] || bake=$(dirname "$voxelize")/../bake-collider/selvage-bake-collider
here=$(cd "$(dirname "$0")" && pwd)

mkdir -p "$out"
out=$(cd "$out" && pwd)
cd "$here/.."
grep -vE '^(#|$)' "$here/packs.txt" | while read -r name program arguments; do
    case $program in
    voxelize) tool=$voxelize ;;
    bake-collider) tool=$bake ;;
    esac
    # shellcheck disable=SC2086
    "$tool" $arguments -o "$out/$name.slv" --quiet </dev/null
done
cp "$here"/*.json "$out/"
