# dhyan_room(NAME room DEPENDS rooms... LINK libraries...)
# One library per folder of src/. Every *.cpp is a source, every *_test.cpp a test of that room's one test program,
# and every header is compiled alone.
function(dhyan_room)
  cmake_parse_arguments(ROOM "" "NAME" "DEPENDS;LINK" ${ARGN})
  set(target dhyan_${ROOM_NAME})

  file(GLOB sources CONFIGURE_DEPENDS *.cpp */*.cpp)
  file(GLOB headers CONFIGURE_DEPENDS *.h */*.h)
  list(FILTER headers EXCLUDE REGEX "-inl\\.h$")  # meant to be included several times
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  # One GEMM backend is linked.
  list(FILTER sources EXCLUDE REGEX "/gemm_backend_")
  if(ROOM_NAME STREQUAL "kernels")
    list(APPEND sources ${CMAKE_CURRENT_SOURCE_DIR}/gemm_backend_${dhyan_gemm}.cpp)
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
  add_executable(${name}_test ${TEST_SOURCES})
  target_link_libraries(${name}_test PRIVATE ${TEST_LINK} GTest::gtest GTest::gtest_main)
  target_compile_options(${name}_test PRIVATE -O1)  # compiled more often than run
  add_test(NAME ${name} COMMAND ${name}_test --gtest_brief=1)
endfunction()
