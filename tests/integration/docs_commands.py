#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the READMEs to the tool: every command after `$ uplift` in a code block exits 0, and a block
with output shows what its one command really prints (80 columns, no colour).

usage: docs_commands.py [--update]   --update writes the real output into those blocks

UPLIFT_BIN is the tool, UPLIFT_SOURCE_DIR the tree (by default the one this file is in).
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE_DIR = pathlib.Path(os.environ.get("UPLIFT_SOURCE_DIR") or
                          pathlib.Path(__file__).resolve().parents[2])
READMES = ("README.md", "README.zh.md")
BLOCK = re.compile(r"^```[a-z]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def commands_of(block):
    """The shell commands of a block, with a trailing backslash joining lines."""
    joined = block.replace("\\\n", " ")
    return [line[2:] for line in joined.splitlines() if line.startswith("$ uplift ")]


def run(command, folder):
    if "| jq" in command and not shutil.which("jq"):
        command = command.split("| jq")[0]
    environment = {"PATH": f"{folder}/bin:{os.environ['PATH']}", "LC_ALL": "C.UTF-8",
                   "XDG_DATA_HOME": str(folder)}
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=folder, env=environment,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
                          check=False)
    return done.returncode, done.stdout, done.stderr


def prompt_of(block):
    """The lines of the first command, as they stand."""
    lines = block.splitlines(keepends=True)
    end = next(i for i, line in enumerate(lines) if not line.endswith("\\\n"))
    return "".join(lines[:end + 1])


def has_output(block):
    return len(commands_of(block)) == 1 and block != prompt_of(block)


def check(name, folder, update):
    path = SOURCE_DIR / name
    text = path.read_text(encoding="utf-8")
    blocks = [found for found in BLOCK.finditer(text) if commands_of(found.group(1))]
    failures = [] if blocks else [f"{name}: no block with a command"]
    for number, found in enumerate(blocks):
        for command in commands_of(found.group(1)):
            status, out, err = run(command, folder)
            if status != 0:
                failures.append(f"{name}: {command}\n  exited {status}: {err.strip()}")
            elif has_output(found.group(1)):
                shown, real = found.group(1), prompt_of(found.group(1)) + out
                if shown != real and update:
                    text = text.replace(shown, real, 1)
                    path.write_text(text, encoding="utf-8")
                    print(f"{name}: block {number + 1} rewritten")
                elif shown != real:
                    failures.append(f"{name}: block {number + 1} is not what the tool prints; "
                                    f"run {pathlib.Path(__file__).name} --update\n{real}")
    return failures


def main():
    if sys.argv[1:] not in ([], ["--update"]):
        sys.exit(__doc__)
    binary = os.environ.get("UPLIFT_BIN") or sys.exit("UPLIFT_BIN does not name the tool")
    failures = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "bin").mkdir()
        (folder / "bin" / "uplift").symlink_to(pathlib.Path(binary).resolve())
        for part in ("examples", "docs", "data"):
            (folder / part).symlink_to(SOURCE_DIR / part)
        for readme in READMES:
            failures += check(readme, folder, bool(sys.argv[1:]))
    print("\n".join(failures), end="\n" if failures else "")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
