// SPDX-License-Identifier: Apache-2.0
// The fields of one trace event that bear on a prediction, as the raw text of their JSON tokens,
// and the small conversions of that text. What they add up to is event_batch.hpp's business.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

namespace uplift::read {

/// What an event's category says it is.
enum class Category {
  kSkip,
  kOp,
  kCall,
  kKernel,
  kCopy,
  kSet,
  kAnnotation,
  kPython,
  kInstant,
  kCounters
};

/// What runs on a device.
enum class DeviceKind : std::uint8_t { kKernel, kCopy, kSet };

enum class CallKind : std::uint8_t { kLaunch, kCopy, kSet, kSync };

/// A CUDA runtime or driver call that launches work or waits for it.
struct CallTraits {
  CallKind kind = CallKind::kLaunch;
  bool whole_device = false;  ///< a synchronisation of the device, not of one stream
  bool synchronous = false;   ///< a copy or set that returns only when it is done
};

/// How the Python frames of modules are named.
inline constexpr std::string_view kModulePrefix = "nn.Module: ";
[[nodiscard]] inline bool is_module(std::string_view python_frame) {
  return python_frame.starts_with(kModulePrefix);
}

/// `text` is `literal`; quicker than a comparison of unknown length.
template <std::size_t kSize>
[[nodiscard]] bool is(std::string_view text, const char (&literal)[kSize]) {
  return text.size() == kSize - 1 && std::memcmp(text.data(), literal, kSize - 1) == 0;
}

/// By either spelling of the category: PyTorch 1.8 wrote `Kernel`, later versions write `kernel`.
[[nodiscard]] Category parse_category(std::string_view text);

/// What a CUDA call does, by its name; empty for calls that neither launch nor wait.
[[nodiscard]] std::optional<CallTraits> parse_call(std::string_view name);

/// Tokens of an event's top-level members; strings without their quotes, still escaped.
struct RawEvent {
  std::string_view phase, category, name, pid, tid, ts, dur;
};

/// Tokens of its `args`.
struct RawArguments {
  std::string_view external_id, correlation, device, stream, bytes, dims, types, concrete, grid,
      block, registers, shared, reserved;
};

/// Without the white space behind it.
[[nodiscard]] inline std::string_view trim(std::string_view token) {
  while (!token.empty() && static_cast<unsigned char>(token.back()) <= ' ') token.remove_suffix(1);
  return token;
}

/// The inside of a string token, still escaped; other tokens unchanged.
[[nodiscard]] inline std::string_view unquote(std::string_view token) {
  token = trim(token);
  if (token.size() >= 2 && token.front() == '"' && token.back() == '"') {
    return token.substr(1, token.size() - 2);
  }
  return token;
}

/// An integer, also one written in quotes or with a fraction; `fallback` for anything else.
[[nodiscard]] std::int64_t to_integer(std::string_view token, std::int64_t fallback);

/// The number of a stream given as `7`, or as `stream 7` by the first versions.
[[nodiscard]] std::int64_t to_stream(std::string_view token);

}  // namespace uplift::read
