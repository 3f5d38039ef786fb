#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the first version of data/gpus/*.toml and data/compute_capabilities.toml.

Reads a folder with devices.csv, measured.csv and precision.csv (boards, published measurements,
formats by compute capability). The TOML files it writes are the source of truth from then on and are
edited by hand; run this again only to compare (`--check`) or to start over.

    tools/import_gpus.py FOLDER [--out data] [--check]

How a published figure is chosen, one tool per quantity (docs/gpu_files.md says why) stands in
tools/gpu_published.py; what is added to or corrected in the tables stands in tools/gpu_extra.py.
"""

import argparse
import csv
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import gpu_extra  # noqa: E402
import gpu_published  # noqa: E402

# devices.csv column -> (field path, unit)
COLUMNS = {
    "sm_count": ("compute.sm_count", "count"),
    "boost_clock_mhz": ("compute.boost_clock", "MHz"),
    "tensor_clock_mhz": ("compute.tensor_clock", "MHz"),
    "fp64_tflops": ("peak.dense.fp64", "TFLOP/s"),
    "fp64_tc_tflops": ("peak.dense.fp64_tc", "TFLOP/s"),
    "fp32_tflops": ("peak.dense.fp32", "TFLOP/s"),
    "tf32_tc_tflops": ("peak.dense.tf32", "TFLOP/s"),
    "bf16_tc_tflops": ("peak.dense.bf16", "TFLOP/s"),
    "fp16_tc_tflops": ("peak.dense.fp16", "TFLOP/s"),
    "fp8_tc_tflops": ("peak.dense.fp8", "TFLOP/s"),
    "int8_tc_tops": ("peak.dense.int8", "TOP/s"),
    "int4_tc_tops": ("peak.dense.int4", "TOP/s"),
    "fp4_tc_tflops": ("peak.other.fp4", "TFLOP/s"),
    "fp16_cuda_tflops": ("peak.other.fp16_cuda", "TFLOP/s"),
    "fp16_tc_fp16acc_tflops": ("peak.other.fp16_fp16acc", "TFLOP/s"),
    "int8_dp4a_tops": ("peak.other.int8_dp4a", "TOP/s"),
    "mem_gb": ("memory.capacity", "GB"),
    "mem_bw_gbs": ("memory.bandwidth", "GB/s"),
    "mem_bus_bits": ("memory.bus_width", "bit"),
    "l2_mb": ("memory.l2", "MiB"),
    "smem_per_sm_kb": ("sm.shared", "KiB"),
    "smem_optin_per_block_kb": ("sm.shared_per_block", "KiB"),
    "max_threads_per_sm": ("sm.threads", "count"),
    "regs_per_sm": ("sm.registers", "count"),
    "max_blocks_per_sm": ("sm.blocks", "count"),
    "nvlink_gen": ("link.nvlink_generation", "count"),
    "nvlink_links": ("link.nvlink_links", "count"),
    "nvlink_total_gbs": ("link.nvlink_bandwidth", "GB/s"),
    "c2c_gbs": ("link.c2c_bandwidth", "GB/s"),
    "pcie_gen": ("link.pcie_generation", "count"),
    "pcie_lanes": ("link.pcie_lanes", "count"),
    "copy_engines": ("link.copy_engines", "count"),
    "tdp_w": ("board.power", "W"),
    "mig_max_instances": ("board.mig_instances", "count"),
}
GUIDE = "CUDA Programming Guide 5.1 Compute Capabilities"


def split_sources(text):
    """Splits at `; ` outside parentheses."""
    return [part.strip() for part in re.split(r";\s+(?![^(]*\))", text) if part.strip()]


def quoted(text):
    return '"' + str(text).replace("\\", "\\\\").replace('"', '\\"') + '"'


def fact(value, unit, source, how, note=""):
    return {"value": value, "unit": unit, "source": source, "how": how, "note": note}


def fact_line(key, entry):
    parts = [f"value = {entry['value']}", f"unit = {quoted(entry['unit'])}",
             f"source = {quoted(entry['source'])}", f"how = {quoted(entry['how'])}"]
    if entry["note"]:
        parts.append(f"note = {quoted(entry['note'])}")
    return f"{key} = {{ {', '.join(parts)} }}"


def source_of(path, sources, read_in):
    """Which document of the row a number comes from, and whether it was read there."""
    for text, fields in read_in:
        if path in fields:
            return gpu_extra.DOCUMENTS.get(text, text), "read"
    if path.startswith("sm."):
        guide = [s for s in sources if s.startswith(GUIDE)]
        if guide:
            return guide[0], "recalled"
    if path == "board.mig_instances":
        guide = [s for s in sources if s.startswith("MIG User Guide")]
        if guide:
            return guide[0], "recalled"
    return sources[0], "recalled"


def board_facts(row, board):
    sources = split_sources(row["sources"])
    facts = {}
    for column, (path, unit) in COLUMNS.items():
        value = row[column].strip()
        if not value:
            continue
        source, how = source_of(path, sources, board["read_in"])
        facts[path] = fact(value, unit, source, how)
    # An empty NVLink column means none: every board that has it is listed.
    facts.setdefault("link.nvlink_links", fact(0, "count", sources[0], "recalled"))
    for word in row["sparse_2to4_types"].lower().split(";"):
        dense = facts.get(f"peak.dense.{word}")
        if dense:
            number = f"{2 * float(dense['value']):g}"
            facts[f"peak.sparse.{word}"] = fact(number, dense["unit"], "twice the dense peak: 2:4 doubles the rate", "derived")
    return facts


def render(board, row, facts):
    lines = ["# SPDX-License-Identifier: Apache-2.0",
             f"# {board['name']}. The format is described in docs/gpu_files.md.", "format = 1",
             f"id = {quoted(board['id'])}", f"name = {quoted(board['name'])}",
             f"architecture = {quoted(row['arch'])}", f"chip = {quoted(row['chip'])}",
             f"compute_capability = {quoted(row['compute_capability'])}",
             f"memory_type = {quoted(row['mem_type'])}", f"launch_year = {row['launch_year']}"]
    for key in ("aliases", "near_aliases"):
        if board.get(key):
            lines.append(f"{key} = [{', '.join(quoted(name) for name in board[key])}]")
    if board["notes"]:
        lines.append("notes = [")
        lines += [f"  {quoted(note)}," for note in board["notes"]]
        lines.append("]")
    # Long document names stand once, in [sources]; numbers refer to them by key.
    keys = {}
    for entry in facts.values():
        keys.setdefault(entry["source"], f"s{len(keys) + 1}")
    lines += ["", "[support]"]
    support = gpu_extra.SUPPORT.get(row["compute_capability"].split(".")[0] in ("6", "7") and
                                    row["compute_capability"] != "7.5")
    lines += [f"{key} = {quoted(value)}" for key, value in support.items()]
    lines += ["", "[sources]"]
    lines += [f"{key} = {quoted(text)}" for text, key in keys.items()]
    section = None
    for path, entry in facts.items():
        table, key = path.rsplit(".", 1)
        if table != section:
            lines += ["", f"[{table}]"]
            section = table
        lines.append(fact_line(key, dict(entry, source=keys[entry["source"]])))
    if board.get("exceptions"):
        lines += ["", "# Peaks that knowingly are not SMs x rate x clock.", "[peak_exceptions]"]
        lines += [f"{quoted(path)} = {quoted(reason)}" for path, reason in board["exceptions"].items()]
    return "\n".join(lines) + "\n"


def derive_peaks(facts, rates):
    """CUDA-core peaks that a data sheet leaves out: SMs x rate x clock."""
    sms, clock = facts.get("compute.sm_count"), facts.get("compute.boost_clock")
    for path, word in (("peak.dense.fp64", "fp64"), ("peak.other.fp16_cuda", "fp16")):
        if path not in facts and sms and clock and word in rates:
            value = float(sms["value"]) * rates[word] * float(clock["value"]) * 1e-6
            facts[path] = fact(f"{value:.4g}", "TFLOP/s", "SMs x operations per clock and SM x boost clock",
                               "derived", f"{rates[word]:g} op/clock/SM")


def cuda_core_rates(folder):
    """compute capability -> format -> operations per clock and SM on CUDA cores."""
    rates = {}
    with open(folder / "precision.csv", newline="", encoding="utf-8") as handle:
        rows = list(csv.DictReader(handle)) + gpu_extra.CC61_ROWS
    for row in rows:
        cc, word = row["compute_capability"], row["dtype"].lower()
        own = "" if row["tensor_core"].startswith("yes") else row["dense_ops_per_clk_per_sm"]
        rate = gpu_extra.CUDA_RATES.get((cc, word), own)
        if rate:
            rates.setdefault(cc, {})[word] = float(rate)
    return rates


def boards_toml(folder, out):
    rates = cuda_core_rates(folder)
    with open(folder / "devices.csv", newline="", encoding="utf-8") as handle:
        rows = {row["id"]: row for row in csv.DictReader(handle)}
    rows["P4"] = gpu_extra.P4_ROW
    published = gpu_published.select(folder / "measured.csv")
    order = [path for path, _ in COLUMNS.values()]
    order += [f"peak.sparse.{w}" for w in ("tf32", "bf16", "fp16", "fp8", "int8", "int4")]
    files = {}
    for key, row in rows.items():
        board = gpu_extra.BOARDS[key]
        for text, _ in board["read_in"]:
            assert text in row["seen_in_store"] or text in gpu_extra.OWN_READINGS, (key, text)
        row = {column: row.get(column, "") or "" for column in list(COLUMNS) + list(row)}
        facts = board_facts(row, board)
        facts.update(board.get("facts", {}))
        derive_peaks(facts, rates[row["compute_capability"]])
        facts.update(published.get(board["id"], {}))
        board = dict(board, notes=board.get("notes") if board.get("notes") is not None else
                     [part.strip() for part in row["notes"].split(";") if part.strip()])
        first = {path: n for n, path in enumerate(order)}
        tables = ["compute", "peak.dense", "peak.sparse", "peak.other", "memory", "sm", "link",
                  "board", "published.gemm", "published"]
        facts = dict(sorted(facts.items(), key=lambda item: (
            tables.index(item[0].rsplit(".", 1)[0]), first.get(item[0], 99))))
        files[out / "gpus" / f"{board['id']}.toml"] = render(board, row, facts)
    return files


def capabilities_toml(folder, out):
    with open(folder / "precision.csv", newline="", encoding="utf-8") as handle:
        rows = list(csv.DictReader(handle)) + gpu_extra.CC61_ROWS
    rows.sort(key=lambda row: float(row["compute_capability"]))
    lines = ["# SPDX-License-Identifier: Apache-2.0",
             "# Which formats each compute capability runs, where, and how fast. Rates are dense",
             "# operations per clock and SM; a fused multiply-add is two. See docs/gpu_files.md.",
             "format = 1"]
    for row in rows:
        word = row["dtype"].lower()
        cc = row["compute_capability"]
        rate = row["dense_ops_per_clk_per_sm"]
        yes = row["tensor_core"].startswith("yes")
        condition = re.sub(r"^(yes|no)\s*", "", row["tensor_core"]).strip("()")
        cuda = gpu_extra.CUDA_RATES.get((cc, word), "" if yes else rate)
        lines += ["", f'[cc."{cc}".{word}]', f"tensor_core = {'true' if yes else 'false'}",
                  f"sparse_2to4 = {'true' if row['sparse_2to4'].startswith('yes') else 'false'}"]
        if yes and rate:
            lines.append(f"tensor_rate = {rate}")
        if cuda:
            lines.append(f"cuda_core_rate = {cuda}")
        if condition:
            lines.append(f"tensor_path = {quoted(condition)}")
        lines.append(f"cuda_core_path = {quoted(row['cuda_core_path'])}")
        if row["relative_note"]:
            lines.append(f"note = {quoted(row['relative_note'])}")
        source = row["source"]
        recalled = all("hitepaper" in part or "Guide" in part or "ecalled" in part or "datasheet" in part
                       for part in split_sources(source))
        lines += [f"source = {quoted(source)}", f"how = {quoted('recalled' if recalled else 'read')}"]
    return {out / "compute_capabilities.toml": "\n".join(lines) + "\n"}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path, help="with devices.csv, measured.csv, precision.csv")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("data"))
    parser.add_argument("--check", action="store_true", help="write nothing; list files that differ")
    args = parser.parse_args()
    files = boards_toml(args.folder, args.out) | capabilities_toml(args.folder, args.out)
    differing = [path for path, text in files.items()
                 if not path.exists() or path.read_text(encoding="utf-8") != text]
    if args.check:
        print("\n".join(str(path) for path in differing))
        return 1 if differing else 0
    for path in differing:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(files[path], encoding="utf-8")
    print(f"{len(files)} files, {len(differing)} written", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
