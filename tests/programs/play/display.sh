# SPDX-License-Identifier: MIT
# A display and hands, for tests that look at the window; sourced in the folder to work in. A player runs under
# Xvfb with Mesa's software driver, xdotool touches it, and what it says with --verbose is in said.txt.
# Nothing here knows how fast the machine is: whoever needs to wait waits for what should come.
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
    [ ! -e said.txt ] || tail -n 40 said.txt
    exit 1
}
wait_for() { # wait_for "what" command…: until the command succeeds
    local left=1000 what=$1 # looks, not seconds: whoever is stopped for a while has missed nothing
    shift
    until "$@"; do
        left=$((left - 1))
        [ "$left" -gt 0 ] || fail "waited in vain for $what"
        [ -z "$player" ] || kill -0 "$player" 2>/dev/null || fail "the player ended while waiting for $what"
        sleep 0.05
    done
}

open_display() { # ends with status 1 where there is no such thing here
    local tool
    for tool in Xvfb xdotool; do
        command -v $tool >/dev/null || { echo "no $tool here"; return 1; }
    done
    export LIBGL_ALWAYS_SOFTWARE=1
    unset WAYLAND_DISPLAY
    trap finish EXIT
    trap 'fail "line $LINENO failed"' ERR
    exec 3<>display
    # Without -noreset the server starts over whenever its last client leaves, as each xdotool does, and
    # turns away whoever connects meanwhile.
    Xvfb -displayfd 3 -screen 0 640x480x24 -nolisten tcp -noreset >xvfb.txt 2>&1 &
    server=$!
    wait_for "a display" test -s display
    DISPLAY=:$(cat display)
    export DISPLAY
}

find_window() {
    xdotool search --onlyvisible --name Selvage >window.txt 2>/dev/null
}
drawn() { grep -q 'first picture' said.txt; }
begin() { # begin SIZE options…: a player that has drawn something and has the keyboard's focus
    "$play" --verbose --gl-debug --window "$1" --samples 1 --threads 1 "${@:2}" >said.txt 2>&1 &
    player=$!
    wait_for "the window" find_window
    wait_for "the first picture" drawn
    read -r window <window.txt
    xdotool windowfocus --sync "$window" mousemove --window "$window" 5 5
}
end() { # end [KEY]: closes it, and it ends without an error
    local status=0
    xdotool key "${1:-Escape}"
    wait "$player" || status=$?
    player=''
    [ "$status" = 0 ] || fail "ended with $status"
}

mark() { marked=$(wc -l <said.txt); }
heard() { tail -n +$((marked + 1)) said.txt | grep -q -- "$1"; }
press() { # press KEY TEXT: a key, after which the player says so
    mark
    xdotool key "$1"
    wait_for "\"$2\" after the key $1" heard "$2"
}
hand() { # hand TEXT xdotool's words…: the mouse, likewise
    mark
    xdotool "${@:2}"
    wait_for "\"$1\" after ${*:2}" heard "$1"
}
at() { echo mousemove --window "$window" "$1" "$2"; }
named() { [[ $(xdotool getwindowname "$window") == "$1 - Selvage" ]]; }
is_sized() { [[ $(xdotool getwindowgeometry "$window") == *"Geometry: $1"* ]]; }
shot() { # shot NAME: by F12
    press F12 'saved selvage-.*png'
    mv "$(sed -n 's/.*saved \(selvage-.*png\)/\1/p' said.txt | tail -n 1)" "$1.png"
}
