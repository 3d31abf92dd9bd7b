# dhyan_unit(files unit): with DHYAN_UNITY, replaces the list of files by one unit that includes them all. Most of the
# time of a compilation goes into the headers that a room's files share. The paths in it are relative, so that the
# compiler cache knows it again in another clone.
function(dhyan_unit files unit)
  if(NOT DHYAN_UNITY)
    return()
  endif()
  set(vectors ${${files}})
  dhyan_keep_mentioning(vectors "hwy/foreach_target.h")
  set(others ${${files}})
  list(REMOVE_ITEM others ${vectors})
  set(path ${CMAKE_CURRENT_BINARY_DIR}/units/${unit})
  set(units)
  if(others)
    dhyan_includes(includes ${others})
    dhyan_write_unit(${path}.cpp "${includes}")
    list(APPEND units ${path}.cpp)
  endif()
  if(vectors)  # Highway includes the unit again for each instruction set, so each file's own name must not remain
    set(again "#undef HWY_TARGET_INCLUDE\n#define HWY_TARGET_INCLUDE \"${unit}_vectors.cpp\"\n")
    dhyan_includes(includes ${vectors})
    dhyan_write_unit(${path}_vectors.cpp "${again}#include <hwy/foreach_target.h>\n${includes}${again}")
    list(APPEND units ${path}_vectors.cpp)
  endif()
  set(${files} ${units} PARENT_SCOPE)
endfunction()

# dhyan_includes(text files...): the lines that include them
function(dhyan_includes text)
  set(lines "")
  foreach(file ${ARGN})
    cmake_path(ABSOLUTE_PATH file)
    cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    string(APPEND lines "#include \"${file}\"\n")
  endforeach()
  set(${text} "${lines}" PARENT_SCOPE)
endfunction()

# dhyan_write_unit(path text)
function(dhyan_write_unit path text)
  file(CONFIGURE OUTPUT ${path} CONTENT "${text}")
  cmake_path(GET path PARENT_PATH folder)
  set_source_files_properties(${path} PROPERTIES INCLUDE_DIRECTORIES "${PROJECT_SOURCE_DIR};${folder}"
                              COMPILE_OPTIONS -Wno-shadow)  # of a name in another file
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

# dhyan_room(NAME room DEPENDS rooms... LINK libraries...)
# One library per folder of src/. Every *.cpp is a source and every *_test.cpp a test of that room's one test program.
function(dhyan_room)
  cmake_parse_arguments(ROOM "" "NAME" "DEPENDS;LINK" ${ARGN})
  set(target dhyan_${ROOM_NAME})

  file(GLOB sources CONFIGURE_DEPENDS *.cpp */*.cpp)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  if(DHYAN_SANITIZE STREQUAL "thread")
    dhyan_keep_mentioning(tests "[Tt]hread")  # the others have nothing for it to find
  endif()
  # One GEMM backend is linked.
  list(FILTER sources EXCLUDE REGEX "/gemm_backend_")
  if(ROOM_NAME STREQUAL "kernels")
    list(APPEND sources ${CMAKE_CURRENT_SOURCE_DIR}/gemm_backend_${DHYAN_GEMM}.cpp)
  endif()

  dhyan_unit(sources ${target})
  add_library(${target} STATIC ${sources})
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${target} PUBLIC dhyan_options)
  foreach(room ${ROOM_DEPENDS})
    target_link_libraries(${target} PUBLIC dhyan_${room})
  endforeach()
  target_link_libraries(${target} PRIVATE ${ROOM_LINK})

  if(tests)
    dhyan_test(${ROOM_NAME} SOURCES ${tests} LINK ${target} ${ROOM_LINK})
  endif()
endfunction()

# dhyan_test(name SOURCES files... LINK libraries... [ENTRIES suites...]): one GoogleTest program and its ctest entry.
# The suites named have entries of their own, so that they run side by side.
function(dhyan_test name)
  cmake_parse_arguments(TEST "" "" "SOURCES;LINK;ENTRIES" ${ARGN})
  dhyan_unit(TEST_SOURCES ${name}_test)
  add_executable(${name}_test ${TEST_SOURCES})
  target_link_libraries(${name}_test PRIVATE ${TEST_LINK} GTest::gtest GTest::gtest_main)
  target_compile_options(${name}_test PRIVATE ${dhyan_test_optimisation})
  set(others "*")
  if(TEST_ENTRIES)
    list(JOIN TEST_ENTRIES ".*:" others)
    string(PREPEND others "-")
    string(APPEND others ".*")
  endif()
  dhyan_test_entry(${name} ${name}_test "${others}")
  foreach(suite ${TEST_ENTRIES})
    dhyan_test_entry(${name}_${suite} ${name}_test "${suite}.*")
  endforeach()
endfunction()

function(dhyan_test_entry name program filter)
  add_test(NAME ${name} COMMAND ${program} --gtest_brief=1 --gtest_filter=${filter})
  set_tests_properties(
    ${name} PROPERTIES ENVIRONMENT "LSAN_OPTIONS=print_suppressions=0:suppressions=${PROJECT_SOURCE_DIR}/tests/leaks.supp")
endfunction()
