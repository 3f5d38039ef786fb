// SPDX-License-Identifier: Apache-2.0
// What the process does about signals: a reader that went away and a file-size limit become write
// errors, and an interrupted run leaves no temporary file behind.
#pragma once

#include <string>

namespace uplift::cli {

/// Call once, first thing in main. Standard descriptors that the caller closed are replaced by ones
/// that fail when written to, so that no file of ours is ever taken for stdout.
void prepare_process();

/// The file that SIGINT, SIGTERM or SIGHUP removes before the process ends; one at a time.
void remove_on_signal(const std::string& path);
void keep_on_signal();

}  // namespace uplift::cli
