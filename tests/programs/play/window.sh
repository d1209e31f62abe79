#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The window for real: under Xvfb, with Mesa's software driver, touched by xdotool.
#   tests/programs/play/window.sh SOURCE VOXELIZE PLAY DISTANCE WORK [--write | --rate]
# --rate looks at nothing but the simulation's rate: it wants the machine for itself.
set -euo pipefail
source=$1 voxelize=$2 play=$3 distance=$4 work=$5 write=${6:-}
golden=$source/tests/programs/play/golden
for tool in Xvfb xdotool; do
    command -v $tool >/dev/null || { echo "skipped: no $tool here"; exit 77; }
done
rm -rf "$work"
mkdir -p "$work"
"$source/data/scenes/bake.sh" "$work/scenes" "$voxelize" rope curtain cape cloth-66
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

# Drawing that takes long does not slow the simulation: with the driver on one thread, large pictures take
# longer than a frame, and still 1.28 s are simulated in about as long. Other work on the machine may
# disturb it: one time of three has to do.
if [ "$write" = --rate ]; then
    kept=no
    for _ in 1 2 3; do
        LP_NUM_THREADS=1 "$play" scenes/rope.json --window 640x480 --samples 8 --frames 80 --threads 1 --verbose \
            >said.txt 2>&1 || fail "the timed run failed"
        kept=$(sed -n 's/.*simulated \([0-9.]*\) s in \([0-9.]*\) s; \([0-9]*\) pictures.*/\1 \2 \3/p' said.txt |
            awk '{ print $2 < 1.4 * $1 ? "yes" : "no: " $0 }')
        [ "$kept" != yes ] || break
    done
    [ "$kept" = yes ] || fail "the simulation did not keep its rate: $kept"
    exit 0
fi

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
xdotool keydown ctrl mousemove --window "$window" 50 62 mousedown 1
sleep 0.25
xdotool mousemove --window "$window" 110 66
sleep 0.25
xdotool mouseup 1 keyup ctrl
xdotool mousemove --window "$window" 80 55 mousedown 1
sleep 0.25
xdotool mousemove --window "$window" 95 45
sleep 0.25
xdotool mousemove --window "$window" 110 35
sleep 0.25
xdotool mouseup 1
xdotool key Tab key Down key Right
xdotool mousemove --window "$window" 140 88 click 1 # relaxation +
xdotool mousemove --window "$window" 140 108 click 1 # stiffness +
xdotool key v key v key t key h key k key x key period key space
sleep 0.3
xdotool key r
sleep 0.5
end
for word in grab pull release cut parameters reset end; do
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

# A window that is taken off the screen, as minimising does, and one that loses the focus during a drag:
# the world goes on, and the cloth is let go.
begin 160x120 scenes/curtain.json --record away.txt --no-vsync
xdotool windowunmap "$window"
sleep 0.5
xdotool windowmap "$window"
wait_for 30 "the window to come back" find_window
xdotool windowfocus "$window" mousemove --window "$window" 80 55 mousedown 1
sleep 0.3
xdotool mousemove --window "$window" 90 50
sleep 0.2
xdotool windowfocus "$(xdotool search --maxdepth 0 --name '' | head -n 1)"
sleep 0.5
xdotool windowfocus "$window" mouseup 1
end
[ "$(grep -c 'release$' away.txt)" = 1 ] || fail "focus was lost, and the cloth was not let go: $(cat away.txt)"
awk '$2 == "grab" { grabbed = $1 } $2 == "release" { released = $1 } $1 == "end" { end = $2 }
    END { exit !(grabbed >= 8 && end >= released + 8) }' away.txt || fail "the world stood still: $(cat away.txt)"

# F9 writes a video.
if command -v ffmpeg >/dev/null; then
    begin 160x120 scenes/rope.json
    xdotool key F9
    sleep 0.6
    xdotool key F9
    wait_for 30 "the video" test -s selvage-001.mp4
    [ "$(head -c 8 selvage-001.mp4 | tail -c 4)" = ftyp ] || fail "F9 wrote no video"
    end
fi

# Twice as many pixels to a point: the window, its letters and where its rows are grow alike.
if command -v xprop >/dev/null; then
    xprop -root -f RESOURCE_MANAGER 8s -set RESOURCE_MANAGER 'Xft.dpi: 192'
    begin 320x240
    shot menu-2x
    [ "$(od -An -tx1 -j16 -N8 menu-2x.png | tr -d ' ')" = 00000280000001e0 ] || fail "the window is not 640 x 480 pixels"
    xdotool mousemove --window "$window" 320 230 click 1
    wait_for 60 "a scene that was clicked" named "$(title 2)"
    end
fi
