// SPDX-License-Identifier: Apache-2.0
#include "uplift/catalog/resolve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

namespace uplift::catalog {
namespace {

using Words = std::vector<std::string>;

Words split_words(std::string_view name) {
  Words words;
  bool inside = false;
  for (char c : name) {
    const bool upper = c >= 'A' && c <= 'Z';
    const bool fine = upper || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (fine && !inside) words.emplace_back();
    if (fine) words.back() += upper ? static_cast<char>(c - 'A' + 'a') : c;
    inside = fine;
  }
  return words;
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

bool contains(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Words that say nothing about which board it is.
bool is_noise(std::string_view word) {
  return is_one_of(word, {"nvidia", "tesla", "geforce", "gpu", "graphics", "tensor", "core"});
}

bool is_memory_size(std::string_view word) {
  return word.size() > 2 && word.substr(word.size() - 2) == "gb" &&
         std::all_of(word.begin(), word.end() - 2, [](char c) { return c >= '0' && c <= '9'; });
}

bool is_variant(std::string_view word) {
  return is_memory_size(word) || word.substr(0, 3) == "sxm" || word.substr(0, 3) == "hbm" ||
         is_one_of(word, {"pcie", "nvl"});
}

/// Words that make another product of the same number: an RTX 3090 Ti is no RTX 3090.
bool is_other_product(std::string_view word) {
  return is_one_of(word, {"ti", "super", "laptop", "mobile", "max", "d"});
}

Words model_words(const Gpu& gpu) {
  Words words = split_words(gpu.id);
  std::erase_if(words, [](const std::string& word) { return is_variant(word); });
  return words;
}

bool model_fits(const Gpu& gpu, const Words& query) {
  const Words model = model_words(gpu);
  if (model.empty()) return false;
  for (const std::string& word : model) {
    if (!contains(query, word)) return false;
  }
  return std::none_of(query.begin(), query.end(), [&](const std::string& word) {
    return is_other_product(word) && !contains(model, word);
  });
}

/// Every word by which the board is known.
Words all_words(const Gpu& gpu) {
  Words words = split_words(gpu.id);
  const auto add = [&](std::string_view name) {
    for (std::string& word : split_words(name)) words.push_back(std::move(word));
  };
  add(gpu.name);
  for (const std::string& alias : gpu.aliases) add(alias);
  return words;
}

/// `80` stands for `80gb`, `sxm` for `sxm4`.
bool knows_word(const Words& known, const std::string& word) {
  return contains(known, word) || contains(known, word + "gb") ||
         (word == "sxm" && std::any_of(known.begin(), known.end(), [](const std::string& other) {
            return other.substr(0, 3) == "sxm";
          }));
}

std::string list_ids(const std::vector<const Gpu*>& gpus) {
  std::string text;
  for (const Gpu* gpu : gpus) text += (text.empty() ? "" : ", ") + gpu->id;
  return text;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replace, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

/// A name as it may be shown: control characters out, and not endless.
std::string shown(std::string_view name) {
  std::string text;
  for (char c : name.substr(0, 60))
    text += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
  return name.size() > 60 ? text + "…" : text;
}

tl::unexpected<Error> unknown_name(std::span<const Gpu> gpus, std::string_view name,
                                   const Words& query) {
  std::string joined;
  for (const std::string& word : query) {
    if (!is_noise(word)) joined += (joined.empty() ? "" : "-") + word.substr(0, 24);
  }
  std::vector<std::pair<std::size_t, const Gpu*>> ranked;
  for (const Gpu& gpu : gpus) {
    std::string model;
    for (const std::string& word : model_words(gpu)) model += (model.empty() ? "" : "-") + word;
    ranked.emplace_back(std::min(edit_distance(joined, gpu.id), edit_distance(joined, model)),
                        &gpu);
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<const Gpu*> nearest;
  for (const auto& [distance, gpu] : ranked) {
    if (nearest.size() < 3 && distance <= 4) nearest.push_back(gpu);
  }
  const std::string hint =
      nearest.empty() ? "" : fmt::format("did you mean {}? ", list_ids(nearest));
  return failure(ErrorKind::kNotFound, "", fmt::format("unknown GPU \"{}\"", shown(name)),
                 hint + "`uplift gpus` lists all, --gpu-file adds one");
}

/// The vendor's name when it is not NVIDIA, or nothing.
std::string_view other_vendor(const Words& query) {
  for (const std::string& word : query) {
    if (is_one_of(word, {"amd", "radeon", "instinct", "gfx942", "gfx90a"})) return "AMD";
    if (word.size() >= 4 && word.substr(0, 2) == "mi" && word[2] >= '0' && word[2] <= '9') {
      return "AMD";
    }
    if (is_one_of(word, {"intel", "gaudi"})) return "Intel";
  }
  return "";
}

/// The boards whose id, name or alias has exactly these words.
std::vector<const Gpu*> exact_matches(std::span<const Gpu> gpus, const Words& query) {
  Words wanted = query;
  std::erase_if(wanted, [](const std::string& word) { return is_noise(word); });
  const auto same = [&](std::string_view name) {
    Words words = split_words(name);
    std::erase_if(words, [](const std::string& word) { return is_noise(word); });
    return words == wanted;
  };
  std::vector<const Gpu*> found;
  for (const Gpu& gpu : gpus) {
    if (same(gpu.id) || same(gpu.name) ||
        std::any_of(gpu.aliases.begin(), gpu.aliases.end(), same)) {
      found.push_back(&gpu);
    }
  }
  return found;
}

const Gpu* near_match(std::span<const Gpu> gpus, const Words& query) {
  for (const Gpu& gpu : gpus) {
    for (const std::string& alias : gpu.near_aliases) {
      if (split_words(alias) == query) return &gpu;
    }
  }
  return nullptr;
}

struct Family {
  std::vector<const Gpu*> best;        ///< the boards of the model that know most of the words
  std::vector<std::string> left_over;  ///< words that none of them knows
};

Family family_of(std::span<const Gpu> gpus, const Words& query) {
  Family family;
  std::size_t best_score = 0;
  std::size_t best_model = 0;
  for (const Gpu& gpu : gpus) {
    if (!model_fits(gpu, query)) continue;
    const Words known = all_words(gpu);
    const auto score = static_cast<std::size_t>(std::count_if(
        query.begin(), query.end(), [&](const std::string& w) { return knows_word(known, w); }));
    const std::size_t model = model_words(gpu).size();
    if (std::pair(model, score) > std::pair(best_model, best_score)) {
      family.best.clear();
      best_model = model;
      best_score = score;
    }
    if (model == best_model && score == best_score) family.best.push_back(&gpu);
  }
  for (const std::string& word : query) {
    const bool known = std::any_of(family.best.begin(), family.best.end(), [&](const Gpu* gpu) {
      return knows_word(all_words(*gpu), word);
    });
    if (!known && !is_noise(word)) family.left_over.push_back(word);
  }
  return family;
}

std::string nearest_note(std::string_view name, const Gpu& gpu) {
  return fmt::format("\"{}\" taken as {} ({}), the nearest board in the catalog", shown(name),
                     gpu.id, gpu.name);
}

/// How badly a board contradicts what a device says of itself; 0 is no contradiction.
double mismatch(const Gpu& gpu, const DeviceHints& hints) {
  double sum = 0.0;
  if (hints.memory_bytes && *hints.memory_bytes > 0.0 && gpu.memory_bytes) {
    sum += std::abs(std::log(*hints.memory_bytes / gpu.memory_bytes->value));
  }
  if (hints.sm_count && *hints.sm_count > 0 && gpu.sm_count) {
    sum += std::abs(std::log(*hints.sm_count / gpu.sm_count->value));
  }
  if (hints.compute_capability && *hints.compute_capability != gpu.compute_capability) sum += 10.0;
  return sum;
}

std::string difference_note(const Gpu& gpu, const DeviceHints& hints) {
  if (hints.sm_count && gpu.sm_count && *hints.sm_count != static_cast<int>(gpu.sm_count->value)) {
    return fmt::format("the device reports {} SMs, {} has {:.0f}", *hints.sm_count, gpu.id,
                       gpu.sm_count->value);
  }
  // As-sold and visible memory differ by up to about 7 %.
  if (hints.memory_bytes && gpu.memory_bytes &&
      std::abs(*hints.memory_bytes / gpu.memory_bytes->value - 1.0) > 0.12) {
    return fmt::format("the device reports {:.1f} GB, {} has {:.0f} GB", *hints.memory_bytes / 1e9,
                       gpu.id, gpu.memory_bytes->value / 1e9);
  }
  return "";
}

}  // namespace

Result<Resolution> resolve_typed(std::span<const Gpu> gpus, std::string_view name) {
  const Words query = split_words(name);
  if (const auto vendor = other_vendor(query); !vendor.empty()) {
    return failure(ErrorKind::kUnsupported, "",
                   fmt::format("\"{}\" is a GPU of {}", shown(name), vendor),
                   "uplift knows NVIDIA GPUs only");
  }
  auto exact = exact_matches(gpus, query);
  if (exact.size() == 1) return Resolution{exact.front(), ""};
  if (const Gpu* gpu = near_match(gpus, query)) return Resolution{gpu, nearest_note(name, *gpu)};
  const Family family = family_of(gpus, query);
  if (family.best.empty()) return unknown_name(gpus, name, query);
  if (family.best.size() > 1) {
    return failure(ErrorKind::kNotFound, "", fmt::format("\"{}\" fits several GPUs", shown(name)),
                   fmt::format("name one of {}", list_ids(family.best)));
  }
  const Gpu& gpu = *family.best.front();
  return Resolution{&gpu, family.left_over.empty() ? "" : nearest_note(name, gpu)};
}

Result<Resolution> resolve_printed(std::span<const Gpu> gpus, const DeviceHints& hints) {
  const Words query = split_words(hints.name);
  if (!other_vendor(query).empty()) return resolve_typed(gpus, hints.name);
  std::vector<const Gpu*> candidates = exact_matches(gpus, query);
  bool exact = candidates.size() == 1;
  if (!exact) {
    if (const Gpu* gpu = near_match(gpus, query)) {
      candidates = {gpu};
    } else {
      Family family = family_of(gpus, query);
      candidates = std::move(family.best);
      exact = candidates.size() == 1 && family.left_over.empty();
    }
  }
  if (candidates.empty()) return unknown_name(gpus, hints.name, query);
  const Gpu& gpu = **std::min_element(
      candidates.begin(), candidates.end(),
      [&](const Gpu* a, const Gpu* b) { return mismatch(*a, hints) < mismatch(*b, hints); });
  Resolution resolution{&gpu, exact ? "" : nearest_note(hints.name, gpu)};
  if (const std::string difference = difference_note(gpu, hints); !difference.empty()) {
    resolution.note += (resolution.note.empty() ? "" : "; ") + difference;
  }
  return resolution;
}

}  // namespace uplift::catalog
