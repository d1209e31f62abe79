#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Reads our exports with another program, installing it if it is missing.
#   tests/programs/play/real_readers.sh READER VOXELIZE PLAY DATA WORK      (READER: blender, usd or gltf)
# Skipped (77) where it cannot be installed: no network or no permission.
set -euo pipefail
reader=$1 voxelize=$2 play=$3 data=$4 work=$5
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$work"
python=python3

skip() {
    echo "skipped: $1"
    exit 77
}

with_packages() { # with_packages MODULE PACKAGE…: a Python with these packages
    local module=$1
    shift
    python3 -c "import $module" 2>/dev/null && return
    python=$work/venv/bin/python
    [ -x "$python" ] || python3 -m venv "$work/venv" || skip "python3-venv is missing"
    "$python" -c "import $module" 2>/dev/null ||
        "$python" -m pip install --quiet "$@" || skip "$* cannot be installed"
}

case $reader in
usd) with_packages pxr usd-core ;;
gltf) with_packages pygltflib,trimesh,numpy,PIL pygltflib trimesh numpy pillow ;;
blender)
    if ! command -v blender >/dev/null; then
        sudo=$([ "$(id -u)" = 0 ] || echo "sudo -n")
        $sudo apt-get install -y --no-install-recommends blender >"$work/apt.log" 2>&1 ||
            skip "blender cannot be installed; $work/apt.log has the reason"
    fi
    ;;
esac
exec "$python" -B "$here/real_readers.py" "$voxelize" "$play" "$data" "$work/$reader" "$reader"
