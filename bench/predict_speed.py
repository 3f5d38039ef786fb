#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How many operations a second `uplift predict` answers on one core, reading and writing included.

usage: predict_speed.py [--uplift BIN] [--rows N] [--runs N] [--folder DIR] [--check]

Makes a table of N rows (default 1,000,000) by repeating the answered kinds of
tests/data/op_tables/every_kind.csv with other extents, and runs the command on it several times, pinned to
one core, with the file in the page cache. --check: exit code 1 below a million operations a second.
"""

import argparse
import csv
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "tests" / "data" / "op_tables" / "every_kind.csv"
CARDS = ["--from", "a100-sxm4-80gb", "--to", "h100-sxm5-80gb"]
CLAIM = 1_000_000


def answered_rows(uplift):
    answer = subprocess.run([uplift, "predict", TABLE, *CARDS], check=True, capture_output=True, text=True).stdout
    return [row for row in csv.DictReader(answer.splitlines()) if row["target_seconds"]]


def make_table(uplift, path, rows, kind):
    """Extents differ from row to row, so that no answer can be had from the row before."""
    kinds = [row for row in answered_rows(uplift) if kind in ("", row["kind"])]
    names = {"rows", "m", "n", "q_len", "kv_len", "points", "bytes", "nnz"}
    with path.open("w") as table:
        table.write("name,kind,math,shape,count,source_seconds\n")
        for i in range(rows):
            row = kinds[i % len(kinds)]
            shape = re.sub(r"(\w+)=(\d{3,})\b",
                           lambda m: f"{m[1]}={int(m[2]) + i % 997}" if m[1] in names else m[0], row["shape"])
            seconds = float(row["target_seconds"]) * (1 + i % 89 / 1000)
            table.write(f"{row['name']} {i},{row['kind']},{row['math']},{shape},{row['count']},{seconds:.6g}\n")
    return sorted({row["kind"] for row in kinds})


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--uplift", default=str(ROOT / "build" / "release" / "bin" / "uplift"))
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--kind", default="", help="rows of this kind only")
    parser.add_argument("--folder", help="where the tables go (default: a temporary folder)")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    core = min(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        table, out = pathlib.Path(folder) / "ops.csv", pathlib.Path(folder) / "out.csv"
        kinds = make_table(options.uplift, table, options.rows, options.kind)
        print(f"{options.rows:,} rows of {', '.join(kinds)}; {table.stat().st_size / 1e6:.0f} MB")
        walls, processors = [], []
        for _ in range(options.runs):
            start = time.perf_counter()
            process = subprocess.Popen([options.uplift, "predict", table, *CARDS, "-o", out],
                                       preexec_fn=lambda: os.sched_setaffinity(0, {core}))
            _, status, usage = os.wait4(process.pid, 0)
            walls.append(time.perf_counter() - start)
            processors.append(usage.ru_utime + usage.ru_stime)
            if status != 0:
                sys.exit(f"uplift predict: status {status}")
        print(f"median of {options.runs} runs: {statistics.median(walls):.3f} s, "
              f"{statistics.median(processors):.3f} s of processor time, {usage.ru_maxrss / 1000:.0f} MB resident")
        rate = options.rows / statistics.median(processors)
        print(f"{rate / 1e6:.2f} million operations a second of processor time")
    sys.exit(1 if options.check and rate < CLAIM else 0)


if __name__ == "__main__":
    main()
