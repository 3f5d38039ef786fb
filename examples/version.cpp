// SPDX-License-Identifier: Apache-2.0
// The smallest program on the library: says which uplift it was linked with.
#include "uplift/core/version.hpp"

#include <cstdio>
#include <string>

int main() { std::printf("uplift %s\n", std::string(uplift::version()).c_str()); }
