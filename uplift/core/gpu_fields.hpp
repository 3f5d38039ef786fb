// SPDX-License-Identifier: Apache-2.0
// The one table of the numbers that a board has. The loader reads by it, reports print by it and
// the comparison walks it, so that a new number is added here and in gpu.hpp and nowhere else.
#pragma once

#include "uplift/core/gpu.hpp"
#include "uplift/core/unit_kind.hpp"

#include <array>
#include <span>
#include <string_view>

namespace uplift {

/// Which direction is an upgrade. Clocks and counts of units are means, not ends: neither.
enum class Better { kHigher, kLower, kNeither };

struct GpuField {
  std::string_view path;      ///< where it stands in a GPU file: `peak.dense.fp16`
  std::string_view json_key;  ///< ends in its unit: `dense_fp16_flops_per_second`
  std::string_view label;     ///< for tables
  std::string_view unit;      ///< in which tables and shipped files write it
  UnitKind kind;
  Better better;
  bool required;
  MaybeFact& (*write)(Gpu&);
  const MaybeFact& (*read)(const Gpu&);
};

namespace detail {

template <auto kMember>
MaybeFact& of(Gpu& gpu) {
  return gpu.*kMember;
}
template <auto kMember>
const MaybeFact& of(const Gpu& gpu) {
  return gpu.*kMember;
}
template <auto kArray, Math kMath>
MaybeFact& of(Gpu& gpu) {
  return (gpu.*kArray)[index(kMath)];
}
template <auto kArray, Math kMath>
const MaybeFact& of(const Gpu& gpu) {
  return (gpu.*kArray)[index(kMath)];
}
template <auto kMember>
MaybeFact& published(Gpu& gpu) {
  return gpu.published.*kMember;
}
template <auto kMember>
const MaybeFact& published(const Gpu& gpu) {
  return gpu.published.*kMember;
}
template <Math kMath>
MaybeFact& gemm(Gpu& gpu) {
  return gpu.published.gemm[index(kMath)];
}
template <Math kMath>
const MaybeFact& gemm(const Gpu& gpu) {
  return gpu.published.gemm[index(kMath)];
}

// clang-format off
#define UPLIFT_FIELD(PATH, KEY, LABEL, UNIT, KIND, BETTER, REQUIRED, ...)        \
  GpuField{PATH, KEY, LABEL, UNIT, UnitKind::KIND, Better::BETTER, REQUIRED,     \
           static_cast<MaybeFact& (*)(Gpu&)>(&__VA_ARGS__),                      \
           static_cast<const MaybeFact& (*)(const Gpu&)>(&__VA_ARGS__)}
#define UPLIFT_DENSE(WORD, LABEL, UNIT, MATH)                                                 \
  UPLIFT_FIELD("peak.dense." WORD, "dense_" WORD "_flops_per_second", LABEL, UNIT,            \
               kComputeRate, kHigher, false, of<&Gpu::dense_peak, Math::MATH>)
#define UPLIFT_SPARSE(WORD, LABEL, UNIT, MATH)                                                \
  UPLIFT_FIELD("peak.sparse." WORD, "sparse_" WORD "_flops_per_second", LABEL " 2:4",         \
               UNIT, kComputeRate, kHigher, false, of<&Gpu::sparse_peak, Math::MATH>)
#define UPLIFT_GEMM(WORD, LABEL, UNIT, MATH)                                                  \
  UPLIFT_FIELD("published.gemm." WORD, "published_gemm_" WORD "_flops_per_second",            \
               LABEL " GEMM", UNIT, kComputeRate, kHigher, false, gemm<Math::MATH>)

inline constexpr auto kGpuFieldTable = std::to_array<GpuField>({
    UPLIFT_FIELD("compute.sm_count", "sm_count", "SMs", "count", kCount, kNeither, true, of<&Gpu::sm_count>),
    UPLIFT_FIELD("compute.boost_clock", "boost_clock_hertz", "Boost clock", "MHz", kFrequency, kNeither, false, of<&Gpu::boost_clock>),
    UPLIFT_FIELD("compute.tensor_clock", "tensor_clock_hertz", "Clock behind tensor peaks", "MHz", kFrequency, kNeither, false, of<&Gpu::tensor_clock>),
    UPLIFT_FIELD("compute.fp32_accumulate_ratio", "fp32_accumulate_ratio", "Tensor rate left with FP32 sums", "1", kRatio, kNeither, false, of<&Gpu::fp32_accumulate_ratio>),

    UPLIFT_DENSE("fp64", "FP64", "TFLOP/s", kFp64),
    UPLIFT_DENSE("fp64_tc", "FP64 tensor", "TFLOP/s", kFp64Tc),
    UPLIFT_DENSE("fp32", "FP32", "TFLOP/s", kFp32),
    UPLIFT_DENSE("tf32", "TF32 tensor", "TFLOP/s", kTf32),
    UPLIFT_DENSE("bf16", "BF16 tensor", "TFLOP/s", kBf16),
    UPLIFT_DENSE("fp16", "FP16 tensor", "TFLOP/s", kFp16),
    UPLIFT_DENSE("fp8", "FP8 tensor", "TFLOP/s", kFp8),
    UPLIFT_DENSE("int8", "INT8 tensor", "TOP/s", kInt8),
    UPLIFT_DENSE("int4", "INT4 tensor", "TOP/s", kInt4),
    UPLIFT_FIELD("peak.other.fp4", "dense_fp4_flops_per_second", "FP4 tensor", "TFLOP/s", kComputeRate, kHigher, false, of<&Gpu::fp4_peak>),
    UPLIFT_FIELD("peak.other.fp16_cuda", "fp16_cuda_core_flops_per_second", "FP16 on CUDA cores", "TFLOP/s", kComputeRate, kHigher, false, of<&Gpu::fp16_cuda_peak>),
    UPLIFT_FIELD("peak.other.fp16_fp16acc", "fp16_accumulate_fp16_flops_per_second", "FP16 tensor with FP16 sums", "TFLOP/s", kComputeRate, kHigher, false, of<&Gpu::fp16_fp16acc_peak>),
    UPLIFT_FIELD("peak.other.int8_dp4a", "int8_dp4a_ops_per_second", "INT8 by DP4A", "TOP/s", kComputeRate, kHigher, false, of<&Gpu::int8_dp4a_peak>),
    UPLIFT_SPARSE("tf32", "TF32", "TFLOP/s", kTf32),
    UPLIFT_SPARSE("bf16", "BF16", "TFLOP/s", kBf16),
    UPLIFT_SPARSE("fp16", "FP16", "TFLOP/s", kFp16),
    UPLIFT_SPARSE("fp8", "FP8", "TFLOP/s", kFp8),
    UPLIFT_SPARSE("int8", "INT8", "TOP/s", kInt8),
    UPLIFT_SPARSE("int4", "INT4", "TOP/s", kInt4),

    UPLIFT_FIELD("memory.capacity", "memory_bytes", "Memory as sold", "GB", kBytes, kHigher, true, of<&Gpu::memory_bytes>),
    UPLIFT_FIELD("memory.visible", "memory_visible_bytes", "Memory seen by the driver", "MiB", kBytes, kHigher, false, of<&Gpu::memory_visible_bytes>),
    UPLIFT_FIELD("memory.bandwidth", "dram_bandwidth_bytes_per_second", "DRAM bandwidth", "GB/s", kByteRate, kHigher, false, of<&Gpu::dram_bandwidth>),
    UPLIFT_FIELD("memory.bus_width", "memory_bus_bits", "Memory bus", "bit", kBits, kNeither, false, of<&Gpu::memory_bus_bits>),
    UPLIFT_FIELD("memory.l2", "l2_bytes", "L2 cache", "MiB", kBytes, kHigher, false, of<&Gpu::l2_bytes>),
    UPLIFT_FIELD("memory.l2_persisting", "l2_persisting_bytes", "L2 for persisting accesses", "MiB", kBytes, kHigher, false, of<&Gpu::l2_persisting_bytes>),

    UPLIFT_FIELD("sm.shared", "shared_per_sm_bytes", "Shared memory per SM", "KiB", kBytes, kHigher, false, of<&Gpu::shared_bytes_per_sm>),
    UPLIFT_FIELD("sm.shared_per_block", "shared_per_block_bytes", "Shared memory per block", "KiB", kBytes, kHigher, false, of<&Gpu::shared_bytes_per_block>),
    UPLIFT_FIELD("sm.threads", "threads_per_sm_count", "Threads per SM", "count", kCount, kNeither, false, of<&Gpu::threads_per_sm>),
    UPLIFT_FIELD("sm.registers", "registers_per_sm_count", "Registers per SM", "count", kCount, kNeither, false, of<&Gpu::registers_per_sm>),
    UPLIFT_FIELD("sm.blocks", "blocks_per_sm_count", "Blocks per SM", "count", kCount, kNeither, false, of<&Gpu::blocks_per_sm>),

    UPLIFT_FIELD("link.nvlink_generation", "nvlink_generation", "NVLink generation", "count", kCount, kNeither, false, of<&Gpu::nvlink_generation>),
    UPLIFT_FIELD("link.nvlink_links", "nvlink_link_count", "NVLink links", "count", kCount, kNeither, false, of<&Gpu::nvlink_links>),
    UPLIFT_FIELD("link.nvlink_bandwidth", "nvlink_both_ways_bytes_per_second", "NVLink both ways", "GB/s", kByteRate, kHigher, false, of<&Gpu::nvlink_bandwidth>),
    UPLIFT_FIELD("link.c2c_bandwidth", "c2c_both_ways_bytes_per_second", "C2C to the CPU both ways", "GB/s", kByteRate, kHigher, false, of<&Gpu::c2c_bandwidth>),
    UPLIFT_FIELD("link.pcie_generation", "pcie_generation", "PCIe generation", "count", kCount, kHigher, false, of<&Gpu::pcie_generation>),
    UPLIFT_FIELD("link.pcie_lanes", "pcie_lane_count", "PCIe lanes", "count", kCount, kHigher, false, of<&Gpu::pcie_lanes>),
    UPLIFT_FIELD("link.copy_engines", "copy_engine_count", "Copy engines", "count", kCount, kHigher, false, of<&Gpu::copy_engines>),

    UPLIFT_FIELD("board.power", "board_power_watts", "Board power", "W", kPower, kLower, false, of<&Gpu::board_power>),
    UPLIFT_FIELD("board.mig_instances", "mig_instance_count", "MIG instances", "count", kCount, kHigher, false, of<&Gpu::mig_instances>),

    UPLIFT_GEMM("fp64", "FP64", "TFLOP/s", kFp64),
    UPLIFT_GEMM("fp64_tc", "FP64 tensor", "TFLOP/s", kFp64Tc),
    UPLIFT_GEMM("fp32", "FP32", "TFLOP/s", kFp32),
    UPLIFT_GEMM("tf32", "TF32", "TFLOP/s", kTf32),
    UPLIFT_GEMM("bf16", "BF16", "TFLOP/s", kBf16),
    UPLIFT_GEMM("fp16", "FP16", "TFLOP/s", kFp16),
    UPLIFT_GEMM("fp8", "FP8", "TFLOP/s", kFp8),
    UPLIFT_GEMM("int8", "INT8", "TOP/s", kInt8),
    UPLIFT_GEMM("int4", "INT4", "TOP/s", kInt4),
    UPLIFT_FIELD("published.dram_stream", "published_dram_stream_bytes_per_second", "DRAM stream", "GB/s", kByteRate, kHigher, false, published<&PublishedCeilings::dram_stream>),
    UPLIFT_FIELD("published.l2_bandwidth", "published_l2_bytes_per_second", "L2 reads", "GB/s", kByteRate, kHigher, false, published<&PublishedCeilings::l2_bandwidth>),
    UPLIFT_FIELD("published.dram_latency", "published_dram_latency_seconds", "DRAM latency", "ns", kTime, kLower, false, published<&PublishedCeilings::dram_latency>),
    UPLIFT_FIELD("published.l2_latency", "published_l2_latency_seconds", "L2 latency", "ns", kTime, kLower, false, published<&PublishedCeilings::l2_latency>),
    UPLIFT_FIELD("published.launch_time", "published_launch_seconds", "Kernel to kernel in a stream", "us", kTime, kLower, false, published<&PublishedCeilings::launch_time>),
    UPLIFT_FIELD("published.graph_launch_time", "published_graph_launch_seconds", "Kernel to kernel in a graph", "us", kTime, kLower, false, published<&PublishedCeilings::graph_launch_time>),
    UPLIFT_FIELD("published.h2d_bandwidth", "published_h2d_bytes_per_second", "Host to device copy", "GB/s", kByteRate, kHigher, false, published<&PublishedCeilings::h2d_bandwidth>),
    UPLIFT_FIELD("published.d2h_bandwidth", "published_d2h_bytes_per_second", "Device to host copy", "GB/s", kByteRate, kHigher, false, published<&PublishedCeilings::d2h_bandwidth>),
});
#undef UPLIFT_GEMM
#undef UPLIFT_SPARSE
#undef UPLIFT_DENSE
#undef UPLIFT_FIELD
// clang-format on

}  // namespace detail

/// Every number of a board, in the order in which tables print them.
[[nodiscard]] constexpr std::span<const GpuField> gpu_fields() { return detail::kGpuFieldTable; }

/// The field at `path`, or nullptr.
[[nodiscard]] constexpr const GpuField* find_gpu_field(std::string_view path) {
  for (const GpuField& field : gpu_fields()) {
    if (field.path == path) return &field;
  }
  return nullptr;
}

}  // namespace uplift
