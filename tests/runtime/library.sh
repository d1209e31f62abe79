#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The shared library exports its API and nothing else, and links only the documented libraries:
#   tests/runtime/library.sh LIBSELVAGE.SO HEADER…
set -euo pipefail
export LC_ALL=C

# Sanitizers and coverage bring symbols of their own, which begin with underscores.
shown=$(nm -D --defined-only "$1" | awk '{ print $3 }' | grep -v '^_' | sort)
declared=$(grep -hoE 'SLV_API [^;]*\bslv_[a-z_]+\(' "${@:2}" | grep -oE 'slv_[a-z_]+\($' | tr -d '(' | sort)
diff <(echo "$declared") <(echo "$shown") || {
    echo "the header (<) and the library (>) do not agree"
    exit 1
}
foreign=$(readelf -d "$1" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' |
    grep -vE '^(libc|libm|libpthread|libzstd|libgcc_s|ld-linux.*)\.so' || true)
if [ -n "$foreign" ]; then
    echo "the library needs more than it may: $foreign"
    exit 1
fi
