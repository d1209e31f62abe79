#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs the distribution's packages that a job needs and this machine lacks:
#   .ci/setup.sh demo    a compiler and the libraries
#   .ci/setup.sh test    the same, and what the checks use
#   .ci/setup.sh video   ffmpeg, for a demonstration without a display
# Debian 12 and Ubuntu 24.04 name all of them alike. With nothing missing it is silent and needs no
# network; on other distributions it prints the packages it would have installed and continues.
set -euo pipefail
cd "$(dirname "$0")/.."

packages=(gcc g++ libc6-dev cmake ninja-build pkg-config
    libassimp-dev libzstd-dev libxxhash-dev libcjson-dev libpng-dev zlib1g-dev
    libjpeg-dev libmeshoptimizer-dev libdraco-dev
    libglfw3-dev libglew-dev libegl-dev libgl1-mesa-dri
    opencl-c-headers ocl-icd-libopencl1)
case "${1:-}" in
demo) ;;
test) # The formatter and the linter are pinned: other versions have other rules.
    packages+=(clang lld libclang-rt-dev clang-format-14 clang-tidy-14 libcmocka-dev python3 python3-numpy
        xvfb xauth xdotool x11-utils pocl-opencl-icd oclgrind) ;;
video) # 200 MB with its dependencies; not needed with a display
    packages=(ffmpeg) ;;
*)
    echo "usage: .ci/setup.sh demo|test|video" >&2
    exit 1
    ;;
esac

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    echo "setup: no apt here. If the build misses something, install what your system calls:" \
        "${packages[*]}" >&2
    exit 0
fi

installed() {
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}
missing=()
for package in "${packages[@]}"; do
    installed "$package" || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "setup: not root and no sudo here. As root, run:" >&2
        echo "  apt-get update && apt-get install --no-install-recommends ${missing[*]}" >&2
        exit 1
    fi
    as_root=(sudo)
fi

mkdir -p build
log=build/setup.log
apt() { # waits for a lock that an automatic upgrade may hold; never prompts
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get -q -y \
        -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 -o Acquire::Retries=3 "$@" \
        >>"$log" 2>&1 </dev/null
}
echo "Installing with apt: ${missing[*]}"
: >"$log"
apt update || true # one unreachable source may be harmless; the installation fails otherwise
if ! apt install --no-install-recommends "${missing[@]}"; then
    cat "$log" >&2
    echo "setup: apt could not install the packages above; its output is in $log" >&2
    exit 1
fi
