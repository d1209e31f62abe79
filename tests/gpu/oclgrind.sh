#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs scenes on oclgrind, a simulator of an OpenCL device that checks every access: no data race, no access
# out of bounds, no invalid call; and the bits of the CPU.
#     oclgrind.sh GPU_PARITY SCRATCH STEPS [SCENE[/SOLVER]…]
set -euo pipefail
parity=$1 scratch=$2
shift 2
library=$(find /usr/lib/oclgrind /usr/local/lib/oclgrind -name liboclgrind-rt.so 2>/dev/null | head -n 1 || true)
if [ -z "$library" ]; then
    echo "skipped: no oclgrind here (Debian: oclgrind)"
    exit 77
fi
mkdir -p "$scratch"
log=$scratch/oclgrind-$1.log
export SELVAGE_OPENCL_LIBRARY=$library XDG_CACHE_HOME=$scratch
# Without optimization: inlined, some kernels contain an LLVM intrinsic that oclgrind 21 does not support.
export OCLGRIND_BUILD_OPTIONS=-cl-opt-disable
export OCLGRIND_DATA_RACES=1 OCLGRIND_UNIFORM_WRITES=1 OCLGRIND_CHECK_API=1 OCLGRIND_MAX_ERRORS=20
# Findings go to standard error: a log file would be overwritten by every world.
if ! "$parity" opencl "$@" 2>"$log"; then
    cat "$log"
    exit 1
fi
if grep -avE '^\[|SKIPPED TEST|^$' "$log" >"$log.found"; then # without cmocka's own lines
    head -c 20000 "$log.found"
    exit 1
fi
