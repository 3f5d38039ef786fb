// SPDX-License-Identifier: Apache-2.0
#include "uplift/read/profile/json_fields.hpp"

#include <fmt/format.h>

#include <cmath>

namespace uplift::read {
namespace {

constexpr std::size_t kLongestText = std::size_t{64} << 10;

}  // namespace

void JsonContext::fail(const std::string& pointer, std::string seen, std::string advice) {
  if (error) return;
  error = Error{ErrorKind::kSyntax, pointer.empty() ? file : file + ":" + pointer, std::move(seen),
                std::move(advice)};
}

std::optional<simdjson::dom::element> JsonFields::find(std::string_view key) {
  simdjson::dom::element element;
  if (!ok() || object_.at_key(key).get(element) != simdjson::SUCCESS || element.is_null()) {
    return std::nullopt;
  }
  return element;
}

template <class T>
std::optional<T> JsonFields::required(std::string_view key, std::optional<T> found) {
  if (!found) fail(key, "is missing");
  return found;
}

std::string JsonFields::optional_text(std::string_view key) {
  const auto member = find(key);
  if (!member) return {};
  std::string_view text;
  if (member->get_string().get(text) != simdjson::SUCCESS) {
    fail(key, "is not text");
  } else if (text.size() > kLongestText) {
    fail(key, fmt::format("is longer than {} bytes", kLongestText));
    return {};
  }
  return std::string(text);
}

std::string JsonFields::text(std::string_view key) {
  std::string value = optional_text(key);
  if (value.empty()) fail(key, "is missing or empty");
  return value;
}

std::optional<bool> JsonFields::optional_flag(std::string_view key) {
  const auto member = find(key);
  if (!member) return std::nullopt;
  bool value = false;
  if (member->get_bool().get(value) != simdjson::SUCCESS) {
    fail(key, "is neither true nor false");
    return std::nullopt;
  }
  return value;
}

std::optional<double> JsonFields::optional_number(std::string_view key, double least, double most) {
  const auto member = find(key);
  if (!member) return std::nullopt;
  double value = 0;
  if (member->get_double().get(value) != simdjson::SUCCESS) {
    fail(key, "is not a number");
    return std::nullopt;
  }
  if (!std::isfinite(value) || value < least || value > most) {
    fail(key, fmt::format("is {}", value), fmt::format("{} to {} is possible", least, most));
    return std::nullopt;
  }
  return value;
}

double JsonFields::number(std::string_view key, double least, double most) {
  return required(key, optional_number(key, least, most)).value_or(least);
}

std::optional<std::int64_t> JsonFields::optional_whole(std::string_view key, std::int64_t least,
                                                       std::int64_t most) {
  const auto member = find(key);
  if (!member) return std::nullopt;
  std::int64_t value = 0;
  if (member->get_int64().get(value) != simdjson::SUCCESS) {
    fail(key, "is not a whole number");
    return std::nullopt;
  }
  if (value < least || value > most) {
    fail(key, fmt::format("is {}", value), fmt::format("{} to {} is possible", least, most));
    return std::nullopt;
  }
  return value;
}

std::int64_t JsonFields::whole(std::string_view key, std::int64_t least, std::int64_t most) {
  return required(key, optional_whole(key, least, most)).value_or(least);
}

std::optional<JsonFields> JsonFields::object(std::string_view key) {
  const auto member = find(key);
  if (!member) {
    fail(key, "is missing");
    return std::nullopt;
  }
  simdjson::dom::object fields;
  if (member->get_object().get(fields) != simdjson::SUCCESS) {
    fail(key, "is not an object");
    return std::nullopt;
  }
  return JsonFields(fields, place(key), context_);
}

}  // namespace uplift::read
