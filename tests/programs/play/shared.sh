#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What a GPU simulates is drawn without a way through the host, and looks as it does with one. The CUDA
# driver's stand-in writes into buffers of the real OpenGL (SELVAGE_CUDA_LIBRARY), and aborts where they
# are given back too late or by a thread that has no context.
#   tests/programs/play/shared.sh SOURCE VOXELIZE PLAY DISTANCE WORK [--no-window]
set -euo pipefail
source=$1 voxelize=$2 play=$3 distance=$4 work=$5
rm -rf "$work"
mkdir -p "$work"
"$source/data/scenes/bake.sh" "$work/scenes" "$voxelize" cape rope
cd "$work"
cat >scenes/two.json <<'TEXT'
{
  "softObjects": [{ "src": "cape.slv", "fixedSets": ["collar"], "color": [60, 110, 150] },
                  { "src": "rope.slv", "position": [0.7, 1.5, 0], "fixed": [0] }],
  "cameraPos": [0.9, 1.5, 2.2]
}
TEXT
said() { grep -q "$1" said.txt || { echo "nobody said \"$1\":"; cat said.txt; exit 1; }; }
film() { # film NAME options…
    "$play" scenes/two.json --offscreen 320x240 --screenshot "$1.png" --frame 12 --threads 1 --gl-debug \
        --verbose "${@:2}" >said.txt 2>&1 || { cat said.txt; exit 1; }
    sed -n 's/.*state //p' said.txt >"$1.state"
}

# Without a display: the same picture and the same state in three ways.
film shared --backend cuda --no-fallback
said 'positions reached OpenGL without the host'
film host --backend cuda --no-fallback --no-sharing
said 'positions reached OpenGL by way of the host'
film cpu
for other in host cpu; do
    cmp shared.state $other.state
    "$distance" shared.png $other.png 0.5 8 || { echo "shared.png is not $other.png"; exit 1; }
done
# Where OpenGL belongs to nobody that CUDA knows, positions take the long way, and no word is lost about it.
if SELVAGE_OFFSCREEN=osmesa "$play" scenes/two.json --offscreen 16x16 --screenshot o.png --frame 0 --quiet 2>/dev/null
then
    SELVAGE_OFFSCREEN=osmesa film osmesa --backend cuda --no-fallback
    said 'positions reached OpenGL by way of the host'
    cmp shared.state osmesa.state
fi

# In a window two threads and two contexts share: a hand drags, a scene is read again, another one follows.
[ "${6:-}" != --no-window ] || exit 0
for tool in Xvfb xdotool; do
    command -v $tool >/dev/null || { echo "the window was left out: no $tool here"; exit 0; }
done
unset WAYLAND_DISPLAY
export LIBGL_ALWAYS_SOFTWARE=1
player='' server=''
finish() {
    [ -z "$player" ] || kill "$player" 2>/dev/null || true
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    wait 2>/dev/null || true
}
trap finish EXIT
exec 3<>display
Xvfb -displayfd 3 -screen 0 640x480x24 -nolisten tcp -noreset >xvfb.txt 2>&1 &
server=$!
wait_for() { # wait_for "what" command…
    local left=300 what=$1
    shift
    until "$@" 2>/dev/null; do
        left=$((left - 1))
        [ "$left" -gt 0 ] || { echo "waited in vain for $what"; cat said.txt; exit 1; }
        sleep 0.1
    done
}
wait_for "a display" test -s display
DISPLAY=:$(cat display)
export DISPLAY
begin() {
    "$play" --gl-debug --samples 1 --threads 1 --backend cuda --no-fallback --verbose "$@" >said.txt 2>&1 &
    player=$!
    find_window() { xdotool search --onlyvisible --name Selvage >window.txt; }
    wait_for "the window" find_window
    read -r window <window.txt
    xdotool windowfocus "$window"
}
end() {
    xdotool key Escape
    wait "$player" || { echo "ended with $?"; cat said.txt; exit 1; }
    player=''
}
begin --window 160x120 scenes/two.json --record input.txt
wait_for "the first picture" grep -q 'first picture' said.txt
xdotool mousemove --window "$window" 52 42
sleep 1.3 # the place of the cloth is asked for no more; a press must wait for it
xdotool mousedown 1
sleep 0.7
xdotool mousemove --window "$window" 70 36
sleep 0.5
xdotool mouseup 1
sleep 0.3
xdotool key F12
wait_for "a screenshot" test -s selvage-001.png
end
said 'drawn without the host'
for word in grab pull release; do
    grep -q $word input.txt || { echo "the record has no $word"; cat input.txt; exit 1; }
done
"$play" scenes/two.json --headless --replay input.txt --quiet || { echo "the replay ended elsewhere"; exit 1; }

begin --window 160x120 scenes/two.json
wait_for "the first picture" grep -q 'first picture' said.txt
sleep 0.3
touch scenes/two.json
wait_for "the scene to be read again" grep -q 'read again' said.txt
xdotool key n
sleep 1
end
