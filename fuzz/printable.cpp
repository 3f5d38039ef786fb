// SPDX-License-Identifier: Apache-2.0
// Whatever bytes a file name is made of, its printable form holds no control character, and making
// it printable again changes nothing.
#include "uplift/core/printable.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string once = uplift::printable(std::string(data, data + size));
  const bool clean = std::none_of(once.begin(), once.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7F;
  });
  if (!clean || uplift::printable(once) != once) std::abort();
  return 0;
}
