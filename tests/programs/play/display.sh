# SPDX-License-Identifier: MIT
# Functions for tests of the window; sourced in the working folder. A player runs under Xvfb with Mesa's software
# driver and gets input from xdotool. Its messages (--verbose) are in messages.txt. Waits end at an event, not after a
# time, so that tests do not depend on the machine's speed.
player='' server=''
finish() {
    [ -z "$player" ] || kill "$player" 2>/dev/null || true
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    wait 2>/dev/null || true
}
fail() {
    trap - ERR
    echo "${0##*/}: $*"
    if [ -n "$player" ] && ! kill -0 "$player" 2>/dev/null; then
        wait "$player" || echo "the player has ended with $?"
    fi
    [ ! -e messages.txt ] || tail -n 40 messages.txt
    exit 1
}
wait_for() { # wait_for "what" command…: until the command succeeds
    local left=1000 what=$1 # tries, not seconds: a stopped process loses no time
    shift
    until "$@"; do
        left=$((left - 1))
        [ "$left" -gt 0 ] || fail "timeout while waiting for $what"
        [ -z "$player" ] || kill -0 "$player" 2>/dev/null || fail "the player ended while waiting for $what"
        sleep 0.05
    done
}

open_display() { # returns 1 where a program is missing
    local tool
    for tool in Xvfb xdotool; do
        command -v $tool >/dev/null || { echo "$tool is not installed"; return 1; }
    done
    export LIBGL_ALWAYS_SOFTWARE=1
    unset WAYLAND_DISPLAY
    trap finish EXIT
    trap 'fail "line $LINENO failed"' ERR
    exec 3<>display
    # Without -noreset the server restarts when its last client disconnects, as each xdotool does, and refuses new
    # clients meanwhile.
    Xvfb -displayfd 3 -screen 0 640x480x24 -nolisten tcp -noreset >xvfb.txt 2>&1 &
    server=$!
    wait_for "a display" test -s display
    DISPLAY=:$(cat display)
    export DISPLAY
}

find_window() {
    xdotool search --onlyvisible --name Selvage >window.txt 2>/dev/null
}
drawn() { grep -q 'first picture' messages.txt; }
begin() { # begin SIZE options…: starts a player; returns when it has drawn and has the keyboard focus
    "$play" --verbose --gl-debug --window "$1" --samples 1 --threads 1 "${@:2}" >messages.txt 2>&1 &
    player=$!
    wait_for "the window" find_window
    wait_for "the first picture" drawn
    read -r window <window.txt
    xdotool windowfocus --sync "$window" mousemove --window "$window" 5 5
}
end() { # end [KEY]: closes the player; it must exit with 0
    local status=0
    xdotool key "${1:-Escape}"
    wait "$player" || status=$?
    player=''
    [ "$status" = 0 ] || fail "ended with $status"
}

mark() { marked=$(wc -l <messages.txt); }
heard() { tail -n +$((marked + 1)) messages.txt | grep -q -- "$1"; }
press() { # press KEY TEXT: presses a key and waits for TEXT in the player's messages
    mark
    xdotool key "$1"
    wait_for "\"$2\" after the key $1" heard "$2"
}
press_mouse() { # press_mouse TEXT xdotool arguments…: the same for the mouse
    mark
    xdotool "${@:2}"
    wait_for "\"$1\" after ${*:2}" heard "$1"
}
at() { echo mousemove --window "$window" "$1" "$2"; }
named() { [[ $(xdotool getwindowname "$window") == "$1 - Selvage" ]]; }
is_sized() { [[ $(xdotool getwindowgeometry "$window") == *"Geometry: $1"* ]]; }
shot() { # shot NAME: a screenshot by F12
    press F12 'saved selvage-.*png'
    mv "$(sed -n 's/.*saved \(selvage-.*png\)/\1/p' messages.txt | tail -n 1)" "$1.png"
}
