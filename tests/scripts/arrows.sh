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
may runtime/player runtime/player runtime/include formats tools/common # only the public header
may tools/common tools/common formats kernels
for tool in voxelize colorize bake-collider inspect; do
    may "tools/$tool" "tools/$tool" tools/common formats kernels
done
only_in assimp/ tools/common tools/bake-collider
only_in 'GL' runtime/player
only_in 'png' tools runtime/player
exit $status
