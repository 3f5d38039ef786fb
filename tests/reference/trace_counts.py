#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An independent count of every reference trace, against what `uplift advise` says of it.

The count uses Python's json and nothing of uplift: launches, complete steps, how long a step keeps
the device busy, and the sum of kernel times. It follows the definitions of docs/method.md: work
belongs to the step in which the host asked for it, and the busiest device is told.
"""

import gzip
import json
import os
import re
import subprocess
import sys
import unittest
from bisect import bisect_right
from collections import defaultdict
from decimal import Decimal

from shared_data import shared

TRACES = shared("traces")
BIN = os.environ["UPLIFT_BIN"]
KINDS = {"kernel": "kernel", "Kernel": "kernel", "gpu_memcpy": "copy", "Memcpy": "copy",
         "gpu_memset": "set", "Memset": "set"}
CALLS = {"cuda_runtime", "Runtime", "cuda_driver"}


def load(path):
    """The events; numbers exact, so that sums do not depend on the order."""
    with gzip.open(path, "rt", encoding="utf-8", errors="replace") as file:
        trace = json.load(file, parse_float=Decimal, strict=False)
    return trace["traceEvents"] if isinstance(trace, dict) else trace


def union(spans):
    total = end = Decimal(0)
    end = None
    for start, stop in sorted(spans):
        if end is None or start > end:
            total += stop - start
            end = stop
        elif stop > end:
            total += stop - end
            end = stop
    return total


class Count:
    def __init__(self, path):
        work, calls, marks = [], {}, []
        for event in load(path):
            if event.get("ph") != "X":
                continue
            args = event.get("args") or {}
            start = Decimal(event["ts"])
            end = start + Decimal(event.get("dur", 0))
            kind = KINDS.get(event.get("cat"))
            name = str(event.get("name"))
            if kind:
                device = args.get("device", event.get("pid"))
                work.append((kind, device, start, end, args.get("correlation")))
            elif event.get("cat") in CALLS and re.search("Launch|Memcpy|Memset|Synchronize", name):
                calls.setdefault(args.get("correlation"), start)
            elif name.startswith("ProfilerStep#") and event["cat"] in ("cpu_op", "Operator", "user_annotation"):
                marks.append((start, end))
        self.launches = sum(kind == "kernel" for kind, *_ in work)
        busy = defaultdict(Decimal)
        for kind, device, start, end, _ in work:
            if kind == "kernel":
                busy[device] += end - start
        if not busy:
            return
        most = max(busy, key=busy.get)
        work = [w for w in work if w[1] == most]
        steps = self.steps_of(marks)
        content = [[] for _ in steps]
        starts = [start for start, _ in steps]
        for kind, _, start, end, correlation in work:
            asked = calls.get(correlation, start)
            at = bisect_right(starts, asked) - 1
            if at >= 0 and asked <= steps[at][1]:
                content[at].append((kind, start, end))
        kernels = [sum(kind == "kernel" for kind, *_ in c) for c in content]
        full = sorted(k for k in kernels if k)
        usual = full[len(full) // 2] if full else 0
        content = [c for c, k in zip(content, kernels) if k and 2 * k >= usual]
        self.steps = len(content)
        if not content:  # nothing is marked: the whole span is one
            content = [[(kind, start, end) for kind, _, start, end, _ in work]]
        self.busy = sum(float(union([c[1:] for c in step])) for step in content) * 1e-6 / len(content)
        self.kernel_seconds = sum(
            float(end - start) for step in content for kind, start, end in step if kind == "kernel"
        ) * 1e-6 / len(content)

    @staticmethod
    def steps_of(marks):
        steps = []
        for start, end in sorted(marks, key=lambda m: (m[0], -m[1])):
            if not steps or start >= steps[-1][1]:
                steps.append((start, end))
        return steps


def readme_rows():
    """file, GPU and kernels of each row of the table in the data's own README."""
    for line in (TRACES / "README.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) > 5 and cells[0].endswith(".json.gz"):
            yield cells[0], cells[2], int(cells[5])


def advise(path):
    result = subprocess.run([BIN, "advise", str(path), "--to", "h100-sxm5-80gb", "--format", "json"],
                            capture_output=True, text=True, timeout=120)
    return result, (json.loads(result.stdout) if result.returncode == 0 else None)


class Reference(unittest.TestCase):
    def test_every_trace_of_an_nvidia_gpu_is_counted_as_python_counts_it(self):
        files = [TRACES / name for name, gpu, kernels in readme_rows()
                 if kernels and not re.search("AMD|Radeon", gpu)]
        files += sorted((TRACES / "h200").glob("*.json.gz"))
        self.assertGreaterEqual(len(files), 20)
        for file in files:
            with self.subTest(file.name):
                count = Count(file)
                result, answer = advise(file)
                self.assertEqual(0, result.returncode, result.stderr)
                workload, source = answer["workload"], answer["source"]
                self.assertEqual(count.launches, workload["kernel_launches"])
                self.assertEqual(count.steps, workload["steps"])
                self.assertAlmostEqual(
                    1, source["gpu_busy_share"] * source["step_seconds"] / count.busy, delta=1e-6)
                self.assertAlmostEqual(
                    1, sum(source["seconds_by_class"].values()) / count.kernel_seconds, delta=1e-6)

    def test_launches_are_those_of_the_table(self):
        rows = 0
        for name, gpu, kernels in readme_rows():
            with self.subTest(name):
                result, answer = advise(TRACES / name)
                rows += 1
                if re.search("AMD|Radeon", gpu):
                    self.assertEqual(1, result.returncode)
                    self.assertIn("uplift reads NVIDIA recordings only", result.stderr)
                elif kernels == 0:
                    self.assertEqual(1, result.returncode)
                    self.assertRegex(result.stderr, "performance counters|CPU work only")
                else:
                    self.assertEqual(kernels, answer["workload"]["kernel_launches"])
        self.assertGreaterEqual(rows, 18)


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=2))
