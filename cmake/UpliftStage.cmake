# uplift_stage(NAME SOURCES … [STAGES …] [PRIVATE …] [PUBLIC …])
# One folder under uplift/ as the static library uplift_NAME (uplift::NAME). STAGES are the stages it
# may know: its row of the table in CONTRIBUTING.md, which tests/integration checks against the
# #include lines.
function(uplift_stage name)
  cmake_parse_arguments(ARG "" "" "SOURCES;STAGES;PRIVATE;PUBLIC" ${ARGN})
  add_library(uplift_${name} STATIC ${ARG_SOURCES})
  add_library(uplift::${name} ALIAS uplift_${name})
  set_target_properties(uplift_${name} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(uplift_${name} PUBLIC cxx_std_20)
  target_include_directories(uplift_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/generated>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  list(TRANSFORM ARG_STAGES PREPEND uplift_)
  target_link_libraries(uplift_${name} PUBLIC ${ARG_STAGES} ${ARG_PUBLIC}
    PRIVATE ${ARG_PRIVATE} $<BUILD_INTERFACE:uplift_warnings>)
  set_property(GLOBAL APPEND PROPERTY UPLIFT_STAGES uplift_${name})
endfunction()
