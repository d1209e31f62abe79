#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What is installed can be used by somebody's own project: the library through CMake (shared and static) and
# pkg-config, and packs that its build makes, remade exactly when an input changes.
#   tests/scripts/package_works.sh BUILD SOURCE WORK GENERATOR
set -euo pipefail
build=$1 source=$(cd "$2" && pwd) work=$3 generator=$4
rm -rf "$work"
mkdir -p "$work/user"
work=$(cd "$work" && pwd)
cmake --install "$build" --prefix "$work/prefix" >/dev/null

cp "$source/runtime/examples/hello.c" "$source/data/cape.obj" "$source/data/mannequin.glb" "$work/user/"
cat >"$work/user/CMakeLists.txt" <<'TEXT'
cmake_minimum_required(VERSION 3.22)
project(user LANGUAGES C)
find_package(selvage REQUIRED)
foreach(kind selvage static)
  add_executable(hello-${kind} hello.c)
  target_link_libraries(hello-${kind} PRIVATE selvage::${kind})
endforeach()
selvage_add_garment(cape MESH cape.obj OUTPUT packs/cape.slv OPTIONS --mode surface COLORIZE)
selvage_add_garment(cloth SHAPE grid:20x20)
selvage_add_collider(arms CHARACTER mannequin.glb CLIP raise_arms
  OPTIONS --particles 300 --start 0 --end 0.1)
get_target_property(pack cape SELVAGE_PACK)
file(WRITE ${CMAKE_BINARY_DIR}/pack.txt ${pack})
TEXT
cmake -S "$work/user" -B "$work/out" -G "$generator" -DCMAKE_PREFIX_PATH="$work/prefix" >"$work/log" 2>&1 ||
    { cat "$work/log"; exit 1; }

packs=(packs/cape.slv packs/cape.uncolored.slv cloth.slv arms.slv)
made() { # which packs the build has just made anew
    local before pack
    before=$(date +%s%N)
    sleep 0.02
    cmake --build "$work/out" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
    for pack in "${packs[@]}"; do
        [ "$(date -r "$work/out/$pack" +%s%N)" -lt "$before" ] || printf '%s ' "$pack"
    done
}
expect() { # expect "what happened" "packs"
    local got
    got=$(made)
    [ "$got" = "$2" ] || { echo "$1: remade \"$got\", expected \"$2\""; exit 1; }
}

expect "the first build" "packs/cape.slv packs/cape.uncolored.slv cloth.slv arms.slv "
expect "nothing changed" ""
sed -i 's/^# .*/# touched/' "$work/user/cape.obj"
expect "a mesh changed" "packs/cape.slv packs/cape.uncolored.slv "
touch "$work/user/mannequin.glb"
expect "a character changed" "arms.slv "
touch "$work/user/hello.c"
expect "a source file changed" ""
touch "$work/prefix/bin/selvage-colorize"
expect "a tool changed" "packs/cape.slv "
[ "$(cat "$work/out/pack.txt")" = "$work/out/packs/cape.slv" ]

inspect=$work/prefix/bin/selvage-inspect
for pack in "${packs[@]:0:3}"; do # the garments
    "$inspect" --verify "$work/out/$pack" >/dev/null
done
for kind in selvage static; do
    "$work/out/hello-$kind" "$work/out/cloth.slv" | grep -q "the middle is at"
done
if command -v pkg-config >/dev/null; then
    flags=$(PKG_CONFIG_PATH=$(dirname "$(find "$work/prefix" -name selvage.pc)") pkg-config --cflags --libs selvage)
    # shellcheck disable=SC2086
    ${CC:-cc} "$work/user/hello.c" $flags -Wl,-rpath,"$(dirname "$(find "$work/prefix" -name libselvage.so)")" \
        -o "$work/hello-pkg"
    "$work/hello-pkg" "$work/out/cloth.slv" | grep -q "the middle is at"
fi
