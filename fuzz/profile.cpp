// SPDX-License-Identifier: Apache-2.0
// Any bytes as a profile give a profile or one line of error that names the file. What a profile
// holds is finite, and a sample has a value or a reason.
#include "fuzz/workload_check.hpp"
#include "uplift/read/profile/profile_reader.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using uplift::fuzz::check;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto profile = uplift::read::parse_profile(text, "input.json");
  if (!profile) {
    check(!profile.error().seen.empty());
    check(profile.error().where.starts_with("input.json"));
    return 0;
  }
  check(!profile->device.name.empty());
  for (const auto& list : profile->samples) {
    for (const uplift::ProfileSample& sample : list) {
      check(sample.value.has_value() != sample.reason.has_value());
      check(!sample.value || (std::isfinite(*sample.value) && *sample.value > 0));
    }
  }
  for (const uplift::TimedCall& call : profile->calibration) {
    check(std::isfinite(call.seconds) && call.seconds > 0 && call.count > 0);
    check(std::isfinite(uplift::flops(call.op.shape).value()));
  }
  check((profile->unusable > 0) == !profile->first_unusable.empty());
  return 0;
}
