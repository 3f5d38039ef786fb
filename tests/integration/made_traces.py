#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench/make_trace.py makes what a longer recording of the same program would look like: k times the
kernels, steps and busy time, with every id used once more in each repetition.

  made_traces.py [SIMDJSON_PASS]    also counts the events with the bare pass of bench/
"""

import collections
import gzip
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from trace_text import KINETO, Number, cut_down, load, microseconds

BIN = os.environ["UPLIFT_BIN"]
SOURCE = pathlib.Path(os.environ["UPLIFT_SOURCE_DIR"])
TINY = load(pathlib.Path(os.environ["UPLIFT_TEST_DATA"]) / "traces" / "tiny_train.json")
REAL = cut_down(load(SOURCE / "examples" / "recordings" / "resnet50-train-224-64-fp32.json.gz"),
                7_000_000)
ORIGINALS = {"tiny": TINY, "real": REAL}
TIMES = 3
PASS = None


def with_python_frames(trace):
    frames = [{"ph": "X", "cat": "python_function", "name": f"run.py({i}): f", "pid": Number(1),
               "tid": Number(1), "ts": trace["traceEvents"][0]["ts"], "dur": Number(1),
               "args": {"Python parent id": Number(i), "Python id": Number(i + 1)}} for i in range(3)]
    return {**trace, "traceEvents": trace["traceEvents"] + frames}


class MadeTraces(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)

    def make(self, trace, *options, name="made.json"):
        text = KINETO.trace(trace)
        (self.path / "original.json").write_bytes(text)
        result = subprocess.run(
            [sys.executable, SOURCE / "bench" / "make_trace.py", self.path / "original.json",
             self.path / name, "--bytes", str(len(text) * TIMES), *options],
            capture_output=True, text=True, timeout=60)
        self.assertEqual(0, result.returncode, result.stderr)
        self.assertIn(f"{TIMES} × {len(trace['traceEvents']):,} events", result.stderr)
        return load(self.path / name)

    def test_the_rest_of_the_file_is_that_of_the_original(self):
        for name, trace in ORIGINALS.items():
            with self.subTest(name):
                made = self.make(trace)
                self.assertEqual(list(trace), list(made))
                self.assertEqual({**trace, "traceEvents": 0}, {**made, "traceEvents": 0})

    def test_events_are_repeated_later_and_otherwise_the_same(self):
        ids = re.compile(r'("(?:ts|id|External id|correlation|Sequence number)": |ProfilerStep#)[\d.]+')
        for name, trace in ORIGINALS.items():
            events = trace["traceEvents"]
            made = self.make(trace)["traceEvents"]
            self.assertEqual(TIMES * len(events), len(made))
            timed = [(microseconds(e["ts"]), microseconds(e["dur"])) for e in events
                     if e["ph"] == "X" and e["cat"] != "Trace"]
            span = max(start + length for start, length in timed) - min(start for start, _ in timed)
            for k in range(TIMES):
                part = made[k * len(events):(k + 1) * len(events)]
                shifts = {microseconds(b["ts"]) - microseconds(a["ts"]) for a, b in zip(events, part)}
                with self.subTest(name, repetition=k):
                    self.assertEqual(1, len(shifts))
                    self.assertGreaterEqual(shifts.pop(), k * span)
                    for a, b in zip(events, part):
                        self.assertEqual(ids.sub(r"\1", KINETO.value(a)), ids.sub(r"\1", KINETO.value(b)))

    def test_ids_are_used_once_in_each_repetition(self):
        def uses(events, key):
            return collections.Counter(
                (e["ph"], e.get("cat"), value) for e in events
                if (value := {**e, **e.get("args", {})}.get(key)) is not None)
        for name, trace in ORIGINALS.items():
            trace = with_python_frames(trace)
            made = self.make(trace)
            for key in ("correlation", "External id", "id", "Sequence number", "Python id",
                        "Python parent id"):
                with self.subTest(name, key=key):
                    once, often = uses(trace["traceEvents"], key), uses(made["traceEvents"], key)
                    self.assertEqual(TIMES * len(once), len(often))
                    self.assertEqual(sorted(TIMES * list(once.values())), sorted(often.values()))
            steps = [e["name"] for e in made["traceEvents"]
                     if e["name"].startswith("ProfilerStep#") and e["cat"] == "user_annotation"]
            self.assertEqual(2 * TIMES, len(set(steps)))

    def test_a_frame_stays_under_its_parent(self):
        made = self.make(with_python_frames(TINY))["traceEvents"]
        frames = [e["args"] for e in made if e["cat"] == "python_function"]
        self.assertEqual(3 * TIMES, len(frames))
        for args in frames:
            self.assertEqual(int(args["Python id"]), int(args["Python parent id"]) + 1)

    def test_grouped_and_packed_hold_the_same_events(self):
        for name, trace in ORIGINALS.items():
            with self.subTest(name):
                repeated = self.make(trace)["traceEvents"]
                packed = self.make(trace, name="made.json.gz")
                self.assertEqual(b"\x1f\x8b", (self.path / "made.json.gz").read_bytes()[:2])
                self.assertEqual(repeated, packed["traceEvents"])
                grouped = self.make(trace, "--order", "grouped")["traceEvents"]
                self.assertEqual(*(sorted(map(KINETO.value, e)) for e in (repeated, grouped)))
                kinds = [e.get("cat") for e in grouped]
                self.assertLess(max(i for i, kind in enumerate(kinds) if kind == "cpu_op"),
                                min(i for i, kind in enumerate(kinds) if kind == "cuda_runtime"))
                self.assertLess(max(i for i, kind in enumerate(kinds) if kind == "cuda_runtime"),
                                kinds.index("kernel"))

    def advise(self, file):
        result = subprocess.run([BIN, "advise", self.path / file, "--to", "b200-sxm", "--format", "json"],
                                capture_output=True, text=True, timeout=60)
        self.assertEqual(0, result.returncode, result.stderr)
        answer = json.loads(result.stdout)
        return answer["workload"], answer["source"]

    def test_uplift_sees_the_same_steps_more_often(self):
        for name, trace in ORIGINALS.items():
            for order in ("repeated", "grouped"):
                self.make(trace, "--order", order)
                workload, source = self.advise("original.json")
                longer, long_source = self.advise("made.json")
                with self.subTest(name, order=order):
                    self.assertEqual(2, workload["steps"])
                    for key in ("steps", "kernel_launches"):
                        self.assertEqual(TIMES * workload[key], longer[key])
                    self.assertEqual(workload["distinct_kernels"], longer["distinct_kernels"])
                    # Per step, so that k times as many steps were busy k times as long.
                    self.assertAlmostEqual(1, (long_source["gpu_busy_share"] * long_source["step_seconds"])
                                           / (source["gpu_busy_share"] * source["step_seconds"]), 9)
                    for key, seconds in source["seconds_by_class"].items():
                        self.assertAlmostEqual(seconds, long_source["seconds_by_class"][key], 12)

    def test_the_bare_pass_sees_every_event_and_member(self):
        if PASS is None:
            self.skipTest("simdjson_pass is not built (UPLIFT_BUILD_BENCH)")
        for name, trace in {**ORIGINALS, "one": {"traceEvents": TINY["traceEvents"][:1]}}.items():
            (self.path / "trace.json").write_bytes(kineto_lines(trace))
            with self.subTest(name):
                result = subprocess.run([PASS, self.path / "trace.json"], capture_output=True, text=True,
                                        timeout=60)
                self.assertEqual(0, result.returncode, result.stderr)
                events = trace["traceEvents"]
                members = sum(map(len, events))
                self.assertRegex(result.stdout, rf"\A{len(events)} events, {members} members, ")


def kineto_lines(trace):
    """With the line ends that the bare pass relies on."""
    events = ",\n  ".join(KINETO.value(event)[:-1] + "\n  }" for event in trace["traceEvents"])
    head = "".join(f"{KINETO.value(key)}: {KINETO.value(value)},\n  " for key, value in trace.items()
                   if key != "traceEvents")
    return f'{{\n  {head}"traceEvents": [\n  {events}\n  ],\n  "traceName": "x"\n}}'.encode()


if __name__ == "__main__":
    if len(sys.argv) > 1 and os.path.isfile(sys.argv[1]):
        PASS = os.path.abspath(sys.argv.pop(1))
    sys.exit(unittest.main(verbosity=1))
