# Writes generated/uplift/core/version.cpp with the project's version and the git hash. Included by
# uplift/core; at every build the target uplift_version runs this same file as a script (-P), and the
# source is rewritten only when the hash has changed.
if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(arguments -D UPLIFT_VERSION=${PROJECT_VERSION} -D SOURCE_DIR=${PROJECT_SOURCE_DIR}
    -D OUTPUT=${PROJECT_BINARY_DIR}/generated/uplift/core/version.cpp)
  add_custom_target(uplift_version
    COMMAND ${CMAKE_COMMAND} ${arguments} -P ${CMAKE_CURRENT_LIST_FILE}
    BYPRODUCTS ${PROJECT_BINARY_DIR}/generated/uplift/core/version.cpp
    COMMENT "" VERBATIM)
  return()
endif()

set(UPLIFT_GIT_HASH "")
find_program(GIT git)
# Only when the sources are the top of the checkout: an unpacked archive inside another repository
# must not carry that repository's hash.
if(GIT AND EXISTS ${SOURCE_DIR}/.git)
  execute_process(COMMAND ${GIT} describe --always --abbrev=12 --dirty --exclude=*
    WORKING_DIRECTORY ${SOURCE_DIR} OUTPUT_VARIABLE described RESULT_VARIABLE failed
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT failed)
    set(UPLIFT_GIT_HASH ${described})
  endif()
endif()
configure_file(${SOURCE_DIR}/uplift/core/version.cpp.in ${OUTPUT} @ONLY)
