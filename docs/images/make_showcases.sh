#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Draws the player's pictures for README.md and TOOLS.md: showcases.jpg, a frame of every showcase; player.png, the
# dressed mannequin; curtain.gif, an animation.
#   docs/images/make_showcases.sh BUILD [WHAT…]      (WHAT: showcases, player, animation; default: all)
# Needs montage (imagemagick) and ffmpeg. With a software driver it takes some minutes.
set -euo pipefail
build=$(realpath "$1")
selected=${*:2}
selected=${selected:-showcases player animation}
out=$(cd "$(dirname "$0")" && pwd)
play=$build/runtime/player/selvage-play
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$out/../../data/scenes/bake.sh" "$work/scenes" "$build/tools/voxelize/selvage-voxelize"

draw() { # draw NAME FRAME FILE options…: with the scene's recorded input, if any
    local scene=$work/scenes/$1 replay=()
    [ ! -e "$scene.input" ] || replay=(--replay "$scene.input")
    "$play" "$scene.json" --frame "$2" --screenshot "$3" --smooth --quiet "${replay[@]}" "${@:4}"
}

if [[ " $selected " == *" showcases "* ]]; then
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
if [[ " $selected " == *" player "* ]]; then
    draw dressed-walk 300 "$out/player.png" --samples 8 --offscreen 960x480 --camera -2.3,1.4,-0.85,0,0.87,-0.1
fi
# 48 colors and 12 frames per second keep the file small.
if [[ " $selected " == *" animation "* ]]; then
    "$play" "$work/scenes/curtain-drawn.json" --offscreen 300x224 --samples 4 --frames 230 --gif "$work/animation.gif" --quiet
    ffmpeg -y -loglevel error -i "$work/animation.gif" -vf \
        "fps=12,split[a][b];[a]palettegen=max_colors=48[p];[b][p]paletteuse=dither=none" "$out/curtain.gif"
fi
ls -l "$out"/{showcases.jpg,player.png,curtain.gif}
