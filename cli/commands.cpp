// SPDX-License-Identifier: Apache-2.0
// The table of subcommands. A new one is a row here, a declaration in command.hpp and one file.
#include "cli/command.hpp"

#include <array>

namespace uplift::cli {

std::span<const Command> commands() {
  static constexpr std::array<Command, 6> kCommands = {{
      {"advise", "What would another GPU do for this workload, and is it worth it?",
       &declare_advise},
      {"inspect", "What is in a recording: where its time goes, and what to change",
       &declare_inspect},
      {"predict", "Single operations on another GPU: an op table in, an op table out",
       &declare_predict},
      {"gpus", "The catalog: every GPU, or all numbers of one with their sources", &declare_gpus},
      {"compare", "GPUs side by side, with ratios", &declare_compare},
      {"validate", "How far predictions of single operations are off, recomputed",
       &declare_validate},
  }};
  return kCommands;
}

}  // namespace uplift::cli
