# dhyan_unit(files unit): with DHYAN_UNITY, replaces the list of files by one unit that includes them all. Most of the
# time of a compilation goes into the headers that a room's files share. The paths in it are relative, so that the
# compiler cache knows it again in another clone.
function(dhyan_unit files unit)
  if(NOT DHYAN_UNITY)
    return()
  endif()
  set(includes)
  foreach(file ${${files}})
    cmake_path(ABSOLUTE_PATH file)
    cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    string(APPEND includes "#include \"${file}\"\n")
  endforeach()
  set(path ${CMAKE_CURRENT_BINARY_DIR}/units/${unit}.cpp)
  file(CONFIGURE OUTPUT ${path} CONTENT "${includes}")
  set_source_files_properties(${path} PROPERTIES INCLUDE_DIRECTORIES ${PROJECT_SOURCE_DIR}
                              COMPILE_OPTIONS -Wno-shadow)  # of a name in another file
  set(${files} ${path} PARENT_SCOPE)
endfunction()

# dhyan_keep_mentioning(files pattern): drops the files that have no line with the pattern.
function(dhyan_keep_mentioning files pattern)
  set(kept)
  foreach(file ${${files}})
    file(STRINGS ${file} lines REGEX ${pattern} LIMIT_COUNT 1)
    if(lines)
      list(APPEND kept ${file})
    endif()
  endforeach()
  set(${files} ${kept} PARENT_SCOPE)
endfunction()

# dhyan_room(NAME room DEPENDS rooms... LINK libraries... [APART])
# One library per folder of src/. Every *.cpp is a source, every *_test.cpp a test of that room's one test program,
# and every header is compiled alone. The sources are never made one unit if the room is APART, and in the users' build.
function(dhyan_room)
  cmake_parse_arguments(ROOM "APART" "NAME" "DEPENDS;LINK" ${ARGN})
  set(target dhyan_${ROOM_NAME})

  file(GLOB sources CONFIGURE_DEPENDS *.cpp */*.cpp)
  file(GLOB headers CONFIGURE_DEPENDS *.h */*.h)
  list(FILTER headers EXCLUDE REGEX "-inl\\.h$")  # meant to be included several times
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  if(DHYAN_SANITIZE STREQUAL "thread")
    dhyan_keep_mentioning(tests "[Tt]hread")  # the others have nothing for it to find
  endif()
  # One GEMM backend is linked.
  list(FILTER sources EXCLUDE REGEX "/gemm_backend_")
  if(ROOM_NAME STREQUAL "kernels")
    list(APPEND sources ${CMAKE_CURRENT_SOURCE_DIR}/gemm_backend_${dhyan_gemm}.cpp)
  endif()

  if(NOT ROOM_APART AND NOT dhyan_users_build)
    dhyan_unit(sources ${target})
  endif()
  add_library(${target} STATIC ${sources})
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${target} PUBLIC dhyan_options)
  foreach(room ${ROOM_DEPENDS})
    target_link_libraries(${target} PUBLIC dhyan_${room})
  endforeach()
  target_link_libraries(${target} PRIVATE ${ROOM_LINK})

  set(alone)
  foreach(header ${headers})
    cmake_path(REPLACE_EXTENSION header LAST_ONLY cpp OUTPUT_VARIABLE source)
    if(EXISTS ${source})  # which includes it first, as tests/layers_test.cpp sees to
      continue()
    endif()
    cmake_path(RELATIVE_PATH header BASE_DIRECTORY ${PROJECT_SOURCE_DIR}/src OUTPUT_VARIABLE relative)
    set(unit ${CMAKE_CURRENT_BINARY_DIR}/alone/${relative}.cpp)
    file(CONFIGURE OUTPUT ${unit} CONTENT "#include \"${relative}\"\n#include \"${relative}\"  // guarded\n")
    list(APPEND alone ${unit})
  endforeach()
  if(alone AND dhyan_users_build)  # once is enough
    add_library(${target}_headers_alone OBJECT ${alone})
    target_compile_options(${target}_headers_alone PRIVATE -O0)
    target_link_libraries(${target}_headers_alone PRIVATE ${target} ${ROOM_LINK} GTest::gtest)
  endif()

  if(tests)
    dhyan_test(${ROOM_NAME} SOURCES ${tests} LINK ${target} ${ROOM_LINK})
  endif()
endfunction()

# dhyan_test(name SOURCES files... LINK libraries...): one GoogleTest program, one ctest entry per test case.
function(dhyan_test name)
  cmake_parse_arguments(TEST "" "" "SOURCES;LINK" ${ARGN})
  dhyan_unit(TEST_SOURCES ${name}_test)
  add_executable(${name}_test ${TEST_SOURCES})
  target_link_libraries(${name}_test PRIVATE ${TEST_LINK} GTest::gtest GTest::gtest_main)
  target_compile_options(${name}_test PRIVATE ${dhyan_test_optimisation})
  add_test(NAME ${name} COMMAND ${name}_test --gtest_brief=1)
  set_tests_properties(
    ${name} PROPERTIES ENVIRONMENT "LSAN_OPTIONS=print_suppressions=0:suppressions=${PROJECT_SOURCE_DIR}/tests/leaks.supp")
endfunction()
