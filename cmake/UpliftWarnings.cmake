# Warnings and sanitizers live on one interface target that the project's own targets link PRIVATE,
# so that nothing leaks into a program that embeds the library.
add_library(uplift_warnings INTERFACE)
target_compile_options(uplift_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
  -Wno-sign-conversion -Wnon-virtual-dtor -Wold-style-cast -Wswitch-enum)
if(UPLIFT_WARNINGS_AS_ERRORS)
  target_compile_options(uplift_warnings INTERFACE -Werror)
endif()
if(UPLIFT_SANITIZE)
  target_compile_options(uplift_warnings INTERFACE -fsanitize=${UPLIFT_SANITIZE}
    -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(uplift_warnings INTERFACE -fsanitize=${UPLIFT_SANITIZE})
endif()
