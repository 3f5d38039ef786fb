# SPDX-License-Identifier: Apache-2.0
"""What import_gpus.py adds to the tables: canonical ids and printed names, which values were read and
where, corrections with their reason, the named exceptions of the self-check, and the Tesla P4."""

PEAKS = {f"peak.dense.{w}" for w in ("fp64", "fp64_tc", "fp32", "tf32", "bf16", "fp16", "fp8", "int8", "int4")} | {
    "peak.other.fp4", "peak.other.fp16_cuda", "peak.other.fp16_fp16acc", "peak.other.int8_dp4a"}
SHEET = PEAKS | {"memory.capacity", "memory.bandwidth", "board.power"}
# What the CUDA samples' deviceQuery and nvaccelinfo print.
QUERY = {"compute.sm_count", "compute.boost_clock", "memory.capacity", "memory.bus_width", "memory.l2",
         "sm.threads", "link.copy_engines"}
XLA = {"compute.sm_count", "compute.boost_clock", "memory.bandwidth", "memory.l2", "sm.shared",
       "sm.shared_per_block", "sm.threads", "sm.registers", "sm.blocks"}
YAML = {"peak.dense.bf16", "peak.dense.fp16", "peak.dense.int8", "peak.dense.fp8", "memory.capacity",
        "memory.bandwidth", "board.power"}
CARD = "read on an H200 (driver attributes)"
OWN_READINGS = {CARD}

# The table's short words for what was read -> the document as a reader can find it.
DOCUMENTS = {
    "peaks and 732 GB/s (public note)": "public note on the NVIDIA Tesla P100 PCIe data sheet",
    "SM/smem/threads (habitat devices.yml)": "geoffxy/habitat:analyzer/habitat/data/devices.yml",
    "SM; clock; bandwidth; L2 (XLA p100.txtpb)": "openxla/xla:xla/backends/gpu/target_config/specs/p100.txtpb@4336d12e07",
    "XLA v100.txtpb": "openxla/xla:xla/backends/gpu/target_config/specs/v100.txtpb@4336d12e07",
    "XLA h200.txtpb": "openxla/xla:xla/backends/gpu/target_config/specs/h200.txtpb@4336d12e07",
    "XLA b200.txtpb": "openxla/xla:xla/backends/gpu/target_config/specs/b200.txtpb@300ec95ab8",
    "deviceQuery dump": "public deviceQuery output",
    "nvaccelinfo dump": "public nvaccelinfo output",
    "llm-analysis json": "cli99/llm-analysis:llm_analysis/gpu_configs",
    "peaks/TDP (io-tech.fi; hwupgrade.it)": "NVIDIA data sheet as printed by io-tech.fi and hwupgrade.it",
    "peaks (winston-zhang-orz/gpu-specs)": "NVIDIA data sheet as printed in winston-zhang-orz/gpu-specs:specs.md",
    "TDP DCGM": "NVIDIA/DCGM:nvvs/diag-skus.yaml.in@72fa3feaa6",
    "TDP only": "NVIDIA/DCGM:nvvs/diag-skus.yaml.in@72fa3feaa6 (id 1db8)",
    "clock and bandwidth (course page)": "cudaGetDeviceProperties output on a public course page",
    "peaks; TDP; clock (hmc-tech.com T4 page; sysrqmts.com)": "NVIDIA T4 datasheet as printed by hmc-tech.com and sysrqmts.com",
    "clock; L2; bus (mt4g json)": "caps-tum/mt4g:sample_results@4cc55662a9",
    "driver facts (mt4g json)": "caps-tum/mt4g:sample_results@4cc55662a9",
    "peaks (winston-zhang-orz/gpu-specs; hmc-tech.com)": "NVIDIA A100 datasheet as printed in winston-zhang-orz/gpu-specs and by hmc-tech.com",
    "peaks (hmc-tech.com)": "NVIDIA A100 datasheet as printed by hmc-tech.com",
    "aiconfigurator yaml": "ai-dynamo/aiconfigurator:aic-core/src/aiconfigurator_core/systems@095f58a51c",
    "device properties (ekondis/mixbench#18)": "ekondis/mixbench#18 (device properties)",
    "ml-engineering": "stas00/ml-engineering:compute/accelerator/README.md@744d01e18b",
    "ml-engineering (141 GB; 4.8 TB/s)": "stas00/ml-engineering:compute/accelerator/README.md@744d01e18b",
    "SM; clock; bus; bandwidth; TDP (sysrqmts.com; aiconfigurator yaml)": "NVIDIA A30 datasheet as printed by sysrqmts.com; ai-dynamo/aiconfigurator@095f58a51c",
    "MIG guide": "MIG User Guide, Supported GPUs (docs.nvidia.com/datacenter/tesla/mig-user-guide/supported-gpus.html)",
    "bandwidth and FP16/INT8 (citsjtu2020/LLM-Prof)": "citsjtu2020/LLM-Prof",
    "datasheet text (ecer.com copy)": "NVIDIA A40 datasheet as copied by ecer.com",
    "grokipedia L4 vs L40S": "NVIDIA L4 datasheet as printed by grokipedia.com",
    "datasheet table (mullet.se)": "NVIDIA datasheet table as printed by mullet.se",
    "FP32; clock; TDP; bandwidth (mobylak.com copy of the Ada table": "NVIDIA Ada whitepaper table as printed by mobylak.com",
    "peaks (hmc-tech.com; aiconfigurator yaml)": "NVIDIA H100 PCIe data as printed by hmc-tech.com; ai-dynamo/aiconfigurator@095f58a51c",
    "TDP (manuals.plus product brief)": "NVIDIA H100 PCIe product brief PB-11133-001 (manuals.plus)",
    "peaks (glennklockwood.com; ml-engineering)": "NVIDIA H100 datasheet as printed by glennklockwood.com and stas00/ml-engineering@744d01e18b",
    "cudnn-frontend#650": "NVIDIA/cudnn-frontend#650",
    "TDP (ml-engineering; DCGM)": "stas00/ml-engineering@744d01e18b; NVIDIA/DCGM:nvvs/diag-skus.yaml.in@72fa3feaa6",
    "OpenCL-Benchmark dump (1980 MHz; 97280 MB)": "mredenti/PowerCapping:configuration/OpenCL_benchmark.md",
    "glennklockwood.com": "NVIDIA DGX B200 datasheet as printed by glennklockwood.com and hmc-tech.com",
}

LAST_TOOLKIT = ("CUDA 12.9 release notes, Deprecated Architectures (quoted in pytorch/pytorch#157517): offline "
                "compilation and library support for Maxwell, Pascal and Volta end with the 12.x series; NVIDIA Unix "
                "driver deprecation schedule: the 580 series is the last for Maxwell, Pascal and Volta")
SUPPORT = {
    True: {"last_cuda_toolkit": "12.9", "last_driver_branch": "R580", "source": LAST_TOOLKIT, "how": "read"},
    False: {"source": "CUDA 13.0 release notes: compute capability 7.5 and later are supported", "how": "read"},
}

GEFORCE = {"compute.fp32_accumulate_ratio": {
    "value": 0.5, "unit": "1", "source": "NVIDIA architecture whitepapers (Turing, GA102, Ada): GeForce tables",
    "how": "recalled", "note": "GeForce: sums in FP32 run at half the rate of sums in FP16; INT8 and INT4 are whole"}}


def visible(mib_or_bytes, source, note=""):
    return {"memory.visible": {"value": f"{mib_or_bytes / 2**20:.2f}".rstrip("0").rstrip("."), "unit": "MiB",
                               "source": source, "how": "read", "note": note}}


TRACE = "totalGlobalMem in a PyTorch profiler trace: "
L40_HALF = "the L40 data sheet prints half of what the same chip has in the L40S: a product limit or the print"
NVL_CLOCK = "the NVL data sheet's tensor peaks imply about 1545 MHz; the driver reports 1785 MHz"
B200_CLOCK = "NVIDIA's tensor peaks imply about 1856 MHz; the boost clock is 1965 MHz"
TENSOR = ["tf32", "bf16", "fp16", "int8", "fp8"]

BOARDS = {
    "P4": {"id": "p4", "name": "Tesla P4", "aliases": ["NVIDIA Tesla P4"], "read_in": [
        ("comparison table at techwarrant.com", {"compute.boost_clock", "memory.capacity", "memory.bandwidth", "memory.bus_width", "peak.dense.fp32"}),
        ("techpowerup.com/gpu-specs/tesla-p4.c2879", {"compute.sm_count", "memory.l2", "board.power", "link.pcie_generation", "link.pcie_lanes"})]},
    "P100_PCIE_16GB": {"id": "p100-pcie-16gb", "name": "Tesla P100-PCIE-16GB", "read_in": [
        ("peaks and 732 GB/s (public note)", PEAKS | {"memory.bandwidth"}),
        ("SM/smem/threads (habitat devices.yml)", {"compute.sm_count", "sm.shared", "sm.threads"})]},
    "P100_SXM2_16GB": {"id": "p100-sxm2-16gb", "name": "Tesla P100-SXM2-16GB", "read_in": [
        ("SM; clock; bandwidth; L2 (XLA p100.txtpb)", {"compute.sm_count", "compute.boost_clock", "memory.bandwidth", "memory.l2"})]},
    "V100_PCIE_16GB": {"id": "v100-pcie-16gb", "name": "Tesla V100-PCIE-16GB", "near_aliases": ["Tesla V100-FHHL-16GB"], "read_in": [
        ("deviceQuery dump", QUERY), ("peaks/TDP (io-tech.fi; hwupgrade.it)", PEAKS | {"board.power"}),
        ("llm-analysis json", {"memory.bandwidth"})]},
    "V100_SXM2_16GB": {"id": "v100-sxm2-16gb", "name": "Tesla V100-SXM2-16GB", "near_aliases": ["Tesla V100-DGXS-16GB"], "read_in": [
        ("XLA v100.txtpb", XLA), ("deviceQuery dump", QUERY), ("peaks (winston-zhang-orz/gpu-specs)", PEAKS)]},
    "V100_PCIE_32GB": {"id": "v100-pcie-32gb", "name": "Tesla V100-PCIE-32GB", "read_in": [
        ("deviceQuery dump", QUERY), ("llm-analysis json", {"memory.bandwidth"}), ("TDP DCGM", {"board.power"})]},
    "V100_SXM2_32GB": {"id": "v100-sxm2-32gb", "name": "Tesla V100-SXM2-32GB", "near_aliases": ["Tesla V100-DGXS-32GB", "Tesla V100-SXM2-32GB-LS"],
                       "facts": visible(34089730048, TRACE + "facebookresearch/HolisticTraceAnalysis df_index_resolver"), "read_in": [
        ("nvaccelinfo dump", QUERY), ("peaks (winston-zhang-orz/gpu-specs)", PEAKS)]},
    "V100_SXM3_32GB": {"id": "v100-sxm3-32gb", "name": "Tesla V100-SXM3-32GB", "near_aliases": ["Tesla V100-SXM3-32GB-H"], "read_in": [("TDP only", {"board.power"})]},
    "V100S_PCIE_32GB": {"id": "v100s-pcie-32gb", "name": "Tesla V100S-PCIE-32GB", "read_in": [
        ("clock and bandwidth (course page)", {"compute.boost_clock", "memory.bandwidth"}), ("peaks (winston-zhang-orz/gpu-specs)", PEAKS)]},
    "T4": {"id": "t4", "name": "Tesla T4", "aliases": ["NVIDIA T4"], "read_in": [
        ("peaks; TDP; clock (hmc-tech.com T4 page; sysrqmts.com)", PEAKS | {"board.power", "compute.boost_clock"})]},
    "RTX_2080_TI": {"id": "rtx-2080-ti", "name": "NVIDIA GeForce RTX 2080 Ti", "aliases": ["GeForce RTX 2080 Ti"],
                    "facts": GEFORCE | visible(11554586624, TRACE + "facebookresearch/param resnet_kineto"), "read_in": [
        ("clock; L2; bus (mt4g json)", {"compute.boost_clock", "memory.l2", "memory.bus_width"})]},
    "A100_PCIE_40GB": {"id": "a100-pcie-40gb", "name": "NVIDIA A100-PCIE-40GB", "read_in": [
        ("deviceQuery dump", QUERY), ("peaks (winston-zhang-orz/gpu-specs; hmc-tech.com)", PEAKS)]},
    "A100_PCIE_80GB": {"id": "a100-pcie-80gb", "name": "NVIDIA A100 80GB PCIe", "aliases": ["A100-PCIE-80GB"], "read_in": [
        ("deviceQuery dump", QUERY), ("aiconfigurator yaml", YAML)]},
    "A100_SXM4_40GB": {"id": "a100-sxm4-40gb", "name": "NVIDIA A100-SXM4-40GB", "aliases": ["A100-SXM-40GB"],
                       "near_aliases": ["NVIDIA A100-PG509-200", "A100-PG509-200"],
                       "facts": visible(42297524224, TRACE + "facebookresearch/HolisticTraceAnalysis nccl_parser_config", "read on an A100-PG509-200, the same chip and memory"), "read_in": [
        ("device properties (ekondis/mixbench#18)", QUERY - {"link.copy_engines"}), ("peaks (hmc-tech.com)", PEAKS)]},
    "A100_SXM4_80GB": {"id": "a100-sxm4-80gb", "name": "NVIDIA A100-SXM4-80GB", "aliases": ["A100-SXM-80GB"], "read_in": [
        ("deviceQuery dump", QUERY), ("aiconfigurator yaml", YAML), ("ml-engineering", PEAKS | {"memory.bandwidth", "board.power"})]},
    "A30": {"id": "a30", "name": "NVIDIA A30", "read_in": [
        ("SM; clock; bus; bandwidth; TDP (sysrqmts.com; aiconfigurator yaml)", {"compute.sm_count", "compute.boost_clock", "memory.bus_width", "memory.bandwidth", "board.power"}),
        ("MIG guide", {"board.mig_instances"})]},
    "A10": {"id": "a10", "name": "NVIDIA A10", "read_in": [
        ("bandwidth and FP16/INT8 (citsjtu2020/LLM-Prof)", {"memory.bandwidth", "peak.dense.fp16", "peak.dense.int8"})]},
    "A40": {"id": "a40", "name": "NVIDIA A40", "read_in": [
        ("datasheet text (ecer.com copy)", SHEET | {"link.nvlink_bandwidth", "memory.bus_width"})]},
    "RTX_3090": {"id": "rtx-3090", "name": "NVIDIA GeForce RTX 3090", "aliases": ["GeForce RTX 3090"], "facts": GEFORCE, "read_in": []},
    "L4": {"id": "l4", "name": "NVIDIA L4", "read_in": [("aiconfigurator yaml", YAML), ("grokipedia L4 vs L40S", PEAKS)]},
    "L40": {"id": "l40", "name": "NVIDIA L40", "read_in": [("datasheet table (mullet.se)", SHEET)],
            "exceptions": {f"peak.dense.{w}": L40_HALF for w in TENSOR + ["int4"]}},
    "L40S": {"id": "l40s", "name": "NVIDIA L40S", "read_in": [("datasheet table (mullet.se)", SHEET)],
             "exceptions": {"peak.dense.int4": "the L40S data sheet prints INT4 equal to INT8"}},
    "RTX_4090": {"id": "rtx-4090", "name": "NVIDIA GeForce RTX 4090", "aliases": ["GeForce RTX 4090"], "facts": GEFORCE, "read_in": [
        ("FP32; clock; TDP; bandwidth (mobylak.com copy of the Ada table", {"peak.dense.fp32", "compute.boost_clock", "board.power", "memory.bandwidth"})]},
    "H100_PCIE_80GB": {"id": "h100-pcie-80gb", "name": "NVIDIA H100 PCIe", "read_in": [
        ("nvaccelinfo dump", QUERY), ("peaks (hmc-tech.com; aiconfigurator yaml)", PEAKS), ("TDP (manuals.plus product brief)", {"board.power"})]},
    "H100_SXM5_80GB": {"id": "h100-sxm5-80gb", "name": "NVIDIA H100 80GB HBM3", "aliases": ["H100-SXM5-80GB", "H100 SXM"],
                       "facts": visible(85018279936, TRACE + "AMD-AGI/TraceLens h100") | {
        "memory.l2_persisting": {"value": 37.5, "unit": "MiB", "source": "caps-tum/mt4g:sample_results@4cc55662a9", "how": "read", "note": ""}}, "read_in": [
        ("deviceQuery dump", QUERY), ("peaks (glennklockwood.com; ml-engineering)", PEAKS | {"memory.bandwidth", "board.power"}),
        ("cudnn-frontend#650", {"compute.tensor_clock"})]},
    "H100_NVL_94GB": {"id": "h100-nvl-94gb", "name": "NVIDIA H100 NVL", "read_in": [
        ("driver facts (mt4g json)", QUERY | {"sm.shared", "sm.registers"}), ("TDP (ml-engineering; DCGM)", {"board.power"})],
        "exceptions": {f"peak.dense.{w}": NVL_CLOCK for w in TENSOR}},
    "H200_SXM_141GB": {"id": "h200-sxm-141gb", "name": "NVIDIA H200", "aliases": ["H200-SXM-141GB"],
                       "facts": visible(150109880320, "totalGlobalMem in this project's own PyTorch profiler traces") | {
        "memory.l2": {"value": 60, "unit": "MiB", "source": CARD, "how": "read", "note": "62,914,560 bytes; the H100 whitepaper and XLA say 50 MB"},
        "memory.l2_persisting": {"value": 37.5, "unit": "MiB", "source": CARD, "how": "read", "note": ""},
        "memory.bus_width": {"value": 6016, "unit": "bit", "source": CARD, "how": "read", "note": "at 3201 MHz: 4814 GB/s; data sheets and XLA give 6144 bit"},
        "link.copy_engines": {"value": 3, "unit": "count", "source": CARD, "how": "read", "note": ""}},
        "notes": ["the gpu-benches L2 curve falls from 9.7 TB/s at 40 MiB to 7.5 TB/s at 47 MiB"], "read_in": [
        (CARD, {"compute.boost_clock"}), ("XLA h200.txtpb", XLA), ("ml-engineering", PEAKS | {"board.power"}), ("aiconfigurator yaml", {"memory.capacity"})]},
    "GH200_96GB": {"id": "gh200-96gb", "name": "NVIDIA GH200 480GB", "aliases": ["GH200 96GB HBM3"],
                   "facts": visible(97280 * 2**20, "mredenti/PowerCapping:configuration/OpenCL_benchmark.md"),
                   "read_in": [("ml-engineering", PEAKS | {"memory.bandwidth"}), ("OpenCL-Benchmark dump (1980 MHz; 97280 MB)", {"compute.boost_clock", "memory.capacity"})]},
    "GH200_144GB": {"id": "gh200-144gb", "name": "NVIDIA GH200 144G HBM3e", "aliases": ["GH200 144GB HBM3e"], "read_in": [
        ("ml-engineering (141 GB; 4.8 TB/s)", PEAKS)]},
    "B200_SXM_180GB": {"id": "b200-sxm", "name": "NVIDIA B200", "aliases": ["B200-SXM-180GB"], "read_in": [
        ("XLA b200.txtpb", XLA), ("glennklockwood.com", PEAKS), ("aiconfigurator yaml", {"memory.capacity", "board.power"})],
        "exceptions": {**{f"peak.dense.{w}": B200_CLOCK for w in TENSOR}, "peak.other.fp4": B200_CLOCK}},
}
for _board in BOARDS.values():
    _board.setdefault("exceptions", {})
    bare = _board["name"].removeprefix("NVIDIA ")
    if bare != _board["name"] and bare not in _board.setdefault("aliases", []):
        _board["aliases"].insert(0, bare)

# Not in devices.csv. Read in public pages except what the last column does not name.
P4_ROW = {
    "id": "P4", "name": "Tesla P4", "arch": "Pascal", "chip": "GP104", "compute_capability": "6.1", "sm_count": "20",
    "boost_clock_mhz": "1063", "fp32_tflops": "5.5", "int8_dp4a_tops": "22", "sparse_2to4_types": "none", "mem_gb": "8",
    "mem_type": "GDDR5", "mem_bus_bits": "256", "mem_bw_gbs": "192", "l2_mb": "2", "smem_per_sm_kb": "96",
    "smem_optin_per_block_kb": "48", "max_threads_per_sm": "2048", "regs_per_sm": "65536", "max_blocks_per_sm": "32",
    "pcie_gen": "3", "pcie_lanes": "16", "tdp_w": "75", "mig_max_instances": "0", "launch_year": "2016",
    "notes": "no tensor cores; FP16 at 1/64 of FP32; the 75 W limit keeps long FP32 work well below 1063 MHz "
             "(measured 4.6 of 5.5 TFLOP/s at best); other pages list a boost of 1114 MHz; some device lists give 40 SMs of 64 cores",
    "sources": "NVIDIA Tesla P4 datasheet; CUDA Programming Guide 5.1 Compute Capabilities "
               "(docs.nvidia.com/cuda/cuda-programming-guide/05-appendices/compute-capabilities.html)",
    "seen_in_store": "comparison table at techwarrant.com; techpowerup.com/gpu-specs/tesla-p4.c2879",
}
_CC61 = [("FP64", "native 1/32 rate", "8", ""), ("FP32", "native", "256", ""),
         ("FP16", "native half2 at 1/64 of FP32", "4", "libraries sum in FP32 instead"), ("BF16", "none (convert to FP32)", "", ""),
         ("TF32", "none", "", ""), ("INT8", "DP4A", "1024", "first capability with DP4A"), ("INT4", "none", "", ""),
         ("FP8", "none", "", ""), ("FP4", "none", "", "")]
CC61_ROWS = [{"compute_capability": "6.1", "dtype": word, "tensor_core": "no", "cuda_core_path": path, "sparse_2to4": "no",
              "dense_ops_per_clk_per_sm": rate, "relative_note": note,
              "source": "CUDA Programming Guide 5.1 Compute Capabilities"} for word, path, rate, note in _CC61]

# CUDA-core rates that precision.csv gives in words or only for the tensor cores.
CUDA_RATES = {
    ("7.0", "fp16"): "256", ("7.5", "fp16"): "256", ("8.0", "fp64"): "64", ("8.0", "fp16"): "512", ("8.0", "bf16"): "256",
    ("8.6", "fp16"): "256", ("8.9", "fp16"): "256", ("9.0", "fp64"): "128", ("9.0", "fp16"): "512", ("9.0", "bf16"): "512",
    ("10.0", "fp64"): "128", ("10.0", "fp16"): "256", ("10.0", "bf16"): "256",
}
