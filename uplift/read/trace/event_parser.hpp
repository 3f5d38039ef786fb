// SPDX-License-Identifier: Apache-2.0
// Turns a run of trace text into an EventBatch. Order of keys and of events does not matter; events
// that do not bear on a prediction are skipped without being parsed.
#pragma once

#include "uplift/read/trace/event_batch.hpp"

#include <memory>

namespace uplift::read {

class EventParser {
 public:
  EventParser();
  ~EventParser();
  EventParser(const EventParser&) = delete;
  EventParser& operator=(const EventParser&) = delete;

  /// Fills `batch` from the run it holds. Text that the fast parser refuses is cleaned and tried
  /// again, as a whole and then event by event; what is still refused is counted, not guessed.
  void parse(EventBatch& batch);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace uplift::read
