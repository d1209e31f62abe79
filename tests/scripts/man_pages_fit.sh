#!/bin/sh
# SPDX-License-Identifier: MIT
# No manual page is wider than a terminal of 80 columns, and groff prints no warning.
# man_pages_fit.sh FOLDER
set -eu
LC_ALL=C.UTF-8 # columns are characters, not bytes
export LC_ALL
if ! groff -t -man -Tutf8 /dev/null >/dev/null 2>&1; then
    echo "skipped: there is no groff with man pages"
    exit 77
fi
for page in "$1"/*.1; do
    complaints=$(groff -t -man -ww -Tutf8 -P-cbou -rLL=80n "$page" 2>&1 >/dev/null)
    widest=$(groff -t -man -Tutf8 -P-cbou -rLL=80n "$page" |
        wc -L)
    if [ -n "$complaints" ] || [ "$widest" -gt 80 ]; then
        echo "$page: $widest columns wide, should be at most 80. $complaints"
        exit 1
    fi
done
