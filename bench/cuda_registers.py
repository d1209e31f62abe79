#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Registers, spills and shared memory of the CUDA kernels by architecture, from the output of ptxas.

    cuda_registers.py DEVICE.fatbin.log LIST.h [--table FILE.md]

The build writes the log (build/PRESET/runtime/device.fatbin.log). Fails if a kernel of LIST.h is missing for an
architecture or spills registers."""
import argparse
import re
import sys


def read_log(path):
    """{(kernel, architecture): (registers, spilled bytes, shared bytes, stack bytes)}"""
    found = {}
    key = None
    stack = spills = 0
    for line in open(path, encoding="utf-8"):
        if match := re.search(r"Compiling entry function '(\w+)' for '(sm_\w+)'", line):
            key = match.group(1).removeprefix("slv_run_"), match.group(2)
        elif match := re.search(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill", line):
            stack, spills = int(match.group(1)), int(match.group(2)) + int(match.group(3))
        elif key and (match := re.search(r"Used (\d+) registers", line)):
            shared = re.search(r"(\d+) bytes smem", line)
            found[key] = int(match.group(1)), spills, int(shared.group(1)) if shared else 0, stack
            key = None
    return found


def span(values):
    values = sorted(set(values))
    return str(values[0]) if len(values) == 1 else f"{values[0]}–{values[-1]}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("log")
    parser.add_argument("list")
    parser.add_argument("--table")
    arguments = parser.parse_args()
    found = read_log(arguments.log)
    names = re.findall(r"^SLV_KERNEL\((\w+),", open(arguments.list, encoding="utf-8").read(), re.M)
    architectures = sorted({a for _, a in found}, key=lambda a: int(re.sub(r"\D", "", a)))
    wrong = [f"{n} is missing for {a}" for n in names for a in architectures if (n, a) not in found]
    wrong += [f"{n} spills {v[1]} bytes on {a}" for (n, a), v in found.items() if v[1] > 0]
    if not names or not architectures:
        wrong.append("nothing was compiled")
    lines = ["# Registers of the CUDA kernels", "",
             "Output of `ptxas -v` for " + ", ".join(architectures) + "; written by",
             "`bench/cuda_registers.py build/release/runtime/device.fatbin.log kernels/list.h --table FILE`.", "",
             "| kernel | registers | spilled bytes | shared bytes | stack bytes |", "|---|---:|---:|---:|---:|"]
    for name in sorted({n for n, _ in found}, key=lambda n: names.index(n) if n in names else len(names)):
        rows = [found[name, a] for a in architectures if (name, a) in found]
        lines.append(f"| {name} | " + " | ".join(span(r[i] for r in rows) for i in range(4)) + " |")
    if arguments.table:
        with open(arguments.table, "w", encoding="utf-8") as table:
            table.write("\n".join(lines) + "\n")
    for line in wrong:
        print(f"cuda_registers: {line}", file=sys.stderr)
    print(f"{len(names)} kernels for {len(architectures)} architectures, {len(wrong)} faults")
    return 1 if wrong else 0


sys.exit(main())
