#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every scene in data/scenes plays, from packs made as its README says.
#   tests/programs/play/sample_scenes_run.sh DATA VOXELIZE PLAY WORK BAKE COLORIZE
# bake.sh finds BAKE and COLORIZE beside VOXELIZE; they are named for builds that make only what a test names.
set -euo pipefail
data=$1 voxelize=$2 play=$3 work=$4
rm -rf "$work"
"$data/scenes/bake.sh" "$work" "$voxelize"
for scene in "$work"/*.json; do
    name=$(basename "$scene" .json)
    replay=()
    [ ! -e "${scene%.json}.input" ] || replay=(--replay "${scene%.json}.input")
    "$play" "$scene" --headless --frames 5 --report "$work/$name.report" "${replay[@]}" 2>"$work/messages"
    if [ -s "$work/messages" ]; then
        cat "$work/messages"
        exit 1
    fi
    grep -q '"frame": 5' "$work/$name.report"
done
