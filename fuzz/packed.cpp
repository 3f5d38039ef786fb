// SPDX-License-Identifier: Apache-2.0
// Any bytes as a file, whatever its first ones say it is (plain, gzip or zstd), through everything
// between the path and the workload: a workload that holds together or one line of error. The file
// is in memory; it has no place in a folder.
#include "fuzz/workload_check.hpp"
#include "uplift/read/load_workload.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const int file = ::memfd_create("input", MFD_CLOEXEC);
  uplift::fuzz::check(file >= 0);
  for (std::size_t done = 0; done < size;) {
    const ssize_t wrote = ::write(file, data + done, size - done);
    uplift::fuzz::check(wrote > 0);
    done += static_cast<std::size_t>(wrote);
  }
  const std::string path = "/proc/self/fd/" + std::to_string(file);
  uplift::fuzz::check_result(uplift::read::load_workload(path));
  ::close(file);
  return 0;
}
