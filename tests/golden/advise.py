#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whole answers against files: every format of `uplift advise` on the tiny trace.

`tests/golden/update BUILD` rewrites the files; the diff is reviewed as code is.
"""

import difflib
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
FORMATS = {"text": "txt", "json": "json", "csv": "csv", "md": "md"}
CASES = {
    "tiny_train": ["tiny_train.json", "--to", "v100-sxm2-32gb,h100-sxm5-80gb"],
    "same_card": ["tiny_train.json", "--to", "a100-sxm4-80gb", "--kernels", "2"],
}


def answer(arguments, output_format):
    """stdout, with what changes from build to build put aside."""
    result = subprocess.run(
        [os.environ["UPLIFT_BIN"], "advise", *arguments, "--format", output_format, "--no-color"],
        cwd=HERE.parent / "data" / "traces", capture_output=True, text=True, timeout=60,
        env={**os.environ, "COLUMNS": "100", "LC_ALL": "C", "XDG_DATA_HOME": "/nonexistent"})
    if result.returncode != 0 or result.stderr:
        sys.exit(f"{arguments}: {result.returncode}: {result.stderr}")
    if output_format != "json":
        return result.stdout
    return re.sub(r'"(version|git|model|catalog_date|parameters_sha256)": [^\n]*?(,?)\n',
                  r'"\1": "…"\2\n', result.stdout)


def main():
    update = sys.argv[1:] == ["--update"]
    different = 0
    for name, arguments in CASES.items():
        for output_format, ending in FORMATS.items():
            file = HERE / "expected" / f"advise_{name}.{ending}"
            now = answer(arguments, output_format)
            if update:
                file.parent.mkdir(exist_ok=True)
                file.write_text(now, encoding="utf-8")
                continue
            before = file.read_text(encoding="utf-8") if file.exists() else ""
            if now != before:
                different += 1
                sys.stdout.writelines(difflib.unified_diff(
                    before.splitlines(True), now.splitlines(True), str(file), "now", n=1))
    if different:
        sys.exit(f"{different} answers differ; if that is meant: tests/golden/update BUILD")


if __name__ == "__main__":
    main()
