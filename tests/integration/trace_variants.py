#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A recording written in another way is the same recording: `uplift advise` says the same of it.

Each variant is a trace that means what the original means: other white space, order, time base,
packing, and text that profilers write although JSON forbids it in events that do not bear on the
answer. The whole JSON answer must be equal but for its warnings, none of which may call the file cut.
Named on the command line, only these variants are tried.
"""

import concurrent.futures
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from trace_cases import VARIANTS, each
from trace_text import KINETO, Raw, cut_down, load

BIN = os.environ["UPLIFT_BIN"]
TINY = load(pathlib.Path(os.environ["UPLIFT_TEST_DATA"]) / "traces" / "tiny_train.json")
REAL = load(pathlib.Path(os.environ["UPLIFT_SOURCE_DIR"]) / "examples" / "recordings"
            / "resnet50-train-224-64-fp32.json.gz")
BASES = {"tiny": TINY, "cut down": cut_down(REAL, 7_000_000), "whole": REAL}


def advise(path, *options):
    result = subprocess.run(
        [BIN, "advise", str(path), "--to", "b200-sxm,t4", "--format", "json", "--quiet", *options],
        capture_output=True, text=True, timeout=60)
    if result.returncode != 0:
        return result.stderr.strip() or f"exit code {result.returncode}"
    answer = json.loads(result.stdout)
    for key in ("rank", "world_size"):  # one variant adds them
        answer["workload"].pop(key)
    for warning in answer["workload"].pop("warnings"):
        if re.search("breaks off|cut off", warning):  # every variant is whole
            return f"a wrong warning: {warning}"
    return answer


def difference(a, b, path=""):
    """Where two answers differ first, or nothing. Sums may run in another order."""
    if isinstance(a, float) and isinstance(b, float):
        return None if math.isclose(a, b, rel_tol=1e-9) else f"{path}: {a} is not {b}"
    if not path and isinstance(b, str):
        return b
    if isinstance(a, dict) and list(a) == list(b):
        parts = ((key, a[key], b[key]) for key in a)
    elif isinstance(a, list) and len(a) == len(b):
        parts = ((i, x, y) for i, (x, y) in enumerate(zip(a, b)))
    else:
        return None if a == b else f"{path}: {str(a)[:300]} is not {str(b)[:300]}"
    return next(filter(None, (difference(x, y, f"{path}.{key}") for key, x, y in parts)), None)


class Variants(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)

    def answer(self, name, content, *options):
        (self.path / name).write_bytes(content)
        return advise(self.path / name, *options)

    def test_every_variant_gives_the_answer_of_the_original(self):
        wanted = set(ONLY)
        originals = {base: self.answer(f"{base}.json", KINETO.trace(trace))
                     for base, trace in BASES.items()}
        for base, (launches, steps) in {"tiny": (10, 2), "cut down": (215, 2), "whole": (1338, 2)}.items():
            self.assertEqual(launches, originals[base]["workload"]["kernel_launches"])
            self.assertEqual(steps, originals[base]["workload"]["steps"])

        def tried(case):
            name, function, base = case
            made = function(BASES[base])
            if isinstance(made, bytes):
                return difference(originals[base], self.answer(f"{base} {name}", made))
            made, original = made
            card = originals[base]["source"]["gpu"]
            return difference(self.answer(f"{base} {name} original", original, "--from", card),
                              self.answer(f"{base} {name}", made, "--from", card))

        cases = [(name, function, base) for name, function, bases in VARIANTS for base in bases
                 if not wanted or name in wanted]
        self.assertTrue(cases)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for (name, _, base), found in zip(cases, pool.map(tried, cases)):
                with self.subTest(variant=name, of=base):
                    self.assertIsNone(found)

    def test_names_of_kernels_come_out_as_they_are(self):
        """Every kernel's name gets an end that needs escapes; the rest of the answer stays."""
        ends = {' "q"': r" \"q\"", r" C:\dir" + "\\": r" C:\\dir\\", ' \\"': r" \\\"",
                " </a>": r" \u003c\/a\u003e", ' {"[': r" {\"["}
        for base in ("tiny", "cut down"):
            original = self.answer("original", KINETO.trace(BASES[base]))
            for end, written in ends.items():
                def change(event, written=written):
                    if event.get("cat") == "kernel":
                        event["name"] = Raw(json.dumps(event["name"])[1:-1] + written)
                    return event
                with self.subTest(of=base, end=end):
                    answer = self.answer("escaped", KINETO.trace(each(BASES[base], change)))
                    self.assertIsInstance(answer, dict, answer)
                    for target in answer["targets"]:
                        for kernel in target["kernels"]:
                            self.assertTrue(kernel["name"].endswith(end), kernel["name"])
                            kernel["name"] = kernel["name"][:-len(end)]
                    self.assertIsNone(difference(original, answer))


ONLY = []

if __name__ == "__main__":
    known = {name for name, *_ in VARIANTS}
    ONLY = [argument for argument in sys.argv[1:] if argument in known]
    sys.exit(unittest.main(argv=[a for a in sys.argv if a not in known], verbosity=1))
