// SPDX-License-Identifier: Apache-2.0
#include "uplift/report/recording_words.hpp"

#include "uplift/report/units.hpp"

#include <fmt/format.h>

namespace uplift::report {
namespace {

/// The name of the function without return type, namespaces, template and call arguments.
std::string_view short_kernel_name(std::string_view name) {
  for (const std::string_view noise : {"void ", "(anonymous namespace)::"}) {
    if (name.starts_with(noise)) name.remove_prefix(noise.size());
  }
  // Namespaces end where the first template or call argument list begins, unless the list is the
  // `(anonymous namespace)` of a longer path.
  constexpr std::string_view kAnonymous = "(anonymous namespace)::";
  std::size_t begin = 0;
  std::size_t at = 0;
  while (at < name.size() && name[at] != '<') {
    if (name.substr(at).starts_with(kAnonymous)) {
      at += kAnonymous.size();
      begin = at;
    } else if (name.substr(at).starts_with("::")) {
      at += 2;
      begin = at;
    } else if (name[at] == '(') {
      break;
    } else {
      ++at;
    }
  }
  const std::string_view base = name.substr(begin, at - begin);
  return base.empty() ? name : base;
}

}  // namespace

std::string recording_sentence(const WorkloadFacts& workload, const std::string& gpu_name) {
  std::string text = workload.framework.empty() ? "Recording" : workload.framework + " recording";
  if (!gpu_name.empty()) text += " on " + gpu_name;
  if (workload.rank && workload.world_size.value_or(1) > 1) {
    text += fmt::format(", rank {} of {}", *workload.rank, *workload.world_size);
  }
  text += workload.steps > 0
              ? fmt::format(", {} complete step{}", workload.steps, workload.steps == 1 ? "" : "s")
              : std::string(", no steps marked");
  return text + fmt::format(", {} kernel launch{} of {} distinct kernel{}.",
                            format_count(workload.kernel_launches),
                            workload.kernel_launches == 1 ? "" : "es",
                            format_count(workload.distinct_kernels),
                            workload.distinct_kernels == 1 ? "" : "s");
}

std::string kernel_label(std::string_view name, std::string_view op, KernelClass kernel_class) {
  if (op.starts_with("aten::")) op.remove_prefix(6);
  std::string label(op.empty() ? word(kernel_class) : op);
  return label + " " + std::string(short_kernel_name(name));
}

}  // namespace uplift::report
