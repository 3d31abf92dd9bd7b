# dhyan_unit(files unit [SPLIT folders...]): with DHYAN_UNITY, replaces the list of files by one unit that includes them
# all. Most of the time of a compilation goes into the headers that a room's files share. The paths in it are relative,
# so that the compiler cache knows it again in another clone. SPLIT gives each of these folders' Highway files a unit of
# their own, so that several cores compile them.
function(dhyan_unit files unit)
  cmake_parse_arguments(UNIT "" "" "SPLIT" ${ARGN})
  if(NOT DHYAN_UNITY)
    return()
  endif()
  set(vectors ${${files}})
  dhyan_keep_mentioning(vectors "hwy/foreach_target.h")
  set(others ${${files}})
  list(REMOVE_ITEM others ${vectors})
  set(units)
  if(others)
    dhyan_includes(includes ${others})
    dhyan_write_unit(units ${unit} "${includes}")
  endif()
  foreach(folder ${UNIT_SPLIT})
    set(part ${vectors})
    list(FILTER part INCLUDE REGEX "/${folder}/[^/]*$")
    list(REMOVE_ITEM vectors ${part})
    dhyan_write_vectors(units ${unit}_${folder} ${part})
  endforeach()
  dhyan_write_vectors(units ${unit}_vectors ${vectors})
  set(${files} ${units} PARENT_SCOPE)
endfunction()

# dhyan_write_vectors(list unit files...): as dhyan_write_unit, for Highway files; nothing if there are none. Highway
# includes the unit again for each instruction set, so each file's own name must not remain.
function(dhyan_write_vectors list unit)
  if(ARGN)
    set(again "#undef HWY_TARGET_INCLUDE\n#define HWY_TARGET_INCLUDE \"${unit}.cpp\"\n")
    dhyan_includes(includes ${ARGN})
    dhyan_write_unit(${list} ${unit} "${again}#include <hwy/foreach_target.h>\n${includes}${again}")
    list(GET ${list} -1 path)
    set_property(SOURCE ${path} APPEND PROPERTY COMPILE_OPTIONS ${dhyan_vector_options})
    set(${list} ${${list}} PARENT_SCOPE)
  endif()
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

# dhyan_write_unit(list unit text): writes the unit and appends its path to the list.
function(dhyan_write_unit list unit text)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/units)
  set(path ${folder}/${unit}.cpp)
  file(CONFIGURE OUTPUT ${path} CONTENT "${text}")
  set_source_files_properties(${path} PROPERTIES INCLUDE_DIRECTORIES "${PROJECT_SOURCE_DIR};${folder}"
                              COMPILE_OPTIONS -Wno-shadow)  # of a name in another file
  set(${list} ${${list}} ${path} PARENT_SCOPE)
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

# dhyan_room(NAME room DEPENDS rooms... LINK libraries... [SPLIT folders...])
# One library per folder of src/. Every *.cpp is a source and every *_test.cpp a test of that room's one test program.
function(dhyan_room)
  cmake_parse_arguments(ROOM "" "NAME" "DEPENDS;LINK;SPLIT" ${ARGN})
  set(target dhyan_${ROOM_NAME})

  file(GLOB sources CONFIGURE_DEPENDS *.cpp */*.cpp)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  if(DHYAN_LEFT_OUT)  # files that apps/wasm has in another form
    list(FILTER sources EXCLUDE REGEX "/src/(${DHYAN_LEFT_OUT})$")
  endif()
  dhyan_unit(sources ${target} SPLIT ${ROOM_SPLIT})
  add_library(${target} STATIC ${sources})
  dhyan_parse_after(${target} nlohmann/json.hpp)
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${target} PUBLIC dhyan_options)
  if(dhyan_installable)  # rooms are parts of libdhyan.so
    target_compile_options(${target} PRIVATE -fPIC -fvisibility=hidden -fvisibility-inlines-hidden
                                             -fno-semantic-interposition)
  endif()
  foreach(room ${ROOM_DEPENDS})
    target_link_libraries(${target} PUBLIC dhyan_${room})
  endforeach()
  target_link_libraries(${target} PRIVATE ${ROOM_LINK})

  dhyan_test(${ROOM_NAME} SOURCES ${tests} LINK ${target} ${ROOM_LINK})
endfunction()

# dhyan_test(name SOURCES files... LINK libraries... [DEFINE definitions...] [ENTRIES suites...]): one GoogleTest program
# and its ctest entry. The suites named have entries of their own, so that they run side by side. The target dhyan_tests
# builds all programs. There is none without GoogleTest, nor one without sources.
add_custom_target(dhyan_tests)
function(dhyan_test name)
  cmake_parse_arguments(TEST "" "" "SOURCES;LINK;DEFINE;ENTRIES" ${ARGN})
  if(DHYAN_SANITIZE STREQUAL "thread")
    dhyan_keep_thread_tests(TEST_SOURCES)
  endif()
  if(NOT GTest_FOUND OR NOT TEST_SOURCES)
    return()
  endif()
  dhyan_unit(TEST_SOURCES ${name}_test)
  add_executable(${name}_test ${TEST_SOURCES})
  dhyan_parse_after(${name}_test nlohmann/json.hpp gtest/gtest.h)
  target_link_libraries(${name}_test PRIVATE ${TEST_LINK} GTest::gtest GTest::gtest_main)
  target_compile_options(${name}_test PRIVATE ${dhyan_test_optimisation})
  target_compile_definitions(${name}_test PRIVATE ${TEST_DEFINE})
  add_dependencies(dhyan_tests ${name}_test)
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
  dhyan_leave_out_long_tests(filter)
  add_test(NAME ${name} COMMAND ${program} --gtest_brief=1 --gtest_filter=${filter})
  set(known ${PROJECT_SOURCE_DIR}/tests)
  set_tests_properties(  # a filter that leaves no test is a mistake
    ${name} PROPERTIES FAIL_REGULAR_EXPRESSION "\\] 0 tests from" ENVIRONMENT "LSAN_OPTIONS=print_suppressions=0:suppressions=${known}/leaks.supp;\
TSAN_OPTIONS=suppressions=${known}/races.supp")
endfunction()
