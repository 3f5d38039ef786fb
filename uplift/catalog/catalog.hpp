// SPDX-License-Identifier: Apache-2.0
// Every board that uplift knows: the ones in the binary and the user's own. The catalog answers
// "what is this GPU" by canonical id, by the names that drivers and profilers print, and by what a
// trace says of its device.
#pragma once

#include "uplift/core/format_support.hpp"
#include "uplift/core/gpu.hpp"
#include "uplift/core/result.hpp"

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace uplift::catalog {

/// A board, and what the user should know about how its name was understood.
struct Resolution {
  const Gpu* gpu = nullptr;  ///< lives as long as the catalog
  std::string note;          ///< empty when the name was exact
};

/// What a trace or a driver says of a device; only the name is needed.
struct DeviceHints {
  std::string name;
  std::optional<int> sm_count;
  std::optional<double> memory_bytes;  ///< totalGlobalMem
  std::optional<ComputeCapability> compute_capability;
};

class Catalog {
 public:
  /// The boards in the binary, then one per user file. An id that is already taken is an error.
  [[nodiscard]] static Result<Catalog> load(std::span<const std::filesystem::path> user_files = {});

  /// In the order of `uplift gpus`: by compute capability, then by id.
  [[nodiscard]] std::span<const Gpu> all() const { return gpus_; }
  /// By canonical id only; nullptr when there is none.
  [[nodiscard]] const Gpu* find(std::string_view id) const;
  /// A name typed by a person. Unknown and ambiguous names are kNotFound, other vendors
  /// kUnsupported.
  [[nodiscard]] Result<Resolution> resolve(std::string_view name) const;
  /// A device named by a program: picks the nearest board, with a note, where the name fits
  /// several.
  [[nodiscard]] Result<Resolution> resolve_device(const DeviceHints& hints) const;

  /// Number formats of a compute capability; nullptr when it is not known.
  [[nodiscard]] const CapabilityFormats* formats(ComputeCapability capability) const;
  [[nodiscard]] std::span<const CapabilityFormats> all_formats() const { return formats_; }
  /// ISO date on which the data was last checked.
  [[nodiscard]] const std::string& date() const { return date_; }

 private:
  std::vector<Gpu> gpus_;
  std::vector<CapabilityFormats> formats_;
  std::string date_;
};

/// The `*.toml` files of a folder by name; none when there is no such folder.
[[nodiscard]] std::vector<std::filesystem::path> list_gpu_files(
    const std::filesystem::path& folder);

}  // namespace uplift::catalog
