#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes packs from the meshes in data/ and from generated shapes, prints their summaries and plays a few
# scenes. Needs Debian 12 or Ubuntu 24.04, no display and no GPU.
set -euo pipefail
cd "$(dirname "$0")"
export LC_ALL=C

usage() {
    cat <<'TEXT'
Usage: ./demo.sh [--help]
Installs missing packages (apt, with sudo where needed), builds the programs, converts the meshes in
data/ to packs, prints their summaries and plays a few scenes. Packs (.slv) and pictures (.png) are
written to out/. At the end a scene plays in a window. Without a display it is drawn to out/ as frames
(.png) and a video (.mp4); the script then installs ffmpeg if it is missing.
TEXT
}
case "${1:-}" in
"") ;;
--help | -h)
    usage
    exit 0
    ;;
*)
    usage >&2
    exit 1
    ;;
esac

.ci/setup.sh demo
mkdir -p build out
echo "Building the programs …"
if ! { cmake --preset release -B build/demo -DSELVAGE_TESTS=OFF -DSELVAGE_BENCH=OFF &&
    cmake --build build/demo; } >build/demo.log 2>&1; then
    cat build/demo.log >&2
    exit 1
fi
voxelize=build/demo/tools/voxelize/selvage-voxelize
inspect=build/demo/tools/inspect/selvage-inspect
play=build/demo/runtime/player/selvage-play

show() { # show NAME particles|mesh|both "description" options of selvage-voxelize…
    local name=$1 draw=$2 title=$3
    shift 3
    "$voxelize" "$@" -o "out/$name.slv" --quiet
    "$inspect" "out/$name.slv" --picture "out/$name.png" --what "$draw" --quiet
    printf '\n%s: %s\n  $ selvage-voxelize %s -o out/%s.slv\n' "$name" "$title" "$*" "$name"
    "$inspect" "out/$name.slv" | grep -E '^  (particles|colors|constraints|size|render mesh) '
}

show cape both "cloth, one particle at each vertex of the mesh" data/cape.obj --mode surface
show poncho both "cloth with a hole for the head" data/poncho.obj --mode surface
show tunic both "cloth, a grid one cell thick along the mesh" \
    data/tunic.obj --mode shell --spacing 0.012
show cushion both "solid, a particle at every grid point inside the mesh" \
    data/cushion.obj --mode solid --resolution 40
show knot both "solid, from a knotted tube" \
    data/knot.obj --mode solid --resolution 64
show grid particles "a generated sheet of 100 x 100 particles" --shape grid:100x100
show poncho-shape particles "a generated sheet with a hole" --shape poncho:61x61:13
show rope particles "a generated chain of 64 particles" --shape rope:64
show box particles "a generated soft block" --shape box:16x12x8

data/scenes/bake.sh out/scenes "$voxelize"
printf '\nScenes, 120 frames each, headless:\n'
for scene in curtain-drawn capes cloths-on-a-slope poncho; do
    printf '  %-18s ' "$scene"
    "$play" "out/scenes/$scene.json" --headless --frames 120
done

cat <<'TEXT'

Every pack was verified when it was opened. Pictures in out/, for example:
  out/tunic.png     left half: the render mesh; right half: the particles
  out/cushion.png   a solid; particles in their two colors
More to try:
  build/demo/tools/inspect/selvage-inspect out/cape.slv
  build/demo/tools/inspect/selvage-inspect out/cape.slv --dump sets
  build/demo/runtime/player/selvage-play out/scenes/curtain.json --headless --report out/run.json

TEXT

# The last scene: in a window where there is a display, otherwise as frames and a video.
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    echo "Opening a window: drag the cloth; F1 lists all keys, N loads the next scene, Esc ends."
    "$play" out/scenes/dressed-walk.json && exit 0
    echo "The window did not open; drawing to files."
fi
.ci/setup.sh video || echo "ffmpeg is missing: writing frames, no video."
output=(--offscreen 640x360 --frames 180 --png out/frames)
if command -v ffmpeg >/dev/null; then
    output+=(--video out/dressed-walk.mp4)
fi
rm -rf out/frames out/dressed-walk.mp4
printf 'Drawing: '
"$play" out/scenes/dressed-walk.json "${output[@]}"
echo "Frames: $PWD/out/frames/frame-00001.png to frame-00180.png"
if [ -e out/dressed-walk.mp4 ]; then echo "Video: $PWD/out/dressed-walk.mp4"; fi
