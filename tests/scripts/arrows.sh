#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The arrows between the rooms never turn back: each folder includes only what it may know.
set -euo pipefail
cd "$(dirname "$0")/../.."
status=0

# may FOLDER ROOM…: files of FOLDER include project headers of these rooms only. A player/ inside is a
# room of its own.
may() {
    local folder=$1 allowed found
    shift
    [ -d "$folder" ] || return 0
    allowed=$(IFS='|' && echo "$*")
    found=$(grep -rnE --include='*.[ch]' --include='*.inl' '^ *# *include *"' "$folder" |
        grep -vE "^$folder/player/|include *\"($allowed)/" || true)
    if [ -n "$found" ]; then
        printf '%s/ may include only from: %s\n%s\n' "$folder" "$*" "$found"
        status=1
    fi
}

# only_in LIBRARY-PATTERN FOLDER…: nobody else includes headers of that library.
only_in() {
    local pattern=$1 found
    shift
    found=$(grep -rnE --include='*.[ch]' --include='*.inl' "^ *# *include *<$pattern" formats kernels runtime tools |
        grep -vE "^($(IFS='|' && echo "$*"))/" || true)
    if [ -n "$found" ]; then
        printf 'headers <%s…> belong in: %s\n%s\n' "$pattern" "$*" "$found"
        status=1
    fi
}

may kernels kernels
may formats formats kernels
may runtime runtime formats kernels
outside=(runtime/include formats tools/common) # the player knows only the library's public header
player=runtime/player
may $player/view $player/view "${outside[@]}"
may $player/output $player/output $player/view "${outside[@]}"
may $player/app $player/app $player/output $player/view "${outside[@]}"
may tools/common tools/common formats kernels
for tool in voxelize colorize bake-collider inspect; do
    may "tools/$tool" "tools/$tool" tools/common formats kernels
done
only_in assimp/ tools/common tools/bake-collider
only_in 'GL/' $player/view
only_in 'GLFW/' $player/app
only_in 'png' tools runtime/player
exit $status
