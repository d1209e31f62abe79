#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every scene in data/scenes plays, from packs made by data/scenes/bake.sh.
#   tests/programs/play/sample_scenes_run.sh FRAMES DATA VOXELIZE PLAY WORK BAKE COLORIZE
# bake.sh finds BAKE and COLORIZE beside VOXELIZE; they are arguments so that partial builds make them.
set -euo pipefail
frames=$1 data=$2 voxelize=$3 play=$4 work=$5
rm -rf "$work"
"$data/scenes/bake.sh" "$work" "$voxelize"
for scene in "$work"/*.json; do
    name=$(basename "$scene" .json)
    replay=()
    [ ! -e "${scene%.json}.input" ] || replay=(--replay "${scene%.json}.input")
    "$play" "$scene" --headless --frames "$frames" --report "$work/$name.report" "${replay[@]}" 2>"$work/messages"
    if [ -s "$work/messages" ]; then
        cat "$work/messages"
        exit 1
    fi
    grep -q "\"frame\": $frames" "$work/$name.report"
done
