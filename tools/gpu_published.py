# SPDX-License-Identifier: Apache-2.0
"""Chooses the published sustained figure of each board and quantity from measured.csv.

One tool per quantity, the same on as many boards as it was run on; the next tool only fills gaps:

  GEMM          torch matmul, best of square sizes (median of its runs); then the best of a shape
                search (MAMF) or of a large set of shapes; then gpu-fryer (its "FP32" is TF32 on Ampere
                and later); then one-off cuBLAS, gpu-burn and DCGM figures.
  DRAM stream   gpu-stream triad, best launch; then a large elementwise add; then a local copy.
  L2 bandwidth  gpu-l2-cache, median of the working sets from 4 MiB to a third of the L2; then gpu-cache.
  latencies     gpu-latency plateaus at the stated clock; then mt4g.
  launch        gpu-small-kernels, 64 KiB kernels in a stream and in a graph.

Left out: kernels that do not fill the card (below 75 % of the data sheet: gpu-stream on H200, DCGM and
bandwidthTest copies), mt4g's L2 bandwidth, and formats that a library ran in another (TF32 before Ampere).
"""

import csv
import statistics

TORCH = "zzc0721/torch-performance-test-data:database.md@9d82827637"
BENCHES = "te42kyfo/gpu-benches"
NEUSIGHT = "sitar-lab/NeuSight:scripts/asplos@6945927d9a (MIT), FP32 operations timed in PyTorch 2.1"
AICONF = "ai-dynamo/aiconfigurator@095f58a51c (Apache-2.0), SGLang 0.5.10 GEMM table"
OWN = "uplift's own timing of PyTorch 2.11 library calls (CUDA 13.0) on an H200"
A100_UNSTATED = "the source does not state the form factor"

# measured.csv gpu -> canonical id, and what to say where the board is only the nearest one
TORCH_BOARDS = {
    "B200_SXM_180GB": [("b200-sxm", "")],
    "A100_40GB_UNSPECIFIED": [("a100-sxm4-40gb", A100_UNSTATED)],
    "A100_SXM4_80GB": [("a100-sxm4-80gb", "")],
    "RTX_3090": [("rtx-3090", "")],
    "RTX_4090": [("rtx-4090", "")],
    "H100_SXM5_80GB": [("h100-sxm5-80gb", "")],
    "H100_PCIE_80GB": [("h100-pcie-80gb", "")],
    "V100_SXM2_16GB": [("v100-sxm2-16gb", ""), ("v100-sxm2-32gb", "measured on the 16 GB board of the same chip, clock and memory")],
    "P100_PCIE_16GB": [("p100-pcie-16gb", "")],
    "A100_PCIE_40GB": [("a100-pcie-40gb", "")],
    "RTX_2080_TI": [("rtx-2080-ti", "")],
}
NO_TF32 = {"p100-pcie-16gb", "rtx-2080-ti", "v100-sxm2-16gb", "v100-sxm2-32gb"}
NO_BF16 = NO_TF32
NO_FP16 = {"p100-pcie-16gb"}


def fact(value, unit, source, note="", how="read"):
    return {"value": f"{value:g}" if isinstance(value, float) else str(value), "unit": unit,
            "source": source, "how": how, "note": note}


def join(*notes):
    return "; ".join(note for note in notes if note)


# Figures that stand alone: id -> path -> fact. Read in the named place.
SINGLE = {
    "b200-sxm": {
        "published.gemm.fp8": fact(3432.5, "TFLOP/s", "stas00/ml-engineering:compute/accelerator/README.md@744d01e18b", "MAMF shape search"),
        "published.dram_stream": fact(6584.7, "GB/s", "ProjectPhysX/OpenCL-Benchmark:README.md@4694a5b9cf", "harmonic mean of 6668.71 GB/s coalesced read and 6502.72 GB/s write", "derived"),
    },
    "h100-sxm5-80gb": {
        "published.gemm.fp8": fact(1402.6, "TFLOP/s", "stas00/ml-engineering:compute/accelerator/README.md@744d01e18b", "MAMF shape search"),
        "published.dram_stream": fact(2959.19, "GB/s", "NVIDIA/cuda-samples#392", "device-local copy on a 4-GPU host whose board is not named: the rate and the peer links fit SXM5; NVIDIA/nccl#1264 shows 2573 GB/s on SXM5"),
        "published.dram_latency": fact(round(834.48 / 1.98, 1), "ns", "caps-tum/mt4g:sample_results@4cc55662a9", "834.48 cycles at 1980 MHz"),
        "published.l2_latency": fact(round(219.35 / 1.98, 1), "ns", "caps-tum/mt4g:sample_results@4cc55662a9", "219.35 cycles at 1980 MHz; the near half of the L2"),
    },
    "h200-sxm-141gb": {
        "published.gemm.fp64_tc": fact(60.28, "TFLOP/s", OWN, "best of random shapes: a lower bound"),
        "published.gemm.fp32": fact(51.35, "TFLOP/s", OWN, "best of random shapes: a lower bound"),
        "published.gemm.tf32": fact(360.3, "TFLOP/s", OWN, "best of random shapes: a lower bound"),
        "published.gemm.bf16": fact(766.1, "TFLOP/s", OWN, "best of random shapes: a lower bound"),
        "published.gemm.fp16": fact(773.0, "TFLOP/s", OWN, "best of random shapes: a lower bound"),
        "published.dram_stream": fact(4395.0, "GB/s", OWN, "FP32 add of two arrays of 1.57 GB; gpu-stream shows 3534 GB/s, its kernel does not fill this card"),
        "published.l2_bandwidth": fact(10074.8, "GB/s", BENCHES + ":gpu-l2-cache/h200.txt@3088b33379", "reads, median of working sets from 4 MiB to a third of the L2"),
    },
    "gh200-96gb": {
        "published.gemm.tf32": fact(363, "TFLOP/s", "huggingface/gpu-fryer:README.md@704ba85cf1", "approximate"),
        "published.gemm.bf16": fact(705, "TFLOP/s", "huggingface/gpu-fryer:README.md@704ba85cf1", "approximate"),
        "published.gemm.fp8": fact(1660, "TFLOP/s", "huggingface/gpu-fryer:README.md@704ba85cf1", "approximate"),
        "published.h2d_bandwidth": fact(346, "GB/s", "NVIDIA/nvbandwidth#23", "over NVLink-C2C"),
    },
    "a100-sxm4-80gb": {
        "published.gemm.tf32": fact(130, "TFLOP/s", "huggingface/gpu-fryer:README.md@704ba85cf1", "approximate"),
    },
    "a100-sxm4-40gb": {
        "published.gemm.fp64_tc": fact(15.88, "TFLOP/s", "wilicc/gpu-burn#122"),
        "published.dram_stream": fact(1375, "GB/s", BENCHES + ":gpu-stream/a100_40.txt@a7dc559cc5", A100_UNSTATED + "; gpu-roofline on SXM4 40 GB cards shows 1372 GB/s"),
    },
    "a100-pcie-40gb": {
        "published.dram_stream": fact(1375, "GB/s", BENCHES + ":gpu-stream/a100_40.txt@a7dc559cc5", A100_UNSTATED),
    },
    "a100-pcie-80gb": {
        "published.gemm.fp32": fact(18.88, "TFLOP/s", "Yinghan-Li/YHs_Sample#4", "cuBLAS SGEMM 5120x4096x4096"),
        "published.gemm.bf16": fact(252.9, "TFLOP/s", "stas00/ml-engineering:compute/accelerator/README.md@744d01e18b", "MAMF shape search; the source says A100 PCIe without the memory size"),
    },
    "a30": {
        "published.dram_stream": fact(780, "GB/s", "NVIDIA/DCGM:nvvs/diag-skus.yaml.in@72fa3feaa6", "dcgmproftester -t 1005; the file does not say whether MB or MiB"),
    },
    "a40": {
        "published.gemm.fp32": fact(19.0, "TFLOP/s", "NVIDIA/DCGM:nvvs/diag-skus.yaml.in@72fa3feaa6", "SGEMM of dcgmproftester -t 1007"),
    },
    "l40": {
        "published.gemm.fp32": fact(40.2, "TFLOP/s", "NVIDIA/DCGM:nvvs/diag-skus.yaml.in@72fa3feaa6", "SGEMM of dcgmproftester -t 1007"),
        "published.dram_stream": fact(803, "GB/s", BENCHES + ":gpu-stream/l40.txt@0a45416b21"),
        "published.launch_time": fact(1.64, "us", BENCHES + ":gpu-small-kernels/l40.txt@11f5daa394", "64 KiB at 40 GB/s"),
    },
    "l40s": {
        "published.gemm.bf16": fact(260, "TFLOP/s", AICONF, "fifth best of 35742 shapes"),
        "published.gemm.fp8": fact(371, "TFLOP/s", AICONF, "fifth best of 35742 shapes; per-tensor scales"),
        "published.dram_stream": fact(803, "GB/s", BENCHES + ":gpu-stream/l40.txt@0a45416b21", "measured on L40: same chip and memory"),
        "published.launch_time": fact(1.64, "us", BENCHES + ":gpu-small-kernels/l40.txt@11f5daa394", "measured on L40: same chip and memory"),
    },
    "p4": {
        "published.gemm.fp32": fact(3.7, "TFLOP/s", NEUSIGHT, "fourth best of 6423 linear layers"),
        "published.dram_stream": fact(144.2, "GB/s", NEUSIGHT, "FP32 add of large arrays"),
    },
    "p100-pcie-16gb": {
        "published.dram_stream": fact(551, "GB/s", NEUSIGHT, "FP32 add of large arrays; the source says P100 without the form factor"),
        "published.h2d_bandwidth": fact(12.15, "GB/s", "mpicbg-scicomp/gearshifft#82", "pinned, local NUMA node"),
        "published.d2h_bandwidth": fact(12.89, "GB/s", "mpicbg-scicomp/gearshifft#82", "pinned, local NUMA node"),
    },
    "t4": {
        "published.gemm.fp32": fact(5.1, "TFLOP/s", NEUSIGHT, "fourth best of 6458 linear layers; the 70 W limit, not the clock, sets it"),
        "published.dram_stream": fact(242.8, "GB/s", NEUSIGHT, "FP32 add of large arrays"),
    },
    "v100-pcie-32gb": {
        "published.gemm.fp32": fact(13.36, "TFLOP/s", NEUSIGHT, "fourth best of 6460 linear layers"),
    },
    "v100-pcie-16gb": {
        "published.gemm.fp32": fact(13.36, "TFLOP/s", NEUSIGHT, "measured on the 32 GB board of the same chip, clock and memory"),
        "published.h2d_bandwidth": fact(12.35, "GB/s", BENCHES + ":README.md@1c36d509ee", "pinned, 1 GiB"),
    },
    "v100-sxm2-16gb": {
        "published.h2d_bandwidth": fact(9.6, "GB/s", "router-gao/cuda-demo:cuda-samples/02-cuda-bandwidth.md", "pinned, 32 MB"),
        "published.d2h_bandwidth": fact(11.4, "GB/s", "router-gao/cuda-demo:cuda-samples/02-cuda-bandwidth.md", "pinned, 32 MB"),
    },
    "rtx-2080-ti": {
        "published.dram_stream": fact(583.8, "GB/s", "caps-tum/mt4g:sample_results@4cc55662a9", "reads only: 543.7 GiB/s"),
        "published.dram_latency": fact(round(496.25 / 1.545, 1), "ns", "caps-tum/mt4g:sample_results@4cc55662a9", "496.25 cycles at 1545 MHz"),
        "published.l2_latency": fact(round(175.64 / 1.545, 1), "ns", "caps-tum/mt4g:sample_results@4cc55662a9", "175.64 cycles at 1545 MHz"),
    },
}

# gpu-benches folders: measured.csv gpu -> [(id, note)], for DRAM and for what depends on the chip alone
STREAM_BOARDS = {
    "V100_PCIE_16GB": [("v100-pcie-16gb", ""), ("v100-pcie-32gb", "measured on the 16 GB board: same chip and memory"),
                       ("v100-sxm2-16gb", "measured on the PCIe board: same chip and memory"),
                       ("v100-sxm2-32gb", "measured on the PCIe 16 GB board: same chip and memory")],
    "A100_80GB_UNSPECIFIED": [("a100-pcie-80gb", A100_UNSTATED), ("a100-sxm4-80gb", A100_UNSTATED + ": a lower bound if it was the PCIe board")],
    "H100_PCIE_80GB": [("h100-pcie-80gb", "")],
    "A40": [("a40", "")],
}
A100_SAME = "measured on an A100 80 GB: same chip and clock"
CHIP_BOARDS = {
    "V100_PCIE_16GB": [("v100-pcie-16gb", ""), ("v100-pcie-32gb", "measured on the 16 GB board: same chip and clock")],
    "A100_80GB_UNSPECIFIED": [("a100-pcie-80gb", A100_UNSTATED), ("a100-sxm4-80gb", A100_UNSTATED),
                              ("a100-pcie-40gb", A100_SAME), ("a100-sxm4-40gb", A100_SAME)],
    "H100_PCIE_80GB": [("h100-pcie-80gb", "")],
    "L40": [("l40", ""), ("l40s", "measured on L40: same chip and memory, 1 % lower clock")],
    "A40": [("a40", "")],
    "H200_SXM_141GB": [("h200-sxm-141gb", "")],
}
L2_MIB = {"V100_PCIE_16GB": 6, "A100_80GB_UNSPECIFIED": 40, "H100_PCIE_80GB": 50, "L40": 96, "A40": 6}


def select(path):
    with open(path, newline="", encoding="utf-8") as handle:
        rows = list(csv.DictReader(handle))
    result = {}

    def put(board, field, entry):
        result.setdefault(board, {}).setdefault(field, entry)

    add_torch(rows, put)
    add_streams(rows, put)
    add_l2(rows, put)
    add_latencies(rows, put)
    add_launches(rows, put)
    for board, facts in SINGLE.items():
        for field, entry in facts.items():
            put(board, field, entry)
    return result


def add_torch(rows, put):
    runs = {}
    for row in rows:
        if "_torch_matmul_tflops_best[" in row["quantity"]:
            runs.setdefault((row["gpu"], row["quantity"].split("_")[0]), []).append(float(row["value"]))
    for (gpu, word), values in runs.items():
        for board, note in TORCH_BOARDS[gpu]:
            if word == "tf32" and board in NO_TF32:
                continue  # the flag is ignored there: the figure is FP32
            if word == "bf16" and board in NO_BF16:
                note = join(note, "no BF16 tensor cores: the library converts to FP32")
            if word == "fp16" and board in NO_FP16:
                note = join(note, "no tensor cores: the library sums in FP32")
            count = f"median of {len(values)} runs" if len(values) > 1 else ""
            put(board, f"published.gemm.{word}",
                fact(round(statistics.median(values), 2), "TFLOP/s", TORCH,
                     join("best of square sizes up to 10240", count, note)))


def add_streams(rows, put):
    for row in rows:
        if row["quantity"] == "dram_triad_bandwidth_max" and row["gpu"] in STREAM_BOARDS:
            for board, note in STREAM_BOARDS[row["gpu"]]:
                put(board, "published.dram_stream", fact(float(row["value"]), "GB/s", row["source"], join("triad", note)))


def add_l2(rows, put):
    for gpu, l2_mib in L2_MIB.items():
        for prefix, unit in (("l2_bandwidth@working_set_", 1), ("shared_buffer_read_bandwidth@", 1)):
            lowest = 4096 if l2_mib > 12 else 1024
            values = [(float(row["value"]), row["source"]) for row in rows
                      if row["gpu"] == gpu and row["quantity"].startswith(prefix)
                      and lowest <= int(row["quantity"][len(prefix):].split("KiB")[0]) * unit <= max(l2_mib * 1024 / 3, 2048)]
            if values:
                middle = statistics.median(value for value, _ in values)
                for board, note in CHIP_BOARDS[gpu]:
                    put(board, "published.l2_bandwidth", fact(round(middle, 1), "GB/s", values[0][1],
                        join(f"reads, median of working sets from {lowest // 1024} MiB to a third of the L2", note)))
                break


def add_latencies(rows, put):
    for gpu in ("V100_PCIE_16GB", "A100_80GB_UNSPECIFIED", "H100_PCIE_80GB", "L40"):
        points = []
        for row in rows:
            if row["gpu"] == gpu and row["quantity"].startswith("load_latency_cycles@buffer_"):
                size = int(row["quantity"].split("_")[-1][:-3])
                points.append((size, float(row["value"]), float(row["unit"].split("@")[1][:-3]), row["source"]))
        l2_kib = L2_MIB[gpu] * 1024
        inside = [p for p in points if 1024 <= p[0] <= l2_kib / 3]
        outside = sorted(points)[-3:]  # the largest buffers
        for field, chosen in (("published.l2_latency", inside), ("published.dram_latency", outside)):
            cycles = statistics.median(p[1] for p in chosen)
            mhz = chosen[0][2]
            for board, note in CHIP_BOARDS[gpu]:
                if field == "published.dram_latency" and note == A100_SAME:
                    continue  # other memory
                put(board, field, fact(round(cycles / mhz * 1e3, 1), "ns", chosen[0][3], join(f"{cycles:g} cycles at {mhz:g} MHz", note)))
    for board, l2, dram in (("a100-pcie-40gb", 220.95, 640.11),):
        put(board, "published.dram_latency", fact(round(dram / 1.41, 1), "ns", "caps-tum/mt4g:sample_results@4cc55662a9", f"{dram} cycles at 1410 MHz"))


def add_launches(rows, put):
    for mode, field in (("stream", "published.launch_time"), ("graph", "published.graph_launch_time")):
        for row in rows:
            if row["quantity"] == f"kernel_time_us[{mode}]@scale_double_64KiB":
                for board, note in CHIP_BOARDS[row["gpu"]]:
                    put(board, field, fact(round(float(row["value"]), 2), "us", row["source"], join("64 KiB scale kernel, back to back", note)))
