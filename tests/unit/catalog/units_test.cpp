// SPDX-License-Identifier: Apache-2.0
#include "uplift/catalog/units.hpp"

#include "uplift/core/gpu_fields.hpp"

#include <gtest/gtest.h>

namespace uplift::catalog {
namespace {

TEST(Units, GigaAndGibiDiffer) {
  EXPECT_EQ(unit_factor("GB", UnitKind::kBytes), 1e9);
  EXPECT_EQ(unit_factor("GiB", UnitKind::kBytes), 1073741824.0);
}

TEST(Units, AUnitMeasuresOneKindOnly) {
  EXPECT_FALSE(unit_factor("GB", UnitKind::kByteRate));
  EXPECT_FALSE(unit_factor("GB/s", UnitKind::kBytes));
  EXPECT_FALSE(unit_factor("", UnitKind::kCount));
}

TEST(Units, ChoicesReadAsASentence) {
  EXPECT_EQ(unit_choices(UnitKind::kFrequency), "Hz, MHz or GHz");
  EXPECT_EQ(unit_choices(UnitKind::kPower), "W");
}

TEST(Units, EveryFieldsOwnUnitFitsIt) {
  for (const GpuField& field : gpu_fields()) {
    EXPECT_TRUE(unit_factor(field.unit, field.kind)) << field.path;
  }
}

TEST(Units, FieldPathsAndKeysAreUnique) {
  const auto fields = gpu_fields();
  for (std::size_t i = 0; i < fields.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_NE(fields[i].path, fields[j].path);
      EXPECT_NE(fields[i].json_key, fields[j].json_key);
      Gpu gpu;
      EXPECT_NE(&fields[i].write(gpu), &fields[j].write(gpu)) << fields[i].path;
    }
  }
}

}  // namespace
}  // namespace uplift::catalog
