#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The programs in data/ still make the models that stand beside them, to the byte.
#   tests/scripts/meshes_are_reproducible.sh WORK [NAME…]
# With names, only those meshes: fitting garments point by point takes long.
set -euo pipefail
work=$1
shift
data=$(dirname "$0")/../../data
rm -rf "$work"
mkdir -p "$work"
export PYTHONDONTWRITEBYTECODE=1
python3 "$data/make_meshes.py" "$work" "$@"
python3 "$data/make_rail.py" "$work"
python3 "$data/make_winches.py" "$work"
mkdir "$work/scenes"
python3 "$data/make_tearing.py" "$work/scenes"
cmp "$work/scenes/tearing.input" "$data/scenes/tearing.input"
rm -r "$work/scenes"
[ $# -gt 0 ] || python3 "$data/make_mannequin.py" "$work"
for model in "$work"/*; do
    cmp "$model" "$data/$(basename "$model")"
done
if [ $# -eq 0 ]; then # and nothing else stands there
    diff <(cd "$data" && ls -- *.obj *.glb *.attach.json) <(cd "$work" && ls)
fi
