#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The programs in data/ still make the models that stand beside them, to the byte.
#   tests/scripts/meshes_are_reproducible.sh WORK
set -euo pipefail
work=$1
data=$(dirname "$0")/../../data
rm -rf "$work"
mkdir -p "$work"
export PYTHONDONTWRITEBYTECODE=1
python3 "$data/make_meshes.py" "$work"
python3 "$data/make_mannequin.py" "$work"
for model in "$data"/*.obj "$data"/*.glb; do
    cmp "$model" "$work/$(basename "$model")"
done
