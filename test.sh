#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds and checks everything, from a bare Debian 12 or Ubuntu 24.04 on. Everything it makes is
# below build/. A step that fails shows its whole output; the others still run. Lint runs beside the
# other steps, at low priority, so that no core idles while a link or a single test is waited for.
set -euo pipefail
cd "$(dirname "$0")"
export LC_ALL=C

usage() {
    cat <<'TEXT'
Usage: ./test.sh [--quick | --long]
Installs what is missing (apt, with sudo where needed), then builds and tests.

  (none)    formatting, lint, gcc and clang, sanitizers, same bytes from every build, brief fuzzing,
            all tests but the long ones
  --quick   only the optimized gcc build and its tests
  --long    as none, with the long tests, all tests in every build, lint at full depth, and CUDA
            kernels for every architecture
  --help    this text

The last lines are the summary of the gcc build's tests; the exit status is 0 when everything passed.
TEXT
}

quick=no
labels=(-LE long)
sanitized=(-LE 'long|motion')
threaded=(-L threads)
alike=(-L bits)
slow_packs= # which of the packs tests are given: all; with --long only those of the mannequin
cuda=ends # CUDA kernels for the oldest and the newest architecture; --long: for all
# Builds beside the first have kernels of the baseline and of one instruction set, which share their text; --long: of all.
sets=(-DSELVAGE_INSTRUCTION_SETS=avx512)
lint_nodes=8000 # how far clang's analyzer follows one function; --long goes as far as its own limit
lint_less=('--checks=-clang-analyzer-*') # for tests and benchmarks; --long analyzes them too
case "${1:-}" in
"") ;;
--quick) quick=yes ;;
--long) labels=() sanitized=() threaded=() alike=() lint_nodes=225000 lint_less=() slow_packs=/mannequin cuda=all sets=() ;;
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
attempt() { # attempt LOG command…: its status and its seconds by the clock and of processors land beside the log
    local log=$1 status TIMEFORMAT='%0R %0U %0S'
    shift
    set +e # a subshell tested by && or || would ignore its own set -e
    { time { (set -e; "$@") >"$log" 2>&1 </dev/null; }; } 2>"$log.time"
    status=$?
    set -e
    echo "$status $(cat "$log.time")" >"$log.status"
}
report() { # report "title" LOG
    local status seconds user system
    read -r status seconds user system <"$2.status"
    printf '%-62s' "$1"
    if [ "$status" -eq 0 ]; then
        printf '%4d s %4d s of processors  %s\n' "$seconds" $((user + system)) "$(sed -n 's/^step: //p' "$2" | tail -n 1)"
    else
        printf 'FAILED\n'
        sed 's/^/    /' "$2"
        failed+=("$1 ($2)")
    fi
}
next_log() {
    step_count=$((step_count + 1))
    log=$(printf '%s/%02d.log' "$logs" "$step_count")
}
step() { # step "title" command…
    local title=$1 log
    shift
    next_log
    attempt "$log" "$@"
    report "$title" "$log"
}
beside() { # beside command…: starts the one step that runs beside the others
    local log
    next_log
    beside_log=$log
    (renice -n 15 -p "$BASHPID" >/dev/null; attempt "$log" "$@") &
    beside_job=$!
    trap 'kill "$beside_job" 2>/dev/null' EXIT
}
join() { # join "title": waits for it
    wait "$beside_job"
    trap - EXIT
    report "$1" "$beside_log"
}

build() { # build PRESET [options of cmake --build…]
    local only=()
    case "$1" in address | release-clang) only=("${sets[@]}") ;; esac
    cmake --preset "$1" --log-level=WARNING -DSELVAGE_CUDA_ARCHITECTURES=$cuda "${only[@]}"
    cmake --build --preset "$@" -- --quiet
}

packs=$PWD/build/packs
bake_packs() { # of the sample scenes, once for all tests; those of the mannequin take longest
    data/scenes/bake.sh "$packs" build/release/tools/voxelize/selvage-voxelize
    mkdir -p "$packs/mannequin"
    cp "$packs"/{man,walker}.slv "$packs/mannequin/"
}

run_tests() { # run_tests PRESET [options of ctest…]
    local runner=(env SELVAGE_PACKS="$packs$slow_packs") which=("${labels[@]}")
    case "$1" in address) which=("${sanitized[@]}") ;; esac
    case "$1" in address | fuzz | thread) runner+=("${fixed_addresses[@]}") ;; esac
    "${runner[@]}" ctest --preset "$1" "${which[@]}" -j "$(nproc)" --no-tests=error "${@:2}" |
        tee "$logs/$1.ctest"
    echo "step: $(grep 'tests passed' "$logs/$1.ctest")"
}

build_and_test() { # build_and_test PRESET [options of ctest…]
    build "$1"
    run_tests "$@"
}

# Builds only what the chosen tests run and our own programs; everything when no tests are chosen. The programs
# of the tests are listed by the finished gcc build.
build_and_test_only() { # build_and_test_only PRESET [options of ctest…]
    local preset=$1 programs program targets=()
    shift
    if [ $# -eq 0 ]; then
        build_and_test "$preset"
        return
    fi
    for program in play voxelize colorize bake-collider inspect; do
        targets+=(--target "selvage-$program")
    done
    programs=$(ctest --preset release "$@" --show-only=json-v1 | sed -n "s:.*\"$PWD/build/release/\(.*\)\".*:\1:p" | sort -u)
    for program in $programs; do
        [ ! -f "build/release/$program" ] || targets+=(--target "$program")
    done
    build "$preset" "${targets[@]}"
    run_tests "$preset" "$@"
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

# Several files a process, for starting one takes as long as checking a short file. But the check of va_list
# reports false positives in all files after its first (LLVM bug 41311): a file with va_list gets a process
# of its own. The analyzer orders its work by addresses: with fixed ones it finds the same in every run.
lint() { # lint [options of clang-tidy…] <files
    local files
    mapfile -t files
    {
        printf '%s\n' "${files[@]}" | xargs -r grep -lw va_list || true
        printf '%s\n' "${files[@]}" | { xargs -r grep -Lw va_list || true; } | paste -sd '       \n' # eight a line
    } | xargs -r -L 1 -P "$(nproc)" "${fixed_addresses[@]}" clang-tidy-14 -p build/lint --quiet "$@" \
        --extra-arg=-Xclang --extra-arg=-analyzer-config --extra-arg=-Xclang --extra-arg="max-nodes=$lint_nodes"
}

# Only what changed since the last clean run; everything when a header or the rules changed.
check_lint() {
    if ! command -v clang-tidy-14 >/dev/null; then
        echo "step: skipped, no clang-tidy-14 here (other versions have other rules)"
        return
    fi
    local stamp=build/lint.$lint_nodes.stamp changed=()
    touch build/lint.started
    if [ -e "$stamp" ] && [ -z "$(find .clang-tidy $(sources '*.h' '*.inl') -newer "$stamp")" ]; then
        mapfile -t changed < <(find $(sources '*.c') -newer "$stamp")
    else
        mapfile -t changed < <(sources '*.c')
    fi
    # Without NVIDIA's headers, files that include them cannot be checked.
    if ! grep -q SLV_HAS_CUDA build/release/compile_commands.json; then
        mapfile -t changed < <(printf '%s\n' "${changed[@]}" | grep -v '/\(test_\)\?cuda_\|/stand_in')
    fi
    # A file that two targets compile is checked once. Assertions tell the analyzer what is true.
    mkdir -p build/lint
    python3 -c 'import json, sys
json.dump(list({c["file"]: c for c in json.load(sys.stdin)}.values()), sys.stdout)' \
        < <(sed 's/ -DNDEBUG / /' build/release/compile_commands.json) >build/lint/compile_commands.json
    printf '%s\n' "${changed[@]}" | { grep -v '^\(tests\|bench\)/' || true; } | lint
    printf '%s\n' "${changed[@]}" | { grep '^\(tests\|bench\)/' || true; } | lint "${lint_less[@]}"
    mv build/lint.started "$stamp"
    echo "step: ${#changed[@]} files checked"
}

# The unoptimized programs, first without and then with what the tools add: nothing is compiled twice.
build_programs() { # build_programs [options of cmake…]
    cmake --preset debug --log-level=WARNING -B build/programs -DSELVAGE_TESTS=OFF -DSELVAGE_BENCH=OFF \
        -DSELVAGE_CUDA_ARCHITECTURES=$cuda "$@"
    cmake --build build/programs -- --quiet
}

# Playing packs must not need the libraries that only the tools use.
check_without_tools() {
    build_programs -DSELVAGE_TOOLS=OFF -DSELVAGE_WINDOW=OFF
    if grep -qiE 'assimp|cjson|libpng|zlib|glfw' build/programs/build.ninja; then
        echo "formats/ or runtime/ is built with a library that only the tools may use"
        return 1
    fi
}

same_bytes() {
    build_programs -DSELVAGE_TOOLS=ON -DSELVAGE_WINDOW=ON
    SELVAGE_PACKS=$packs/mannequin tests/scripts/same_bytes.sh build/same-bytes build/release build/release-clang build/programs
}

# Older sanitizers do not support the widest address randomization of newer kernels.
fixed_addresses=()
if setarch -R true 2>/dev/null; then
    fixed_addresses=(setarch -R)
fi

.ci/setup.sh test
mkdir -p "$logs"

step "Build: gcc, optimized" build release
[ "$quick" = yes ] || beside check_lint # of what the build generated, while others wait for a link, a window or a program
step "Packs of the sample scenes" bake_packs
step "Tests: gcc, optimized" run_tests release # first: they fill PoCL's cache of compiled kernels for the sanitized ones
if [ "$quick" = no ]; then
    step "Build: address and undefined-behavior sanitizers" build address
    step "Formatting" check_format
    step "Formats and runtime build without the tools' libraries" check_without_tools
    step "Build: clang, optimized; tests of equal bits" build_and_test_only release-clang "${alike[@]}"
    step "Same bytes from gcc, clang and unoptimized programs" same_bytes
    step "Tests: address and undefined-behavior sanitizers" build_and_test address
    step "Build and tests with threads: thread sanitizer" build_and_test_only thread "${threaded[@]}"
    step "Build and brief runs: fuzzers" build_and_test fuzz
    join "Lint"
fi
if [ ${#failed[@]} -gt 0 ]; then
    printf '\ntest.sh: failed:\n' >&2
    for title in "${failed[@]}"; do
        printf '  %s\n' "$title" >&2
        log=$(sed -n 's/.*(\(.*\.log\)).*/\1/p' <<<"$title")
        [ -z "$log" ] || grep -v 'warnings\? generated\.$' "$log" | tail -n 25 | sed 's/^/    /' >&2 # once more: the end is what is read first
    done
    exit 1
fi
sed -n '/tests passed/,$p' "$logs/release.ctest"
