#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Compiles the kernels as OpenCL C 1.2 with clang; needs no device.
#     kernels_are_opencl.sh DEVICE_TEXT
set -euo pipefail
if ! command -v clang >/dev/null; then
    echo "skipped: no clang, which checks OpenCL C without a device"
    exit 77
fi
clang -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -fsyntax-only -Wall -Wextra -Werror "$1"
