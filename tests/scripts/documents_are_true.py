#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that the documents (*.md) agree with the project.

    documents_are_true.py SOURCE BUILD WORK [--write]

- Links: every relative link names an existing file, and its #anchor is a heading there.
- Names: every path, source file, identifier (slv_…, SLV_…, selvage_…) and option (--…) in inline code exists.
- Constants: in a table row that begins with a constant, its file and its value, the file defines it with this value.
- References: a comment that names a heading (docs/NAME.md, "Heading") names an existing one.
- Sessions: in a block fenced as ```console the lines that begin with "$ " are commands. They run in an empty folder
  per document, with data/ in it and the built programs on the path. They must print the lines below them (standard
  output and standard error). "…" matches anything within a line; alone on a line it matches any number of lines.

With --write, the output of a command that differs is written into the document.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

BLOCK = re.compile(r"(?<=```console\n)(.*?)(?=^```)", re.S | re.M)
FENCED = re.compile(r"^```.*?^```", re.S | re.M)
LINK = re.compile(r"(?:\]\(|src=\")([^)\"\s]+)")
CODE = re.compile(r"`([^`\n]+)`")
CONSTANT = re.compile(r"^\| `(\w+)` \| `([\w/-]+\.\w+)` \| `([^`\n]+)`", re.M)
IDENTIFIER = re.compile(r"\b(?:slv|SLV|selvage)_\w+")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*[a-z]")
PATH = re.compile(r"[\w.+-]+(?:/[\w.*+-]+)+/?")
REFERENCE = re.compile(r'([\w/-]+\.md), "([^"\n]+)"')
SOURCE_FILE = re.compile(r"[\w-]+\.(?:c|h|inl|py|sh|md|glsl|cmake)")
ROOMS = ("formats", "kernels", "runtime", "tools", "bench", "tests", "docs", "data", "cmake")
SOURCE_ENDINGS = (".c", ".h", ".def", ".inl", ".py", ".sh", ".cmake", ".txt", ".glsl", ".in")


# --- Links and names ------------------------------------------------------------------------------

def project_files(source):
    files = [path for path in source.iterdir() if path.is_file()]
    for room in ROOMS:
        files += [path for path in (source / room).rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    return sorted(files)


def headings(path):
    return re.findall(r"^#+ +(.*?)\s*$", FENCED.sub("", path.read_text(encoding="utf-8")), re.M)


def anchors(path):
    """The #anchors of a document, made of its headings as GitHub makes them."""
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings(path)}


def broken_links(path, text):
    broken = []
    for link in LINK.findall(text):
        target, _, anchor = link.partition("#")
        file = path.parent / target if target else path
        if "://" in link:
            continue
        if not file.exists() or (anchor and anchor not in anchors(file)):
            broken.append(f"broken link: {link}")
    return broken


def broken_references(source, files):
    """References from comments to a heading (a part is enough) or to a row of a table that starts with this name."""
    broken = []
    documents = {name: path for path in files if path.suffix == ".md" for name in (path.name, str(path.relative_to(source)))}
    for path in files:
        if path.suffix not in SOURCE_ENDINGS or path == Path(__file__).resolve():
            continue
        for document, heading in REFERENCE.findall(path.read_text(encoding="utf-8")):
            target = documents.get(document)
            found = target and (any(heading in known for known in headings(target)) or
                                f"| `{heading}` |" in target.read_text(encoding="utf-8"))
            if not found:
                broken.append(f"{path.relative_to(source)}: broken reference: {document}, \"{heading}\"")
    return broken


def wrong_constants(source, text):
    wrong = []
    for name, file, value in CONSTANT.findall(text):
        defined = rf"\b{name}\b\s*=?\s*{re.escape(value)}(?![\w.])"
        path = source / file
        if path.is_file() and len(re.findall(defined, path.read_text(encoding="utf-8"))) != 1:
            wrong.append(f"not so in {file}: {name} = {value}")
    return wrong


class Names:
    """Everything the project defines: paths, identifiers, options."""

    def __init__(self, source, files):
        self.source = source
        self.basenames = {path.name for path in files}
        sources = [path for path in files if path.name.endswith(SOURCE_ENDINGS)]
        text = "\n".join(path.read_text(encoding="utf-8") for path in sources)
        self.identifiers = set(IDENTIFIER.findall(text))
        self.options = set(OPTION.findall(text))

    def has_identifier(self, name):
        """A name that ends in "_" is the beginning of several."""
        return name in self.identifiers or (
            name.endswith("_") and any(known.startswith(name) for known in self.identifiers))

    def has_path(self, document, name):
        """NAME in a path stands for any name."""
        pattern = name.rstrip("/").replace("NAME", "*")
        return any(any(folder.glob(pattern)) for folder in (self.source, document.parent))

    def unknown(self, document, text):
        found = []
        for code in CODE.findall(FENCED.sub("", text)):
            found += [name for name in IDENTIFIER.findall(code) if not self.has_identifier(name)]
            found += [name for name in OPTION.findall(code) if name not in self.options]
            if PATH.fullmatch(code) and code.split("/")[0] in ROOMS and not self.has_path(document, code):
                found.append(code)
            if SOURCE_FILE.fullmatch(code) and code not in self.basenames:
                found.append(code)
        return [f"not in the project: {name}" for name in found]


# --- Sessions -------------------------------------------------------------------------------------

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
    """Returns the block with the printed output; appends a message for each difference."""
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
    files = project_files(source)
    names = Names(source, files)
    complaints = broken_references(source, files)
    for path in [path for path in files if path.suffix == ".md"]:
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
        (work / "data").symlink_to(source / "data")
        text = path.read_text(encoding="utf-8")
        here = broken_links(path, text) + names.unknown(path, text) + wrong_constants(source, text)
        true_text = BLOCK.sub(lambda match: check_block(match[0], work, environment, here), text)
        if write and true_text != text:
            path.write_text(true_text, encoding="utf-8")
        complaints += [f"{path.relative_to(source)}: {complaint}" for complaint in here]
    print("\n\n".join(complaints) or "all documents are true")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
