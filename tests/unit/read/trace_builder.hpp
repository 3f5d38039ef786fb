// SPDX-License-Identifier: Apache-2.0
// Small profiler traces written line by line for tests: events as the current PyTorch writes them,
// or any other text. Times are given in microseconds.
#pragma once

#include "tests/unit/read/memory_source.hpp"
#include "uplift/read/trace/kineto_workload.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

namespace uplift::read {

class TraceBuilder {
 public:
  /// Any event, or what takes the place of one.
  TraceBuilder& raw(std::string event) {
    events_.push_back(std::move(event));
    return *this;
  }
  TraceBuilder& step(int number, double start, double length) {
    return host("user_annotation", fmt::format("ProfilerStep#{}", number), start, length, "");
  }
  /// An operator; `arguments` are more members of `args`, such as `"Input Dims": [[2, 3]]`.
  TraceBuilder& op(const std::string& name, double start, double length, int external_id = 0,
                   const std::string& arguments = "") {
    return host("cpu_op", name, start, length,
                fmt::format(R"("External id": {}{})", external_id,
                            arguments.empty() ? "" : ", " + arguments));
  }
  /// A CUDA runtime call.
  TraceBuilder& call(const std::string& name, double start, double length, int correlation) {
    return host("cuda_runtime", name, start, length,
                fmt::format(R"("correlation": {})", correlation));
  }
  TraceBuilder& kernel(const std::string& name, double start, double length, int correlation,
                       int stream = 7, int device = 0, int external_id = 0) {
    return on_device("kernel", name, start, length, correlation, stream, device,
                     fmt::format(R"(, "External id": {}, "grid": [80, 1, 1], "block": [256, 1, 1],)"
                                 R"( "registers per thread": 32, "shared memory": 0)",
                                 external_id));
  }
  TraceBuilder& copy(const std::string& name, double start, double length, int correlation,
                     long long bytes, int stream = 7) {
    return on_device("gpu_memcpy", name, start, length, correlation, stream, 0,
                     fmt::format(R"(, "bytes": {})", bytes));
  }
  /// A launch call of 5 us and its kernel, which starts 10 us after it.
  TraceBuilder& launch(const std::string& name, double start, double length, int correlation,
                       int stream = 7) {
    call("cudaLaunchKernel", start, 5, correlation);
    return kernel(name, start + 10, length, correlation, stream);
  }
  TraceBuilder& device(const std::string& properties) {
    devices_ += (devices_.empty() ? "" : ", ") + properties;
    return *this;
  }

  [[nodiscard]] std::vector<std::string>& events() { return events_; }
  [[nodiscard]] std::string text() const {
    std::string list;
    for (const std::string& event : events_) list += (list.empty() ? "" : ",\n") + event;
    return fmt::format(R"({{"schemaVersion": 1, "deviceProperties": [{}], "traceEvents": [{}]}})",
                       devices_, list);
  }
  [[nodiscard]] Result<Workload> read() const {
    MemorySource source(text());
    return read_kineto(source, "trace.json");
  }

 private:
  TraceBuilder& host(const std::string& category, const std::string& name, double start,
                     double length, const std::string& arguments) {
    return raw(fmt::format(
        R"({{"ph": "X", "cat": "{}", "name": "{}", "pid": 1, "tid": 1, "ts": {}, "dur": {}, )"
        R"("args": {{{}}}}})",
        category, name, start, length, arguments));
  }
  TraceBuilder& on_device(const std::string& category, const std::string& name, double start,
                          double length, int correlation, int stream, int device_id,
                          const std::string& more) {
    return raw(fmt::format(
        R"({{"ph": "X", "cat": "{}", "name": "{}", "pid": {}, "tid": {}, "ts": {}, "dur": {}, )"
        R"("args": {{"device": {}, "stream": {}, "correlation": {}{}}}}})",
        category, name, device_id, stream, start, length, device_id, stream, correlation, more));
  }

  std::vector<std::string> events_;
  std::string devices_;
};

}  // namespace uplift::read
