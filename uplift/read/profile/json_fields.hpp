// SPDX-License-Identifier: Apache-2.0
// Typed members of a JSON object with the place of the first thing that is wrong: getters do
// nothing more once something is, so a reader asks for all its keys and looks once.
#pragma once

#include "uplift/core/result.hpp"

#include <simdjson.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace uplift::read {

/// Where reading stands: the file, and the first error in it.
struct JsonContext {
  std::string file;
  std::optional<Error> error;

  /// `pointer`: the JSON pointer of the place.
  void fail(const std::string& pointer, std::string seen, std::string advice = {});
};

class JsonFields {
 public:
  JsonFields(simdjson::dom::object object, std::string pointer, JsonContext& context)
      : object_(object), pointer_(std::move(pointer)), context_(context) {}

  /// Required text; more than 64 KiB is refused.
  [[nodiscard]] std::string text(std::string_view key);
  /// Null or absent: empty.
  [[nodiscard]] std::string optional_text(std::string_view key);
  [[nodiscard]] std::optional<bool> optional_flag(std::string_view key);
  /// Null or absent: empty. Numbers outside `least` … `most` are refused.
  [[nodiscard]] std::optional<double> optional_number(std::string_view key, double least,
                                                      double most);
  [[nodiscard]] double number(std::string_view key, double least, double most);
  [[nodiscard]] std::optional<std::int64_t> optional_whole(std::string_view key, std::int64_t least,
                                                           std::int64_t most);
  [[nodiscard]] std::int64_t whole(std::string_view key, std::int64_t least, std::int64_t most);
  [[nodiscard]] std::optional<JsonFields> object(std::string_view key);
  /// Calls `visit(JsonFields)` for each member, which must be objects. Absent: none, unless
  /// `required`.
  template <class Visit>
  void each(std::string_view key, bool required, const Visit& visit);

  /// The first error of the file is that `key` here is wrong.
  void fail(std::string_view key, std::string seen, std::string advice = {}) {
    context_.fail(place(key), std::move(seen), std::move(advice));
  }
  [[nodiscard]] bool ok() const { return !context_.error; }
  [[nodiscard]] const std::string& pointer() const { return pointer_; }

 private:
  [[nodiscard]] std::string place(std::string_view key) const {
    return pointer_ + "/" + std::string(key);
  }
  /// Empty for null and absent members, and once something is wrong.
  [[nodiscard]] std::optional<simdjson::dom::element> find(std::string_view key);
  template <class T>
  [[nodiscard]] std::optional<T> required(std::string_view key, std::optional<T> found);

  simdjson::dom::object object_;
  std::string pointer_;
  JsonContext& context_;
};

template <class Visit>
void JsonFields::each(std::string_view key, bool required, const Visit& visit) {
  const auto member = find(key);
  if (!member) {
    if (required) fail(key, "is missing");
    return;
  }
  simdjson::dom::array list;
  if (member->get_array().get(list) != simdjson::SUCCESS) return fail(key, "is not a list");
  std::size_t i = 0;
  for (const simdjson::dom::element entry : list) {
    if (!ok()) return;
    const std::string at = place(key) + "/" + std::to_string(i++);
    simdjson::dom::object fields;
    if (entry.get_object().get(fields) != simdjson::SUCCESS) {
      return context_.fail(at, "is not an object");
    }
    visit(JsonFields(fields, at, context_));
  }
}

}  // namespace uplift::read
