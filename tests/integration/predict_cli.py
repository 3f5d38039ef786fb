#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`uplift predict` from outside: op tables in, the same tables with answers out, and every way it can
fail. No test here depends on how good a prediction is.

Runs the real binary, which UPLIFT_BIN names.
"""

import csv
import gzip
import io
import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import unittest

from cli_case import CliCase, run_command

TABLE = pathlib.Path(os.environ["UPLIFT_TEST_DATA"]) / "op_tables" / "every_kind.csv"
HEADER = "name,kind,math,shape,count,source_seconds\n"
ADD = "add,elementwise,fp32,n=16777216;inputs=2;outputs=1;op=add,3,0.00012\n"
ADDED = ["target_seconds", "low_seconds", "high_seconds", "bound", "note"]
TO = ("--to", "h100-sxm5-80gb")
CARDS = ("--from", "a100-sxm4-80gb", *TO)


def predict(*args, **options):
    return run_command("predict", *args, **options)


class Predict(CliCase):
    def write(self, text, name="ops.csv"):
        path = self.path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def answer(self, *args, warnings=0, **options):
        result = predict(*args, **options)
        self.assertEqual(0, result.returncode, result.stderr)
        self.assertEqual(warnings, len(result.stderr.splitlines()), result.stderr)
        return result.stdout

    def rows(self, *args, **options):
        return list(csv.DictReader(io.StringIO(self.answer(*args, **options), newline="")))

    def note(self, row):
        """What is said of one row that cannot be answered."""
        (answer,) = self.rows(self.write(HEADER + row + "\n"), *CARDS)
        self.assertEqual([""] * 4, [answer[column] for column in ADDED[:4]])
        self.assertTrue(answer["note"])
        return answer["note"]


class Tables(Predict):
    def test_rows_order_and_columns_stay_and_five_are_added(self):
        before = list(csv.reader(TABLE.open(newline="")))
        after = list(csv.reader(io.StringIO(self.answer(TABLE, *CARDS), newline="")))
        self.assertEqual(before[0] + ADDED, after[0])
        self.assertEqual(before[1:], [row[:len(before[0])] for row in after[1:]])

    def test_every_row_has_an_interval_or_a_reason(self):
        answered = 0
        for row in self.rows(TABLE, *CARDS):
            if row["target_seconds"]:
                answered += 1
                low, middle, high = (float(row[key]) for key in ("low_seconds", "target_seconds", "high_seconds"))
                self.assertTrue(0 < low <= middle <= high, row)
                self.assertTrue(row["bound"])
            else:
                self.assertEqual(["", "", ""], [row["low_seconds"], row["high_seconds"], row["bound"]])
                self.assertTrue(row["note"], row)
        self.assertGreater(answered, 0)

    def test_bytes_stay_as_they_are(self):
        """Quotes, spaces, blank lines, a byte order mark and Windows line ends."""
        text = ("\ufeff" + HEADER + '"a ""b""",elementwise, fp32 ,n=5;inputs=1;outputs=1,1,1e-5\n\n'
                + '"two\nlines",softmax,fp16,"rows=0;cols=1",,\nshort,gemm').replace("\n", "\r\n")
        answer = subprocess.run([os.environ["UPLIFT_BIN"], "predict", self.write(text), *CARDS],
                                capture_output=True, check=True).stdout.decode()
        lines = text.split("\r\n")
        self.assertTrue(answer.startswith(lines[0] + "," + ",".join(ADDED) + "\r\n"))
        for line in lines[1:2] + lines[3:]:
            self.assertIn(line, answer)
        self.assertIn("\r\n\r\n", answer)
        self.assertTrue(answer.endswith("\r\n"))
        self.assertEqual(answer.count("\r\n"), answer.count("\n"))
        parsed = list(csv.reader(io.StringIO(answer, newline="")))
        self.assertEqual({11}, {len(row) for row in parsed if row})

    def test_columns_in_any_order(self):
        plain = self.rows(self.write(HEADER + ADD), *CARDS)[0]
        moved = self.rows(self.write("x,Shape,source_seconds,kind,y,math\n"
                                     "1,n=16777216;inputs=2;outputs=1;op=add,0.00012,elementwise,2,fp32\n"), *CARDS)[0]
        for column in ADDED:
            self.assertEqual(plain[column], moved[column])

    def test_packed_tables_and_pipes_give_the_same(self):
        want = self.answer(TABLE, *CARDS)
        packed = self.write(gzip.compress(TABLE.read_bytes()), "ops")
        self.assertEqual(want, self.answer(packed, *CARDS))
        for path in (TABLE, packed):
            with path.open("rb") as stdin:
                self.assertEqual(want, self.answer("-", *CARDS, stdin=stdin))
            with subprocess.Popen(["cat", path], stdout=subprocess.PIPE) as pipe:
                self.assertEqual(want, self.answer("-", *CARDS, stdin=pipe.stdout))
            with subprocess.Popen(["cat", path], stdout=subprocess.PIPE) as pipe:
                self.assertEqual(want, self.answer("/dev/stdin", *CARDS, stdin=pipe.stdout))
        if shutil.which("zstd"):
            subprocess.run(["zstd", "-q", TABLE, "-o", self.path / "ops.zst"], check=True)
            self.assertEqual(want, self.answer(self.path / "ops.zst", *CARDS))

    def test_an_output_file(self):
        output = self.path / "out.csv"
        self.assertEqual("", self.answer(TABLE, *CARDS, "-o", output))
        self.assertEqual(self.answer(TABLE, *CARDS), output.read_text())

    def test_a_table_without_rows(self):
        self.assertEqual(HEADER.strip() + "," + ",".join(ADDED) + "\n", self.answer(self.write(HEADER), *CARDS))
        for name in ("text", "md", "json"):
            self.answer(self.write(HEADER), *CARDS, "--format", name)

    def test_without_a_source(self):
        row = self.rows(self.write(HEADER + ADD), *TO, warnings=1)[0]
        self.assertTrue(row["target_seconds"])
        self.assertIn("--from", predict(self.write(HEADER + ADD), *TO).stderr)
        self.answer(self.write("kind,math,shape\nelementwise,fp32,n=5;inputs=1;outputs=1\n"), *TO)

    def test_the_card_itself_gives_the_time_back(self):
        row = self.rows(self.write(HEADER + ADD), "--from", "t4", "--to", "t4")[0]
        self.assertEqual(0.00012, float(row["target_seconds"]))

    def test_columns_of_an_earlier_answer(self):
        once = self.write(self.answer(self.write(HEADER + ADD), *CARDS))
        row = self.rows(once, *CARDS, warnings=5)[0]
        self.assertTrue(row["target_seconds"])

    def test_datasheet_basis_is_not_narrower(self):
        def width(row):
            return float(row["high_seconds"]) / float(row["low_seconds"])
        table = self.write(HEADER + ADD)
        datasheet, published = self.rows(table, *CARDS, "--basis", "datasheet")[0], self.rows(table, *CARDS)[0]
        self.assertGreater(1.001 * width(datasheet), width(published))

    def test_many_rows_in_little_memory(self):
        table = self.write(HEADER + ADD * 300_000)
        out = self.path / "out.csv"
        process = subprocess.Popen([os.environ["UPLIFT_BIN"], "predict", table, *CARDS, "-o", out])
        _, status, usage = os.wait4(process.pid, 0)
        self.assertEqual(0, status)
        self.assertLess(usage.ru_maxrss, 100_000)  # KB; the table alone has 20 MB
        with out.open() as stream:
            self.assertEqual(300_001, sum(1 for _ in stream))


class Formats(Predict):
    def test_json_says_the_same_as_csv(self):
        answer = json.loads(self.answer(TABLE, *CARDS, "--format", "json"))
        self.assertEqual("uplift.predict/1", answer["schema"])
        rows = self.rows(TABLE, *CARDS)
        self.assertEqual(len(rows), len(answer["rows"]))
        for row, entry in zip(rows, answer["rows"]):
            self.assertEqual(row["shape"], entry["shape"])
            self.assertEqual(row["note"] or None, entry["note"])
            if row["target_seconds"]:
                self.assertEqual(float(row["low_seconds"]), entry["target_seconds"]["low"])
            else:
                self.assertIsNone(entry["target_seconds"])
        self.assertEqual(len(rows), answer["totals"]["rows"])

    def test_json_of_any_bytes(self):
        table = self.write(HEADER.encode() + b'"\xff\x01 ""q"" \\ \xc3\xa9",elementwise,fp32,n=5;inputs=1;outputs=1,1,\n')
        name = json.loads(self.answer(table, *CARDS, "--format", "json"))["rows"][0]["name"]
        self.assertEqual('\ufffd\x01 "q" \\ é', name)

    def test_text_and_markdown_have_totals_and_reasons(self):
        for name in ("text", "md"):
            answer = self.answer(TABLE, *CARDS, "--format", name)
            self.assertIn("26 rows", answer)
            self.assertIn("Not answered", answer)
            self.assertIn("rows is 0", answer)
        self.assertNotIn("residual", self.answer(TABLE, *CARDS, "--format", "text", "--rows", "0"))


class Rows(Predict):
    """What is wrong with a row is said in its note, and costs no other row."""

    def test_notes(self):
        for row, note in (("x,gemm,bf16,m=1;n=1,1,", "the shape of gemm lacks k"),
                          ("x,gemm,bf16,m=99999999999999999999;n=1;k=1,1,", "the most is"),
                          ("x,gemm,bf16,m=-1;n=1;k=1,1,", "m is negative"),
                          ("x,gemm,bf16,m=0;n=1;k=1,1,", "m is 0"),
                          ("x,gemm,bf16,m=nan;n=1;k=1,1,", "not a whole number"),
                          ("x,gemm,bf17,m=1;n=1;k=1,1,", "there is no math 'bf17'"),
                          ("x,matmul,bf16,m=1;n=1;k=1,1,", "there is no kind 'matmul'"),
                          ("x,gemm,bf16,,1,", "the shape is empty"),
                          ("x,gemm,bf16,m=1;n=1;k=1,x,", "count is not a whole number"),
                          ("x,softmax,fp16,rows=1;cols=1,1,nan", "source_seconds is not a number"),
                          ("x,softmax,fp16,rows=1;cols=1,1,0", "source_seconds is 0"),
                          ('x,"softmax"!,fp16,rows=1;cols=1,1,', "text behind a closing quote"),
                          ("x", "kind is empty")):
            self.assertIn(note, self.note(row))

    def test_a_row_with_too_many_fields(self):
        answer = self.answer(self.write(HEADER + "x,softmax,fp16,rows=1;cols=1,1,,more\n" + ADD), *CARDS)
        self.assertIn('"the row has 7 fields, the header 6"', answer)
        self.assertRegex(answer.splitlines()[2], r"^add,.*,0\.00012,[0-9.e-]+,")


class Failures(Predict):
    def test_tables_that_are_none(self):
        for text, *patterns in (("", r"the file is empty; a table has a header"),
                                ("\n\n", "nothing but empty lines; "),
                                ("name,math,shape\n", r"ops\.csv:1: the header has no column kind; "),
                                ("name;kind;shape\n", r"the header has no column kind; "),
                                ("kind,shape,kind\n", "two columns are named kind; "),
                                ('{"traceEvents": []}', "JSON, not like an op table; .*advise"),
                                (HEADER + ADD + 'x,"softmax,fp16\n', r"ops\.csv:3: a quote is opened"),
                                (HEADER + ADD + "x\0,y\n", r"ops\.csv:3: a NUL byte; "),
                                (HEADER + "x" * 3_000_000, r"ops\.csv:2: a row of more than 1 MiB; "),
                                (gzip.compress(TABLE.read_bytes())[:200], "cut off; ")):
            self.assert_fails(predict(self.write(text), *CARDS), 1, *patterns)
        self.assert_fails(predict(self.write("a,b\n".encode("utf-16")), *CARDS), 1, "NUL byte; .*UTF-8")

    def test_files_that_cannot_be_read(self):
        self.assert_fails(predict(self.path / "none.csv", *CARDS), 1, r"none\.csv: cannot be opened.*; check the path")
        self.assert_fails(predict(self.path, *CARDS), 1, "is a directory, not a table")
        self.assert_fails(predict("-", *CARDS, stdin=subprocess.DEVNULL), 1, "stdin: the file is empty; ")

    def test_a_late_error_leaves_no_output(self):
        output = self.path / "out.csv"
        self.assert_fails(predict(self.write(HEADER + ADD * 50_000 + '"'), *CARDS, "-o", output), 1, ":50002: a quote")
        self.assertFalse(output.exists())

    def test_wrong_usage(self):
        self.assert_fails(predict(TABLE), 2, "--to")
        self.assert_fails(predict(*TO), 2, "OPS.csv")
        self.assert_fails(predict(TABLE, "--to", "a100"), 2, "a100-sxm4-80gb")
        self.assert_fails(predict(TABLE, "--to", "t4", "--from", "z9000"), 2, "z9000")
        self.assert_fails(predict(TABLE, *TO, "--basis", "guess"), 2, "--basis")
        table = self.write(HEADER + ADD)
        self.assert_fails(predict(table, *CARDS, "-o", table), 2, "is an input of this command; ")
        self.assertEqual(HEADER + ADD, table.read_text())

    def test_a_disk_that_fills_up(self):
        output = self.path / "out.csv"
        result = predict(self.write(HEADER + ADD * 50_000), *CARDS, "-o", output,
                         preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20)))
        self.assert_fails(result, 1, "File too large")
        self.assertFalse(output.exists())

    def test_a_reader_that_went_away_is_no_error(self):
        command = f"{os.environ['UPLIFT_BIN']} predict {self.write(HEADER + ADD * 50_000)} {' '.join(CARDS)} | head -1"
        done = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, check=False)
        self.assertEqual((0, b""), (done.returncode, done.stderr))


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=2))
