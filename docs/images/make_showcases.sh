#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Draws showcases.png, a frame of every showcase, for the README:
#   docs/images/make_showcases.sh BUILD SCENES      (SCENES: a folder that data/scenes/bake.sh made)
# Needs montage (imagemagick). Where pictures are drawn by software it takes some minutes.
set -euo pipefail
play=$(realpath "$1/runtime/player/selvage-play") scenes=$2
out=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

tiles=()
# name, frame
while read -r name frame; do
    replay=()
    [ ! -e "$scenes/$name.input" ] || replay=(--replay "$scenes/$name.input")
    tiles+=("$work/$name.png")
    "$play" "$scenes/$name.json" --offscreen 426x240 --screenshot "$work/$name.png" --frames "$frame" --smooth \
        "${replay[@]}" --quiet
done <<'LIST'
cloths-on-a-box 300
cloths-on-a-slope 60
cloths-and-a-sphere 47
cloths-at-a-wall 12
cloths-through-a-funnel 150
tearing 225
cannonball 36
ropes-and-a-wedge 700
cloth-on-a-chair 240
poncho 110
curtain-drawn 190
dressed-walk 240
LIST
montage "${tiles[@]}" -tile 3x4 -geometry +2+2 -background '#202224' "$work/sheet.png"
convert "$work/sheet.png" -strip -colors 255 -define png:compression-level=9 "$out/showcases.png"
