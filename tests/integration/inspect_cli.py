#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`uplift inspect` from outside: what goes in, what comes out where, and every way it can fail.

Runs the real binary, which UPLIFT_BIN names, on the small traces of tests/data/traces. How files are
read and answers written is shared with `advise`; advise_cli.py has the long list.
"""

import csv
import gzip
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

from cli_case import CliCase, run_command

BIN = os.environ["UPLIFT_BIN"]
SOURCE = pathlib.Path(os.environ["UPLIFT_SOURCE_DIR"])
TRACES = pathlib.Path(os.environ["UPLIFT_TEST_DATA"]) / "traces"
TINY = str(TRACES / "tiny_train.json")
FORMATS = ("text", "json", "csv", "md")


def inspect(*args, **options):
    return run_command("inspect", *args, **options)


class Inspect(CliCase):
    def answer(self, *args):
        result = inspect(*args, "--format", "json")
        self.assertEqual(0, result.returncode, result.stderr)
        return json.loads(result.stdout)


class BadInput(Inspect):
    def test_files_that_hold_nothing_to_inspect(self):
        for name, content, pattern in (("empty.json", b"", "the file is empty; "),
                                       ("other.json", b'{"a": 1}', "trace"),
                                       ("cut.json.gz", gzip.compress(pathlib.Path(TINY).read_bytes())[:200], "cut off")):
            (self.path / name).write_bytes(content)
            self.assert_fails(inspect(self.path / name), 1, name, pattern)
        self.assert_fails(inspect(self.path / "none.json"), 1, r"none\.json: cannot be opened")

    def test_recordings_of_something_else(self):
        self.assert_fails(inspect(TRACES / "amd.json"), 1, "AMD Instinct MI300X")
        self.assert_fails(inspect(TRACES / "cpu_only.json"), 1, "no GPU kernels")
        self.assert_fails(inspect(TRACES / "counters.json"), 1, "performance counters")


class BadUsage(Inspect):
    def test_unknown_and_ambiguous_gpu(self):
        self.assert_fails(inspect(TINY, "--from", "z9000"), 2, "z9000.*; ")
        self.assert_fails(inspect(TINY, "--from", "a100"), 2, "a100-sxm4-80gb")
        self.assert_fails(inspect(self.path / "none.json", "--from", "z9000"), 2, "z9000")

    def test_wrong_arguments(self):
        self.assert_fails(inspect(), 2, "WORKLOAD")
        self.assert_fails(inspect(TINY, "--kernels", "-1"), 2, "kernels")
        self.assert_fails(inspect(TINY, "--to", "t4"), 2, "--to")

    def test_the_output_may_not_be_the_recording(self):
        shutil.copy(TINY, self.path / "trace.json")
        before = (self.path / "trace.json").read_bytes()
        self.assert_fails(inspect(self.path / "trace.json", "-o", self.path / "trace.json"), 2, "input")
        self.assertEqual(before, (self.path / "trace.json").read_bytes())


class UnknownCard(Inspect):
    def test_it_is_inspected_without_bounds_and_warned_about(self):
        for trace, seen in (("unnamed.json", "does not name the GPU"), ("unknown_gpu.json", "NVIDIA Imaginary X1")):
            result = inspect(TRACES / trace)
            self.assertEqual(0, result.returncode)
            self.assertRegex(result.stderr, rf"\Auplift: warning: [^\n]*{seen}[^\n]*--from[^\n]*\n\Z")
            answer = self.answer(TRACES / trace)
            self.assertIsNone(answer["source"]["gpu"])
            self.assertIn("--from", answer["workload"]["warnings"][-1])
            for kernel in answer["kernels"]:
                self.assertIsNone(kernel["bound"])
                self.assertIsNone(kernel["dram_bytes"]["predicted"])
            for time in answer["classes"]:
                self.assertIsNone(time["seconds_by_bound"])
            self.assertIsNone(answer["formats"]["tensor_core_seconds"])

    def test_the_file_tells_it_too(self):
        inspect(TRACES / "unnamed.json", "--format", "md", "-o", self.path / "answer.md")
        self.assertRegex((self.path / "answer.md").read_text(), "Note: the recording does not name the GPU")

    def test_from_may_name_another_card(self):
        result = inspect(TINY, "--from", "p4")
        self.assertEqual(0, result.returncode)
        seen = "the recording names NVIDIA A100-SXM4-80GB; taken as p4 as --from says"
        self.assertEqual(f"uplift: warning: {seen}\n", result.stderr)
        self.assertIn(f"Note: {seen}.", result.stdout)
        advise = subprocess.run([BIN, "advise", TINY, "--from", "p4", "--to", "t4"], capture_output=True, text=True)
        self.assertEqual(f"uplift: warning: {seen}\n", advise.stderr)

    def test_from_names_it(self):
        answer = self.answer(TRACES / "unnamed.json", "--from", "a100-sxm4-80gb")
        self.assertEqual("a100-sxm4-80gb", answer["source"]["gpu"])
        self.assertIsNotNone(answer["kernels"][0]["bound"])


class Output(Inspect):
    def test_file_holds_what_stdout_would(self):
        for output_format in FORMATS:
            target = self.path / "answer"
            result = inspect(TINY, "--format", output_format, "-o", target)
            self.assertEqual((0, "", ""), (result.returncode, result.stdout, result.stderr))
            self.assertEqual(inspect(TINY, "--format", output_format).stdout, target.read_text())

    def test_no_path_and_no_odd_number_in_the_answer(self):
        shutil.copy(TINY, self.path / "trace.json")
        for output_format in FORMATS:
            out = inspect(self.path / "trace.json", "--format", output_format).stdout
            self.assertNotIn(str(self.path), out)
            self.assertIsNone(re.search(r"\b(nan|inf|NaN|Infinity)\b", out))

    def test_text_is_eighty_columns_without_colour(self):
        out = inspect(TINY).stdout
        self.assertNotIn("\x1b", out)
        for line in out.splitlines():
            self.assertLessEqual(len(line), 80, line)

    def test_csv_is_the_table_of_all_kernels(self):
        rows = list(csv.DictReader(io.StringIO(inspect(TINY, "--format", "csv", "--kernels", "1").stdout)))
        self.assertEqual(4, len(rows))
        for row in rows:
            self.assertNotIn(None, row)
            self.assertNotIn(None, row.values())
        self.assertAlmostEqual(1, sum(float(row["share"]) for row in rows), delta=1e-9)

    def test_kernels_is_the_number_of_rows(self):
        self.assertIn("(2 of 4)", inspect(TINY, "--kernels", 2).stdout)
        self.assertNotIn("Kernels that take", inspect(TINY, "--kernels", 0).stdout)

    def test_a_full_disk_is_told(self):
        self.assert_fails(inspect(TINY, "-o", "/dev/full"), 1, "No space left")


class Answer(Inspect):
    def test_what_the_trace_holds(self):
        answer = self.answer(TINY)
        self.assertEqual("uplift.inspect/1", answer["schema"])
        self.assertEqual(10, answer["workload"]["kernel_launches"])
        self.assertAlmostEqual(1375 / 2000, answer["source"]["gpu_busy_share"], delta=1e-9)
        parts = answer["timeline"]["seconds_by_part"]
        self.assertAlmostEqual(1275e-6, parts["compute"], delta=1e-12)
        # The copy's 100 us, and 20 us of its call in which the device had not begun.
        self.assertAlmostEqual(120e-6, parts["copy"], delta=1e-12)
        self.assertAlmostEqual(2e-3, sum(parts.values()), delta=1e-12)
        copy, = answer["copies"]
        self.assertEqual(("h2d", True, True), (copy["kind"], copy["pageable"], copy["synchronous"]))

    def test_sections_agree_with_advise(self):
        advise = json.loads(subprocess.run([BIN, "advise", TINY, "--to", "t4", "--format", "json"],
                                           capture_output=True, check=True).stdout)
        answer = self.answer(TINY)
        self.assertEqual(advise["workload"], answer["workload"])
        for key in ("gpu", "basis", "step_seconds", "gpu_busy_share", "floor_seconds", "unchangeable_share"):
            self.assertEqual(advise["source"][key], answer["source"][key], key)
        for time in answer["classes"]:
            self.assertAlmostEqual(advise["source"]["seconds_by_class"][time["class"]], time["seconds"], delta=1e-12)
        for kernel, other in zip(answer["kernels"], advise["targets"][0]["kernels"]):
            self.assertEqual(other["name"], kernel["name"])
            self.assertEqual(other["source_bound"], kernel["bound"])

    def test_findings_fall_and_say_what_to_do(self):
        findings = self.answer(TINY)["findings"]
        saved = [finding["saved_seconds"]["predicted"] for finding in findings]
        self.assertEqual(sorted(saved, reverse=True), saved)
        self.assertTrue(all(finding["action"] for finding in findings))
        self.assertLessEqual({"overlap", "tf32"}, {finding["change"] for finding in findings})

    def test_the_same_answer_every_time(self):
        self.assertEqual(inspect(TINY).stdout, inspect(TINY).stdout)

    def test_packed_traces_and_folders_give_the_same_answer(self):
        (self.path / "trace.json.gz").write_bytes(gzip.compress(pathlib.Path(TINY).read_bytes()))
        self.assertEqual(self.answer(TINY), self.answer(self.path))


class Schema(Inspect):
    def test_the_example_has_the_shape_of_today(self):
        def keys(value):
            if isinstance(value, dict):
                return {key: keys(part) for key, part in value.items()}
            return [keys(value[0])] if isinstance(value, list) and value else None
        example = json.loads((SOURCE / "docs" / "schema" / "examples" / "inspect.json").read_text())
        self.assertEqual(keys(example), keys(self.answer(TINY)))

    def test_the_schema_is_strict(self):
        try:
            import jsonschema
        except ImportError:
            self.skipTest("python3-jsonschema is not installed")
        validator = jsonschema.Draft202012Validator(
            json.loads((SOURCE / "docs" / "schema" / "inspect.schema.json").read_text()))
        answer = self.answer(TINY)
        self.assertEqual([], [e.message for e in validator.iter_errors(answer)])
        for change in (lambda a: a.pop("timeline"), lambda a: a.update(more=1),
                       lambda a: a["findings"][0].update(change="luck"),
                       lambda a: a["findings"][0]["saved_seconds"].update(low=None),
                       lambda a: a["timeline"]["seconds_by_part"].pop("sync"),
                       lambda a: a["kernels"][0].update(bound="luck"),
                       lambda a: a["kernels"][0].update(work_from="tea leaves")):
            broken = json.loads(json.dumps(answer))
            change(broken)
            self.assertFalse(validator.is_valid(broken))


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=2))
