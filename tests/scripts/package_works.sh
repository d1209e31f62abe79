#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Another project can use what is installed: the libraries through CMake and pkg-config, in C and C++, and packs
# that its build makes, remade exactly when an input changes.
#   tests/scripts/package_works.sh BUILD SOURCE WORK GENERATOR
set -euo pipefail
build=$1 source=$(cd "$2" && pwd) work=$3 generator=$4
rm -rf "$work"
mkdir -p "$work/models"
work=$(cd "$work" && pwd)
cmake --install "$build" --prefix "$work/prefix" >/dev/null

# The models are copies, because they are changed below.
cp "$source/data/cape.obj" "$source/data/mannequin.glb" "$work/models/"
cmake -S "$source/tests/scripts/users/installed" -B "$work/out" -G "$generator" -DMODELS="$work/models" \
    -DSELVAGE_SOURCE="$source" -DCMAKE_PREFIX_PATH="$work/prefix" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }

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
sed -i 's/^# .*/# touched/' "$work/models/cape.obj"
expect "a mesh changed" "packs/cape.slv packs/cape.uncolored.slv "
touch "$work/models/mannequin.glb"
expect "a character changed" "arms.slv "
touch "$work/out/careless.c"
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
"$work/out/both-in-c++" "$work/out/cloth.slv" | grep -q "^400 particles, state [0-9a-f]*[1-9a-f]"
"$work/out/copy-garment" "$work/out/cloth.slv" "$work/copy.slv" >/dev/null
cmp "$work/out/cloth.slv" "$work/copy.slv"
if command -v pkg-config >/dev/null; then
    flags=$(PKG_CONFIG_PATH=$(dirname "$(find "$work/prefix" -name selvage.pc)") pkg-config --cflags --libs selvage)
    # shellcheck disable=SC2086
    ${CC:-cc} "$source/runtime/examples/hello.c" $flags -Wl,-rpath,"$(dirname "$(find "$work/prefix" -name libselvage.so)")" \
        -o "$work/hello-pkg"
    "$work/hello-pkg" "$work/out/cloth.slv" | grep -q "the middle is at"
fi
