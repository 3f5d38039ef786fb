#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An independent count of every reference trace, against what `uplift advise` says of it.

The count uses Python's json and nothing of uplift: launches, complete steps, how long a step keeps
the device busy, and the sum of kernel times. It follows the definitions of docs/method.md: work
belongs to the step in which the host asked for it, and the busiest device is told. Every file of the
folder is in the list here with what must come of it, and one that is not makes the test fail.
"""

import gzip
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
from bisect import bisect_right
from collections import Counter, defaultdict
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
    total, end = Decimal(0), None
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
        self.launches_of = Counter(device for kind, device, *_ in work if kind == "kernel")
        self.launches = self.launches_of.total()
        busy = defaultdict(Decimal)
        for kind, device, start, end, _ in work:
            if kind == "kernel":
                busy[device] += end - start
        if not busy:
            return
        self.device = max(busy, key=busy.get)
        work = [w for w in work if w[1] == self.device]
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


# Kernel launches on all devices, or why there is no answer.
AMD = "uplift reads NVIDIA recordings only"
CPU_ONLY = r"no GPU kernels among \d+ events: CPU work only"
COUNTERS = "performance counters .*but no kernel times"
NO_TRACE = "is not a profiler trace"
EXPECTED = {
    "kineto_v100dgxs_resnet50_num_workers_0__worker0.1623143566756.pt.trace.json.gz": 8772,
    "kineto_v100dgxs_resnet50_num_workers_4__worker0.1623212756351.pt.trace.json.gz": 8868,
    "hta_ns_resolution_trace__rank-0.Apr_03_18_51_38.1102.pt.trace.json.gz": 4350,
    "hta_nccl_parser_config__nccl_data.json.gz": 2700,
    "hta_critical_path__alexnet__benchmark_result_2869224_1695835535_trace.json.gz": 79,
    "hta_critical_path__cuda_event_sync_multi_stream__event_sync_trace.json.gz": 3,
    "hta_cupti_profiler__benchmark_result_924719_1679055439_trace.json.gz": COUNTERS,
    "hta_df_index_resolver__df_index_resolver.json.gz": 19370,
    "hta_amd_trace__mi250_minitoy_train_ROCm6_2_kineto.json.gz": AMD,
    "hta_cpu_only__rank-34.Jul_15_10_52_41.1074.pt.trace.json.gz": CPU_ONLY,
    "hta_triton_example__triton_example.json.gz": 1,
    "param_resnet_kineto.json.gz": 9628,
    "tracelens_h100__Qwen_Qwen1.5-0.5B-Chat__1016005.json.gz": 1465,
    "tracelens_h100__Falconsai_nsfw_image_detection__1016002.json.gz": 154,
    "tracelens_h100__facebook_timesformer-base-finetuned-k400__1016002.json.gz": 446,
    "tracelens_mi300__Qwen_Qwen1.5-0.5B-Chat__1016005.json.gz": AMD,
    "tracelens_torch_compile_triton__trace.json.gz": AMD,
    "tracelens_mi210__gpu_only_trace__gpu_only_trace.json.gz": AMD,
    "h200/bert_large-train-512-8-bf16.json.gz": 5086,
    "h200/dlrm_like-train-8192-fp32.json.gz": 1941,
    "h200/gpt2_large-inf-1024-8-fp32.json.gz": 1848,
    "h200/llama1b-prefill-4x2048-bf16.json.gz": 1911,
    "h200/resnet50-infer-8-fp16-graph.json.gz": 846,
    "h200/resnet50-infer-8-fp16.json.gz": 846,
    "h200/resnet50-pipeline-128-blocking.json.gz": 1948,
    "h200/resnet50-pipeline-128-overlap.json.gz": 1948,
    "h200/resnet50-train-224-64-fp32.json.gz": 1338,
    "h200/unet3d_like-train-2-tf32.json.gz": 720,
    "h200/vit_b16-train-64-bf16.json.gz": 2850,
    "nsys_cudatutorial_report1.sqlite": NO_TRACE,
    "nsys_gemm_profile.sqlite": NO_TRACE,
    "nsys_sc23_programming-your-gp_report3.sqlite": NO_TRACE,
}


def readme_rows():
    """file and kernels of each row of the table in the data's own README."""
    for line in (TRACES / "README.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) > 5 and cells[0].endswith(".json.gz"):
            yield cells[0], int(cells[5])


def advise(path):
    return subprocess.run([BIN, "advise", str(path), "--to", "h100-sxm5-80gb", "--format", "json"],
                          capture_output=True, text=True, timeout=120)


class Reference(unittest.TestCase):
    def test_every_file_of_the_folder_is_known_here(self):
        self.assertEqual([], [name for name in EXPECTED if not (TRACES / name).is_file()])
        files = {str(path.relative_to(TRACES)) for path in TRACES.rglob("*") if path.is_file()}
        notes = {"README.md", "h200/README.md", "h200/measured.json"}
        self.assertEqual([], sorted(files - notes - set(EXPECTED)))

    def test_launches_are_those_of_the_table(self):
        """The table counts what AMD recordings hold too."""
        rows = dict(readme_rows())
        self.assertGreaterEqual(len(rows), 18)
        for name, kernels in rows.items():
            with self.subTest(name):
                expected = EXPECTED[name]
                if isinstance(expected, int):
                    self.assertEqual(kernels, expected)
                else:
                    self.assertEqual(expected == AMD, kernels > 0)

    def test_an_answer_counts_as_python_counts(self):
        for name, launches in EXPECTED.items():
            if not isinstance(launches, int):
                continue
            with self.subTest(name):
                count = Count(TRACES / name)
                self.assertEqual(launches, count.launches)
                self.check_answer(count, TRACES / name)

    def check_answer(self, count, path):
        result = advise(path)
        self.assertEqual(0, result.returncode, result.stderr)
        answer = json.loads(result.stdout)
        workload, source = answer["workload"], answer["source"]
        self.assertEqual(count.launches, workload["kernel_launches"])
        self.assertEqual(count.steps, workload["steps"])
        self.assertAlmostEqual(
            1, source["gpu_busy_share"] * source["step_seconds"] / count.busy, delta=1e-6)
        self.assertAlmostEqual(
            1, sum(source["seconds_by_class"].values()) / count.kernel_seconds, delta=1e-6)
        return workload

    def test_a_refusal_is_one_line_that_says_why(self):
        for name, why in EXPECTED.items():
            if isinstance(why, int):
                continue
            with self.subTest(name):
                result = advise(TRACES / name)
                self.assertEqual((1, ""), (result.returncode, result.stdout))
                self.assertRegex(result.stderr, r"\Auplift: [^\n]+\n\Z")
                self.assertIn(pathlib.PurePath(name).name, result.stderr)
                self.assertRegex(result.stderr, why)

    def test_two_gpus_count_together_and_the_busier_one_is_told(self):
        """No recording here holds kernels of two GPUs (this one is of the second of two): a third of
        its work is given to the first."""
        with gzip.open(TRACES / "hta_df_index_resolver__df_index_resolver.json.gz") as file:
            trace = json.load(file)
        work = [event for event in trace["traceEvents"] if event.get("cat") in KINDS]
        self.assertEqual({1}, {event["args"]["device"] for event in work})
        for event in work[::3]:
            event["pid"] = event["args"]["device"] = 0
        with tempfile.TemporaryDirectory() as folder:
            two = pathlib.Path(folder) / "two.json.gz"
            with gzip.open(two, "wt", compresslevel=1) as file:
                json.dump(trace, file)
            count = Count(two)
            self.assertEqual({0, 1}, set(count.launches_of))
            workload = self.check_answer(count, two)
        told = [w for w in workload["warnings"] if w.startswith("2 GPUs have kernels")]
        self.assertEqual(1, len(told), workload["warnings"])
        self.assertIn(f"GPU {count.device}", told[0])


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=2))
