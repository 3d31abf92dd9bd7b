# With DHYAN_SYNTAX_ONLY every file is parsed by itself and nothing is generated or linked: the fast way to find a file
# that uses what only its neighbours in a unit include.
#
# dhyan_parse_after(target headers...): the target's files are parsed after these headers, which are parsed once. They must
# be such as nearly all files include anyway: the check does not see who lacks them.
function(dhyan_parse_after target)
  if(NOT DHYAN_SYNTAX_ONLY)
    return()
  endif()
  string(MAKE_C_IDENTIFIER "${ARGN}" name)
  set(parsed ${PROJECT_BINARY_DIR}/${name}.h)
  if(NOT TARGET ${name})
    list(TRANSFORM ARGN REPLACE "(.+)" "#include <\\1>\n" OUTPUT_VARIABLE includes)
    list(JOIN includes "" includes)
    file(CONFIGURE OUTPUT ${parsed} CONTENT "${includes}")
    # g++ takes what it has parsed if flags that matter are the same; GoogleTest's target defines the macro.
    add_custom_command(OUTPUT ${parsed}.gch
                       COMMAND ${CMAKE_CXX_COMPILER} -std=c++20 -ffp-contract=off -w -O0 -DGTEST_HAS_PTHREAD=1
                               -x c++-header ${parsed} -o ${parsed}.gch
                       DEPENDS ${parsed})
    add_custom_target(${name} DEPENDS ${parsed}.gch)
  endif()
  add_dependencies(${target} ${name})
  target_compile_options(${target} PRIVATE -include ${parsed})
endfunction()

if(DHYAN_SYNTAX_ONLY)
  set(dhyan_touch "${CMAKE_COMMAND} -E touch")
  set(CMAKE_CXX_COMPILE_OBJECT
      "<CMAKE_CXX_COMPILER> <DEFINES> <INCLUDES> <FLAGS> -w -O0 -fsyntax-only <SOURCE>" "${dhyan_touch} <OBJECT>")
  set(CMAKE_CXX_ARCHIVE_CREATE "${dhyan_touch} <TARGET>")
  set(CMAKE_CXX_ARCHIVE_FINISH "")
  set(CMAKE_CXX_LINK_EXECUTABLE "${dhyan_touch} <TARGET>")
endif()
