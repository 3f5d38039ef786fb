# uplift_add_test(NAME n SOURCES … LABEL unit [STAGES …] [LIBRARIES …] [RESOURCE_LOCK gpu] [TIMEOUT s])
# One GoogleTest program. Each of its tests is one CTest test, `n.Suite.Name`, with the label of the
# folder it lives in. STAGES names what it links (default: all of them, uplift::uplift); LIBRARIES
# adds others, such as rapidcheck and rapidcheck_gtest. A test that calls GTEST_SKIP counts as
# skipped. The sources see UPLIFT_SOURCE_DIR and UPLIFT_TEST_DATA as string literals.
include(GoogleTest)

set(UPLIFT_TEST_LABELS unit property golden integration reference package device fuzz)

function(uplift_add_test)
  cmake_parse_arguments(ARG "" "NAME;LABEL;RESOURCE_LOCK;TIMEOUT" "SOURCES;STAGES;LIBRARIES" ${ARGN})
  uplift_check_label(${ARG_LABEL})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 60)
  endif()
  if(ARG_STAGES)
    list(TRANSFORM ARG_STAGES PREPEND uplift::)
  else()
    set(ARG_STAGES uplift::uplift)
  endif()
  add_executable(test_${ARG_NAME} ${ARG_SOURCES})
  # GoogleTest's macros take clang-tidy longer than the whole library, and find nothing.
  set_target_properties(test_${ARG_NAME} PROPERTIES CXX_CLANG_TIDY "")
  target_compile_definitions(test_${ARG_NAME} PRIVATE
    UPLIFT_SOURCE_DIR="${PROJECT_SOURCE_DIR}" UPLIFT_TEST_DATA="${PROJECT_SOURCE_DIR}/tests/data")
  target_link_libraries(test_${ARG_NAME} PRIVATE ${ARG_STAGES} ${ARG_LIBRARIES}
    GTest::gmock GTest::gtest_main uplift_warnings)
  set(properties LABELS ${ARG_LABEL} TIMEOUT ${ARG_TIMEOUT})
  if(ARG_RESOURCE_LOCK)
    list(APPEND properties RESOURCE_LOCK ${ARG_RESOURCE_LOCK})
  endif()
  gtest_discover_tests(test_${ARG_NAME} TEST_PREFIX ${ARG_NAME}. DISCOVERY_MODE PRE_TEST
    DISCOVERY_TIMEOUT 60 PROPERTIES ${properties})
endfunction()

# uplift_add_python_test(NAME n SCRIPT file.py LABEL integration [ARGS …] [TIMEOUT s])
# One CTest test that runs a Python script with UPLIFT_BIN (the tool, where it is built),
# UPLIFT_SOURCE_DIR and UPLIFT_TEST_DATA in its environment. Exit code 77 means skipped.
function(uplift_add_python_test)
  cmake_parse_arguments(ARG "" "NAME;SCRIPT;LABEL;TIMEOUT" "ARGS" ${ARGN})
  uplift_check_label(${ARG_LABEL})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  set(environment UPLIFT_SOURCE_DIR=${PROJECT_SOURCE_DIR}
    UPLIFT_TEST_DATA=${PROJECT_SOURCE_DIR}/tests/data PYTHONDONTWRITEBYTECODE=1)
  if(TARGET uplift_cli)
    list(APPEND environment UPLIFT_BIN=$<TARGET_FILE:uplift_cli>)
  endif()
  add_test(NAME ${ARG_NAME}
    COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/${ARG_SCRIPT} ${ARG_ARGS})
  set_tests_properties(${ARG_NAME} PROPERTIES LABELS ${ARG_LABEL} TIMEOUT ${ARG_TIMEOUT}
    SKIP_RETURN_CODE 77 ENVIRONMENT "${environment}")
endfunction()

# uplift_add_fuzzer(NAME n SOURCE n.cpp CORPUS dir [STAGES …])
# One target with LLVMFuzzerTestOneInput. It is built in every preset: with libFuzzer under
# UPLIFT_LIBFUZZER, else with fuzz/replay_main.cpp, which feeds it the files it is given. CTest
# replays the seed corpus (label fuzz).
function(uplift_add_fuzzer)
  cmake_parse_arguments(ARG "" "NAME;SOURCE;CORPUS" "STAGES" ${ARGN})
  list(TRANSFORM ARG_STAGES PREPEND uplift::)
  add_executable(fuzz_${ARG_NAME} ${ARG_SOURCE})
  target_link_libraries(fuzz_${ARG_NAME} PRIVATE ${ARG_STAGES} uplift_warnings)
  set(options "")
  if(UPLIFT_LIBFUZZER)
    target_link_options(fuzz_${ARG_NAME} PRIVATE -fsanitize=fuzzer)
    set(options -runs=0)
  else()
    target_sources(fuzz_${ARG_NAME} PRIVATE ${PROJECT_SOURCE_DIR}/fuzz/replay_main.cpp)
  endif()
  set_property(GLOBAL APPEND PROPERTY UPLIFT_FUZZERS ${ARG_NAME})
  add_test(NAME fuzz.${ARG_NAME}.corpus
    COMMAND fuzz_${ARG_NAME} ${options} ${CMAKE_CURRENT_SOURCE_DIR}/${ARG_CORPUS})
  set_tests_properties(fuzz.${ARG_NAME}.corpus PROPERTIES LABELS fuzz TIMEOUT 120)
endfunction()

# A misspelt label would drop the tests from every selection without a word.
function(uplift_check_label label)
  if(NOT label IN_LIST UPLIFT_TEST_LABELS)
    message(FATAL_ERROR "test label '${label}' is none of: ${UPLIFT_TEST_LABELS}")
  endif()
endfunction()

# Every public header compiles alone: one generated source per header. The headers are found by a
# glob on purpose, so that a new one cannot be forgotten.
function(uplift_add_header_check)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
    ${PROJECT_SOURCE_DIR}/uplift/*.hpp)
  set(sources "")
  foreach(header IN LISTS headers)
    string(REGEX REPLACE "[/.]" "_" stem ${header})
    set(source ${PROJECT_BINARY_DIR}/header_check/${stem}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "#include \"${header}\"\n#include \"${header}\"\n")
    list(APPEND sources ${source})
  endforeach()
  add_library(header_check OBJECT ${sources})
  target_link_libraries(header_check PRIVATE uplift::uplift uplift_warnings fmt::fmt
    nlohmann_json::nlohmann_json simdjson::simdjson tomlplusplus::tomlplusplus)
  set_target_properties(header_check PROPERTIES CXX_CLANG_TIDY "")  # headers are seen where included
endfunction()
