#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Proves find_package(uplift): installs the build to a prefix of its own, copies examples/ away from
the tree, builds them there and runs what came out.

usage: install_and_find.py CMAKE GENERATOR BUILD_DIR CXX VERSION
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

CMAKE, GENERATOR, BUILD_DIR, CXX, VERSION = sys.argv[1:]
SOURCE_DIR = pathlib.Path(os.environ["UPLIFT_SOURCE_DIR"])


def run(*command):
    print("+", *command, flush=True)
    subprocess.run([str(word) for word in command], check=True)


def output(*command):
    return subprocess.run([str(word) for word in command], check=True, stdout=subprocess.PIPE,
                          text=True).stdout


def main():
    with tempfile.TemporaryDirectory() as folder:
        prefix, away, build = (pathlib.Path(folder, name) for name in ("prefix", "away", "build"))
        run(CMAKE, "--install", BUILD_DIR, "--prefix", prefix)
        shutil.copytree(SOURCE_DIR / "examples", away,
                        ignore=shutil.ignore_patterns("recordings", "build*"))
        # A prefix that was moved after the installation must work, too.
        moved = prefix.rename(pathlib.Path(folder, "moved"))
        run(CMAKE, "-G", GENERATOR, "-S", away, "-B", build, f"-DCMAKE_PREFIX_PATH={moved}",
            f"-DCMAKE_CXX_COMPILER={CXX}", "-DCMAKE_BUILD_TYPE=Debug")
        run(CMAKE, "--build", build, "-j", "2")

        said = output(build / "version")
        assert said == f"uplift {VERSION}\n", said
        command = moved / "bin" / "uplift"
        if command.exists():
            said = output(command, "--version")
            assert said.startswith(f"uplift {VERSION}"), said
        config = "".join(path.read_text() for path in moved.glob("lib/**/cmake/uplift/*.cmake"))
        for leak in (str(SOURCE_DIR), BUILD_DIR, "uplift_warnings", "-Werror", "-fsanitize"):
            assert leak not in config, f"the package files mention {leak}"


if __name__ == "__main__":
    main()
