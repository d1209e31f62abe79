#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Draws the player's pictures of the README anew: showcases.jpg, a frame of every showcase; player.png, one of
# them large; curtain.gif, a film.
#   docs/images/make_showcases.sh BUILD [WHAT…]      (for example build/release showcases; all without)
# Needs montage (imagemagick) and ffmpeg. Where pictures are drawn by software it takes some minutes.
set -euo pipefail
build=$(realpath "$1")
wanted=${*:2}
wanted=${wanted:-showcases player film}
out=$(cd "$(dirname "$0")" && pwd)
play=$build/runtime/player/selvage-play
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$out/../../data/scenes/bake.sh" "$work/scenes" "$build/tools/voxelize/selvage-voxelize"

draw() { # draw NAME FRAME FILE options…: with the hands that belong to the scene
    local scene=$work/scenes/$1 replay=()
    [ ! -e "$scene.input" ] || replay=(--replay "$scene.input")
    "$play" "$scene.json" --frame "$2" --screenshot "$3" --smooth --quiet "${replay[@]}" "${@:4}"
}

if [[ " $wanted " == *" showcases "* ]]; then
    tiles=()
    while read -r name frame; do
        tiles+=("$work/$name.png")
        draw "$name" "$frame" "$work/$name.png" --offscreen 426x240
    done <<'LIST'
cloths-on-a-box 100
cloths-on-a-slope 60
cloths-and-a-sphere 47
cloths-at-a-wall 12
cloths-through-a-funnel 44
tearing 225
cannonball 36
ropes-and-a-wedge 700
cloth-on-a-chair 180
poncho 110
curtain-drawn 190
dressed-walk 240
LIST
    montage "${tiles[@]}" -tile 3x4 -geometry +2+2 -background '#202224' -strip -quality 88 \
        "$out/showcases.jpg"
fi
if [[ " $wanted " == *" player "* ]]; then
    draw dressed-walk 150 "$out/player.png" --samples 8 --offscreen 880x400 --camera 0.95,1.3,1.75,0,1.08,0
fi
# Few colors and twelve frames a second keep it small.
if [[ " $wanted " == *" film "* ]]; then
    "$play" "$work/scenes/curtain-drawn.json" --offscreen 300x224 --samples 4 --frames 230 --gif "$work/film.gif" --quiet
    ffmpeg -y -loglevel error -i "$work/film.gif" -vf \
        "fps=12,split[a][b];[a]palettegen=max_colors=48[p];[b][p]paletteuse=dither=none" "$out/curtain.gif"
fi
ls -l "$out"/{showcases.jpg,player.png,curtain.gif}
