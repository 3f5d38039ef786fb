// SPDX-License-Identifier: Apache-2.0
// Gathering: batch numbers become numbers of the whole recording, records become packed bytes.
#include "uplift/read/trace/kineto_records.hpp"

#include "uplift/read/trace/json_text.hpp"
#include "uplift/read/trace/kernel_name.hpp"

#include <algorithm>
#include <charconv>

namespace uplift::read {
namespace {

using Extents = std::array<std::int64_t, 3>;

constexpr std::uint32_t kNotMet = UINT32_MAX;

/// `[25088, 2, 1]`; anything else is zeros. Extents beyond what CUDA allows are zeros too.
Extents triple(std::string_view text, const Extents& limits) {
  Extents values = {0, 0, 0};
  std::size_t at = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::int64_t& value = values[i];
    at = text.find_first_of("0123456789", at);
    if (at == std::string_view::npos) return {0, 0, 0};
    const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), value);
    if (error != std::errc() || value < 1 || value > limits[i]) return {0, 0, 0};
    at = static_cast<std::size_t>(end - text.data());
  }
  return values;
}

LaunchGeometry parse_launch(const WorkText& text) {
  return {triple(text.grid, {INT32_MAX, 65535, 65535}), triple(text.block, {1024, 1024, 64}),
          static_cast<int>(std::clamp<std::int64_t>(to_integer(text.registers, 0), 0, 1024)),
          std::max<std::int64_t>(0, to_integer(text.shared, 0))};
}

std::uint64_t to_bits(const CallTraits& traits) {
  return static_cast<std::uint64_t>(traits.kind) | (traits.whole_device ? 4U : 0U) |
         (traits.synchronous ? 8U : 0U);
}

CallTraits from_bits(std::uint64_t bits) {
  return {static_cast<CallKind>(bits & 3), (bits & 4) != 0, (bits & 8) != 0};
}

}  // namespace

void FrameRecord::pack(PackedBytes& out, const FrameRecord& before) const {
  out.put_change(start, before.start);
  out.put_change(end, start);
  out.put_change(external_id, before.external_id);
  out.put(signature);
}

void FrameRecord::unpack(PackedReader& in, const FrameRecord& before) {
  start = in.get_change(before.start);
  end = in.get_change(start);
  external_id = in.get_change(before.external_id);
  signature = static_cast<std::uint32_t>(in.get());
}

void CallRecord::pack(PackedBytes& out, const CallRecord& before) const {
  out.put_change(start, before.start);
  out.put_change(end, start);
  out.put_change(correlation, before.correlation);
  out.put(to_bits(traits));
}

void CallRecord::unpack(PackedReader& in, const CallRecord& before) {
  start = in.get_change(before.start);
  end = in.get_change(start);
  correlation = in.get_change(before.correlation);
  traits = from_bits(in.get());
}

void WorkRecord::pack(PackedBytes& out, const WorkRecord& before) const {
  out.put_change(start, before.end);
  out.put_change(end, start);
  out.put_change(correlation, before.correlation);
  out.put_change(external_id, before.external_id);
  out.put(static_cast<std::uint64_t>(bytes));
  out.put(signature);
}

void WorkRecord::unpack(PackedReader& in, const WorkRecord& before) {
  start = in.get_change(before.end);
  end = in.get_change(start);
  correlation = in.get_change(before.correlation);
  external_id = in.get_change(before.external_id);
  bytes = static_cast<std::int64_t>(in.get());
  signature = static_cast<std::uint32_t>(in.get());
}

std::size_t KinetoRecords::SignatureHash::operator()(const FrameSignature& signature) const {
  std::size_t hash = static_cast<std::size_t>(signature.kind);
  for (const StringId id : {signature.name, signature.dims, signature.types, signature.concrete}) {
    hash = (hash ^ id) * 0x9e3779b97f4a7c15U;
    hash ^= hash >> 32;
  }
  return hash;
}

void KinetoRecords::take(const EventBatch& batch) {
  counts.events += batch.counts().events;
  counts.damaged += batch.counts().damaged;
  counts.counters += batch.counts().counters;
  if (const auto reserved = batch.most_reserved_bytes()) {
    most_reserved_bytes = std::max(most_reserved_bytes.value_or(0), *reserved);
  }
  BatchNumbers numbers;
  numbers.frames.assign(batch.frames().texts().size(), kNotMet);
  numbers.work.assign(batch.work().texts().size(), kNotMet);
  numbers.threads.assign(batch.threads().texts().size(), kNotMet);
  for (const EventRecord& record : batch.records()) take_record(record, batch, numbers);
}

void KinetoRecords::take_device(std::size_t id, const RecordedDevice& device) {
  if (devices.size() <= id) devices.resize(id + 1);
  devices[id] = device;
}

void KinetoRecords::drop_logs() {
  for (HostThread& thread : threads) {
    thread.frames = {};
    thread.calls = {};
  }
  for (DeviceStream& stream : streams) stream.work = {};
}

void KinetoRecords::take_record(const EventRecord& record, const EventBatch& batch,
                                BatchNumbers& numbers) {
  first_time = std::min(first_time, record.start);
  last_time = std::max(last_time, record.end);
  const auto frame = [&] {
    std::uint32_t& number = numbers.frames[record.text];
    if (number == kNotMet) number = frame_number(batch.frames().texts()[record.text]);
    return number;
  };
  const auto thread = [&]() -> HostThread& {
    std::uint32_t& number = numbers.threads[record.thread];
    if (number == kNotMet) number = thread_number(batch.threads().texts()[record.thread]);
    return threads[number];
  };
  switch (record.kind) {
    case RecordKind::kStep:
      steps.push_back({record.start, record.end, frames[frame()].name});
      break;
    case RecordKind::kFrame:
      thread().frames.append({record.start, record.end, record.external_id, frame()});
      break;
    case RecordKind::kCall:
      thread().calls.append({record.start, record.end, record.correlation, record.call});
      break;
    case RecordKind::kWork: {
      std::uint32_t& number = numbers.work[record.text];
      if (number == kNotMet) number = work_number(batch.work().texts()[record.text]);
      DeviceStream& stream = stream_of(record);
      stream.work.append(
          {record.start, record.end, record.correlation, record.external_id, record.bytes, number});
      if (work[number].kind == DeviceKind::kKernel) {
        const auto length = static_cast<double>(record.end - record.start);
        ++stream.kernels;
        stream.kernel_ns += length;
        if (work[number].collective) stream.collective_ns += length;
      }
      break;
    }
  }
}

std::uint32_t KinetoRecords::frame_number(const FrameText& text) {
  const FrameSignature signature{text.kind, intern_name(text.name), strings_.intern(text.dims),
                                 strings_.intern(text.types), strings_.intern(text.concrete)};
  shapes_recorded |= text.dims.find_first_of("0123456789") != std::string_view::npos;
  modules_recorded |= text.kind == FrameKind::kModule;
  const auto [found, is_new] =
      frame_numbers_.try_emplace(signature, static_cast<std::uint32_t>(frames.size()));
  if (is_new) frames.push_back(signature);
  return found->second;
}

std::uint32_t KinetoRecords::work_number(const WorkText& text) {
  WorkSignature signature{text.kind, intern_name(text.name), parse_launch(text), false};
  const LaunchGeometry& launch = signature.launch;
  const Launch key{
      signature.kind,     signature.name, launch.grid, launch.block, launch.registers_per_thread,
      launch.shared_bytes};
  const auto [found, is_new] =
      work_numbers_.try_emplace(key, static_cast<std::uint32_t>(work.size()));
  if (is_new) {
    signature.collective = text.kind == DeviceKind::kKernel &&
                           classify_kernel(text.name, {}) == KernelClass::kCollective;
    work.push_back(signature);
  }
  return found->second;
}

std::uint32_t KinetoRecords::thread_number(const ThreadText& text) {
  const std::pair key(strings_.intern(text.process), strings_.intern(text.thread));
  const auto [found, is_new] =
      thread_numbers_.try_emplace(key, static_cast<std::uint32_t>(threads.size()));
  if (is_new) {
    threads.emplace_back();
    threads.back().process = key.first;
    threads.back().thread = key.second;
  }
  return found->second;
}

DeviceStream& KinetoRecords::stream_of(const EventRecord& record) {
  if (last_stream_ < streams.size() && streams[last_stream_].device == record.device &&
      streams[last_stream_].stream == record.stream) {
    return streams[last_stream_];
  }
  const auto [found, is_new] = stream_numbers_.try_emplace(
      {record.device, record.stream}, static_cast<std::uint32_t>(streams.size()));
  if (is_new) {
    streams.emplace_back();
    streams.back().device = record.device;
    streams.back().stream = record.stream;
  }
  last_stream_ = found->second;
  return streams[last_stream_];
}

StringId KinetoRecords::intern_name(std::string_view raw) {
  return raw.find('\\') == std::string_view::npos ? strings_.intern(raw)
                                                  : strings_.intern(unescape(raw));
}

}  // namespace uplift::read
