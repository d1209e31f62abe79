#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Positions shared between CUDA and OpenGL give the same picture as positions copied by the host. The stand-in for the
# CUDA driver (SELVAGE_CUDA_LIBRARY) writes into buffers of the real OpenGL. It aborts when a buffer is released too
# late or by a thread without a context.
#   tests/programs/play/shared.sh SOURCE VOXELIZE PLAY DISTANCE WORK [--no-window]
set -euo pipefail
source=$1 voxelize=$2 play=$3 distance=$4 work=$5
rm -rf "$work"
mkdir -p "$work"
"$source/data/scenes/bake.sh" "$work/scenes" "$voxelize" cape rope
cd "$work"
find scenes -name '*.json' ! -name capes.json -delete # the others lack their packs
cat >scenes/two.json <<'TEXT'
{
  "softObjects": [{ "src": "cape.slv", "fixedSets": ["collar"], "color": [60, 110, 150] },
                  { "src": "rope.slv", "position": [0.7, 1.5, 0], "fixed": [0] }],
  "cameraPos": [0.9, 1.5, 2.2]
}
TEXT
expect_message() { grep -q "$1" messages.txt || { echo "missing message \"$1\":"; cat messages.txt; exit 1; }; }
draw() { # draw NAME options…
    "$play" scenes/two.json --offscreen 320x240 --screenshot "$1.png" --frame 12 --threads 1 --gl-debug \
        --verbose "${@:2}" >messages.txt 2>&1 || { cat messages.txt; exit 1; }
    sed -n 's/.*state //p' messages.txt >"$1.state"
}

# Without a display: the same picture and state in three ways.
draw shared --backend cuda --no-fallback
expect_message 'positions: written into OpenGL buffers'
draw host --backend cuda --no-fallback --no-sharing
expect_message 'positions: copied to OpenGL through the host'
draw cpu
for other in host cpu; do
    cmp shared.state $other.state
    "$distance" shared.png $other.png 0.5 8 || { echo "shared.png is not $other.png"; exit 1; }
done
# A driver that refuses OpenGL's buffers: positions go through the host, and the run continues.
SELVAGE_STAND_IN_FAIL="cuGraphicsGLRegisterBuffer 1 219 kept" draw refused --backend cuda --no-fallback
expect_message 'positions: copied to OpenGL through the host'
cmp shared.state refused.state

# In a window two threads with two contexts share: a drag, a reloaded scene, then another scene.
[ "${6:-}" != --no-window ] || exit 0
. "$source/tests/programs/play/display.sh"
open_display || { echo "skipped: the window"; exit 0; }
with_cuda=(--backend cuda --no-fallback)
begin 160x120 "${with_cuda[@]}" scenes/two.json --record input.txt
sleep 1.3 # positions are no longer read back; a cut or grab must request them
press_mouse cut keydown ctrl $(at 20 60) mousedown 1 $(at 150 64)
xdotool mouseup 1 keyup ctrl $(at 48 38)
sleep 1.3
press_mouse grab mousedown 1
press_mouse pull $(at 60 36)
press_mouse release mouseup 1
shot dragged
end
expect_message 'positions: written into OpenGL buffers'
for word in grab pull release cut; do
    grep -q $word input.txt || { echo "the record has no $word"; cat input.txt; exit 1; }
done
"$play" scenes/two.json --headless --replay input.txt --quiet || { echo "the replay ended in another state"; exit 1; }

begin 160x120 "${with_cuda[@]}" scenes/two.json
mark
touch scenes/two.json
wait_for "the reloaded scene" heard 'reloaded'
xdotool key n
wait_for "another scene" named "Capes"
end
