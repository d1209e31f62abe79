#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Includes between folders go in one direction: each folder includes only the folders listed for it here. So do
# those between modules.
set -euo pipefail
cd "$(dirname "$0")/../.."
status=0

# FILE:LINE: INCLUDED, a line for each project header and list, as paths from the root of the tree.
includes=$(grep -rnE --include='*.[ch]' --include='*.inl' --include='*.def' \
    '^ *# *include *("[a-z]|<selvage/)' formats kernels runtime tools bench tests |
    sed -E -e 's/^([^:]+:[0-9]+): *# *include *["<]([^">]+)[">].*/\1: \2/' \
        -e 's|: selvage/formats/|: formats/|' -e 's|: (selvage/result.h)|: formats/include/\1|' \
        -e 's|: selvage/|: runtime/include/selvage/|' -e 's|^(([^:]*/)[^/:]*: )([^/]*)$|\1\2\3|')

# may FOLDER ROOM…: files of FOLDER include project headers of these rooms only. A player/ inside is a
# room of its own.
may() {
    local folder=$1 allowed found
    shift
    [ -d "$folder" ] || return 0
    allowed=$(IFS='|' && echo "$*")
    found=$(grep "^$folder/" <<< "$includes" | grep -vE "^$folder/player/|: ($allowed)/" || true)
    if [ -n "$found" ]; then
        printf '%s/ may include only from: %s\n%s\n' "$folder" "$*" "$found"
        status=1
    fi
}

# only_in LIBRARY-PATTERN FOLDER…: no other folder includes headers of that library.
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
may runtime/include runtime/include formats/include # installed
# base <- model <- layout <- step <- backends <- world <- scene, export: a room of the runtime includes
# itself and the rooms before it.
rooms=(formats kernels runtime/include)
for room in base model layout step backends world; do
    rooms+=("runtime/$room")
    may "runtime/$room" "${rooms[@]}"
done
for room in scene export; do
    may "runtime/$room" "${rooms[@]}" "runtime/$room"
done
outside=(runtime/include formats tools/common) # of the library the player includes only public headers
player=runtime/player
may $player/view $player/view "${outside[@]}"
may $player/output $player/output $player/view "${outside[@]}"
may $player/app $player/app $player/output $player/view "${outside[@]}"
may tools/common tools/common formats kernels
for tool in voxelize colorize bake-collider inspect; do
    may "tools/$tool" "tools/$tool" tools/common formats kernels
done

# NAME.c, NAME.h, NAME.inl and NAME.def are one module. No module needs itself, however long the way: tsort
# names the modules of a cycle.
cycles=$(sed -E -e 's/:[0-9]+:|$/ /g' -e 's/\.(c|h|inl|def) / /g' <<< "$includes" | tsort 2>&1 > /dev/null || true)
if [ -n "$cycles" ]; then
    printf 'these modules include each other in a cycle:\n%s\n' "$cycles"
    status=1
fi

# The functions of the public headers are defined in the rooms on top.
entries=$(sed -nE 's/^SLV_API .*\b(slv_[a-z_]+)\(.*/\1/p' runtime/include/selvage/*.h | paste -sd '|')
found=$(grep -rnE --include='*.c' "^[a-z].*\b($entries)\(" runtime | grep -vE '^runtime/(world|scene|export)/' |
    grep -vE ':[0-9]+:(static|extern) ' || true)
if [ -n "$found" ]; then
    printf 'public functions belong in runtime/world, scene or export:\n%s\n' "$found"
    status=1
fi

only_in assimp/ tools/common tools/bake-collider
only_in 'GL/' $player/view $player/output
only_in 'EGL/' $player/output
only_in 'GLFW/' $player/app
only_in 'png' tools runtime/player
exit $status
