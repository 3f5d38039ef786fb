# Warnings and sanitizers live on one interface target that the project's own targets link PRIVATE,
# so that nothing leaks into a program that embeds the library.
add_library(uplift_warnings INTERFACE)
target_compile_options(uplift_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
  -Wno-sign-conversion -Wnon-virtual-dtor -Wold-style-cast -Wswitch-enum)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 sees overlapping copies inside std::string where there are none (GCC bug 105651).
  target_compile_options(uplift_warnings INTERFACE -Wno-restrict)
endif()
if(UPLIFT_WARNINGS_AS_ERRORS)
  target_compile_options(uplift_warnings INTERFACE -Werror)
endif()

# UPLIFT_SANITIZE=address,undefined; with UPLIFT_LIBFUZZER also `fuzzer-no-link`, for the coverage
# that libFuzzer steers by.
set(sanitizers ${UPLIFT_SANITIZE})
if(UPLIFT_LIBFUZZER)
  list(APPEND sanitizers fuzzer-no-link)
endif()
if(sanitizers)
  list(JOIN sanitizers "," sanitizers)
  target_compile_options(uplift_warnings INTERFACE -fsanitize=${sanitizers}
    -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(uplift_warnings INTERFACE -fsanitize=${sanitizers})
endif()
