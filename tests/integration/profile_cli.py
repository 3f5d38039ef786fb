#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`--profile` of `predict`, `advise` and `inspect` from outside.

Runs the real binary, which UPLIFT_BIN names.
"""

import csv
import io
import json
import math
import os
import pathlib
import shutil
import unittest

from cli_case import CliCase, run_command

ROOT = pathlib.Path(os.environ["UPLIFT_SOURCE_DIR"])
PROFILE = ROOT / "docs" / "schema" / "examples" / "profile.json"
TINY = pathlib.Path(os.environ["UPLIFT_TEST_DATA"]) / "traces" / "tiny_train.json"
CARD = "h200-sxm-141gb"


class Profiles(CliCase):
    def setUp(self):
        super().setUp()
        self.profile = json.loads(PROFILE.read_text())
        self.table = self.path / "ops.csv"
        with self.table.open("w") as table:
            table.write("name,kind,math,shape\n")
            for call in self.profile["calibration"]:
                table.write(f"{call['seconds']},{call['kind']},{call['math']},{call['shape']}\n")

    def write(self, profile, name="p.json"):
        path = self.path / name
        path.write_text(json.dumps(profile))
        return path

    def answer(self, *args, warnings=()):
        result = run_command(*args)
        self.assertEqual(0, result.returncode, result.stderr)
        lines = result.stderr.splitlines()
        self.assertEqual(len(warnings), len(lines), result.stderr)
        for warning, line in zip(warnings, lines):
            self.assertRegex(line, warning)
        return result.stdout

    def misses(self, *args, **options):
        """Mean |ln predicted / measured| and mean ln high / low over the timed operations."""
        text = self.answer("predict", self.table, "--to", CARD, *args, **options)
        rows = list(csv.DictReader(io.StringIO(text)))
        miss = sum(abs(math.log(float(row["target_seconds"]) / float(row["name"]))) for row in rows)
        width = sum(math.log(float(row["high_seconds"]) / float(row["low_seconds"])) for row in rows)
        return miss / len(rows), width / len(rows)

    def test_predict_comes_nearer_and_is_surer(self):
        miss, width = self.misses("--profile", PROFILE)
        plain_miss, plain_width = self.misses()
        self.assertLess(miss, 0.5 * plain_miss)
        self.assertLess(width, plain_width)

    def test_a_basis_without_profiles(self):
        for basis in ("published", "datasheet"):
            warning = (f"--profile is not used with --basis {basis}",)
            self.assertEqual(self.misses("--basis", basis),
                             self.misses("--basis", basis, "--profile", PROFILE, warnings=warning))

    def test_the_answer_names_the_basis(self):
        answer = json.loads(self.answer("predict", self.table, "--to", CARD, "--profile", PROFILE, "--format", "json"))
        self.assertEqual("measured", answer["target"]["basis"])
        answer = json.loads(self.answer("advise", TINY, "--to", f"{CARD},t4", "--from", "a100-sxm4-80gb", "--profile",
                                        PROFILE, "--format", "json", "--quiet"))
        self.assertEqual("published", answer["source"]["basis"])
        self.assertEqual(["measured", "published"], [target["basis"] for target in answer["targets"]])
        for target in answer["targets"]:
            product = target["unattributed"] * math.prod(d["factor"] or 1 for d in target["dimensions"])
            self.assertAlmostEqual(1, product / target["speedup"]["predicted"], places=6)
        answer = json.loads(self.answer("inspect", TINY, "--from", CARD, "--profile", PROFILE, "--format", "json",
                                        "--quiet"))
        self.assertEqual("measured", answer["source"]["basis"])

    def test_advise_says_what_a_profile_would_do_unless_there_is_one(self):
        recording = ROOT / "examples" / "recordings" / "resnet50-train-224-64-fp32.json.gz"
        would = "a profile measured on this card"
        for options, expected in (((), True), (("--profile", self.write(self.l40s())), False)):
            answer = json.loads(self.answer("advise", recording, "--to", "l40s", *options, "--format", "json"))
            self.assertEqual(expected, any(would in note for note in answer["targets"][0]["notes"]))

    def l40s(self):
        """A profile of another card, with a few operations of the right order."""
        profile = dict(self.profile, device=dict(self.profile["device"], name="NVIDIA L40S", sm_count=142,
                                                 memory_bytes=None, compute_capability="8.9", power_limit_watts=350))
        profile["dimensions"] = {"memory": [dict(self.profile["dimensions"]["memory"][0], value=7.2e11)]}
        return profile

    def test_a_folder(self):
        shutil.copy(PROFILE, self.path / "one.json")
        shutil.copy(PROFILE, self.path / "two.json")
        self.assertEqual(self.misses("--profile", PROFILE), self.misses("--profile", self.path))
        self.assertEqual(self.misses("--profile", PROFILE), self.misses("--profile", PROFILE, "--profile", self.path))

    def test_a_card_that_has_no_part(self):
        other = self.write(self.l40s())
        self.misses("--profile", other, warnings=("p.json: is of l40s, which has no part in this answer",))
        self.answer("advise", TINY, "--to", "t4", "--from", "l40s", "--profile", PROFILE, "--brief",
                    warnings=("recording names", f"is of {CARD}, which has no part"))

    def test_bad_profiles(self):
        unlike = dict(self.profile, device=dict(self.profile["device"], sm_count=16))
        useless = dict(self.profile, dimensions={}, calibration=[])
        negative = dict(self.profile, calibration=[dict(self.profile["calibration"][0], seconds=-1)])
        for profile, *patterns in ((dict(self.profile, schema="uplift.profile/2"), "p.json:/schema: .*newer"),
                                   (dict(self.profile, schema="uplift.advise/1"), "not a profile"),
                                   (negative, "p.json:/calibration/0/seconds: is -1"), ([], "p.json: is not a profile"),
                                   (useless, "p.json: holds no figure")):
            path = self.write(profile)
            self.assert_fails(run_command("predict", self.table, "--to", CARD, "--profile", path), 1, *patterns)
            self.assert_fails(run_command("advise", TINY, "--to", CARD, "--profile", path), 1, *patterns)
            self.assert_fails(run_command("inspect", TINY, "--profile", path), 1, *patterns)
        self.assert_fails(run_command("predict", self.table, "--to", CARD, "--profile", self.path / "none"), 1, "none")
        self.assertNotEqual("", run_command("predict", self.table, "--to", CARD, "--profile",
                                            self.write(unlike)).stderr)

    def test_the_answer_does_not_take_the_place_of_a_profile(self):
        path = self.write(self.profile)
        self.assert_fails(run_command("predict", self.table, "--to", CARD, "--profile", path, "-o", path), 2, "input")
        self.assert_fails(run_command("advise", TINY, "--to", CARD, "--profile", path, "-o", path), 2, "input")


if __name__ == "__main__":
    unittest.main()
