// SPDX-License-Identifier: Apache-2.0
// The spellings that profilers use for categories, calls and numbers.
#include "uplift/read/trace/event_fields.hpp"

#include <charconv>

namespace uplift::read {

// PyTorch 1.8 wrote the first spelling, later versions the second.
Category parse_category(std::string_view text) {
  if (is(text, "cpu_op") || is(text, "Operator")) return Category::kOp;
  if (is(text, "cuda_runtime") || is(text, "Runtime") || is(text, "cuda_driver"))
    return Category::kCall;
  if (is(text, "kernel") || is(text, "Kernel")) return Category::kKernel;
  if (is(text, "gpu_memcpy") || is(text, "Memcpy")) return Category::kCopy;
  if (is(text, "gpu_memset") || is(text, "Memset")) return Category::kSet;
  if (is(text, "user_annotation")) return Category::kAnnotation;
  if (is(text, "python_function")) return Category::kPython;
  if (is(text, "cpu_instant_event")) return Category::kInstant;
  if (is(text, "cuda_profiler_range")) return Category::kCounters;
  return Category::kSkip;
}

std::optional<CallTraits> parse_call(std::string_view name) {
  const auto has = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
  CallTraits call;
  if (has("Synchronize")) {
    call.kind = CallKind::kSync;
    call.whole_device = has("Device") || has("Ctx");
  } else if (has("Launch")) {
    call.kind = CallKind::kLaunch;
  } else if (has("Memcpy") || has("Memset")) {
    call.kind = has("Memcpy") ? CallKind::kCopy : CallKind::kSet;
    // Sets of device memory return at once; copies without `Async` in their name do not.
    call.synchronous = call.kind == CallKind::kCopy && !has("Async");
  } else {
    return std::nullopt;
  }
  return call;
}

std::int64_t to_integer(std::string_view token, std::int64_t fallback) {
  token = unquote(token);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
  if (error != std::errc() || token.empty()) return fallback;
  return value;
}

std::int64_t to_stream(std::string_view token) {
  constexpr std::string_view kWord = "stream ";
  token = unquote(token);
  if (token.starts_with(kWord)) token.remove_prefix(kWord.size());
  return to_integer(token, 0);
}

}  // namespace uplift::read
