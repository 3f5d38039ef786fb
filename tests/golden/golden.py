#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the cases of cases.txt and compares what uplift prints with expected/. --update rewrites."""

import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def cases():
    for line in (HERE / "cases.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            name, *arguments = line.split()
            yield name, arguments


def answer(arguments):
    with tempfile.TemporaryDirectory() as home:
        environment = {"PATH": os.environ["PATH"], "HOME": home, "LC_ALL": "C"}
        run = subprocess.run([os.environ["UPLIFT_BIN"], *arguments], env=environment, cwd=HERE.parent.parent,
                             capture_output=True, check=False)
    if run.returncode != 0:
        sys.exit(f"uplift {' '.join(arguments)}: exit code {run.returncode}\n{run.stderr.decode()}")
    text = run.stdout.decode("utf-8")
    # What changes from build to build is not part of the answer.
    return re.sub(r'"(version|git|model|catalog_date|parameters_sha256)": [^\n]*?(,?)\n',
                  r'"\1": "…"\2\n', text) if "json" in arguments else text


def main():
    update = "--update" in sys.argv[1:]
    differing = 0
    for name, arguments in cases():
        path = HERE / "expected" / name
        got = answer(arguments)
        if update:
            path.parent.mkdir(exist_ok=True)
            path.write_text(got, encoding="utf-8")
            continue
        want = path.read_text(encoding="utf-8") if path.exists() else ""
        if got != want:
            differing += 1
            sys.stdout.writelines(difflib.unified_diff(want.splitlines(True), got.splitlines(True),
                                                       f"expected/{name}", "uplift " + " ".join(arguments)))
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
