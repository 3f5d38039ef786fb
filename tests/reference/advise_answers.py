#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `uplift advise` must say of recordings whose story is known: a job that waits for its host,
and H200 recordings whose step times were measured without the profiler."""

import json
import os
import pathlib
import subprocess
import sys
import unittest

from shared_data import shared

TRACES = shared("traces")
BIN = os.environ["UPLIFT_BIN"]
SCHEMA = pathlib.Path(os.environ["UPLIFT_SOURCE_DIR"]) / "docs" / "schema" / "advise.schema.json"


def advise(path, to):
    result = subprocess.run([BIN, "advise", str(path), "--to", to, "--format", "json", "--quiet"],
                            capture_output=True, text=True, timeout=120)
    if result.returncode != 0:
        raise AssertionError(result.stderr)
    return json.loads(result.stdout)


class Stories(unittest.TestCase):
    def test_a_job_that_waits_for_its_host_is_told_to_stay(self):
        answer = advise(TRACES / "hta_nccl_parser_config__nccl_data.json.gz", "h100-sxm5-80gb,b200-sxm")
        self.assertGreater(answer["source"]["unchangeable_share"], 0.5)
        for target in answer["targets"]:
            self.assertEqual("hold", target["verdict"]["decision"])
            self.assertTrue(any("host" in reason for reason in target["verdict"]["reasons"]))
            self.assertLess(target["speedup"]["predicted"], 1.3)

    def test_steps_are_as_long_as_measured_where_the_gpu_is_the_limit(self):
        measured = json.loads((TRACES / "h200" / "measured.json").read_text())
        for file, milliseconds in self.gpu_bound(measured):
            with self.subTest(file):
                source = advise(TRACES / "h200" / file, "h100-sxm5-80gb")["source"]
                self.assertEqual("h200-sxm-141gb", source["gpu"])
                ratio = source["step_seconds"] * 1e3 / milliseconds
                print(f"{file}: {source['step_seconds'] * 1e3:.2f} ms, measured {milliseconds} ms")
                self.assertLess(abs(ratio - 1), 0.3)

    @staticmethod
    def gpu_bound(measured):
        """(file, measured ms); the other recordings are bound by the host, which a profiler slows."""
        def row(**wanted):
            return next(r["median_ms"] for r in measured["rows"]
                        if all(r[key] == value for key, value in wanted.items()))
        yield "resnet50-train-224-64-fp32.json.gz", row(model="resnet50", prec="fp32", batch=64)
        yield "gpt2_large-inf-1024-8-fp32.json.gz", row(model="gpt2_large", prec="fp32", batch=8)
        for name in ("llama1b-prefill-4x2048-bf16", "unet3d_like-train-2-tf32"):
            yield f"{name}.json.gz", measured["more_step_ms"][name]["step_ms"]

    def test_answers_are_valid(self):
        try:
            import jsonschema
        except ImportError:
            self.skipTest("python3-jsonschema is not installed")
        validator = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text()))
        for pattern in ("kineto_v100*", "hta_n*", "tracelens_h100*", "h200/resnet50-train*"):
            for file in sorted(TRACES.glob(pattern)):
                with self.subTest(file.name):
                    errors = list(validator.iter_errors(advise(file, "v100-sxm2-32gb,b200-sxm")))
                    self.assertEqual([], [f"{e.json_path}: {e.message[:200]}" for e in errors[:5]])


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=2))
