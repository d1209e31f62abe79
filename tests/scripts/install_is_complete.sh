#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What `cmake --install` puts down works from there: programs start and have their man pages.
#   tests/scripts/install_is_complete.sh BUILD WORK VERSION
set -euo pipefail
build=$1 work=$2 version=$3
rm -rf "$work"
cmake --install "$build" --prefix "$work" >/dev/null
for program in selvage-voxelize selvage-colorize selvage-inspect selvage-play; do
    printed=$("$work/bin/$program" --version)
    if [ "$printed" != "$program (Selvage) $version" ]; then
        echo "$program --version printed \"$printed\", expected \"$program (Selvage) $version\""
        exit 1
    fi
    if [ ! -s "$work/share/man/man1/$program.1" ]; then
        echo "$program has no man page"
        exit 1
    fi
done
