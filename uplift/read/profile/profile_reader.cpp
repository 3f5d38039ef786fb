// SPDX-License-Identifier: Apache-2.0
#include "uplift/read/profile/profile_reader.hpp"

#include "uplift/core/printable.hpp"
#include "uplift/read/byte_source.hpp"
#include "uplift/read/op_table/parse_op.hpp"
#include "uplift/read/profile/json_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

namespace uplift::read {
namespace {

constexpr std::string_view kSchema = "uplift.profile/";
constexpr int kVersion = 1;
constexpr std::int64_t kMostRepetitions = 1'000'000'000;
constexpr double kLongestCall = 3600;   // s
constexpr double kShortestCall = 1e-9;  // s; no kernel is as short
constexpr std::string_view kMeasureAgain = "measure again";

/// The largest value that can be meant, by unit; well above what any GPU reaches.
double most_of(std::string_view unit) {
  if (unit == "FLOP/s") return 1e18;
  if (unit == "B/s") return 1e16;
  if (unit == "s") return kLongestCall;
  return 1e24;
}

/// The unit of the quantities that the model takes; empty: any.
std::string_view unit_of(std::string_view quantity) {
  if (quantity.starts_with("gemm_")) return "FLOP/s";
  if (quantity == "launch") return "s";
  for (const std::string_view rate : {"dram_stream", "l2_read", "h2d", "d2h"}) {
    if (quantity == rate) return "B/s";
  }
  return {};
}

/// The schema key: that it is a profile at all, and of this version.
void check_schema(JsonFields& root) {
  const std::string schema = root.optional_text("schema");
  if (!root.ok()) return;
  if (!schema.starts_with(kSchema)) {
    return root.fail("schema",
                     schema.empty() ? "is missing: this is no profile"
                                    : fmt::format("is {}, not a profile", printable(schema)),
                     "a profile says uplift.profile/1");
  }
  int version = 0;
  const char* const begin = schema.data() + kSchema.size();
  const char* const end = schema.data() + schema.size();
  const auto [stop, wrong] = std::from_chars(begin, end, version);
  if (wrong != std::errc() || stop != end || version < 1) {
    return root.fail("schema", fmt::format("{} is not known", printable(schema)),
                     "this uplift reads uplift.profile/1");
  }
  if (version > kVersion) {
    root.fail("schema", fmt::format("{} is newer than this uplift", schema),
              "it reads uplift.profile/1; use a newer uplift, or measure with this one");
  }
}

std::optional<ComputeCapability> read_capability(JsonFields& device) {
  const std::string text = device.optional_text("compute_capability");
  if (text.empty()) return std::nullopt;
  ComputeCapability capability;
  const char* const end = text.data() + text.size();
  const auto major = std::from_chars(text.data(), end, capability.major);
  const bool dot = major.ec == std::errc() && major.ptr != end && *major.ptr == '.';
  const auto minor = dot ? std::from_chars(major.ptr + 1, end, capability.minor) : major;
  if (!dot || minor.ec != std::errc() || minor.ptr != end || capability.major < 1 ||
      capability.minor < 0) {
    device.fail("compute_capability", fmt::format("is {}", printable(text)), "such as 9.0");
    return std::nullopt;
  }
  return capability;
}

ProfileDevice read_device(JsonFields device) {
  constexpr double kMostHertz = 1e11;
  ProfileDevice found;
  found.name = device.text("name");
  found.compute_capability = read_capability(device);
  found.sm_count = device.optional_whole("sm_count", 1, 100'000);
  found.memory_bytes = device.optional_number("memory_bytes", 1, 1e15);
  found.max_sm_clock_hertz = device.optional_number("max_sm_clock_hertz", 1, kMostHertz);
  found.max_memory_clock_hertz = device.optional_number("max_memory_clock_hertz", 1, kMostHertz);
  found.ecc = device.optional_flag("ecc");
  found.power_limit_watts = device.optional_number("power_limit_watts", 1, 1e5);
  found.mig = device.optional_flag("mig");
  found.driver = device.optional_text("driver");
  found.toolkit = device.optional_text("toolkit");
  return found;
}

ProfileSample read_sample(JsonFields fields) {
  constexpr double kLeast = 1e-15;
  constexpr double kMostShare = 100;
  ProfileSample sample;
  sample.quantity = fields.text("quantity");
  sample.unit = fields.text("unit");
  const std::string_view unit = unit_of(sample.quantity);
  if (fields.ok() && !unit.empty() && unit != sample.unit) {
    fields.fail("unit",
                fmt::format("of {} is {}", printable(sample.quantity), printable(sample.unit)),
                fmt::format("{} is meant", unit));
  }
  const double most = most_of(sample.unit);
  sample.value = fields.optional_number("value", kLeast, most);
  sample.spread = fields.optional_number("spread", 0, most).value_or(0);
  sample.count = fields.optional_whole("count", 0, kMostRepetitions).value_or(0);
  sample.sm_clock_hertz = fields.optional_number("sm_clock_hertz", 1, 1e11);
  sample.power_watts = fields.optional_number("power_watts", 0, 1e5);
  sample.share_of_peak_observed_clock =
      fields.optional_number("share_of_peak_observed_clock", 0, kMostShare);
  sample.share_of_peak_data_sheet_clock =
      fields.optional_number("share_of_peak_data_sheet_clock", 0, kMostShare);
  sample.verified = fields.optional_flag("verified");
  const std::string reason = fields.optional_text("reason");
  for (std::size_t i = 0; i < kNoValueWords.size(); ++i) {
    if (reason == kNoValueWords[i]) sample.reason = static_cast<NoValue>(i);
  }
  if (!fields.ok()) return sample;
  if (!reason.empty() && !sample.reason) {
    fields.fail("reason", fmt::format("is {}", printable(reason)),
                "unsupported, not-compiled, failed and not-run are the reasons");
  } else if (!sample.value && !sample.reason) {
    fields.fail("value", "is missing without a reason", std::string(kMeasureAgain));
  } else if (sample.value && sample.reason) {
    fields.fail("reason", "is given beside a value", std::string(kMeasureAgain));
  } else if (sample.value && sample.count < 1) {
    fields.fail("count", "is missing or 0 beside a value", std::string(kMeasureAgain));
  }
  return sample;
}

void read_call(JsonFields fields, Profile& profile) {
  if (profile.calibration.size() + profile.unusable >= kMostCalibrations) {
    return fields.fail("", fmt::format("is beyond {} timed operations", kMostCalibrations));
  }
  TimedCall call;
  const std::string kind = fields.text("kind");
  const std::string math = fields.optional_text("math");
  const std::string shape = fields.text("shape");
  const std::string dtype = fields.optional_text("dtype");
  const std::string out_dtype = fields.optional_text("out_dtype");
  call.seconds = fields.number("seconds", kShortestCall, kLongestCall);
  call.spread = fields.optional_number("spread", 0, kLongestCall).value_or(0);
  call.count = fields.whole("count", 1, kMostRepetitions);
  if (!fields.ok()) return;
  std::string note;
  if (parse_op({kind, math, shape, dtype, out_dtype}, call.op, note)) {
    profile.calibration.push_back(std::move(call));
  } else if (profile.unusable++ == 0) {
    profile.first_unusable = fields.pointer() + ": " + note;
  }
}

Result<std::string> read_whole(const std::string& path) {
  auto source = open_byte_source(path, InputKind::kProfile);
  if (!source) return failure(source.error());
  constexpr std::size_t kPiece = std::size_t{64} << 10;
  std::string text;
  for (;;) {
    const std::size_t filled = text.size();
    text.resize(filled + kPiece);
    auto got = (*source)->read({text.data() + filled, kPiece});
    if (!got) return failure(got.error());
    text.resize(filled + *got);
    if (*got == 0) return text;
    if (text.size() > kLargestProfile) {
      return failure(ErrorKind::kUnsupported, path,
                     fmt::format("is larger than {} MiB: no profile", kLargestProfile >> 20),
                     "name a file that `uplift measure` wrote");
    }
  }
}

}  // namespace

Result<Profile> parse_profile(std::string_view text, const std::string& name) {
  JsonContext context{name, {}};
  simdjson::dom::parser parser(kLargestProfile);
  simdjson::dom::element document;
  const auto wrong = parser.parse(simdjson::padded_string(text)).get(document);
  simdjson::dom::object object;
  if (wrong != simdjson::SUCCESS) {
    const bool cut = wrong == simdjson::UNCLOSED_STRING || wrong == simdjson::TAPE_ERROR;
    return failure(ErrorKind::kSyntax, name,
                   cut ? "is no JSON, or breaks off" : "is no JSON that can be read",
                   "copy the file again, or measure again");
  }
  if (document.get_object().get(object) != simdjson::SUCCESS) {
    return failure(ErrorKind::kSyntax, name, "is not a profile",
                   "a profile is an object with schema uplift.profile/1");
  }
  JsonFields root(object, "", context);
  Profile profile;
  profile.file = name;
  check_schema(root);
  profile.complete = root.optional_flag("complete").value_or(false);
  if (auto device = root.object("device")) profile.device = read_device(*device);
  if (auto dimensions = root.object("dimensions")) {
    for (std::size_t i = 0; i < kDimensions.size(); ++i) {
      dimensions->each(word(kDimensions[i]), false, [&](const JsonFields& fields) {
        profile.samples[i].push_back(read_sample(fields));
      });
    }
  }
  root.each("calibration", false, [&](const JsonFields& fields) { read_call(fields, profile); });
  if (context.error) return failure(*context.error);
  return profile;
}

Result<Profile> load_profile(const std::string& path) {
  auto text = read_whole(path);
  if (!text) return failure(text.error());
  return parse_profile(*text, path);
}

Result<std::vector<Profile>> load_profiles(const std::vector<std::string>& paths) {
  namespace fs = std::filesystem;
  std::vector<Profile> profiles;
  for (const std::string& path : paths) {
    std::vector<std::string> files = {path};
    std::error_code error;
    if (fs::is_directory(path, error)) {
      files.clear();
      for (fs::directory_iterator entry(path, error), end; !error && entry != end;
           entry.increment(error)) {
        if (entry->path().extension() == ".json") files.push_back(entry->path().string());
      }
      if (error) return failure(ErrorKind::kIo, path, "cannot be listed: " + error.message());
      if (files.empty()) {
        return failure(ErrorKind::kIo, path, "holds no *.json", "name a folder with profiles");
      }
      std::sort(files.begin(), files.end());
    }
    for (const std::string& file : files) {
      auto profile = load_profile(file);
      if (!profile) return failure(profile.error());
      profiles.push_back(std::move(*profile));
    }
  }
  return profiles;
}

}  // namespace uplift::read
