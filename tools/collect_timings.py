#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Collects public per-operation timings into one table for tools/transfer_error.

usage: collect_timings.py DATA_FOLDER > timings.csv

DATA_FOLDER holds `neusight/ops/*.csv.gz` (FP32 operations on five cards, from sitar-lab/NeuSight,
MIT) and `llm_ops/*.csv.gz` (BF16 GEMM and attention on three cards, from ai-dynamo/aiconfigurator,
Apache-2.0), with the columns that the README files beside them describe. Output columns:
gpu,kind,math,shape,seconds. One row is one operation on one card; rows of the same kind, math and
shape can be paired across cards.

Left out by rule: NeuSight operations under 0.2 ms on any card (their times include 0.03 ms of launch
on the host), GEMM and attention under 20 us, FP8 rows (two of the three cards lack the format), and
attention rows with an FP8 cache. At most ROWS_PER_KIND shapes of a kind, chosen by a hash of the
shape, so that the choice does not depend on any time.
"""
import csv
import gzip
import hashlib
import os
import sys

ROWS_PER_KIND = 1500
NEUSIGHT_CARDS = {
    "P4": "p4",
    "P100": "p100-pcie-16gb",
    "T4": "t4",
    "V100": "v100-pcie-32gb",
    "A100-40": "a100-pcie-40gb",
}
LLM_CARDS = ["a100-sxm4-80gb", "h100-sxm5-80gb", "l40s"]
TWO_INPUTS = {"add", "mul", "pow", "div"}


def rows(path):
    with gzip.open(path, "rt", newline="") as file:
        reader = csv.reader(file)
        header = next(reader)
        # The convolution table names two columns `kernel`: the first is the filter's size.
        header = [n if header.index(n) == i else n + "_name" for i, n in enumerate(header)]
        for fields in reader:
            yield dict(zip(header, fields))


def neusight_shape(op, row):
    """(kind, shape text) of one row, or None."""
    number = {key: int(row[key]) for key in row if key in ("B", "M", "N", "K", "H") and row[key]}
    if op == "linear":
        return "gemm", f"b=1;m={number['B'] * number['M']};n={number['K']};k={number['N']}"
    if op == "bmm":
        return "gemm", f"b={number['B']};m={number['M']};n={number['K']};k={number['N']}"
    if op == "conv":
        return "conv2d", (f"n={row['B']};c={row['in_c']};h={row['in_size']};w={row['in_size']};"
                          f"k={row['out_c']};r={row['kernel']};s={row['kernel']};"
                          f"stride={row['stride']};pad={row['pad']}")
    count = number["B"] * number["H"]
    if op in ("softmax", "layernorm"):
        return op, f"rows={number['B']};cols={number['H']}"
    return "elementwise", f"n={count};inputs={2 if row['op'] in TWO_INPUTS else 1};outputs=1"


def collect_neusight(folder):
    for op in ("linear", "bmm", "conv", "elementwise", "softmax", "layernorm"):
        for row in rows(os.path.join(folder, "neusight", "ops", op + ".csv.gz")):
            if row.get("op") in ("pow", "powu"):
                continue  # arithmetic-bound on some cards, unlike the rest of its kind
            seconds = float(row["latency_ms"]) * 1e-3
            kind, shape = neusight_shape(op, row)
            yield NEUSIGHT_CARDS[row["gpu"]], op, kind, "fp32", shape, seconds, 0.2e-3


def collect_llm(folder):
    for card in LLM_CARDS:
        base = os.path.join(folder, "llm_ops", card)
        for row in rows(base + ".gemm.sglang-0.5.10.csv.gz"):
            if row["gemm_dtype"] == "bfloat16":
                shape = f"b=1;m={row['m']};n={row['n']};k={row['k']}"
                yield card, "gemm-bf16", "gemm", "bf16", shape, float(row["latency_ms"]) * 1e-3, 20e-6
        path = base + ".context_attention.sglang-0.5.10.csv.gz"
        if not os.path.exists(path):
            continue
        for row in rows(path):
            if row["attn_dtype"] != "bfloat16" or row["kv_cache_dtype"] != "bfloat16":
                continue
            shape = (f"b={row['batch_size']};q_heads={row['num_heads']};"
                     f"kv_heads={row['num_key_value_heads']};q_len={row['isl']};kv_len={row['isl']};"
                     f"d={row['head_dim']};causal=1")
            yield card, "prefill", "attention", "bf16", shape, float(row["latency_ms"]) * 1e-3, 20e-6


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    groups = {}
    too_short = set()
    for source in (collect_neusight, collect_llm):
        for card, group, kind, math, shape, seconds, shortest in source(sys.argv[1]):
            if seconds < shortest:
                too_short.add((group, shape))
            groups.setdefault(group, {}).setdefault(shape, []).append((card, kind, math, seconds))
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["gpu", "kind", "math", "shape", "seconds"])
    for group, shapes in groups.items():
        usable = [s for s in shapes if (group, s) not in too_short and len(shapes[s]) > 1]
        usable.sort(key=lambda s: hashlib.sha256(s.encode()).hexdigest())
        for shape in usable[:ROWS_PER_KIND]:
            for card, kind, math, seconds in shapes[shape]:
                writer.writerow([card, kind, math, shape, f"{seconds:.9g}"])


if __name__ == "__main__":
    main()
