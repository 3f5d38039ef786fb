#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`uplift validate` from outside: the figures that ship, figures recomputed on a table of timings, and
every way it can fail. The timings are made here: additions whose times follow from their bytes.

Runs the real binary, which UPLIFT_BIN names.
"""

import csv
import gzip
import io
import json
import sys
import unittest

from cli_case import CliCase, run_command

HEADER = "gpu,kind,math,shape,seconds,timing\n"
SHAPE = "elementwise,fp32,n=1000000;inputs=2;outputs=1;op=add"
# B/s of DRAM; no constants were fitted on these cards.
CARDS = {"h100-sxm5-80gb": 3.35e12, "l40s": 864e9, "a10": 600e9}


def made(cards, rows=20, slower=1.0):
    text = HEADER
    for card, bandwidth in cards.items():
        for i in range(rows):
            n = (i + 10) * 4_000_000
            text += f"{card},elementwise,fp32,n={n};inputs=2;outputs=1;op=add,{slower * 12 * n / bandwidth / 0.9},kernel\n"
    return text


def validate(*args, **options):
    return run_command("validate", *args, **options)


class Validate(CliCase):
    def write(self, text, name="timings.csv"):
        path = self.path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def answer(self, *args, warnings=0, **options):
        result = validate(*args, **options)
        self.assertEqual(0, result.returncode, result.stderr)
        self.assertEqual(warnings, len(result.stderr.splitlines()), result.stderr)
        return result.stdout

    def json(self, *args, **options):
        return json.loads(self.answer(*args, "--format", "json", **options))


class Shipped(Validate):
    def test_figures_that_came_with_the_constants(self):
        answer = self.json()
        self.assertEqual("uplift.validate/1", answer["schema"])
        self.assertFalse(answer["recomputed"])
        self.assertEqual([], answer["rows"])
        scored = {(one["family"], one["basis"]) for one in answer["summaries"]}
        for basis in ("datasheet", "published", "measured"):
            for family in ("gemm_fp32", "gemm_tensor", "conv_fp32", "attention_decode", "elementwise"):
                self.assertIn((family, basis), scored)
        for one in answer["summaries"]:
            self.assertGreaterEqual(one["cards"], 1)
            self.assertLessEqual(one["mean_error"], one["worst_card_error"] + 1e-9)
            self.assertTrue(one["worst_card"])

    def test_text_markdown_and_csv(self):
        self.assertIn("Give a table of timings to recompute them", self.answer().replace("\n", " "))
        self.assertIn("| gemm_fp32 ", self.answer("--format", "md"))
        rows = list(csv.DictReader(io.StringIO(self.answer("--format", "csv"))))
        self.assertEqual(len(self.json()["summaries"]), len(rows))
        self.assertGreater(float(rows[0]["mean_error"]), 0)


class Recomputed(Validate):
    def test_cards_that_no_constant_has_seen(self):
        answer = self.json(self.write(made(CARDS)))
        self.assertTrue(answer["recomputed"])
        self.assertEqual([], answer["notes"])
        rows = {(row["basis"], row["source"], row["target"]): row for row in answer["rows"]}
        # Three bases, three targets, from the shape and from each of two other cards.
        self.assertEqual(27, len(rows))
        for row in rows.values():
            self.assertEqual("elementwise", row["family"])
            self.assertLess(row["mean_error"], 0.25)
        self.assertEqual(20, rows["published", None, "l40s"]["n"])
        self.assertEqual(8, rows["measured", None, "l40s"]["n"])  # twelve count as timed
        # Times are as bandwidths, so that their ratio is right.
        self.assertLess(rows["published", "a10", "l40s"]["bandwidth_ratio_error"], 0.01)
        self.assertIsNone(rows["published", None, "l40s"]["bandwidth_ratio_error"])
        self.assertEqual({False, True}, {one["from_source"] for one in answer["summaries"]})

    def test_times_twice_as_long_are_off_by_half(self):
        answer = self.json(self.write(made({"l40s": CARDS["l40s"]}, slower=2)))
        (published,) = [row for row in answer["rows"] if row["basis"] == "published"]
        self.assertLess(published["bias"], -0.4)
        self.assertLess(published["coverage"], 0.1)

    def test_a_card_behind_the_constants_is_predicted_by_the_other_cards(self):
        table = self.write(made({"t4": 320e9, "l40s": CARDS["l40s"]}))
        answer = self.json(table)
        self.assertEqual({"t4", "l40s"}, {row["target"] for row in answer["rows"]})
        alone = self.json(self.write(made({"t4": 320e9}), "t4.csv"))
        self.assertEqual([], alone["rows"])
        self.assertIn("t4 went into the constants", alone["notes"][0])

    def test_several_files_names_as_drivers_print_them_and_compression(self):
        one = self.write(made({"Tesla T4": 320e9}), "one.csv")
        two = self.write(gzip.compress(made({"l40s": CARDS["l40s"]}).encode()), "two.csv.gz")
        answer = self.json(one, two)
        self.assertEqual({"t4", "l40s"}, {row["target"] for row in answer["rows"]})

    def test_pairs_and_rows(self):
        table = self.write(made(CARDS, rows=40))
        self.assertIn("Roofline", self.answer(table, "--pairs"))
        self.assertNotIn("Roofline", self.answer(table))
        rows = self.json(table, "--rows", "15")["rows"]
        self.assertEqual({3, 15}, {row["n"] for row in rows})

    def test_rows_that_cannot_be_used_are_told_once(self):
        table = self.write(made(CARDS) + f"l40s,{SHAPE},0,\nl40s,matmul,fp32,m=1,1,\n")
        answer = validate(table, "--format", "json")
        self.assertEqual(0, answer.returncode, answer.stderr)
        self.assertRegex(answer.stderr, r"\A[^\n]*timings\.csv: 2 rows are not used; the first: line 62: [^\n]+\n\Z")

    def test_the_same_table_gives_the_same_answer(self):
        table = self.write(made({"t4": 320e9, "p4": 192e9, "l40s": CARDS["l40s"]}))
        self.assertEqual(self.answer(table, "--pairs"), self.answer(table, "--pairs"))


class Failures(Validate):
    def test_files_that_cannot_be_read(self):
        self.assert_fails(validate(self.path / "none.csv"), 1, r"none\.csv: cannot be opened.*; check the path")
        self.assert_fails(validate(self.path), 1, "is a directory, not a table")

    def test_tables_without_timings(self):
        for text, *patterns in (("", r"timings\.csv: the file is empty; "),
                                ("kind,math,shape,seconds\n", "has no column gpu; .*gpu, kind, math, shape and seconds"),
                                ("gpu,kind,math,shape\n", "has no column seconds; "),
                                ("gpu,math,shape,seconds\n", "the header has no column kind; "),
                                (HEADER, "holds no timing"),
                                (HEADER + f"t4,{SHAPE},0,\n", "holds no usable timing; line 2: "),
                                (HEADER + f",{SHAPE},1,\n", "line 2: names no gpu"),
                                ('{"traceEvents": []}', "JSON, not like an op table; ")):
            self.assert_fails(validate(self.write(text)), 1, *patterns)

    def test_a_card_that_is_not_known_or_not_clear(self):
        self.assert_fails(validate(self.write(HEADER + f"z9000,{SHAPE},1,\n")), 1, r"timings\.csv: .*z9000")
        self.assert_fails(validate(self.write(HEADER + f"a100,{SHAPE},1,\n")), 1, "a100-sxm4-80gb")

    def test_wrong_usage(self):
        table = self.write(made(CARDS))
        self.assert_fails(validate(table, "--rows", "1"), 2, "--rows")
        self.assert_fails(validate(table, "--cards"), 2, "--cards")
        self.assert_fails(validate(table, "-o", table), 2, "is an input of this command; ")

    def test_one_bad_file_among_good_ones(self):
        self.assert_fails(validate(self.write(made(CARDS)), self.path / "none.csv"), 1, r"none\.csv")


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=2))
