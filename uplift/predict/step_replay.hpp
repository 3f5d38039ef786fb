// SPDX-License-Identifier: Apache-2.0
// Plays one recorded step again with other device times: the host issues work at its own pace,
// streams run in order, synchronisations wait. Host work is kept, so a faster GPU uncovers the host
// and a slower one hides it.
#pragma once

#include "uplift/core/kernel_class.hpp"
#include "uplift/core/quantity.hpp"
#include "uplift/core/workload.hpp"

#include <array>
#include <span>
#include <vector>

namespace uplift::predict {

/// What one event of the step takes on the device, and what bounds it. Unused for synchronisations.
struct EventCost {
  Seconds time;
  Bound bound = Bound::kLaunch;
};

struct Replay {
  Seconds length;
  /// The step split by what the device was doing; `host` is the time it did nothing. Sums to
  /// length.
  std::array<Seconds, kBounds.size()> by_bound{};
};

/// `costs` has one entry per event of the step; the host's own work takes `host_pace` times what
/// was recorded. docs/method.md, section 4.3.
[[nodiscard]] Replay replay_step(const Step& step, std::span<const EventCost> costs,
                                 double host_pace = 1.0);

/// What a second step right behind the first adds to it: one step of many in a row, in which a host
/// that runs ahead of the device does so across steps.
[[nodiscard]] Seconds replay_next_step(const Step& step, std::span<const EventCost> costs,
                                       double host_pace = 1.0);

}  // namespace uplift::predict
