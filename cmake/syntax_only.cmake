# With DHYAN_SYNTAX_ONLY every file is parsed by itself and nothing is generated or linked: the fast way to find a file
# that uses what only its neighbours in a unit include.
#
# dhyan_parse_after(target [headers...]): the target's files are parsed after these headers and the standard library's,
# which are parsed once. So the parser sees which files of the project a file lacks; tests/includes_test.cpp sees which
# of these headers.
function(dhyan_parse_after target)
  if(NOT DHYAN_SYNTAX_ONLY)
    return()
  endif()
  set(headers
      algorithm array atomic bit bitset cctype cerrno charconv chrono cmath compare concepts condition_variable csetjmp
      csignal cstddef cstdint cstdio cstdlib cstring ctime deque exception filesystem fstream functional future
      initializer_list iomanip iostream iterator limits list map memory mutex new numbers numeric optional queue ranges
      regex set span sstream stdexcept stop_token string string_view system_error thread tuple type_traits unordered_map
      unordered_set utility variant vector ${ARGN})
  string(MAKE_C_IDENTIFIER "parsed_std_${ARGN}" name)
  set(parsed ${PROJECT_BINARY_DIR}/${name}.h)
  if(NOT TARGET ${name})
    list(TRANSFORM headers REPLACE "(.+)" "#include <\\1>\n")
    list(JOIN headers "" includes)
    file(CONFIGURE OUTPUT ${parsed} CONTENT "${includes}")
    # Without the templates' instances every file would make its own, which takes longer than to parse without this.
    add_custom_command(OUTPUT ${parsed}.pch
                       COMMAND ${CMAKE_CXX_COMPILER} -std=c++20 -ffp-contract=off -w -O0 -Xclang -fpch-instantiate-templates
                               -x c++-header ${parsed} -o ${parsed}.pch
                       DEPENDS ${parsed})
    add_custom_target(${name} DEPENDS ${parsed}.pch)
  endif()
  add_dependencies(${target} ${name})
  target_compile_options(${target} PRIVATE "SHELL:-include-pch ${parsed}.pch")
endfunction()

if(DHYAN_SYNTAX_ONLY)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "DHYAN_SYNTAX_ONLY: the compiler is ${CMAKE_CXX_COMPILER}; files are parsed by clang++-16")
  endif()
  set(dhyan_touch touch)  # three times as fast as cmake -E touch
  set(CMAKE_CXX_COMPILE_OBJECT
      "<CMAKE_CXX_COMPILER> <DEFINES> <INCLUDES> <FLAGS> -w -O0 -fsyntax-only <SOURCE>" "${dhyan_touch} <OBJECT>")
  set(CMAKE_CXX_ARCHIVE_CREATE "${dhyan_touch} <TARGET>")
  set(CMAKE_CXX_ARCHIVE_FINISH "")
  set(CMAKE_CXX_LINK_EXECUTABLE "${dhyan_touch} <TARGET>")
endif()
