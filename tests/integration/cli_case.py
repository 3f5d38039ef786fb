# SPDX-License-Identifier: Apache-2.0
"""What tests of one command share: a folder of their own, and what a refusal looks like."""

import os
import pathlib
import subprocess
import tempfile
import unittest


def run_command(command, *args, **options):
    options.setdefault("stdout", subprocess.PIPE)
    return subprocess.run([os.environ["UPLIFT_BIN"], command, *map(str, args)], stderr=subprocess.PIPE,
                          text=True, timeout=60, env={**os.environ, "XDG_DATA_HOME": "/nonexistent"},
                          **options)


class CliCase(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def assert_fails(self, result, code, *patterns):
        """One line on stderr that says what to do, nothing on stdout, the contract's exit code."""
        self.assertEqual(code, result.returncode, result.stderr)
        self.assertRegex(result.stderr, r"\Auplift: [^\n]+\n\Z")
        for pattern in patterns:
            self.assertRegex(result.stderr, pattern)
        self.assertFalse(result.stdout)
