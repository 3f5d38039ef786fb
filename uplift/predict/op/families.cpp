// SPDX-License-Identifier: Apache-2.0
#include "uplift/predict/op/families.hpp"

#include "uplift/predict/op/copy_time.hpp"
#include "uplift/predict/op/elementwise_time.hpp"
#include "uplift/predict/op/embedding_time.hpp"
#include "uplift/predict/op/fft_time.hpp"
#include "uplift/predict/op/kernel_time.hpp"
#include "uplift/predict/op/layernorm_time.hpp"
#include "uplift/predict/op/reduce_time.hpp"
#include "uplift/predict/op/softmax_time.hpp"
#include "uplift/predict/op/spmv_time.hpp"
#include "uplift/predict/op/stencil_time.hpp"

#include <array>

namespace uplift::predict {

std::span<const OpFamily* const> op_families() {
  static const std::array kFamilies = {
      &softmax_family(),   &layernorm_family(), &elementwise_family(), &reduce_family(),
      &embedding_family(), &fft_family(),       &spmv_family(),        &stencil_family(),
      &copy_family(),      &kernel_family()};
  return kFamilies;
}

}  // namespace uplift::predict
