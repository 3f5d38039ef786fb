// SPDX-License-Identifier: Apache-2.0
#include "uplift/predict/op/op_card.hpp"

namespace uplift::predict {

OpCard describe_card(const model::GpuModel& gpu, Math math) {
  OpCard card;
  card.generation = gpu.compute_capability;
  card.sms = gpu.tensor.sm_count;
  card.clock = gpu.tensor.clock.value();
  card.threads_per_sm = gpu.tensor.threads_per_sm;
  card.blocks_per_sm = gpu.tensor.blocks_per_sm;
  card.shared_bytes_per_sm = gpu.tensor.shared_bytes_per_sm;
  card.l2_bytes = gpu.cache.l2.value();
  card.rate = gpu.tensor.sustained[index(math)].value();
  card.peak = gpu.tensor.peak[index(math)].value();
  card.cuda_core_rate = gpu.tensor.sustained[index(Math::kFp32)].value();
  card.stream = gpu.memory.stream.value();
  card.l2_bandwidth = gpu.cache.bandwidth.value();
  card.peer = gpu.copy.peer.value();
  card.host_link = gpu.copy.host_pinned.value();
  card.floor = gpu.copy.kernel_floor.value();
  card.watts = gpu.tensor.board_watts;
  return card;
}

}  // namespace uplift::predict
