#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes packs out of the meshes in data/ and of made shapes, shows what is in them and plays a few
# scenes. Starts from a bare Debian 12 or Ubuntu 24.04; needs no display and no GPU.
set -euo pipefail
cd "$(dirname "$0")"
export LC_ALL=C

usage() {
    cat <<'TEXT'
Usage: ./demo.sh [--help]
Installs what is missing (apt, with sudo where needed), builds the programs, turns the meshes in
data/ into packs, shows what is in them and plays a few scenes. Packs (.slv) and pictures (.png) land
in out/. At the end a scene plays in a window or, with no display, is drawn into out/ as frames (.png)
and a video (.mp4), for which ffmpeg is installed where it is missing.
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
if ! { cmake --preset release -B build/demo -DBUILD_TESTING=OFF -DSELVAGE_BENCH=OFF &&
    cmake --build build/demo; } >build/demo.log 2>&1; then
    cat build/demo.log >&2
    exit 1
fi
voxelize=build/demo/tools/voxelize/selvage-voxelize
inspect=build/demo/tools/inspect/selvage-inspect
play=build/demo/runtime/player/selvage-play

show() { # show NAME particles|mesh|both "what it is" options of selvage-voxelize…
    local name=$1 draw=$2 title=$3
    shift 3
    "$voxelize" "$@" -o "out/$name.slv" --quiet
    "$inspect" "out/$name.slv" --picture "out/$name.png" --what "$draw" --quiet
    printf '\n%s: %s\n  $ selvage-voxelize %s -o out/%s.slv\n' "$name" "$title" "$*" "$name"
    "$inspect" "out/$name.slv" | grep -E '^  (particles|colors|constraints|size|render mesh) '
}

show cape both "cloth whose particles are the mesh's own vertices" data/cape.obj --mode surface
show poncho both "the same, with a hole for the head" data/poncho.obj --mode surface
show tunic both "a layer one cell thick wherever the cloth passes" \
    data/tunic.obj --mode shell --spacing 0.012
show cushion both "solid, a particle at every sample inside" \
    data/cushion.obj --mode solid --resolution 40
show knot both "solid, from a mesh that winds around itself" \
    data/knot.obj --mode solid --resolution 64
show grid particles "a sheet of 100 x 100 particles, made without a mesh" --shape grid:100x100
show poncho-shape particles "a square sheet with a hole" --shape poncho:61x61:13
show rope particles "64 particles in a row" --shape rope:64
show box particles "a soft block" --shape box:16x12x8

data/scenes/bake.sh out/scenes "$voxelize"
printf '\nScenes, played for two seconds each without a window:\n'
for scene in dressed-walk curtain rope capes; do
    printf '  %-14s ' "$scene"
    "$play" "out/scenes/$scene.json" --headless --frames 120
done

cat <<'TEXT'

Every pack was verified as it was read. Look at the pictures in out/, first of all
  out/tunic.png     half the mesh that is drawn, half the particles that move
  out/cushion.png   a solid in its two colors
and ask for more:
  build/demo/tools/inspect/selvage-inspect out/cape.slv
  build/demo/tools/inspect/selvage-inspect out/cape.slv --dump sets
  build/demo/runtime/player/selvage-play out/scenes/curtain.json --headless --report out/run.json

TEXT

# The end: a window where there is a display, otherwise a film drawn without one.
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    echo "Now in a window: drag the cloth, F1 shows all keys, N is the next scene, Esc ends."
    "$play" out/scenes/dressed-walk.json && exit 0
    echo "No window, then; drawing without one."
fi
.ci/setup.sh film || echo "Without ffmpeg there will be frames and no video."
film=(--offscreen 640x360 --frames 180 --png out/film)
if command -v ffmpeg >/dev/null; then
    film+=(--video out/dressed-walk.mp4)
fi
rm -rf out/film out/dressed-walk.mp4
printf 'Drawing a film: '
"$play" out/scenes/dressed-walk.json "${film[@]}"
echo "Its frames are $PWD/out/film/frame-00001.png to frame-00180.png."
if [ -e out/dressed-walk.mp4 ]; then echo "The video is $PWD/out/dressed-walk.mp4"; fi
