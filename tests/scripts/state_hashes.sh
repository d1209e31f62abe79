#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Prints a checksum of every sample pack and the state hash of every sample scene after FRAMES frames. Two
# builds that print the same lines bake the same bytes and play the same motion:
#   diff <(tests/scripts/state_hashes.sh WORK1 BUILD1) <(tests/scripts/state_hashes.sh WORK2 BUILD2)
# usage: tests/scripts/state_hashes.sh WORK-FOLDER BUILD-FOLDER [FRAMES]
set -euo pipefail
usage="usage: tests/scripts/state_hashes.sh WORK-FOLDER BUILD-FOLDER [FRAMES]"
work=${1:?"$usage"}
build=$(cd "${2:?"$usage"}" && pwd)
frames=${3:-30}
data=$(cd "$(dirname "$0")/../../data" && pwd)

mkdir -p "$work"
"$data/scenes/bake.sh" "$work" "$build/tools/voxelize/selvage-voxelize"
cd "$work"
sha256sum ./*.slv
for scene in *.json; do
    "$build/runtime/player/selvage-play" "$scene" --headless --frames "$frames" --report report --quiet
    printf '%s  %s\n' "$(grep -o '"hash": *"[0-9a-f]*"' report | tail -n 1)" "$scene"
done
