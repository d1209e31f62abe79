#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# data/make_meshes.py still makes the meshes that stand beside it, to the byte.
#   tests/scripts/meshes_are_reproducible.sh WORK
set -euo pipefail
work=$1
data=$(dirname "$0")/../../data
rm -rf "$work"
mkdir -p "$work"
python3 "$data/make_meshes.py" "$work"
for mesh in "$data"/*.obj; do
    cmp "$mesh" "$work/$(basename "$mesh")"
done
