#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Programs and the shared library have random addresses (PIE), read-only tables of the linker (full RELRO), stack
# protection, checked copies of the C library, and no executable stack.
#   tests/scripts/programs_are_hardened.sh FILE…
set -euo pipefail
command -v readelf >/dev/null || exit 77
bad=0
has() { # has FILE WHAT PATTERN READELF-OPTIONS…
    local file=$1 what=$2 pattern=$3
    shift 3
    if ! readelf -W "$@" "$file" | grep -E "$pattern" >/dev/null; then
        echo "$file: no $what"
        bad=1
    fi
}
for file in "$@"; do
    has "$file" "random addresses (PIE)" 'Type: *DYN' -h
    [[ $file == *.so* ]] || has "$file" "random addresses (PIE)" 'FLAGS_1.*PIE' -d
    has "$file" "GNU_RELRO segment" 'GNU_RELRO' -l
    has "$file" "immediate binding (BIND_NOW)" 'BIND_NOW|FLAGS_1.*NOW' -d
    has "$file" "stack protection" '__stack_chk_fail' --dyn-syms
    has "$file" "checked copies (FORTIFY)" '__[a-z]+_chk@' --dyn-syms
    has "$file" "data-only stack" 'GNU_STACK.* RW ' -l
done
echo "$# files checked"
exit $bad
