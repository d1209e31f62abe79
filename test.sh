#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds and checks everything, from a bare Debian 12 or Ubuntu 24.04 on. Everything it makes is
# below build/. A step that fails shows its whole output; the others still run.
set -euo pipefail
cd "$(dirname "$0")"
export LC_ALL=C

usage() {
    cat <<'TEXT'
Usage: ./test.sh [--quick | --long]
Installs what is missing (apt, with sudo where needed), then builds and tests.

  (none)    formatting, lint, gcc and clang, sanitizers, same bytes from every build, all tests
  --quick   only the optimised gcc build and its tests
  --long    as none, with the long tests and the long fuzzing too
  --help    this text

The last lines are ctest's summary; the exit status is 0 when everything passed.
TEXT
}

quick=no
labels=(-LE long)
threaded=(-L threads)
case "${1:-}" in
"") ;;
--quick) quick=yes ;;
--long) labels=() threaded=() ;;
--help | -h)
    usage
    exit 0
    ;;
*)
    usage >&2
    exit 1
    ;;
esac
[ $# -le 1 ] || { usage >&2; exit 1; }

# --- Running a step: one line on success, everything on failure ----------------------------------

logs=build/logs
step_count=0
failed=()
step() { # step "title" command…
    local title=$1 log started=$SECONDS status
    shift
    step_count=$((step_count + 1))
    log=$(printf '%s/%02d.log' "$logs" "$step_count")
    printf '%-62s' "$title"
    set +e # a subshell tested by && or || would ignore its own set -e
    (set -e; "$@") >"$log" 2>&1 </dev/null
    status=$?
    set -e
    if [ "$status" -eq 0 ]; then
        printf '%4d s  %s\n' $((SECONDS - started)) "$(sed -n 's/^step: //p' "$log" | tail -n 1)"
    else
        printf 'FAILED\n'
        sed 's/^/    /' "$log"
        failed+=("$title ($log)")
    fi
}

build() { # build PRESET
    cmake --preset "$1" --log-level=WARNING
    cmake --build --preset "$1" -- --quiet
}

build_and_test() { # build_and_test PRESET [ctest options…]
    local runner=()
    build "$1"
    case "$1" in address | thread) runner=("${fixed_addresses[@]}") ;; esac
    "${runner[@]}" ctest --preset "$1" "${labels[@]}" -j "$(nproc)" --no-tests=error "${@:2}" |
        tee "$logs/$1.ctest"
    echo "step: $(grep 'tests passed' "$logs/$1.ctest")"
}

# --- The steps -----------------------------------------------------------------------------------

sources() { # sources PATTERN…: our own files of these kinds
    local pattern arguments=(-false)
    for pattern in "$@"; do arguments+=(-o -name "$pattern"); done
    find formats kernels runtime tools bench tests -type f \( "${arguments[@]}" \) | sort
}

check_format() {
    if ! command -v clang-format-14 >/dev/null; then
        echo "step: skipped, no clang-format-14 here (other versions format differently)"
        return
    fi
    sources '*.c' '*.h' '*.inl' | xargs clang-format-14 --dry-run -Werror
}

# Only what changed since the last clean run; everything when a header or the rules changed.
check_lint() {
    if ! command -v clang-tidy-14 >/dev/null; then
        echo "step: skipped, no clang-tidy-14 here (other versions ask for other things)"
        return
    fi
    local stamp=build/lint.stamp changed=()
    touch build/lint.started
    if [ -e "$stamp" ] && [ -z "$(find .clang-tidy $(sources '*.h' '*.inl') -newer "$stamp")" ]; then
        mapfile -t changed < <(find $(sources '*.c') -newer "$stamp")
    else
        mapfile -t changed < <(sources '*.c')
    fi
    printf '%s\n' "${changed[@]}" | xargs -r -n 1 -P "$(nproc)" clang-tidy-14 -p build/address --quiet
    mv build/lint.started "$stamp"
    echo "step: ${#changed[@]} files checked"
}

# Whoever plays packs must not need what only the tools use.
check_without_tools() {
    cmake --preset release --log-level=WARNING \
        -B build/without-tools -DSELVAGE_TOOLS=OFF -DSELVAGE_WINDOW=OFF -DBUILD_TESTING=OFF
    cmake --build build/without-tools -- --quiet
    if grep -qiE 'assimp|cjson|libpng|glfw' build/without-tools/build.ninja; then
        echo "formats/ or runtime/ is built with a library that only the tools may use"
        return 1
    fi
}

same_bytes() {
    tests/scripts/same_bytes.sh build/same-bytes build/release build/release-clang build/debug
}

# Older sanitizers cannot live with the widest address randomisation of newer kernels.
fixed_addresses=()
if setarch -R true 2>/dev/null; then
    fixed_addresses=(setarch -R)
fi

.ci/setup.sh test
mkdir -p "$logs"

step "Build: gcc, optimised" build release
if [ "$quick" = no ]; then
    step "Formatting" check_format
    step "Formats and runtime build without the tools' libraries" check_without_tools
    step "Build and tests: clang, optimised" build_and_test release-clang
    step "Build: gcc, not optimised" build debug
    step "Same bytes from gcc, clang and unoptimised programs" same_bytes
    step "Build and tests: address and undefined-behaviour sanitizers" build_and_test address
    step "Build and tests with threads: thread sanitizer" build_and_test thread "${threaded[@]}"
    step "Lint" check_lint
fi
echo "Tests: gcc, optimised"
ctest --preset release "${labels[@]}" -j "$(nproc)" --no-tests=error || failed+=("Tests: gcc, optimised")
if [ ${#failed[@]} -gt 0 ]; then
    printf '\ntest.sh: failed:\n' >&2
    printf '  %s\n' "${failed[@]}" >&2
    exit 1
fi
