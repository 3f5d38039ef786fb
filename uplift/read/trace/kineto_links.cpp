// SPDX-License-Identifier: Apache-2.0
// One sweep per thread over frames and calls in order of time, with the frames that are open.
#include "uplift/read/trace/kineto_links.hpp"

#include "uplift/read/large_pages.hpp"

#include <algorithm>
#include <unordered_map>

namespace uplift::read {
namespace {

std::uint64_t pair_key(std::uint32_t high, std::uint32_t low) {
  return static_cast<std::uint64_t>(high) << 32 | low;
}

/// The stacks seen so far, as a tree.
class StackTree {
 public:
  StackTree(const KinetoRecords& records, std::vector<StackFrame>& stacks)
      : records_(records), stacks_(stacks) {}

  /// The frame of `signature` under `parent`.
  std::int32_t child(std::int32_t parent, const FrameSignature& signature) {
    // Frames of the same kind and name are one, whatever their arguments.
    const std::uint64_t name =
        std::uint64_t{signature.name} * 4 + static_cast<unsigned>(signature.kind);
    const auto [found, is_new] =
        children_.try_emplace(Key{parent, name}, static_cast<std::int32_t>(stacks_.size()));
    if (is_new) {
      stacks_.push_back({signature.kind, records_.text(signature.name), parent, 0, Seconds(0)});
    }
    return found->second;
  }

 private:
  struct Key {
    std::int32_t parent;
    std::uint64_t name;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const {
      return (key.name ^ static_cast<std::uint64_t>(key.parent) << 34) * 0x9e3779b97f4a7c15U;
    }
  };
  const KinetoRecords& records_;
  std::vector<StackFrame>& stacks_;
  std::unordered_map<Key, std::int32_t, Hash> children_;
};

/// The frames around the current time on one thread, outermost first.
class OpenFrames {
 public:
  OpenFrames(const KinetoRecords& records, StackTree& tree) : records_(records), tree_(tree) {}

  void enter(const FrameRecord& frame) {
    leave_until(frame.start);
    const bool is_op = records_.frames[frame.signature].kind == FrameKind::kOp;
    open_.push_back({frame.end, frame.signature, kNone, is_op ? ++op_calls_ : 0});
  }
  void leave_until(std::int64_t time) {
    while (!open_.empty() && open_.back().end < time) open_.pop_back();
  }
  void clear() { open_.clear(); }

  /// The tree's node of the innermost frame.
  [[nodiscard]] std::int32_t frame() {
    // Only frames entered since the last call have no node yet.
    std::size_t known = open_.size();
    while (known > 0 && open_[known - 1].node == kNone) --known;
    std::int32_t node = known > 0 ? open_[known - 1].node : kNone;
    for (; known < open_.size(); ++known) {
      node = tree_.child(node, records_.frames[open_[known].signature]);
      open_[known].node = node;
    }
    return node;
  }

  [[nodiscard]] CallSite site(std::uint32_t& op_call) {
    CallSite site;
    site.frame = frame();
    op_call = 0;
    int hops = 0;
    for (auto open = open_.rbegin(); open != open_.rend() && hops < kShapeHops; ++open) {
      if (open->op_call == 0) continue;  // not an operator
      if (site.op == kNoSignature) {
        site.op = open->signature;
        op_call = open->op_call;
      }
      if (records_.frames[open->signature].dims != 0) {
        site.shaped = open->signature;
        break;
      }
      ++hops;
    }
    return site;
  }

 private:
  /// The innermost operator that has shapes describes the call, if it is this near.
  static constexpr int kShapeHops = 4;

  struct Open {
    std::int64_t end;
    std::uint32_t signature;
    std::int32_t node;
    std::uint32_t op_call;
  };
  const KinetoRecords& records_;
  StackTree& tree_;
  std::vector<Open> open_;
  std::uint32_t op_calls_ = 0;
};

class Linker {
 public:
  Linker(const KinetoRecords& records, KinetoLinks& links)
      : records_(records), links_(links), tree_(records, links.stacks), open_(records, tree_) {
    links_.sites.emplace_back();
  }

  void run(std::int32_t device) {
    load(device);
    for (std::size_t i = 0; i < records_.threads.size(); ++i) {
      link_thread(static_cast<std::uint32_t>(i));
    }
    find_unlinked(device);
    if (by_external_id_.empty()) return;
    for (const HostThread& thread : records_.threads) link_by_external_id(thread);
  }

 private:
  struct Ids {
    std::int64_t id;
    std::uint32_t activity;
    bool operator<(const Ids& other) const {
      return id != other.id ? id < other.id : activity < other.activity;
    }
  };

  void load(std::int32_t device) {
    std::size_t count = 0;
    for (const DeviceStream& stream : records_.streams) {
      if (stream.device == device) count += stream.work.size();
    }
    links_.activities.reserve(count);
    by_correlation_.reserve(count);
    prefer_large_pages(links_.activities);
    prefer_large_pages(by_correlation_);
    for (const DeviceStream& stream : records_.streams) {
      if (stream.device != device) continue;
      auto cursor = stream.work.read();
      while (const auto record = cursor.next()) {
        const auto number = static_cast<std::uint32_t>(links_.activities.size());
        Activity activity;
        activity.start = record->start;
        activity.end = record->end;
        activity.bytes = record->bytes;
        activity.work = record->signature;
        activity.stream = stream.stream;
        links_.activities.push_back(activity);
        if (record->correlation != kNoId) by_correlation_.push_back({record->correlation, number});
      }
    }
    if (!std::is_sorted(by_correlation_.begin(), by_correlation_.end())) {
      std::sort(by_correlation_.begin(), by_correlation_.end());
    }
  }

  /// The first activity with this correlation id, or later. Calls come nearly in order of their
  /// ids, so the place of the last one is the best start.
  [[nodiscard]] std::size_t find(std::int64_t correlation) {
    const auto less = [](const Ids& ids, std::int64_t value) { return ids.id < value; };
    constexpr std::size_t kNear = 64;
    const auto begin = by_correlation_.begin();
    const std::size_t size = by_correlation_.size();
    std::size_t from = 0;
    std::size_t to = size;
    if (hint_ < size && by_correlation_[hint_].id <= correlation) {
      const std::size_t near = std::min(size, hint_ + kNear);
      from = hint_;
      if (near == size || by_correlation_[near - 1].id >= correlation) to = near;
    }
    const auto found = std::lower_bound(begin + static_cast<std::ptrdiff_t>(from),
                                        begin + static_cast<std::ptrdiff_t>(to), correlation, less);
    hint_ = static_cast<std::size_t>(found - begin);
    return hint_;
  }

  void link_thread(std::uint32_t number) {
    const HostThread& thread = records_.threads[number];
    if (thread.calls.size() == 0) return;
    auto frames = thread.frames.read();
    auto calls = thread.calls.read();
    auto frame = frames.next();
    open_.clear();
    while (const auto call = calls.next()) {
      for (; frame && frame->start <= call->start; frame = frames.next()) {
        // Most operators launch nothing themselves and are over before the next call.
        if (frame->end >= call->start) open_.enter(*frame);
      }
      open_.leave_until(call->start);
      if (call->traits.kind == CallKind::kSync) {
        links_.waits.push_back(
            {call->start, call->end, number, open_.frame(), call->traits.whole_device});
      } else if (call->correlation != kNoId) {
        link_call(*call, number);
      }
    }
  }

  void link_call(const CallRecord& call, std::uint32_t thread) {
    // The kernels of a large graph have one call; more calls with its id are not looked at.
    constexpr std::size_t kMostContested = 64;
    std::uint32_t site = 0;
    std::uint32_t op_call = 0;
    const std::size_t first = find(call.correlation);
    for (std::size_t i = first;
         i < by_correlation_.size() && by_correlation_[i].id == call.correlation; ++i) {
      if (i - first == kMostContested && site == 0) break;
      Activity& activity = links_.activities[by_correlation_[i].activity];
      if (!is_nearer(call, activity)) continue;
      if (site == 0) site = site_number(open_.site(op_call));
      activity.host_start = call.start;
      activity.host_end = call.end;
      activity.site = site;
      activity.op_call = op_call;
      activity.thread = thread;
      activity.synchronous = call.traits.synchronous;
    }
  }

  /// Processes number their calls each for itself: of several with the same id, the last one before
  /// the activity is the one.
  [[nodiscard]] static bool is_nearer(const CallRecord& call, const Activity& activity) {
    if (activity.host_start == kUnknownTime) return true;
    const bool known_before = activity.host_start <= activity.start;
    if (call.start > activity.start) return false;
    return !known_before || call.start > activity.host_start;
  }

  /// Fills by_external_id_ with the activities that no call was found for.
  void find_unlinked(std::int32_t device) {
    std::uint32_t number = 0;
    for (const DeviceStream& stream : records_.streams) {
      if (stream.device != device) continue;
      auto cursor = stream.work.read();
      for (; const auto record = cursor.next(); ++number) {
        if (record->external_id > 0 && links_.activities[number].host_start == kUnknownTime) {
          by_external_id_.push_back({record->external_id, number});
        }
      }
    }
    std::sort(by_external_id_.begin(), by_external_id_.end());
  }

  void link_by_external_id(const HostThread& thread) {
    auto frames = thread.frames.read();
    open_.clear();
    while (const auto frame = frames.next()) {
      open_.enter(*frame);
      if (frame->external_id <= 0) continue;
      auto found =
          std::lower_bound(by_external_id_.begin(), by_external_id_.end(), frame->external_id,
                           [](const Ids& ids, std::int64_t value) { return ids.id < value; });
      for (; found != by_external_id_.end() && found->id == frame->external_id; ++found) {
        Activity& activity = links_.activities[found->activity];
        if (activity.site != 0) continue;  // the first operator with the id
        std::uint32_t op_call = 0;
        activity.site = site_number(open_.site(op_call));
        activity.op_call = op_call;
      }
    }
  }

  std::uint32_t site_number(const CallSite& site) {
    const auto [found, is_new] =
        site_numbers_.try_emplace(site, static_cast<std::uint32_t>(links_.sites.size()));
    if (is_new) links_.sites.push_back(site);
    return found->second;
  }

  struct SiteHash {
    std::size_t operator()(const CallSite& site) const {
      const std::uint64_t ops = pair_key(site.op, site.shaped);
      return (ops ^ static_cast<std::uint64_t>(site.frame) * 0xff51afd7ed558ccdU) *
             0x9e3779b97f4a7c15U;
    }
  };

  const KinetoRecords& records_;
  KinetoLinks& links_;
  StackTree tree_;
  OpenFrames open_;
  std::vector<Ids> by_correlation_;
  std::vector<Ids> by_external_id_;
  std::size_t hint_ = 0;
  std::unordered_map<CallSite, std::uint32_t, SiteHash> site_numbers_;
};

}  // namespace

KinetoLinks link_records(const KinetoRecords& records, std::int32_t device) {
  KinetoLinks links;
  Linker(records, links).run(device);
  return links;
}

}  // namespace uplift::read
