#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the documents say is what happens.

    documents_are_true.py SOURCE BUILD WORK [--write]

Every link to a file of the project leads somewhere. Every block fenced as ```console is a session:
the lines that begin with "$ " are run, one document after the other in an empty folder that has data/
in it and the built programs on its path, and must print what follows them (standard output and
standard error). "…" stands for anything: inside a line, or, alone on one, for any number of lines.
With --write, blocks that are not true are replaced by what was printed.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

BLOCK = re.compile(r"(?<=```console\n)(.*?)(?=^```)", re.S | re.M)
LINK = re.compile(r"(?:\]\(|src=\")([^)#\"\s]+)")
ROOMS = ("formats", "kernels", "runtime", "tools", "bench", "tests", "docs", "data")


def documents(source):
    found = list(source.glob("*.md"))
    for room in ROOMS:
        found += source.glob(f"{room}/**/*.md")
    return sorted(found)


def broken_links(path, text):
    targets = [link for link in LINK.findall(text) if "://" not in link]
    return [target for target in targets if not (path.parent / target).exists()]


def expected_pattern(lines):
    pattern = ""
    for line in lines:
        if line.strip() == "…":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += ".*?".join(re.escape(part) for part in line.split("…")) + r"\n"
    return re.compile(pattern)


def sessions(block):
    """[(command, [expected lines])] of one console block."""
    found = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif found:
            found[-1][1].append(line)
    return found


def run(command, folder, environment):
    done = subprocess.run(["sh", "-c", command], cwd=folder, env=environment, text=True, check=False,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.stdout


def check_block(block, folder, environment, complaints):
    """The block as it should read; complaints grows by what was not so."""
    lines = []
    for command, expected in sessions(block):
        printed = run(command, folder, environment)
        lines.append(f"$ {command}")
        if expected_pattern(expected).fullmatch(printed):
            lines += expected
        else:
            lines += printed.splitlines()
            complaints.append(f"$ {command}\nprinted:\n{printed}expected:\n" + "\n".join(expected))
    return "".join(f"{line}\n" for line in lines)


def main():
    source, build, work = (Path(argument).resolve() for argument in sys.argv[1:4])
    write = sys.argv[4:] == ["--write"]
    rooms = [*(build / "tools").iterdir(), build / "runtime" / "player"]
    tools = [str(path) for path in rooms if path.is_dir()]
    environment = dict(os.environ, LC_ALL="C.UTF-8", PATH=os.pathsep.join(tools + [os.environ["PATH"]]))
    complaints = []
    for path in documents(source):
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
        (work / "data").symlink_to(source / "data")
        text = path.read_text(encoding="utf-8")
        here = [f"leads nowhere: {target}" for target in broken_links(path, text)]
        true_text = BLOCK.sub(lambda match: check_block(match[0], work, environment, here), text)
        if write and true_text != text:
            path.write_text(true_text, encoding="utf-8")
        complaints += [f"{path.relative_to(source)}: {complaint}" for complaint in here]
    print("\n\n".join(complaints) or "all documents are true")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
