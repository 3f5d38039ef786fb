#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Validates what uplift prints, the examples and the GPU files against docs/schema. Exit code 77
(skipped) without python3-jsonschema."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    print("skipped: python3-jsonschema is not installed")
    sys.exit(77)
try:
    import tomllib
except ImportError:
    tomllib = None  # before Python 3.11

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SCHEMAS = ROOT / "docs" / "schema"

# schema, arguments of uplift
TINY = str(ROOT / "tests" / "data" / "traces" / "tiny_train.json")
OPS = str(ROOT / "tests" / "data" / "op_tables" / "every_kind.csv")
TIMINGS = str(ROOT / "tests" / "data" / "op_tables" / "made_timings.csv")
ANSWERS = [
    ("advise", ["advise", TINY, "--to", "t4,a100-sxm4-80gb,b200-sxm,p4"]),
    ("advise", ["advise", TINY, "--to", "l40s", "--basis", "datasheet"]),
    ("inspect", ["inspect", TINY]),
    ("inspect", ["inspect", str(ROOT / "tests" / "data" / "traces" / "unnamed.json")]),
    ("predict", ["predict", OPS, "--from", "a100-sxm4-80gb", "--to", "h100-sxm5-80gb"]),
    ("predict", ["predict", OPS, "--to", "b200-sxm", "--basis", "datasheet"]),
    ("validate", ["validate"]),
    ("validate", ["validate", TIMINGS]),
    ("gpus", ["gpus"]),
    ("gpus", ["gpus", "v100-sxm3-32gb"]),
    ("compare", ["compare", "h100-sxm5-80gb", "b200-sxm"]),
    ("compare", ["compare", "v100-sxm3-32gb", "a100-sxm4-80gb", "l40s"]),
]


def refuse_constant(text):
    raise ValueError(f"{text} in JSON")


def uplift(arguments):
    with tempfile.TemporaryDirectory() as home:
        run = subprocess.run([os.environ["UPLIFT_BIN"], *arguments, "--format", "json"], check=True, capture_output=True,
                             env={"PATH": os.environ["PATH"], "HOME": home})
    return json.loads(run.stdout, parse_constant=refuse_constant)


def main():
    validators = {}
    for path in SCHEMAS.glob("*.schema.json"):
        schema = json.loads(path.read_text(encoding="utf-8"))
        validator = jsonschema.validators.validator_for(schema)
        validator.check_schema(schema)
        validators[path.name.split(".")[0]] = validator(schema)
    documents = [(name, " ".join(arguments), uplift(arguments)) for name, arguments in ANSWERS]
    for name in validators:
        example = SCHEMAS / "examples" / f"{name}.json"
        if example.exists():
            documents.append((name, example.name, json.loads(example.read_text(encoding="utf-8"))))
    if tomllib:
        for path in sorted((ROOT / "data" / "gpus").glob("*.toml")) + [SCHEMAS / "examples" / "gpu_file.toml"]:
            documents.append(("gpu_file", path.name, tomllib.loads(path.read_text(encoding="utf-8"))))
    wrong = 0
    for name, what, document in documents:
        for error in validators[name].iter_errors(document):
            wrong += 1
            print(f"{what}: {'/'.join(map(str, error.absolute_path))}: {error.message[:200]}")
    print(f"{len(documents)} documents, {wrong} errors")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
