#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes the packs that the scenes in this folder name (packs.txt), and copies the scenes beside them:
#   data/scenes/bake.sh FOLDER [PATH-OF-SELVAGE-VOXELIZE [PACK…]]
# The other programs are those beside it, installed or in a build. With names of packs, no others are made.
# With SELVAGE_PACKS=FOLDER, packs that are there are copied: tests do not make them again and again.
# Afterwards `selvage-play FOLDER/dressed-walk.json --headless` works.
set -euo pipefail
out=${1:?"usage: data/scenes/bake.sh FOLDER [PATH-OF-SELVAGE-VOXELIZE [PACK…]]"}
voxelize=$(realpath "$(command -v "${2:-selvage-voxelize}")")
beside() { # another program: installed beside it, or in its own folder of a build
    local folder
    folder=$(dirname "$voxelize")
    if [ -x "$folder/selvage-$1" ]; then echo "$folder/selvage-$1"; else echo "$folder/../$1/selvage-$1"; fi
}
here=$(cd "$(dirname "$0")" && pwd)
selected=" ${*:3} "

mkdir -p "$out"
out=$(cd "$out" && pwd)
cd "$here/.."
cp -r attach "$out/"
grep -vE '^(#|$)' "$here/packs.txt" | while read -r name program arguments; do
    [[ $# -lt 3 || $selected == *" $name "* ]] || continue
    if [[ -n ${SELVAGE_PACKS:-} && -e $SELVAGE_PACKS/$name.slv ]]; then
        cp "$SELVAGE_PACKS/$name.slv" "$out/"
        continue
    fi
    case $program in
    voxelize) tool=$voxelize ;;
    *) tool=$(beside "$program") ;;
    esac
    pack=$out/$name.slv
    [[ $arguments != *"|"* ]] || pack=$out/$name.uncolored
    made=${arguments%%|*}
    # shellcheck disable=SC2086
    "$tool" ${made//attach\//$out/attach/} -o "$pack" --quiet </dev/null
    if [[ $arguments == *"|"* ]]; then
        # shellcheck disable=SC2086
        "$(beside colorize)" "$pack" ${arguments##*|} -o "$out/$name.slv" --quiet </dev/null
        rm "$pack"
    fi
done
cp "$here"/*.json "$here"/*.input "$out/"
