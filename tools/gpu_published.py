# SPDX-License-Identifier: Apache-2.0
"""Chooses the published sustained figure of each board and quantity from measured.csv.

One tool per quantity, the same on as many boards as it was run on; the next tool only fills gaps:

  GEMM          torch matmul, best of square sizes (median of its runs); then the best of a shape
                search (MAMF); then gpu-fryer (its "FP32" is TF32 on Ampere and later); then one-off
                cuBLAS, gpu-burn and DCGM figures.
  DRAM stream   gpu-stream or BabelStream triad, whichever log names the board; then a copy of a large
                PyTorch tensor; then OpenCL-Benchmark, a local copy, a lattice update of FluidX3D.
  L2 bandwidth  gpu-l2-cache, median of the working sets from 4 MiB to a third of the L2; then gpu-cache.
  latencies     gpu-latency plateaus at the stated clock; then mt4g.
  launch        gpu-small-kernels, 64 KiB kernels in a stream and in a graph.

No figure comes from a collection of operation timings that predictions are scored on (NeuSight,
aiconfigurator): a ceiling that is the best of the rows to be predicted would know the answer.
Left out: kernels that do not fill the card (below 75 % of the data sheet: gpu-stream on H200, DCGM and
bandwidthTest copies), mt4g's L2 bandwidth, and formats that a library ran in another (TF32 before Ampere).
"""

import csv
import statistics

TORCH = "zzc0721/torch-performance-test-data:database.md@9d82827637"
BENCHES = "te42kyfo/gpu-benches"
TORCH_LATER = "zzc0721/torch-performance-test-data:database.md@078586871d"
MAMF = "stas00/ml-engineering:compute/accelerator/README.md@744d01e18b"
MAMF_OPTUNA = "mag-/gpu_benchmark:README.md@13f96a4229"
COPY = "chsasank/device-benchmarks:README.md@02b8262e7a"
BABEL = "UoB-HPC/performance-portability:benchmarking/2020/babelstream/results/"
MLXCEL = "lablup/mlxcel#1654 (its docs/benchmark_results name the board: Tesla V100-PCIE-32GB)"
FLUID = "ProjectPhysX/FluidX3D:README.md@01d3cddab6"
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


SQUARE = "best of square sizes up to 10240"
NO_BF16_UNITS = "no BF16 tensor cores: the library converts to FP32"
NO_FP16_UNITS = "no tensor cores: the library sums in FP32"
ONE_CHIP_32 = "measured on the 32 GB board of the same chip, clock and power"
HOPPER_SXM = "measured on H100 SXM5: same chip, clock and power"


def square(value, source, *notes):
    """A figure of torch matmul, the tool of the table in measured.csv, read in a later state of it."""
    return fact(value, "TFLOP/s", source, join(SQUARE, *notes))


def issue(number):
    return f"zzc0721/torch-performance-test-data#{number}"


# Figures that stand alone: id -> path -> fact. Read in the named place.
SINGLE = {
    "b200-sxm": {
        "published.gemm.fp8": fact(3432.5, "TFLOP/s", MAMF, "MAMF shape search"),
        "published.dram_stream": fact(6584.7, "GB/s", "ProjectPhysX/OpenCL-Benchmark:README.md@4694a5b9cf", "harmonic mean of 6668.71 GB/s coalesced read and 6502.72 GB/s write", "derived"),
    },
    "h100-sxm5-80gb": {
        "published.gemm.fp8": fact(1402.6, "TFLOP/s", MAMF, "MAMF shape search"),
        "published.dram_stream": fact(2959.19, "GB/s", "NVIDIA/cuda-samples#392", "device-local copy on a 4-GPU host whose board is not named: the rate and the peer links fit SXM5; NVIDIA/nccl#1264 shows 2573 GB/s on SXM5"),
        "published.dram_latency": fact(round(834.48 / 1.98, 1), "ns", "caps-tum/mt4g:sample_results@4cc55662a9", "834.48 cycles at 1980 MHz"),
        "published.l2_latency": fact(round(219.35 / 1.98, 1), "ns", "caps-tum/mt4g:sample_results@4cc55662a9", "219.35 cycles at 1980 MHz; the near half of the L2"),
    },
    "h200-sxm-141gb": {
        "published.gemm.fp32": square(51.34, TORCH_LATER),
        "published.gemm.fp16": square(759.4, TORCH_LATER),
        "published.gemm.bf16": square(790.29, TORCH_LATER),
        "published.gemm.tf32": fact(402.15, "TFLOP/s", TORCH, join(SQUARE, HOPPER_SXM)),
        "published.gemm.fp8": fact(1402.6, "TFLOP/s", MAMF, join("MAMF shape search", HOPPER_SXM)),
        "published.dram_stream": fact(4395.0, "GB/s", OWN, "FP32 add of two arrays of 1.57 GB; gpu-stream (3534 GB/s) and FluidX3D (3528 GB/s) have kernels that do not fill this card"),
        "published.l2_bandwidth": fact(10074.8, "GB/s", BENCHES + ":gpu-l2-cache/h200.txt@3088b33379", "reads, median of working sets from 4 MiB to a third of the L2"),
    },
    "gh200-96gb": {
        "published.gemm.tf32": fact(363, "TFLOP/s", "huggingface/gpu-fryer:README.md@704ba85cf1", "approximate"),
        "published.gemm.bf16": fact(842.5, "TFLOP/s", MAMF_OPTUNA, "shape search, GH200 480GB"),
        "published.gemm.fp8": fact(1660, "TFLOP/s", "huggingface/gpu-fryer:README.md@704ba85cf1", "approximate"),
        "published.dram_stream": fact(3659.1, "GB/s", "mredenti/PowerCapping:configuration/OpenCL_benchmark.md", "harmonic mean of 3614.60 GB/s coalesced read and 3704.77 GB/s write", "derived"),
        "published.h2d_bandwidth": fact(346, "GB/s", "NVIDIA/nvbandwidth#23", "over NVLink-C2C"),
    },
    "a100-sxm4-80gb": {
        "published.gemm.tf32": fact(130, "TFLOP/s", "huggingface/gpu-fryer:README.md@704ba85cf1", "approximate"),
    },
    "a100-sxm4-40gb": {
        "published.gemm.fp64_tc": fact(15.88, "TFLOP/s", "wilicc/gpu-burn#122"),
        "published.dram_stream": fact(1397.0, "GB/s", BABEL + "BabelStream-a100_cuda.out@180432ed2b", "BabelStream 3.4 triad, FP64, arrays of 2.1 GB, as one MIG instance of the whole card"),
    },
    "a100-pcie-40gb": {
        "published.dram_stream": fact(1375, "GB/s", BENCHES + ":gpu-stream/a100_40.txt@a7dc559cc5", A100_UNSTATED),
    },
    "a100-pcie-80gb": {
        "published.gemm.fp32": fact(18.88, "TFLOP/s", "Yinghan-Li/YHs_Sample#4", "cuBLAS SGEMM 5120x4096x4096"),
        "published.gemm.bf16": fact(252.9, "TFLOP/s", MAMF, "MAMF shape search; the source says A100 PCIe without the memory size"),
    },
    "a30": {
        "published.dram_stream": fact(780, "GB/s", "NVIDIA/DCGM:nvvs/diag-skus.yaml.in@72fa3feaa6", "dcgmproftester -t 1005; the file does not say whether MB or MiB"),
    },
    "a10": {
        "published.gemm.fp32": fact(14, "TFLOP/s", COPY, "torch matmul, best of sizes up to 6888"),
        "published.gemm.fp16": fact(54, "TFLOP/s", COPY, "torch matmul, best of sizes up to 6888"),
        "published.gemm.bf16": fact(56, "TFLOP/s", COPY, "torch matmul, best of sizes up to 6888"),
        "published.dram_stream": fact(469, "GB/s", COPY, "copy of a large PyTorch tensor"),
    },
    "a40": {
        "published.gemm.fp32": square(23.73, issue(185)),
        "published.gemm.tf32": square(59.52, issue(185)),
        "published.gemm.fp16": square(119.18, issue(185)),
        "published.gemm.bf16": square(122.29, issue(185)),
    },
    "l4": {
        "published.gemm.fp32": square(15.38, issue(120), "at 2048, a burst: 10.7 at 8192"),
        "published.gemm.tf32": square(31.88, issue(120), "at 2048, a burst: 25.7 at 8192"),
        "published.gemm.fp16": square(68.83, issue(120), "at 2048, a burst: 53.8 at 8192"),
        "published.gemm.bf16": square(70.89, issue(120), "at 2048, a burst: 59.4 at 8192"),
        "published.dram_stream": fact(228, "GB/s", FLUID, "lattice update, 1490 million cells/s x 153 B: a lower bound", "derived"),
    },
    "l40": {
        "published.gemm.fp32": fact(40.2, "TFLOP/s", "NVIDIA/DCGM:nvvs/diag-skus.yaml.in@72fa3feaa6", "SGEMM of dcgmproftester -t 1007"),
        "published.gemm.bf16": fact(170.3, "TFLOP/s", MAMF_OPTUNA, "shape search"),
        "published.dram_stream": fact(803, "GB/s", BENCHES + ":gpu-stream/l40.txt@0a45416b21"),
        "published.launch_time": fact(1.64, "us", BENCHES + ":gpu-small-kernels/l40.txt@11f5daa394", "64 KiB at 40 GB/s"),
    },
    "l40s": {
        "published.gemm.fp32": square(46.88, TORCH_LATER),
        "published.gemm.fp16": square(264.02, TORCH_LATER),
        "published.gemm.bf16": square(269.15, TORCH_LATER),
        "published.dram_stream": fact(803, "GB/s", BENCHES + ":gpu-stream/l40.txt@0a45416b21", "measured on L40: same chip and memory"),
        "published.launch_time": fact(1.64, "us", BENCHES + ":gpu-small-kernels/l40.txt@11f5daa394", "measured on L40: same chip and memory"),
    },
    "p4": {
        "published.gemm.fp32": square(4.55, issue(9), "at the stock clock"),
        "published.gemm.fp16": square(4.25, issue(9), NO_FP16_UNITS),
        "published.gemm.bf16": square(2.55, issue(9), NO_BF16_UNITS),
    },
    "p100-pcie-16gb": {
        "published.dram_stream": fact(551.4, "GB/s", BABEL + "BabelStream-p100_gcc-6.1_cuda.out@04d0661e28", "BabelStream 3.4 triad, FP64, arrays of 268 MB"),
        "published.h2d_bandwidth": fact(12.15, "GB/s", "mpicbg-scicomp/gearshifft#82", "pinned, local NUMA node"),
        "published.d2h_bandwidth": fact(12.89, "GB/s", "mpicbg-scicomp/gearshifft#82", "pinned, local NUMA node"),
    },
    "p100-sxm2-16gb": {
        "published.gemm.fp32": square(9.5, issue(180)),
        "published.gemm.fp16": square(8.82, issue(180), NO_FP16_UNITS),
        "published.gemm.bf16": square(5.99, issue(180), NO_BF16_UNITS),
        "published.dram_stream": fact(551.4, "GB/s", BABEL + "BabelStream-p100_gcc-6.1_cuda.out@04d0661e28", "BabelStream 3.4 triad; measured on the PCIe board: same chip and memory"),
    },
    "t4": {
        "published.gemm.fp32": square(4.3, TORCH_LATER, "median of 2 runs", "the 70 W limit, not the clock, sets it"),
        "published.gemm.fp16": square(42.31, TORCH_LATER, "median of 2 runs", "the 70 W limit, not the clock, sets it"),
        "published.gemm.bf16": square(2.37, TORCH_LATER, "median of 2 runs", NO_BF16_UNITS),
        "published.dram_stream": fact(240, "GB/s", COPY, "copy of a large PyTorch tensor; bandwidthTest in router-gao/cuda-demo shows 239.6 GB/s"),
        "published.h2d_bandwidth": fact(9.7, "GB/s", "router-gao/cuda-demo:cuda-samples/02-cuda-bandwidth.md", "pinned, 32 MB"),
        "published.d2h_bandwidth": fact(11.1, "GB/s", "router-gao/cuda-demo:cuda-samples/02-cuda-bandwidth.md", "pinned, 32 MB"),
    },
    "v100-pcie-32gb": {
        "published.gemm.fp32": fact(14.0, "TFLOP/s", MLXCEL, "cuBLAS at m = 2048"),
        "published.gemm.fp16": fact(97.5, "TFLOP/s", MLXCEL, "cuBLAS at m = 2048: 95 to 100"),
        "published.gemm.bf16": fact(9.6, "TFLOP/s", MLXCEL, join("cuBLAS at m = 2048", NO_BF16_UNITS)),
    },
    "v100-pcie-16gb": {
        "published.gemm.fp32": fact(14.0, "TFLOP/s", MLXCEL, join("cuBLAS at m = 2048", ONE_CHIP_32)),
        "published.gemm.fp16": fact(97.5, "TFLOP/s", MLXCEL, join("cuBLAS at m = 2048: 95 to 100", ONE_CHIP_32)),
        "published.gemm.bf16": fact(9.6, "TFLOP/s", MLXCEL, join("cuBLAS at m = 2048", ONE_CHIP_32, NO_BF16_UNITS)),
        "published.h2d_bandwidth": fact(12.35, "GB/s", BENCHES + ":README.md@1c36d509ee", "pinned, 1 GiB"),
    },
    "v100s-pcie-32gb": {
        "published.gemm.fp32": square(13.55, TORCH_LATER),
        "published.gemm.fp16": square(88.92, TORCH_LATER),
        "published.gemm.bf16": square(9.85, TORCH_LATER, NO_BF16_UNITS),
    },
    "v100-sxm2-16gb": {
        "published.dram_stream": fact(844.5, "GB/s", BABEL + "BabelStream-large-v100_gcc-7.3_cuda.out@fb68d32f3b", "BabelStream 3.4 triad, FP64, arrays of 4.3 GB"),
        "published.h2d_bandwidth": fact(9.6, "GB/s", "router-gao/cuda-demo:cuda-samples/02-cuda-bandwidth.md", "pinned, 32 MB"),
        "published.d2h_bandwidth": fact(11.4, "GB/s", "router-gao/cuda-demo:cuda-samples/02-cuda-bandwidth.md", "pinned, 32 MB"),
    },
    "v100-sxm2-32gb": {
        "published.dram_stream": fact(844.5, "GB/s", BABEL + "BabelStream-large-v100_gcc-7.3_cuda.out@fb68d32f3b", "BabelStream 3.4 triad; measured on the 16 GB board: same chip and memory"),
    },
    "rtx-3090": {
        "published.dram_stream": fact(831, "GB/s", COPY, "copy of a large PyTorch tensor"),
    },
    "rtx-4090": {
        "published.dram_stream": fact(912, "GB/s", COPY, "copy of a large PyTorch tensor"),
    },
    "rtx-2080-ti": {
        "published.dram_stream": fact(555.7, "GB/s", BABEL + "BabelStream-gtx2080ti_nvcc_cuda.out@cfeded12e9", "BabelStream 3.4 triad, FP64, arrays of 268 MB"),
        "published.dram_latency": fact(round(496.25 / 1.545, 1), "ns", "caps-tum/mt4g:sample_results@4cc55662a9", "496.25 cycles at 1545 MHz"),
        "published.l2_latency": fact(round(175.64 / 1.545, 1), "ns", "caps-tum/mt4g:sample_results@4cc55662a9", "175.64 cycles at 1545 MHz"),
    },
}

# gpu-benches folders: measured.csv gpu -> [(id, note)], for DRAM and for what depends on the chip alone
STREAM_BOARDS = {
    "V100_PCIE_16GB": [("v100-pcie-16gb", ""), ("v100-pcie-32gb", "measured on the 16 GB board: same chip and memory")],
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
                note = join(note, NO_BF16_UNITS)
            if word == "fp16" and board in NO_FP16:
                note = join(note, NO_FP16_UNITS)
            count = f"median of {len(values)} runs" if len(values) > 1 else ""
            put(board, f"published.gemm.{word}",
                fact(round(statistics.median(values), 2), "TFLOP/s", TORCH,
                     join(SQUARE, count, note)))


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
