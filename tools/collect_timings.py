#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Collects public timings of single operations into one table for tools/calibrate and
`uplift validate`.

usage: collect_timings.py DATA_FOLDER [TABLE.csv ...] > timings.csv

DATA_FOLDER holds `neusight/ops/*.csv.gz` (FP32 operations on five cards, sitar-lab/NeuSight, MIT),
`llm_ops/*.csv.gz` (GEMM, attention and collectives on up to three cards, ai-dynamo/aiconfigurator,
Apache-2.0) and `h200_ops/ops.csv.gz` (own timings), with the columns that the README files beside
them describe. Output columns: gpu,kind,math,shape,seconds,timing. One row is one operation on one
card; kind, math and shape are those of an op table. `timing` is `call` where the time includes the
launch of a single eager call, `kernel` where it does not.

Left out by rule: NeuSight rows under 0.1 ms (a third of them and more is launch), llm_ops rows under
20 us, except collectives, and own rows under 40 us (the host was slower than many of them); own rows of
attention, which unlike those of the other cards write no keys and values to a cache, and of softmax over
more than 1024 columns, which PyTorch has run by another kernel since the other cards were timed;
attention with an 8-bit cache; single spikes, which are rows of a GEMM table that take more than 1.8 times as long as both neighbours in m; kinds that an op
table does not have.

Each TABLE.csv has the columns of the output, as bench/time_ops.py writes them. Of its rows those of
kinds that no other collection has are taken, short ones too since no host is in them: the other kinds
were timed with inputs that L2 may still hold, these with inputs from DRAM. For the shipped constants:

    collect_timings.py DATA_FOLDER data/measured/*-ops.csv > timings.csv
"""
import csv
import gzip
import os
import sys

KINDS_OF_NO_OTHER_COLLECTION = {"embedding", "fft", "spmv", "stencil", "memcpy"}
COLUMNS = ["gpu", "kind", "math", "shape", "seconds", "timing"]
NEUSIGHT_CARDS = {
    "P4": "p4",
    "P100": "p100-pcie-16gb",
    "T4": "t4",
    "V100": "v100-pcie-32gb",
    "A100-40": "a100-pcie-40gb",
}
NEUSIGHT_SHORTEST = 1e-4
LLM_CARDS = ["a100-sxm4-80gb", "h100-sxm5-80gb", "l40s"]
SHORTEST = 2e-5
H200_SHORTEST = 4e-5
SPIKE = 1.8
TWO_INPUTS = {"add", "mul", "pow", "div"}
GEMM_MATHS = {"bfloat16": "bf16", "fp8": "fp8"}
COLLECTIVES = {
    "all_reduce": "allreduce",
    "all_gather": "allgather",
    "reduce_scatter": "reducescatter",
    "alltoall": "alltoall",
}
COLLECTIVE_BYTES = {"half": (2, "fp16"), "int8": (1, "int8")}


def rows(path):
    with gzip.open(path, "rt", newline="") as file:
        reader = csv.reader(file)
        header = next(reader)
        # The convolution table names two columns `kernel`: the first is the filter's size.
        header = [n if header.index(n) == i else n + "_name" for i, n in enumerate(header)]
        for fields in reader:
            yield dict(zip(header, fields))


def neusight_shape(op, row):
    """(kind, shape text) of one row."""
    number = {key: int(row[key]) for key in row if key in ("B", "M", "N", "K", "H") and row[key]}
    if op == "linear":
        return "gemm", f"b=1;m={number['B'] * number['M']};n={number['K']};k={number['N']}"
    if op == "bmm":
        return "gemm", f"b={number['B']};m={number['M']};n={number['K']};k={number['N']}"
    if op == "conv":
        return "conv2d", (f"n={row['B']};c={row['in_c']};h={row['in_size']};w={row['in_size']};"
                          f"k={row['out_c']};r={row['kernel']};s={row['kernel']};"
                          f"stride={row['stride']};pad={row['pad']}")
    if op in ("softmax", "layernorm"):
        return op, f"rows={number['B']};cols={number['H']}"
    # A trailing u marks the variant with a scalar: one input.
    name = row["op"]
    base = name[:-1] if name in ("addu", "mulu", "powu", "divu") else name
    inputs = 2 if name in TWO_INPUTS else 1
    return "elementwise", f"n={number['B'] * number['H']};inputs={inputs};outputs=1;op={base}"


def collect_neusight(folder):
    for op in ("linear", "bmm", "conv", "elementwise", "softmax", "layernorm"):
        for row in rows(os.path.join(folder, "neusight", "ops", op + ".csv.gz")):
            seconds = float(row["latency_ms"]) * 1e-3
            if seconds >= NEUSIGHT_SHORTEST:
                kind, shape = neusight_shape(op, row)
                yield NEUSIGHT_CARDS[row["gpu"]], kind, "fp32", shape, seconds, "call"


def without_spikes(table):
    """Rows (dtype, m, n, k, seconds) of a GEMM table but those that stick out of their series in m."""
    series = {}
    for dtype, m, n, k, seconds in table:
        series.setdefault((dtype, n, k), []).append((m, seconds))
    for (dtype, n, k), points in series.items():
        points.sort()
        for i, (m, seconds) in enumerate(points):
            near = [points[j][1] for j in (i - 1, i + 1) if 0 <= j < len(points)]
            if not near or seconds <= SPIKE * max(near):
                yield dtype, m, n, k, seconds


def collect_gemm(card, path):
    table = [(r["gemm_dtype"], int(r["m"]), int(r["n"]), int(r["k"]), float(r["latency_ms"]) * 1e-3)
             for r in rows(path) if r["gemm_dtype"] in GEMM_MATHS]
    for dtype, m, n, k, seconds in without_spikes(table):
        if seconds >= SHORTEST:
            yield card, "gemm", GEMM_MATHS[dtype], f"b=1;m={m};n={n};k={k}", seconds, "kernel"


def collect_attention(card, path, decode):
    for row in rows(path):
        seconds = float(row["latency_ms"]) * 1e-3
        if row["attn_dtype"] != "bfloat16" or row["kv_cache_dtype"] != "bfloat16" or seconds < SHORTEST:
            continue
        length, step = int(row["isl"]), int(row["step"])
        yield card, "attention", "bf16", (
            f"b={row['batch_size']};q_heads={row['num_heads']};kv_heads={row['num_key_value_heads']};"
            f"q_len={1 if decode else length};kv_len={length + step};d={row['head_dim']};"
            "causal=1"), seconds, "kernel"


def collect_collectives(card, path):
    for row in rows(path):
        if row["op_name"] in COLLECTIVES:
            # The column counts elements (README), of a rank's larger buffer.
            size, math = COLLECTIVE_BYTES[row["nccl_dtype"]]
            shape = f"bytes={int(row['message_size']) * size};ranks={row['num_gpus']}"
            yield (card, COLLECTIVES[row["op_name"]], math, shape, float(row["latency_ms"]) * 1e-3,
                   "kernel")


def collect_llm(folder):
    for card in LLM_CARDS:
        base = os.path.join(folder, "llm_ops", card)
        yield from collect_gemm(card, base + ".gemm.sglang-0.5.10.csv.gz")
        prefill = base + ".context_attention.sglang-0.5.10.csv.gz"
        if os.path.exists(prefill):
            yield from collect_attention(card, prefill, decode=False)
            yield from collect_attention(card, base + ".generation_attention.sglang-0.5.10.csv.gz",
                                         decode=True)
            yield from collect_collectives(card, base + ".nccl.nccl-2.27.3.csv.gz")


def has_other_kernel(kind, shape):
    """Whether what ran is another program than on the other cards (see above)."""
    keys = dict(pair.split("=") for pair in shape.split(";"))
    forward = keys.get("pass", "fwd") == "fwd"
    return kind == "attention" or kind == "softmax" and forward and int(keys["cols"]) > 1024


def collect_h200(folder):
    for row in rows(os.path.join(folder, "h200_ops", "ops.csv.gz")):
        seconds = float(row["median_ms"]) * 1e-3
        if seconds >= H200_SHORTEST and not has_other_kernel(row["kind"], row["shape"]):
            yield "h200-sxm-141gb", row["kind"], row["math"], row["shape"], seconds, "kernel"


def collect_table(path):
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            if row["kind"] in KINDS_OF_NO_OTHER_COLLECTION:
                yield (row["gpu"], row["kind"], row["math"], row["shape"], float(row["seconds"]),
                       row["timing"])


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(COLUMNS)
    sources = [collect(sys.argv[1]) for collect in (collect_neusight, collect_llm, collect_h200)]
    for source in sources + [collect_table(path) for path in sys.argv[2:]]:
        for card, kind, math, shape, seconds, timing in source:
            writer.writerow([card, kind, math, shape, f"{seconds:.9g}", timing])


if __name__ == "__main__":
    main()
