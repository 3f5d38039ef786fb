#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which folder may know which.

One include root lets a wrong include compile, so this compares the #include lines of uplift/ and
cli/, and the STAGES of each stage's CMakeLists.txt, with stage_table.txt; and that table with its
copy in CONTRIBUTING.md. The test starts with itself: on small trees made up here, it must find what
is wrong with them.
"""

import os
import pathlib
import re
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = pathlib.Path(os.environ.get("UPLIFT_SOURCE_DIR", HERE.parent.parent))
SOURCE_SUFFIXES = {".hpp", ".cpp", ".cu", ".cuh", ".h", ".in"}
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)
STAGE_CALL = re.compile(r"uplift_stage\s*\(\s*(\w+)(.*?)\)", re.DOTALL)
KEYWORDS = {"SOURCES", "STAGES", "PRIVATE", "PUBLIC"}


def read_table(text):
    """{'model': {'catalog', 'core'}, …}; a `*` allows everything."""
    table = {}
    for line in text.splitlines():
        name, arrow, allowed = line.partition("->")
        if arrow:
            table[name.strip()] = set(allowed.split())
    return table


def folder_of(path):
    """The stage that an include or a file belongs to: uplift/model/x.hpp -> model."""
    parts = path.split("/")
    if parts[0] == "uplift" and len(parts) > 2:
        return parts[1]
    if parts[0] == "cli":
        return "cli"
    return None


def allowed(table, folder, other):
    return other == folder or "*" in table[folder] or other in table[folder]


def wrong_includes(root, table):
    """Lines that say what is wrong, sorted."""
    problems = []
    for path in sorted([*root.glob("uplift/**/*"), *root.glob("cli/**/*")]):
        if path.suffix not in SOURCE_SUFFIXES or not path.is_file():
            continue
        name = path.relative_to(root).as_posix()
        folder = folder_of(name)
        if folder not in table:
            problems.append(f"{name}: its folder is not in the table")
            continue
        for include in INCLUDE.findall(path.read_text(encoding="utf-8")):
            other = folder_of(include)
            if other is None:
                if include.startswith("."):
                    problems.append(f"{name}: includes {include}, not from the root")
            elif other not in table or not allowed(table, folder, other):
                problems.append(f"{name}: includes {include}, but {folder} may not know {other}")
    return problems


def wrong_links(root, table):
    problems = []
    for path in sorted(root.glob("uplift/**/CMakeLists.txt")):
        name = path.relative_to(root).as_posix()
        text = re.sub(r"#.*", "", path.read_text(encoding="utf-8"))
        for stage, rest in STAGE_CALL.findall(text):
            section = None
            for word in rest.split():
                if word in KEYWORDS:
                    section = word
                elif section == "STAGES" and not (stage in table and allowed(table, stage, word)):
                    problems.append(f"{name}: links {word}, but {stage} may not know it")
    return problems


class TheCheckItself(unittest.TestCase):
    """It finds what is planted, and nothing else."""

    TABLE = read_table((HERE / "stage_table.txt").read_text(encoding="utf-8"))

    def check(self, files):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in files.items():
                path = root / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            return wrong_includes(root, self.TABLE) + wrong_links(root, self.TABLE)

    def test_right_includes_pass(self):
        self.assertEqual([], self.check({
            "uplift/model/a.cpp": '#include "uplift/model/a.hpp"\n#include "uplift/core/b.hpp"\n'
                                  '#include <vector>\n#include <fmt/format.h>\n',
            "uplift/decide/mig/a.cpp": '#include "uplift/predict/a.hpp"\n',
            "cli/a.cpp": '#include "uplift/decide/a.hpp"\n#include "cli/command.hpp"\n',
            "uplift/model/CMakeLists.txt": "uplift_stage(model SOURCES a.cpp STAGES catalog core)\n",
        }))

    def test_read_may_not_know_model(self):
        self.assertEqual(
            ["uplift/read/trace/a.cpp: includes uplift/model/a.hpp, but read may not know model"],
            self.check({"uplift/read/trace/a.cpp": '#  include "uplift/model/a.hpp"\n'}))

    def test_model_may_not_know_what_comes_after_it(self):
        self.assertEqual(2, len(self.check({
            "uplift/model/a.hpp": '#include <uplift/predict/a.hpp>\n#include "cli/command.hpp"\n'})))

    def test_predict_may_not_reach_past_model(self):
        self.assertEqual(1, len(self.check({
            "uplift/predict/a.hpp": '#include "uplift/catalog/catalog.hpp"\n'})))

    def test_a_relative_include_is_refused(self):
        self.assertEqual(1, len(self.check({"uplift/read/a.cpp": '#include "../model/a.hpp"\n'})))

    def test_a_folder_outside_the_table_is_refused(self):
        self.assertEqual(1, len(self.check({"uplift/utils/a.hpp": "\n"})))

    def test_a_wrong_link_is_refused(self):
        self.assertEqual(
            ["uplift/read/CMakeLists.txt: links model, but read may not know it"],
            self.check({"uplift/read/CMakeLists.txt":
                        "uplift_stage(read\n  SOURCES a.cpp\n  STAGES core model  # why\n"
                        "  PRIVATE fmt::fmt)\n"}))


class TheTree(unittest.TestCase):
    TABLE = TheCheckItself.TABLE

    def test_includes_follow_the_table(self):
        self.assertEqual([], wrong_includes(ROOT, self.TABLE))

    def test_links_follow_the_table(self):
        self.assertEqual([], wrong_links(ROOT, self.TABLE))

    def test_the_table_has_no_cycle(self):
        remaining = {name: names - {"*"} for name, names in self.TABLE.items()}
        while remaining:
            free = [name for name, names in remaining.items() if not names & remaining.keys()]
            self.assertTrue(free, f"these know each other: {sorted(remaining)}")
            for name in free:
                del remaining[name]

    def test_contributing_quotes_the_table(self):
        quoted = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
        indented = "".join(f"    {line}\n" for line in
                           (HERE / "stage_table.txt").read_text(encoding="utf-8").splitlines())
        self.assertIn(indented, quoted)


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=2))
