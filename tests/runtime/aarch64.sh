#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the runtime for AArch64, runs it under qemu-user and compares the states of all scenes with
# those of this machine's build:
#   tests/runtime/aarch64.sh BUILD-DIRECTORY-HERE SCRATCH-DIRECTORY
# Needs apt for the cross compiler, qemu and the libraries of the other architecture, which are unpacked
# below the scratch directory and not installed. Exits with 77 where they are not available.
set -euo pipefail
here=$(realpath "$1")
mkdir -p "$2"
scratch=$(realpath "$2")
cd "$(dirname "$0")/../.."
export LC_ALL=C

skip() {
    echo "skipped: $*"
    exit 77
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo -n "$@"; fi
}

# --- The tools -----------------------------------------------------------------------------------

if ! command -v aarch64-linux-gnu-gcc >/dev/null || ! command -v qemu-aarch64 >/dev/null; then
    command -v apt-get >/dev/null || skip "no cross compiler and no apt here"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300 install \
        --no-install-recommends gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user \
        >"$scratch/apt.log" 2>&1 || skip "apt cannot install a cross compiler and qemu"
fi

# --- The libraries: an apt of its own for arm64, which changes nothing on this machine --------------

root=$scratch/root
if [ ! -e "$root/usr/include/zstd.h" ]; then
    mkdir -p "$scratch"/apt/{lists,cache,packages}
    cat >"$scratch/apt/apt.conf" <<CONF
APT::Architecture "arm64";
APT::Architectures { "arm64"; };
APT::Sandbox::User "root";
Dir::State "$scratch/apt";
Dir::State::Lists "$scratch/apt/lists";
Dir::State::status "$scratch/apt/status";
Dir::Cache "$scratch/apt/cache";
CONF
    : >"$scratch/apt/status"
    (
        export APT_CONFIG=$scratch/apt/apt.conf
        cd "$scratch/apt/packages"
        apt-get -q update && apt-get -q download libzstd1 libzstd-dev libxxhash-dev libxxhash0 \
            libcmocka0 libcmocka-dev
    ) >>"$scratch/apt.log" 2>&1 || skip "apt has no libraries for arm64"
    for package in "$scratch"/apt/packages/*.deb; do dpkg-deb -x "$package" "$root"; done
fi

# --- Build, run, compare --------------------------------------------------------------------------

build=$scratch/build
libraries=$root/usr/lib/aarch64-linux-gnu
export PKG_CONFIG_LIBDIR=$libraries/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root
there() {
    qemu-aarch64 -L /usr/aarch64-linux-gnu -E LD_LIBRARY_PATH="$libraries" "$build/$1" "${@:2}"
}
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DSELVAGE_TOOLS=OFF -DSELVAGE_BENCH=OFF \
    -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 \
    -DCMAKE_C_COMPILER=aarch64-linux-gnu-gcc \
    -DCMAKE_EXE_LINKER_FLAGS="-L$libraries" >"$scratch/cmake.log"
cmake --build "$build" --target selvage_runtime_determinism selvage_kernel_layouts >"$scratch/build.log" ||
    { cat "$scratch/build.log"; exit 1; }
there tests/kernels/kernel_layouts
there tests/runtime/runtime_determinism --print >"$scratch/there.txt"
"$here/tests/runtime/runtime_determinism" --print >"$scratch/here.txt"
diff "$scratch/here.txt" "$scratch/there.txt"
[ -s "$scratch/there.txt" ] || { echo "no states at all"; exit 1; }
echo "AArch64 gives the same states"
