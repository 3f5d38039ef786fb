#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`uplift inspect` on every reference trace against a count that uses nothing of uplift, and what its
findings promise against measured pairs: the same job before and after the change, without a profiler.
"""

import json
import os
import re
import subprocess
import sys
import unittest
from bisect import bisect_right
from collections import defaultdict
from decimal import Decimal

from trace_counts import CALLS, EXPECTED, KINDS, TRACES, Count, load, union

BIN = os.environ["UPLIFT_BIN"]


class StepCount:
    """The activity of the step that the answer tells, in microseconds."""

    def __init__(self, path, step_name):
        work, calls, marks = [], {}, []
        for event in load(path):
            if event.get("ph") != "X":
                continue
            args = event.get("args") or {}
            start = Decimal(event["ts"])
            end = start + Decimal(event.get("dur", 0))
            name = str(event.get("name"))
            kind = KINDS.get(event.get("cat"))
            if kind == "kernel" and re.match("nccl|ncclKernel|ncclDevKernel", name):
                kind = "collective"
            if kind:
                work.append((kind, args.get("device", event.get("pid")), start, end, args.get("correlation")))
            elif event.get("cat") in CALLS and re.search("Launch|Memcpy|Memset|Synchronize", name):
                calls.setdefault(args.get("correlation"), start)
            elif name.startswith("ProfilerStep#") and event["cat"] in ("cpu_op", "Operator", "user_annotation"):
                marks.append((start, end, name))
        busy = defaultdict(Decimal)
        for kind, device, start, end, _ in work:
            if kind in ("kernel", "collective"):
                busy[device] += end - start
        most = max(busy, key=busy.get)
        steps = []
        for start, end, name in sorted(marks, key=lambda m: (m[0], -m[1])):
            if not steps or start >= steps[-1][1]:
                steps.append((start, end, name))
        starts = [start for start, _, _ in steps]
        self.spans = defaultdict(list)
        for kind, device, start, end, correlation in work:
            if device != most:
                continue
            if step_name is not None:
                asked = calls.get(correlation, start)
                at = bisect_right(starts, asked) - 1
                if at < 0 or asked > steps[at][1] or steps[at][2] != step_name:
                    continue
            self.spans[kind].append((start, end))
        self.copies = self.spans["copy"] + self.spans["set"]
        self.kernels = self.spans["kernel"] + self.spans["collective"]

    def seconds(self, spans):
        return float(sum(end - start for start, end in spans)) * 1e-6

    def covered(self, spans, by):
        """Seconds of `spans`, each counted, that lie under the union of `by`."""
        edges, merged = sorted(by), []
        for start, end in edges:
            if merged and start <= merged[-1][1]:
                merged[-1][1] = max(merged[-1][1], end)
            else:
                merged.append([start, end])
        ends = [end for _, end in merged]
        total = Decimal(0)
        for start, end in spans:
            at = bisect_right(ends, start)
            while at < len(merged) and merged[at][0] < end:
                total += min(end, merged[at][1]) - max(start, merged[at][0])
                at += 1
        return float(total) * 1e-6


def inspect(path):
    run = subprocess.run([BIN, "inspect", str(path), "--format", "json"], capture_output=True, text=True,
                         timeout=120)
    return run, (json.loads(run.stdout) if run.returncode == 0 else None)


def nvidia_traces():
    return [TRACES / name for name, expected in EXPECTED.items() if isinstance(expected, int)]


def saving(answer, change):
    return next((f["saved_seconds"] for f in answer["findings"] if f["change"] == change), None)


class Counted(unittest.TestCase):
    def test_every_trace_is_inspected_as_python_counts_it(self):
        files = nvidia_traces()
        self.assertGreaterEqual(len(files), 20)
        for file in files:
            with self.subTest(file.name):
                run, answer = inspect(file)
                self.assertEqual(0, run.returncode, run.stderr)
                self.check_recording(Count(file), answer)
                self.check_step(StepCount(file, answer["timeline"]["step"]), answer)
                self.check_sums(answer)

    def check_recording(self, count, answer):
        source = answer["source"]
        self.assertEqual(count.launches, answer["workload"]["kernel_launches"])
        self.assertAlmostEqual(1, source["gpu_busy_share"] * source["step_seconds"] / count.busy, delta=1e-6)
        self.assertAlmostEqual(1, answer["kernel_seconds"] / count.kernel_seconds, delta=1e-6)

    def check_step(self, count, answer):
        timeline = answer["timeline"]
        parts = timeline["seconds_by_part"]
        self.assertEqual(len(count.kernels), timeline["kernels"])
        collectives = count.spans["collective"]
        for want, got in (
                (count.seconds(collectives), timeline["collective_seconds"]),
                (count.covered(collectives, count.spans["kernel"]), timeline["hidden_collective_seconds"]),
                (count.seconds(count.copies), sum(c["seconds"] for c in answer["copies"])),
                (count.covered(count.copies, count.kernels), sum(c["hidden_seconds"] for c in answer["copies"])),
                (float(union(count.spans["kernel"])) * 1e-6, parts["compute"]),
                (float(union(count.kernels)) * 1e-6, parts["compute"] + parts["comm"])):
            self.assertAlmostEqual(want, got, delta=1e-8 + 1e-6 * want)
        # The rest of the copies' part is idle time inside blocking calls.
        alone = float(union(count.kernels + count.copies)) * 1e-6 - parts["compute"] - parts["comm"]
        self.assertGreaterEqual(parts["copy"], alone - 1e-8)

    def check_sums(self, answer):
        timeline = answer["timeline"]
        self.assertAlmostEqual(1, sum(timeline["seconds_by_part"].values()) / timeline["seconds"], delta=1e-9)
        self.assertAlmostEqual(1, sum(k["share"] for k in answer["kernels"]), delta=1e-9)
        saved = [f["saved_seconds"]["predicted"] for f in answer["findings"]]
        self.assertEqual(sorted(saved, reverse=True), saved)
        for finding in answer["findings"]:
            low, high = finding["saved_seconds"]["low"], finding["saved_seconds"]["high"]
            self.assertTrue(0 <= low <= finding["saved_seconds"]["predicted"] <= high)
            self.assertLessEqual(high, answer["source"]["step_seconds"] * (1 + 1e-9))


class Measured(unittest.TestCase):
    """Pairs in h200/measured.json."""

    @classmethod
    def setUpClass(cls):
        cls.measured = json.loads((TRACES / "h200" / "measured.json").read_text())

    def answer(self, name):
        return inspect(TRACES / "h200" / f"{name}.json.gz")[1]

    def row(self, **wanted):
        return next(r["median_ms"] for r in self.measured["rows"]
                    if all(r[key] == value for key, value in wanted.items()))

    def test_overlapped_copies(self):
        steps = self.measured["pipeline_step_ms"]
        gain = (steps["bs128-blocking"] - steps["bs128-overlap"]) * 1e-3
        answer = self.answer("resnet50-pipeline-128-blocking")
        self.assertEqual("overlap", answer["findings"][0]["change"])
        saved = saving(answer, "overlap")
        print(f"overlap: {saved['predicted'] * 1e3:.2f} ms predicted, {gain * 1e3:.2f} ms measured")
        self.assertAlmostEqual(gain, saved["predicted"], delta=0.1 * gain)
        self.assertTrue(saved["low"] <= gain <= saved["high"])
        self.assertIsNone(saving(self.answer("resnet50-pipeline-128-overlap"), "overlap"))

    def test_tf32(self):
        for name, model in (("resnet50-train-224-64-fp32", {"model": "resnet50", "batch": 64}),
                            ("gpt2_large-inf-1024-8-fp32", {"model": "gpt2_large", "batch": 8})):
            gain = (self.row(prec="fp32", **model) - self.row(prec="tf32", **model)) * 1e-3
            saved = saving(self.answer(name), "tf32")
            print(f"tf32, {name}: {saved['predicted'] * 1e3:.1f} ms predicted, {gain * 1e3:.1f} ms measured")
            self.assertTrue(saved["low"] <= gain <= saved["high"])

    def test_graphs(self):
        steps = self.measured["more_step_ms"]
        gain = (steps["resnet50-infer-8-fp16"]["step_ms"] - steps["resnet50-infer-8-fp16-graph"]["step_ms"]) * 1e-3
        saved = saving(self.answer("resnet50-infer-8-fp16"), "graphs")
        print(f"graphs: {saved['predicted'] * 1e3:.2f} ms predicted, {gain * 1e3:.2f} ms measured")
        self.assertTrue(saved["low"] <= gain <= saved["high"])
        self.assertIsNone(saving(self.answer("resnet50-infer-8-fp16-graph"), "graphs"))


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=2))
