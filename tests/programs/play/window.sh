#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Tests of the window under Xvfb, with Mesa's software driver and input from xdotool.
#   tests/programs/play/window.sh SOURCE VOXELIZE PLAY DISTANCE WORK [--write | --rate | --races]
# --rate tests only the simulation's rate and needs an idle machine. --races is one session of many actions, for the
# thread sanitizer.
set -euo pipefail
source=$1 voxelize=$2 play=$3 distance=$4 work=$5 write=${6:-}
golden=$source/tests/programs/play/golden
. "$source/tests/programs/play/display.sh"
rm -rf "$work"
mkdir -p "$work"
"$source/data/scenes/bake.sh" "$work/scenes" "$voxelize" rope cape cloth-66
# A coarser curtain of the same size, to save processor time.
"$voxelize" --shape grid:13x17 --spacing 0.1 -o "$work/scenes/curtain.slv" --quiet
sed -i 's/"fixed": \[.*\]/"fixed": [0, 2, 4, 6, 8, 10, 12]/' "$work/scenes/curtain.json"
for scene in "$work"/scenes/*.json; do # the menu lists only scenes whose packs exist
    grep -o '[^"/]*\.slv' "$scene" | while read -r pack; do
        [ -e "$work/scenes/$pack" ] || rm -f "$scene"
    done
done
cd "$work"
export SELVAGE_SCENES=$work/scenes
open_display || { echo "skipped"; exit 77; }

# Slow drawing does not slow the simulation: with the driver on one thread, large pictures take longer than a frame,
# and 1.28 s are still simulated in about 1.28 s. One of three tries must succeed, since other processes disturb it.
if [ "$write" = --rate ]; then
    kept=no
    for _ in 1 2 3; do
        LP_NUM_THREADS=1 "$play" scenes/rope.json --window 640x480 --samples 8 --frames 80 --threads 1 --verbose \
            >messages.txt 2>&1 || fail "the timed run failed"
        kept=$(sed -n 's/.*simulated \([0-9.]*\) s in \([0-9.]*\) s; \([0-9]*\) pictures.*/\1 \2 \3/p' messages.txt |
            awk '{ print $2 < 1.4 * $1 ? "yes" : "no: " $0 }')
        [ "$kept" != yes ] || break
    done
    [ "$kept" = yes ] || fail "the simulation did not keep its rate: $kept"
    exit 0
fi

# All data exchanged between the simulation thread and the window thread.
if [ "$write" = --races ]; then
    mkdir two
    cp scenes/{curtain,rope}.{json,slv} two
    SELVAGE_SCENES=$work/two begin 96x64 two/curtain.json
    press_mouse cut keydown ctrl $(at 30 32) mousedown 1 $(at 66 34)
    xdotool mouseup 1 keyup ctrl
    press_mouse grab $(at 48 28) mousedown 1
    press_mouse release $(at 54 26) mouseup 1
    press b ball
    press f parameters
    press x 'contact normals on'
    press v stretch
    press Tab 'controls on'
    press Right 'solver: '
    press space 'paused'
    press period 'advanced one frame'
    press space 'continued'
    press r 'restarted'
    mark
    touch two/curtain.json
    wait_for "the changed scene" heard 'reloaded'
    xdotool key n # replaces the world
    wait_for "the next scene" named Rope
    end
    exit 0
fi

title() { # title N: title of the Nth scene in the menu
    local name
    name=$(cd scenes && LC_ALL=C ls ./*.json | sed -n "$1p" | sed 's|^./||; s|\.json$||; s|[-_]| |g')
    echo "${name^}"
}
alike() { "$distance" "$1.png" "$2.png" 0.25 4 >distance.txt; }
turns_into() { # turns_into NAME: waits until the picture matches
    shot now
    alike now "$1"
}
changes() { # changes NAME: waits until the picture differs
    shot now
    ! alike now "$1"
}
is_drawn() { # is_drawn WIDTH HEIGHT, pixels of the picture
    shot now
    [ "$(od -An -tx1 -j16 -N8 now.png | tr -d ' ')" = "$(printf '%08x%08x' "$1" "$2")" ]
}

# The menu, then the help over it. They show no numbers, so the picture is constant.
begin 640x480
xdotool key F1
shot help
if [ "$write" = --write ]; then
    cp help.png "$golden/help.png"
else
    "$distance" help.png "$golden/help.png" 2.5 40 >distance.txt ||
        fail "the help does not look like golden/help.png: $(cat distance.txt)"
fi
xdotool key Escape # the help
xdotool windowsize --sync "$window" 320 240 # a smaller window is drawn faster
wait_for "a smaller picture" is_drawn 320 240
xdotool key F1 # the help is higher than the window
shot top
xdotool key Down
wait_for "the help's next line" changes top
xdotool key Up
wait_for "the help's first line" turns_into top
xdotool key Escape
xdotool key Return # the first scene of the menu
wait_for "the first scene" named "$(title 1)"
xdotool key n
wait_for "the next scene" named "$(title 2)"
xdotool key p
wait_for "the scene before" named "$(title 1)"
xdotool key m key Down key Down key Up key Return
wait_for "the scene chosen by keys" named "$(title 2)"
xdotool key m $(at 160 117) click 4 key Return # the mouse selects the second, the wheel goes back
wait_for "the scene chosen by the mouse" named "$(title 1)"
end

# Views: the world is paused, so the picture changes only by input.
begin 160x120 scenes/curtain.json
press h 'statistics off'
press space 'paused'
shot still
while read -r what text; do
    press "$what" "$text"
done <<'LIST'
v stretch
v particles
v partitions
v constraints
v colors
v cloth
k colliders as particles
k colliders hidden
k colliders solid
x contact normals on
x contact normals off
t smoothing on
t smoothing off
g grid off
LIST
wait_for "a floor without a grid" changes still
press g 'grid on'
wait_for "the grid" turns_into still
view() { # view NAME xdotool arguments…: moves the camera; C resets it
    xdotool "${@:2}"
    wait_for "the view to change: $1" changes still
    [ -z "${release:-}" ] || xdotool $release
    press c 'camera reset'
    wait_for "the view as it was" turns_into still
}
view "nearer" click 4
view "further" click 5 click 5
view "turned beside the cloth" $(at 5 110) mousedown 1 $(at 40 100) mouseup 1
view "turned" $(at 80 60) mousedown 3 $(at 100 50) mouseup 3
view "moved" $(at 80 60) mousedown 2 $(at 100 50) mouseup 2
view "moved by the right button" $(at 80 60) keydown shift mousedown 3 $(at 100 50) mouseup 3 keyup shift
for key in w a s d q e; do
    release="keyup $key" view "flown by $key" keydown $key
done
press period 'advanced one frame'
press F11 'full screen'
wait_for "the whole screen" is_sized 640x480
press F11 'windowed'
wait_for "the window as it was" is_sized 160x120
press space 'continued'
end ctrl+q

# Actions on the world by mouse, keys and buttons; a replay gives the same bits.
begin 160x120 scenes/curtain.json --record input.txt
press_mouse cut keydown ctrl $(at 50 62) mousedown 1 $(at 110 66)
xdotool mouseup 1
press_mouse 'nothing cut' $(at 5 110) mousedown 1 $(at 20 112) mouseup 1
xdotool keyup ctrl
press_mouse grab $(at 80 55) mousedown 1
press_mouse pull $(at 90 52)
press_mouse release mouseup 1
press b ball
press f parameters
press bracketleft 'speed x 0.5'
press bracketright 'speed x 1'
press Tab 'controls on'
press Right 'solver: '
press Down 'selected: outer'
press Right 'outer: '
press Left 'outer: '
press Up 'selected: solver'
row() { # row N "label": by clicks on + and -
    press_mouse "$2: " $(at 140 $((28 + 20 * $1))) click 1
    press_mouse "$2: " $(at 2 $((28 + 20 * $1))) click 1
}
row 2 inner
row 3 relaxation
row 4 stiffness
# The other rows are outside this small window.
xdotool windowsize --sync "$window" 300 300
wait_for "a larger picture" is_drawn 300 300
click() { # click N "label" both buttons
    press_mouse "$2: " $(at 280 $((28 + 20 * $1))) click 1
    press_mouse "$2: " $(at 132 $((28 + 20 * $1))) click 1
}
click 5 damping
click 6 gravity
click 7 wind
click 8 speed
click 9 view
click 10 colliders
click 11 contacts
click 12 smooth
press Tab 'controls off'
press r 'restarted'
end
for word in grab pull release cut ball parameters reset end; do
    grep -q "$word" input.txt || fail "the record has no $word: $(cat input.txt)"
done
"$play" scenes/curtain.json --headless --replay input.txt --threads 2 >replay.txt 2>&1 ||
    fail "the replay differs: $(cat replay.txt)"
"$play" scenes/curtain.json --gl-debug --window 96x64 --samples 1 --replay input.txt --record again.txt \
    >messages.txt 2>&1 || fail "the replay in a window differs"
cmp input.txt again.txt || fail "the replay in a window recorded other input"

# A changed scene or pack is loaded. An error is shown and the old scene continues; a scene that starts with an error
# plays after it is corrected.
cp scenes/rope.json rope.json
break_scene() { sed -i 's/"outerIterations": 8/"outerIterations": -8/' scenes/rope.json; }
mend_scene() { cp rope.json scenes/rope.json; }
break_scene
begin 160x120 scenes/rope.json
heard_error() { tail -n +$((marked + 1)) messages.txt | grep -q 'error: .*rope.json:.*outerIterations'; }
marked=0
wait_for "the error" heard_error
mark
mend_scene
wait_for "the mended scene" heard 'reloaded'
mark
touch scenes/rope.slv
wait_for "the changed pack" heard 'reloaded'
mark
break_scene
wait_for "the error" heard_error
mark
mend_scene
wait_for "the mended scene" heard 'reloaded'
xdotool windowsize --sync "$window" 200 140
wait_for "another size" is_drawn 200 140
end

# An unmapped (minimized) window: the world continues to the end of the replay.
begin 160x120 scenes/curtain.json --replay input.txt
xdotool windowunmap "$window" 2>/dev/null || true # the player may have ended
status=0
wait "$player" || status=$?
player=''
[ "$status" = 0 ] || fail "a hidden window ended with $status"

# A window mapped again draws; one that loses the focus ends a drag.
begin 160x120 scenes/curtain.json --no-vsync
xdotool windowunmap --sync "$window"
xdotool windowmap --sync "$window"
wait_for "the window to come back" find_window
xdotool windowfocus --sync "$window"
shot back
press_mouse grab $(at 80 55) mousedown 1
press_mouse pull $(at 90 50)
press_mouse release windowfocus "$(xdotool search --maxdepth 0 --name '' | head -n 1)"
xdotool windowfocus --sync "$window" mouseup 1
end

# An export from a window equals that of a headless run; changing the scene completes it.
"$play" scenes/capes.json --headless --frames 6 --export plain.usda --quiet
"$play" scenes/capes.json --window 96x64 --samples 1 --frames 6 --export window.usda --quiet
cmp plain.usda window.usda || fail "the window exports other bytes"
begin 96x64 scenes/capes.json --export left.pc2
mark
touch scenes/capes.json
wait_for "a word about the change" heard 'not reloaded'
xdotool key p
wait_for "another scene" named "$(title 1)"
test -s left.pc2
end

# F9 writes a video; closing or resizing the window completes it.
if command -v ffmpeg >/dev/null; then
    begin 160x120 scenes/rope.json
    press F9 'recording selvage-001.mp4'
    press period 'advanced one frame'
    press F9 'video saved'
    press F9 'recording selvage-002.mp4'
    mark
    xdotool windowsize --sync "$window" 120 90
    wait_for "the end of the video" heard 'size changed'
    press space 'continued'
    press F9 'recording selvage-003.mp4'
    press F9 'video saved'
    press F9 'recording selvage-004.mp4'
    end
    for n in 1 2 3 4; do
        [ "$(head -c 8 selvage-00$n.mp4 | tail -c 4)" = ftyp ] || fail "F9 wrote no video $n"
    done
fi

# A scale factor of two: window, text and rows grow equally.
if command -v xprop >/dev/null; then
    xprop -root -f RESOURCE_MANAGER 8s -set RESOURCE_MANAGER 'Xft.dpi: 192'
    begin 320x240
    wait_for "a picture of 640 x 480 pixels" is_drawn 640 480
    xdotool mousemove --window "$window" 320 230 click 1
    wait_for "a scene that was clicked" named "$(title 2)"
    end
fi
