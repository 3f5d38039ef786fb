// SPDX-License-Identifier: Apache-2.0
// Turns runs of trace events into KinetoRecords. Order of keys and of events does not matter;
// events that do not bear on a prediction are skipped without being parsed.
#pragma once

#include "uplift/read/trace/event_splitter.hpp"
#include "uplift/read/trace/kineto_records.hpp"

#include <memory>

namespace uplift::read {

class KinetoEvents final : public TraceSink {
 public:
  explicit KinetoEvents(KinetoRecords& records);
  ~KinetoEvents() override;
  KinetoEvents(const KinetoEvents&) = delete;
  KinetoEvents& operator=(const KinetoEvents&) = delete;

  [[nodiscard]] Result<void> events(char* text, std::size_t length, std::uint64_t offset) override;
  [[nodiscard]] Result<void> member(std::string_view key, std::string_view value) override;

 private:
  class Parser;
  std::unique_ptr<Parser> parser_;
};

}  // namespace uplift::read
