#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`uplift advise` from outside: what goes in, what comes out where, and every way it can fail.

Runs the real binary, which UPLIFT_BIN names, on the small traces of tests/data/traces.
"""

import csv
import gzip
import io
import json
import os
import pathlib
import random
import re
import shutil
import sys
import unittest

from cli_case import CliCase, run_command

try:
    import jsonschema
except ImportError:
    jsonschema = None

SOURCE = pathlib.Path(os.environ["UPLIFT_SOURCE_DIR"])
TRACES = pathlib.Path(os.environ["UPLIFT_TEST_DATA"]) / "traces"
SCHEMA = SOURCE / "docs" / "schema" / "advise.schema.json"
TINY = str(TRACES / "tiny_train.json")


def advise(*args, **options):
    return run_command("advise", *args, **options)


class Advise(CliCase):
    def answer(self, *args):
        """The JSON answer; warnings are one line each, and on stderr only."""
        result = advise(*args, "--format", "json")
        self.assertEqual(0, result.returncode, result.stderr)
        for line in result.stderr.splitlines():
            self.assertRegex(line, r"\Auplift: ")
        return json.loads(result.stdout)

    def write(self, name, content):
        (self.path / name).write_bytes(content)
        return self.path / name


class BadInput(Advise):
    def test_missing_file(self):
        self.assert_fails(advise(self.path / "none.json", "--to", "t4"), 1,
                          r"none\.json: cannot be opened: No such file or directory; ")

    def test_empty_file(self):
        self.assert_fails(advise(self.write("empty.json", b""), "--to", "t4"), 1,
                          "empty.json: the file is empty; ")

    def test_gzip_cut_before_its_first_kernel(self):
        packed = gzip.compress(pathlib.Path(TINY).read_bytes(), mtime=0)
        self.assert_fails(advise(self.write("cut.json.gz", packed[:12]), "--to", "t4"), 1,
                          "cut.json.gz:byte 12: the gzip stream is cut off; ")

    def test_cut_text_is_answered_and_said(self):
        text = pathlib.Path(TINY).read_bytes()
        result = advise(self.write("cut.json", text[:-3]), "--to", "t4")
        self.assertEqual(0, result.returncode, result.stderr)
        self.assertRegex(result.stderr, f"warning: the recording breaks off at byte {len(text) - 3}")

    def test_random_bytes(self):
        source = random.Random(1)
        for start in (b"", b"{", b"[", b'{"traceEvents": [', b"\x1f\x8b\x08\x00", b"\x28\xb5\x2f\xfd"):
            content = start + source.randbytes(5000)
            self.assert_fails(advise(self.write("random", content), "--to", "t4"), 1, "random")

    def test_json_that_is_no_trace(self):
        for text in (b"{}", b'{"a": [1, 2]}', b'"text"', b"7", b"null", b"<html>"):
            self.assert_fails(advise(self.write("other.json", text), "--to", "t4"), 1, "not a? ?.*trace")

    def test_folder_without_traces(self):
        self.write("notes.txt", b"hello")
        self.assert_fails(advise(self.path, "--to", "t4"), 1, "no recording among 1 file ")

    def test_folder_with_two_traces(self):
        for name in ("b.json", "a.json"):
            shutil.copy(TINY, self.path / name)
        self.assert_fails(advise(self.path, "--to", "t4"), 1, "holds 2 recordings; .*a.json")

    def test_amd_trace(self):
        self.assert_fails(advise(TRACES / "amd.json", "--to", "t4"), 1,
                          "of AMD Instinct MI300X; uplift reads NVIDIA recordings only")

    def test_cpu_only_trace(self):
        self.assert_fails(advise(TRACES / "cpu_only.json", "--to", "t4"), 1,
                          "no GPU kernels .*; record with activities=")

    def test_trace_with_counters_only(self):
        self.assert_fails(advise(TRACES / "counters.json", "--to", "t4"), 1, "performance counters")

    def test_trace_that_names_no_gpu(self):
        self.assert_fails(advise(TRACES / "unnamed.json", "--to", "t4"), 1, "--from")
        answer = self.answer(TRACES / "unnamed.json", "--to", "t4", "--from", "a100-sxm4-80gb")
        self.assertEqual("a100-sxm4-80gb", answer["source"]["gpu"])

    def test_trace_of_a_gpu_that_is_in_no_catalog(self):
        self.assert_fails(advise(TRACES / "unknown_gpu.json", "--to", "t4"), 1,
                          "NVIDIA Imaginary X1.*--from")

    def test_trace_without_any_time(self):
        events = [{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 5, "dur": 0}]
        trace = json.dumps({"traceEvents": events}).encode()
        self.assert_fails(
            advise(self.write("zero.json", trace), "--to", "t4", "--from", "v100-sxm2-32gb"), 1)


class BadUsage(Advise):
    def test_unknown_gpu(self):
        for option in (["--to", "z9000"], ["--to", "t4", "--from", "z9000"], ["--to", "t4,z9000"]):
            self.assert_fails(advise(TINY, *option), 2, "z9000.*; ")

    def test_ambiguous_gpu(self):
        self.assert_fails(advise(TINY, "--to", "a100"), 2, "a100-sxm4-80gb")

    def test_names_are_checked_before_the_file_is_read(self):
        self.assert_fails(advise(self.path / "none.json", "--to", "z9000"), 2, "z9000")

    def test_missing_arguments(self):
        self.assert_fails(advise(TINY), 2, "--to")
        self.assert_fails(advise("--to", "t4"), 2, "WORKLOAD")
        self.assert_fails(advise(TINY, "--to", "t4", "--basis", "hearsay"), 2, "hearsay")
        self.assert_fails(advise(TINY, "--to", ""), 2)


class Output(Advise):
    def test_file_that_cannot_be_written(self):
        self.assert_fails(advise(TINY, "--to", "t4", "-o", self.path / "no" / "answer"), 1,
                          "No such file or directory; ")
        self.assertEqual([], os.listdir(self.path))

    def test_full_disk(self):
        self.assert_fails(advise(TINY, "--to", "t4", "-o", "/dev/full"), 1, "No space left")
        with open("/dev/full", "w") as full:
            result = advise(TINY, "--to", "t4", stdout=full)
        self.assertEqual(1, result.returncode)
        self.assertRegex(result.stderr, r"\Auplift: [^\n]*No space left[^\n]*\n\Z")

    def test_failure_leaves_the_old_answer(self):
        old = self.write("answer", b"old")
        self.assert_fails(advise(TRACES / "cpu_only.json", "--to", "t4", "-o", old), 1)
        self.assertEqual(b"old", old.read_bytes())
        self.assertEqual(["answer"], os.listdir(self.path))

    def test_file_holds_what_stdout_would(self):
        for output_format in ("text", "json", "csv", "md"):
            target = self.path / "answer"
            result = advise(TINY, "--to", "t4", "--format", output_format, "-o", target)
            self.assertEqual((0, "", ""), (result.returncode, result.stdout, result.stderr))
            self.assertEqual(advise(TINY, "--to", "t4", "--format", output_format).stdout,
                             target.read_text())

    def test_warnings_go_to_stderr_one_line_each(self):
        events = [e for e in json.loads(pathlib.Path(TINY).read_text())["traceEvents"]
                  if not e["name"].startswith("ProfilerStep")]
        trace = {"deviceProperties": [{"id": 0, "name": "Tesla T4", "numSms": 40}],
                 "traceEvents": events}
        file = self.write("unmarked.json", json.dumps(trace).encode())
        loud = advise(file, "--to", "t4")
        self.assertRegex(loud.stderr, r"\A(uplift: [^\n]+\n)+\Z")
        self.assertIn("no complete steps are marked", loud.stderr)
        quiet = advise(file, "--to", "t4", "--quiet")
        self.assertEqual("", quiet.stderr)
        self.assertEqual(loud.stdout, quiet.stdout)
        self.assertEqual(0, self.answer(file, "--to", "t4")["workload"]["steps"])

    def test_no_path_of_the_user_is_in_the_answer(self):
        for output_format in ("text", "json", "csv", "md"):
            shutil.copy(TINY, self.path / "trace.json")
            result = advise(self.path / "trace.json", "--to", "t4", "--format", output_format)
            self.assertNotIn(str(self.path), result.stdout)
            self.assertNotIn(str(pathlib.Path.home()) + "/", result.stdout)

    def test_csv_is_a_table_of_kernels(self):
        rows = list(csv.DictReader(io.StringIO(advise(TINY, "--to", "t4", "--format", "csv").stdout)))
        self.assertEqual(4, len(rows))
        for row in rows:
            self.assertNotIn(None, row)
            self.assertNotIn(None, row.values())

    def test_no_number_is_nan_or_infinite(self):
        for output_format in ("text", "json", "csv", "md"):
            out = advise(TINY, "--to", "t4,b200-sxm,p4", "--format", output_format).stdout
            self.assertIsNone(re.search(r"\b(nan|inf|NaN|Infinity)\b", out))


class Answer(Advise):
    def test_paths_with_spaces_and_other_letters(self):
        file = self.path / "trace of Zoë 中文.json"
        shutil.copy(TINY, file)
        self.assertEqual(self.answer(TINY, "--to", "t4"), self.answer(file, "--to", "t4"))

    def test_folder_with_one_trace(self):
        shutil.copy(TINY, self.path / "trace.json")
        self.assertEqual(self.answer(TINY, "--to", "t4"), self.answer(self.path, "--to", "t4"))

    def test_packed_traces_give_the_same_answer(self):
        packed = self.write("trace", gzip.compress(pathlib.Path(TINY).read_bytes()))
        self.assertEqual(self.answer(TINY, "--to", "t4"), self.answer(packed, "--to", "t4"))

    def test_targets_in_the_order_given_each_once(self):
        for options in (["--to", "t4,l4,v100-sxm2-32gb"], ["--to", "t4", "--to", "l4,v100-sxm2-32gb"],
                        ["--to", "t4,l4", "--to", "t4", "--to", "v100-sxm2-32gb"]):
            answer = self.answer(TINY, *options)
            self.assertEqual(["t4", "l4", "v100-sxm2-32gb"], [t["gpu"] for t in answer["targets"]])

    def test_the_same_card_gives_speedup_one(self):
        target = self.answer(TINY, "--to", "a100-sxm4-80gb")["targets"][0]
        for key in ("predicted", "low", "high"):
            self.assertAlmostEqual(1.0, target["speedup"][key], delta=1e-9)
        self.assertEqual("hold", target["verdict"]["decision"])

    def test_what_the_trace_holds(self):
        answer = self.answer(TINY, "--to", "t4")
        self.assertEqual("uplift.advise/1", answer["schema"])
        self.assertEqual(2, answer["workload"]["steps"])
        self.assertEqual(10, answer["workload"]["kernel_launches"])  # five in each of two steps
        self.assertEqual(4, answer["workload"]["distinct_kernels"])  # two of the five are the same
        source = answer["source"]
        self.assertEqual("a100-sxm4-80gb", source["gpu"])
        self.assertAlmostEqual(2e-3, source["step_seconds"], delta=1e-12)
        # 100 copy, 400 + 45 + 155 + 155 + 520 us of kernels, nothing at the same time.
        self.assertAlmostEqual(1375 / 2000, source["gpu_busy_share"], delta=1e-9)
        self.assertAlmostEqual(310e-6, source["seconds_by_class"]["gemm"], delta=1e-12)
        self.assertEqual(3221225472, answer["targets"][0]["memory"]["needed_bytes"])

    def test_parts_add_up(self):
        answer = self.answer(TINY, "--to", "t4,h100-sxm5-80gb,p4,b200-sxm")
        source = answer["source"]
        self.assertAlmostEqual(1, sum(source["seconds_by_bound"].values()) / source["step_seconds"], 6)
        for target in answer["targets"]:
            step = target["step_seconds"]["predicted"]
            self.assertAlmostEqual(1, sum(target["seconds_by_bound"].values()) / step, 6)
            product = target["unattributed"]
            for dimension in target["dimensions"]:
                product *= 1 if dimension["factor"] is None else dimension["factor"]
            self.assertAlmostEqual(1, product / target["speedup"]["predicted"], 6)
            for key in ("step_seconds", "speedup"):
                self.assertLessEqual(target[key]["low"], target[key]["predicted"])
                self.assertLessEqual(target[key]["predicted"], target[key]["high"])

    def test_basis_datasheet(self):
        target = self.answer(TINY, "--to", "h100-sxm5-80gb", "--basis", "datasheet")["targets"][0]
        self.assertEqual("datasheet", target["basis"])

    def test_the_same_answer_every_time(self):
        self.assertEqual(advise(TINY, "--to", "t4,l4").stdout, advise(TINY, "--to", "t4,l4").stdout)


@unittest.skipIf(jsonschema is None, "python3-jsonschema is not installed")
class Schema(Advise):
    def setUp(self):
        super().setUp()
        schema = json.loads(SCHEMA.read_text())
        jsonschema.Draft202012Validator.check_schema(schema)
        self.validator = jsonschema.Draft202012Validator(schema)

    def assert_valid(self, answer):
        errors = [f"{e.json_path}: {e.message[:200]}" for e in self.validator.iter_errors(answer)]
        self.assertEqual([], errors[:5])

    def test_answers_are_valid(self):
        self.assert_valid(self.answer(TINY, "--to", "t4,a100-sxm4-80gb,b200-sxm,p4"))
        self.assert_valid(self.answer(TINY, "--to", "t4", "--basis", "datasheet"))
        self.assert_valid(self.answer(TRACES / "unnamed.json", "--to", "l4", "--from", "t4"))

    def test_the_example_is_valid(self):
        self.assert_valid(json.loads((SCHEMA.parent / "examples" / "advise.json").read_text()))

    def test_the_example_has_the_shape_of_today(self):
        def shape(value):
            if isinstance(value, dict):
                return {key: shape(part) for key, part in value.items()}
            return shape(value[0]) if isinstance(value, list) and value else None
        example = json.loads((SCHEMA.parent / "examples" / "advise.json").read_text())
        now = self.answer(TINY, "--to", "h100-sxm5-80gb")
        self.assertEqual(set(shape(example)), set(shape(now)))
        self.assertEqual(set(example["source"]), set(now["source"]))
        self.assertEqual(set(example["targets"][0]), set(now["targets"][0]))

    def test_the_schema_is_strict(self):
        answer = self.answer(TINY, "--to", "t4")
        for change in (lambda a: a.pop("source"), lambda a: a.update(more=1),
                       lambda a: a["targets"][0].pop("verdict"),
                       lambda a: a["targets"][0]["verdict"].update(decision="maybe"),
                       lambda a: a["targets"][0]["speedup"].update(low="1"),
                       lambda a: a["workload"].update(steps=1.5),
                       lambda a: a["targets"][0]["kernels"][0].update(target_bound="luck")):
            broken = json.loads(json.dumps(answer))
            change(broken)
            self.assertFalse(self.validator.is_valid(broken))


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=2))
