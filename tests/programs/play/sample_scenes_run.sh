#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every scene in data/scenes plays, from packs made by data/scenes/bake.sh, without messages. Only a scene whose
# description speaks of a warning about stretch may have that one.
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
    allowed='^$'
    ! grep -q '"description".*stretch.*warning\|"description".*warning.*stretch' "$scene" ||
        allowed='^selvage-play: warning: a distance constraint is stretched to '
    if grep -v "$allowed" "$work/messages"; then
        echo "$name prints what is above"
        exit 1
    fi
    grep -q "\"frame\": $frames" "$work/$name.report"
done
