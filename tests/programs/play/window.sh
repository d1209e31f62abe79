#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The window for real: under Xvfb, with Mesa's software driver, touched by xdotool.
#   tests/programs/play/window.sh SOURCE VOXELIZE PLAY DISTANCE WORK [--write]
set -euo pipefail
source=$1 voxelize=$2 play=$3 distance=$4 work=$5 write=${6:-}
golden=$source/tests/programs/play/golden
for tool in Xvfb xdotool; do
    command -v $tool >/dev/null || { echo "skipped: no $tool here"; exit 77; }
done
rm -rf "$work"
mkdir -p "$work"
"$source/data/scenes/bake.sh" "$work/scenes" "$voxelize"
cd "$work"
export LIBGL_ALWAYS_SOFTWARE=1 SELVAGE_SCENES=$work/scenes
unset WAYLAND_DISPLAY

player='' server=''
finish() {
    [ -z "$player" ] || kill "$player" 2>/dev/null || true
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    wait 2>/dev/null || true
}
trap finish EXIT
exec 3<>display
# Without -noreset the server starts over whenever its last client leaves, as each xdotool does, and
# turns away whoever connects meanwhile.
Xvfb -displayfd 3 -screen 0 640x480x24 -nolisten tcp -noreset >xvfb.txt 2>&1 &
server=$!
until [ -s display ]; do
    kill -0 "$server" 2>/dev/null || { cat xvfb.txt; exit 1; }
    sleep 0.1
done
DISPLAY=:$(cat display)
export DISPLAY

fail() {
    trap - ERR
    echo "window.sh: $*"
    if [ -n "$player" ] && ! kill -0 "$player" 2>/dev/null; then
        wait "$player" || echo "the player has ended with $?"
    fi
    cat said.txt
    exit 1
}
trap 'fail "line $LINENO failed"' ERR
wait_for() { # wait_for SECONDS "what" command…: until the command succeeds
    local left=$((10 * $1)) what=$2
    shift 2
    until "$@"; do
        left=$((left - 1))
        [ "$left" -gt 0 ] || fail "waited in vain for $what"
        kill -0 "$player" 2>/dev/null || fail "the player ended while waiting for $what"
        sleep 0.1
    done
}
find_window() {
    xdotool search --onlyvisible --name Selvage >window.txt 2>/dev/null
}
begin() { # begin SIZE options…: a player with the keyboard's focus
    "$play" --gl-debug --window "$1" --samples 1 --threads 1 "${@:2}" >said.txt 2>&1 &
    player=$!
    wait_for 60 "the window" find_window
    read -r window <window.txt
    xdotool windowfocus "$window" mousemove --window "$window" 5 5
}
end() { # end: Escape closes it, without an error
    local status=0
    xdotool key Escape
    wait_for_end "$@" || status=$?
    [ "$status" = 0 ] || fail "ended with $status"
}
wait_for_end() {
    local status=0
    wait "$player" || status=$?
    player=''
    return $status
}
shot() { # shot NAME: F12 writes selvage-001.png, the first name that is free
    xdotool key F12
    wait_for 60 "a screenshot" test -s selvage-001.png
    mv selvage-001.png "$1.png"
}

# The menu, then the help over it: no figures, so the picture is always the same.
begin 640x480
xdotool key F1
sleep 0.3
shot help
if [ "$write" = --write ]; then
    cp help.png "$golden/help.png"
else
    "$distance" help.png "$golden/help.png" 2.5 40 >distance.txt ||
        fail "the help does not look like golden/help.png: $(cat distance.txt)"
fi
xdotool key Escape # the help
xdotool key Return # the first scene of the menu
named() { [[ $(xdotool getwindowname "$window") == "$1 - Selvage" ]]; }
title() { # title N: of the Nth scene, as a person would write it
    local name
    name=$(cd scenes && LC_ALL=C ls ./*.json | sed -n "$1p" | sed 's|^./||; s|\.json$||; s|[-_]| |g')
    echo "${name^}"
}
wait_for 60 "the first scene" named "$(title 1)"
xdotool key n
wait_for 60 "the next scene" named "$(title 2)"
end

# Cloth dragged by the mouse, parameters changed by keys and by a click; replayed, it gives the same bits.
begin 160x120 scenes/curtain.json --record input.txt
xdotool mousemove --window "$window" 80 55 mousedown 1
sleep 0.25
xdotool mousemove --window "$window" 95 45
sleep 0.25
xdotool mousemove --window "$window" 110 35
sleep 0.25
xdotool mouseup 1 key Tab key Down key Right
xdotool mousemove --window "$window" 140 88 click 1 # relaxation +
xdotool key v key v key t key h key period key space
sleep 0.3
xdotool key r
sleep 0.5
end
for word in grab pull release parameters reset end; do
    grep -q "$word" input.txt || fail "the record has no $word: $(cat input.txt)"
done
"$play" scenes/curtain.json --headless --replay input.txt --threads 2 >replay.txt 2>&1 ||
    fail "the replay differs: $(cat replay.txt)"
"$play" scenes/curtain.json --gl-debug --window 96x64 --samples 1 --replay input.txt --record again.txt \
    >said.txt 2>&1 || fail "the replay in a window differs"
cmp input.txt again.txt || fail "the replay in a window was another one"

# A change of the scene shows; an error in it shows too and leaves the old one playing.
begin 160x120 scenes/rope.json
wait_for 60 "the ropes" named "Rope"
cp scenes/rope.json rope.json
sed -i 's/"outerIterations": 8/"outerIterations": -8/' scenes/rope.json
wait_for 30 "the error" grep -q 'rope.json:.*outerIterations' said.txt
cp rope.json scenes/rope.json
sleep 0.8
xdotool windowsize "$window" 200 140
sleep 0.3
end
