#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The frame of the command: options, help, exit codes, and where the answer goes.

Runs the real binary, which UPLIFT_BIN names. `uplift gpus` stands for any command that answers.
"""

import os
import pathlib
import pty
import re
import resource
import stat
import subprocess
import sys
import tempfile
import threading
import unittest

BIN = os.environ["UPLIFT_BIN"]
FORMATS = ["text", "json", "csv", "md"]


def run(*args, **options):
    options.setdefault("stdout", subprocess.PIPE)
    return subprocess.run([BIN, *args], stderr=subprocess.PIPE, text=True, timeout=60, **options)


class Frame(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def assert_fails(self, result, code, pattern):
        """One clear line, nothing else, and the contract's exit code."""
        self.assertEqual(code, result.returncode, result.stderr)
        self.assertRegex(result.stderr, r"\Auplift: [^\n]*; [^\n]*\n\Z")
        self.assertRegex(result.stderr, pattern)
        self.assertFalse(result.stdout)

    def assert_answers(self, result):
        self.assertEqual(0, result.returncode, result.stderr)
        self.assertEqual("", result.stderr)

    def assert_folder_holds(self, *names):
        self.assertEqual(sorted(names), sorted(os.listdir(self.path)))


class Usage(Frame):
    def test_version_is_one_line(self):
        for args in (["--version"], ["-V"], ["gpus", "--version"]):
            result = run(*args)
            self.assert_answers(result)
            self.assertRegex(result.stdout, r"\Auplift \d+\.\d+\.\d+( \([0-9a-f]+(-dirty)?\))?\n\Z")

    def test_help_fits_a_screen_and_tells_defaults_example_and_exit_codes(self):
        result = run("--help")
        self.assert_answers(result)
        self.assertEqual(result.stdout, run("-h").stdout)
        lines = result.stdout.splitlines()
        self.assertLessEqual(len(lines), 40)
        self.assertLessEqual(max(map(len, lines)), 100)
        for word in ("default:", "Example:", "Exit codes:", "advise", "inspect", "predict", "gpus", "compare"):
            self.assertIn(word, result.stdout)

    def test_every_command_has_help_that_fits_a_screen(self):
        for command in ("advise", "inspect", "predict", "gpus", "compare"):
            for args in ([command, "--help"], ["--help", command]):
                result = run(*args)
                self.assert_answers(result)
                self.assertIn(f"uplift {command}", result.stdout)
                self.assertIn("--format", result.stdout)
                self.assertLessEqual(len(result.stdout.splitlines()), 40)

    def test_nothing_asked_prints_help_on_stderr(self):
        result = run()
        self.assertEqual(2, result.returncode)
        self.assertEqual("", result.stdout)
        self.assertIn("Usage:", result.stderr)
        self.assertRegex(result.stderr, r"\nuplift: no command given; [^\n]*\n\Z")

    def test_only_options_is_wrong_usage(self):
        self.assertEqual(2, run("--quiet").returncode)

    def test_unknown_command(self):
        self.assert_fails(run("frobnicate"), 2, "unknown command 'frobnicate'; commands are advise,")
        self.assert_fails(run("gpu"), 2, "did you mean 'gpus'")

    def test_unknown_option_before_and_after_the_command(self):
        self.assert_fails(run("--frobnicate", "gpus"), 2, "unknown option '--frobnicate'")
        self.assert_fails(run("gpus", "--frobnicate"), 2, "unknown option.*uplift gpus --help")

    def test_format_that_does_not_exist(self):
        self.assert_fails(run("gpus", "--format", "xml"), 2, "'xml'; use text, json, csv or md")
        self.assert_fails(run("gpus", "--format", "html"), 2, "html is not built yet; use text,")
        self.assert_fails(run("gpus", "--format", ""), 2, "use text, json, csv or md")

    def test_option_without_its_value(self):
        self.assert_fails(run("gpus", "-o"), 2, "--output needs a value")
        self.assert_fails(run("gpus", "-o", ""), 2, "the file name is empty")

    def test_seed_is_a_whole_number(self):
        for bad in ("x", "-1", "1.5", "18446744073709551616", "1x", ""):
            self.assert_fails(run(f"--seed={bad}", "gpus"), 2, "--seed")
        self.assert_answers(run("gpus", "--seed", "18446744073709551615"))

    def test_common_options_stand_before_or_after_the_command(self):
        for name in FORMATS:
            before, after = run("--format", name, "gpus"), run("gpus", "--format", name)
            self.assert_answers(before)
            self.assertEqual(before.stdout, after.stdout)
        self.assert_answers(run("-q", "gpus", "-v", "--no-color", "--keep-paths"))

    def test_the_last_of_an_option_counts(self):
        twice = run("--format", "csv", "gpus", "--format", "json")
        self.assert_answers(twice)
        self.assertEqual(run("gpus", "--format", "json").stdout, twice.stdout)

    def test_names_cannot_drive_the_terminal(self):
        result = run("gpus", "-o", "no\x1b[31m\nsuch\u202e/x")
        self.assert_fails(result, 1, re.escape(r"no\x1b[31m\nsuch\u202e/x"))


class Output(Frame):
    def setUp(self):
        super().setUp()
        self.answer = run("gpus").stdout
        self.assertTrue(self.answer)

    def test_a_new_file_holds_the_answer_under_the_umask(self):
        target = self.path / "answer.txt"
        result = run("gpus", "-o", str(target), preexec_fn=lambda: os.umask(0o027))
        self.assert_answers(result)
        self.assertEqual("", result.stdout)
        self.assertEqual(self.answer, target.read_text())
        self.assertEqual(0o640, stat.S_IMODE(target.stat().st_mode))
        self.assert_folder_holds("answer.txt")

    def test_a_name_without_a_folder_is_in_the_current_one(self):
        self.assert_answers(run("gpus", "-o", "answer", cwd=self.path))
        self.assert_folder_holds("answer")

    def test_an_old_file_is_replaced_and_keeps_its_mode(self):
        target = self.path / "answer"
        target.write_text("old" * 10000)
        target.chmod(0o604)
        self.assert_answers(run("gpus", "-o", str(target)))
        self.assertEqual(self.answer, target.read_text())
        self.assertEqual(0o604, stat.S_IMODE(target.stat().st_mode))

    def test_a_link_stays_a_link(self):
        (self.path / "folder").mkdir()
        link = self.path / "link"
        link.symlink_to("folder/answer")
        for _ in range(2):  # dangling, then not
            self.assert_answers(run("gpus", "-o", str(link)))
            self.assertTrue(link.is_symlink())
            self.assertEqual(self.answer, (self.path / "folder" / "answer").read_text())
        self.assert_folder_holds("folder", "link")

    def test_dash_and_dev_stdout_are_stdout(self):
        for name in ("-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"):
            self.assertEqual(self.answer, run("gpus", "-o", name).stdout)

    def test_dev_stdout_appends_where_the_shell_appends(self):
        log = self.path / "log"
        log.write_text("before\n")
        with log.open("a") as stream:
            self.assert_answers(run("gpus", "-o", "/dev/stdout", stdout=stream))
        self.assertEqual("before\n" + self.answer, log.read_text())

    def test_a_named_pipe_is_written_to(self):
        pipe = self.path / "pipe"
        os.mkfifo(pipe)
        read = []
        reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
        reader.start()
        self.assert_answers(run("gpus", "-o", str(pipe)))
        reader.join()
        self.assertEqual([self.answer], read)
        self.assertTrue(stat.S_ISFIFO(pipe.stat().st_mode))

    def test_dev_null(self):
        self.assert_answers(run("gpus", "-o", "/dev/null"))

    def test_a_folder_is_refused(self):
        self.assert_fails(run("gpus", "-o", str(self.path)), 1, "is a folder; ")
        self.assert_folder_holds()

    def test_a_folder_that_is_not_there(self):
        for name in ("none/answer", "none/"):
            self.assert_fails(run("gpus", "-o", f"{self.path}/{name}"), 1,
                              "No such file or directory; create the folder")

    def test_a_folder_that_may_not_be_written(self):
        if not os.path.exists("/proc/self"):  # the one folder in which not even root can create
            self.skipTest("/proc is not mounted")
        self.assert_fails(run("gpus", "-o", "/proc/answer"), 1, "cannot create it: ")

    def test_a_file_that_may_not_be_written(self):
        if os.geteuid() == 0:
            self.skipTest("root may write everything")
        target = self.path / "answer"
        target.write_text("old")
        target.chmod(0o444)
        self.assert_fails(run("gpus", "-o", str(target)), 1, "Permission denied")
        self.assertEqual("old", target.read_text())

    def test_a_full_device(self):
        self.assert_fails(run("gpus", "-o", "/dev/full"), 1, "/dev/full: cannot write: No space left")

    def test_a_full_stdout(self):
        for args in (["gpus"], ["--help"], ["--version"]):
            with open("/dev/full", "w") as full:
                self.assert_fails(run(*args, stdout=full), 1, "stdout: cannot write: No space left")

    def test_a_file_that_cannot_grow_leaves_the_old_one(self):
        target = self.path / "answer"
        target.write_text("old")
        result = run("gpus", "-o", str(target),  # as on a disk that fills up
                     preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4, 4)))
        self.assert_fails(result, 1, "File too large")
        self.assertEqual("old", target.read_text())
        self.assert_folder_holds("answer")

    def test_a_reader_that_went_away_is_no_error(self):
        for args in (["gpus"], ["--help"], ["gpus", "-o", "/dev/stdout"]):
            read, write = os.pipe()
            os.close(read)
            result = run(*args, stdout=write)
            os.close(write)
            self.assertEqual("", result.stderr)
            self.assertEqual(0, result.returncode)

    def test_a_closed_stdout_is_an_error(self):
        target = self.path / "answer"
        result = run("gpus", preexec_fn=lambda: os.close(1), stdout=None)
        self.assertEqual(1, result.returncode)
        self.assertIn("stdout: cannot write", result.stderr)
        self.assert_answers(run("gpus", "-o", str(target), preexec_fn=lambda: os.close(1), stdout=None))
        self.assertEqual(self.answer, target.read_text())

    def test_wrong_usage_creates_nothing(self):
        run("gpus", "--frobnicate", "-o", str(self.path / "answer"))
        run("--help", "-o", str(self.path / "answer"))
        self.assert_folder_holds()


class Colour(Frame):
    """On a terminal, and only there."""

    def on_a_terminal(self, *args, **environment):
        main, terminal = pty.openpty()
        self.addCleanup(os.close, main)
        process = subprocess.Popen([BIN, *args], stdout=terminal, stderr=subprocess.PIPE,
                                   env={**os.environ, "TERM": "xterm", "NO_COLOR": "", **environment})
        os.close(terminal)
        chunks = []
        try:
            while chunk := os.read(main, 65536):
                chunks.append(chunk)
        except OSError:  # the other side is closed
            pass
        process.communicate()
        self.assertEqual(0, process.returncode)
        return b"".join(chunks)

    def test_none_in_a_pipe(self):
        self.assertNotIn("\x1b", run("gpus", env={**os.environ, "TERM": "xterm"}).stdout)

    def test_none_where_it_is_refused(self):
        self.assertNotIn(b"\x1b", self.on_a_terminal("gpus", "--no-color"))
        self.assertNotIn(b"\x1b", self.on_a_terminal("gpus", NO_COLOR="1"))
        self.assertNotIn(b"\x1b", self.on_a_terminal("gpus", TERM="dumb"))


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=2))
