// SPDX-License-Identifier: Apache-2.0
// Amounts inside the sentences of an answer: three significant digits and a unit that fits.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace uplift::decide {

[[nodiscard]] std::string time_text(double seconds);    ///< `11.6 ms`
[[nodiscard]] std::string bytes_text(double bytes);     ///< `77.1 MB`
[[nodiscard]] std::string share_text(double fraction);  ///< `41 %`
/// `1 copy`, `26 copies`; `plural` where an s does not make it.
[[nodiscard]] std::string count_text(std::int64_t count, std::string_view noun,
                                     std::string_view plural = {});

}  // namespace uplift::decide
