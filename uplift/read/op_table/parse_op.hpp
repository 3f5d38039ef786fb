// SPDX-License-Identifier: Apache-2.0
// The kind, math and shape columns of an op table as an Op. Kinds and keys: docs/formats.md.
#pragma once

#include "uplift/core/op.hpp"

#include <string>
#include <string_view>

namespace uplift::read {

/// The columns of one row that describe its operation; empty where the table has no such column.
struct OpText {
  std::string_view kind, math, shape, dtype, out_dtype;
};

/// Fills `op`. False: it cannot be told, and `note` says why. True with a note: something was taken
/// for something else. `note` is empty before.
[[nodiscard]] bool parse_op(const OpText& text, Op& op, std::string& note);

}  // namespace uplift::read
