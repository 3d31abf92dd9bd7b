# `cmake --install`: the binary, libdhyan, shared and static, its headers, the CMake package, dhyan.pc, manual page and
# completions. Components: program, library, development.
if(NOT dhyan_installable OR DHYAN_STATIC)
  return()
endif()
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(dhyan_abi 1)  # counts up with a release that breaks programs, together with the namespace of include/dhyan/export.h

# dhyan_rooms_below(list target): the room and all that it depends on.
function(dhyan_rooms_below list target)
  if(${target} IN_LIST ${list})
    return()
  endif()
  list(APPEND ${list} ${target})
  get_target_property(links ${target} LINK_LIBRARIES)
  foreach(link ${links})
    if(link MATCHES "^dhyan_" AND NOT link STREQUAL "dhyan_options")
      dhyan_rooms_below(${list} ${link})
    endif()
  endforeach()
  set(${list} ${${list}} PARENT_SCOPE)
endfunction()
set(rooms)
dhyan_rooms_below(rooms dhyan_api)

option(DHYAN_ABI_INFORMATION "Debug information of the API's types, which script/abi compares" OFF)
if(DHYAN_ABI_INFORMATION)
  target_compile_options(dhyan_api PRIVATE -g)
endif()

# All symbols of rooms are hidden; the version script names what is not.
add_library(dhyan_shared SHARED $<TARGET_OBJECTS:dhyan_api>)
set(exports ${PROJECT_SOURCE_DIR}/cmake/libdhyan.version)
set_target_properties(dhyan_shared PROPERTIES OUTPUT_NAME dhyan EXPORT_NAME dhyan VERSION ${dhyan_abi}.${PROJECT_VERSION}
                      SOVERSION ${dhyan_abi} LINKER_LANGUAGE CXX LINK_DEPENDS ${exports})
target_link_options(dhyan_shared PRIVATE -Wl,--version-script=${exports} -Wl,--no-undefined -Wl,--as-needed
                                         -Wl,--gc-sections)
foreach(room ${rooms})
  if(NOT room STREQUAL "dhyan_api")
    target_link_libraries(dhyan_shared PRIVATE ${room})
  endif()
endforeach()
target_include_directories(dhyan_shared INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(dhyan_shared INTERFACE cxx_std_20)

# The static library is the rooms' archives as one.
set(archive ${PROJECT_BINARY_DIR}/libdhyan.a)
set(recipe "CREATE ${archive}\n")
foreach(room ${rooms})
  string(APPEND recipe "ADDLIB $<TARGET_FILE:${room}>\n")
endforeach()
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/libdhyan.mri CONTENT "${recipe}SAVE\nEND\n")
add_custom_command(OUTPUT ${archive}
                   COMMAND ${CMAKE_COMMAND} -E rm -f ${archive}
                   COMMAND ${CMAKE_AR} -M < ${PROJECT_BINARY_DIR}/libdhyan.mri
                   DEPENDS ${rooms} ${PROJECT_BINARY_DIR}/libdhyan.mri)
add_custom_target(dhyan_static DEPENDS ${archive})

# What a program that links it statically links, too.
set(dhyan_needs hwy sentencepiece_train sentencepiece utf8proc xxhash z zstd expat yaml-cpp jpeg png webpdemux webp pthread
                dl)
list(TRANSFORM dhyan_needs PREPEND "-l" OUTPUT_VARIABLE flags)
list(JOIN flags " " dhyan_needs_flags)

# Manual page and completions are printed by the binary.
set(documents ${PROJECT_BINARY_DIR}/documents)
add_custom_command(
  OUTPUT ${documents}/dhyan.1 ${documents}/dhyan.bash ${documents}/_dhyan ${documents}/dhyan.fish
  COMMAND ${CMAKE_COMMAND} -E make_directory ${documents}
  COMMAND dhyan man > ${documents}/dhyan.1
  COMMAND dhyan completion bash > ${documents}/dhyan.bash
  COMMAND dhyan completion zsh > ${documents}/_dhyan
  COMMAND dhyan completion fish > ${documents}/dhyan.fish
  DEPENDS dhyan)
add_custom_target(dhyan_documents DEPENDS ${documents}/dhyan.1)

# Each public header compiles by itself, as a program sees it: without our own definitions.
file(GLOB headers RELATIVE ${PROJECT_SOURCE_DIR}/include CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/dhyan/*.h)
set(units)
foreach(header ${headers})
  set(unit ${PROJECT_BINARY_DIR}/public/${header}.cpp)
  file(CONFIGURE OUTPUT ${unit} CONTENT "#include <${header}>\n#include <${header}>  // guarded\n")
  list(APPEND units ${unit})
endforeach()
add_library(dhyan_public_headers OBJECT ${units})
target_compile_options(dhyan_public_headers PRIVATE -O0 -Wall -Wextra -Wpedantic -Wshadow -Werror)
target_include_directories(dhyan_public_headers PRIVATE ${PROJECT_SOURCE_DIR}/include)

# Builds all that is installed.
add_custom_target(dhyan_installed)
add_dependencies(dhyan_installed dhyan dhyan_shared dhyan_static dhyan_documents)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/dhyan)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/dhyan-config.cmake.in ${PROJECT_BINARY_DIR}/dhyan-config.cmake
                              INSTALL_DESTINATION ${package} PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/dhyan-config-version.cmake COMPATIBILITY SameMinorVersion)
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig
           OUTPUT_VARIABLE dhyan_prefix)
configure_file(${PROJECT_SOURCE_DIR}/cmake/dhyan.pc.in ${PROJECT_BINARY_DIR}/dhyan.pc @ONLY)

install(TARGETS dhyan RUNTIME COMPONENT program)
install(FILES ${documents}/dhyan.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
install(FILES ${documents}/dhyan.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME dhyan
        COMPONENT program)
install(FILES ${documents}/_dhyan DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT program)
install(FILES ${documents}/dhyan.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT program)
install(TARGETS dhyan_shared EXPORT dhyan LIBRARY COMPONENT library NAMELINK_COMPONENT development)
install(FILES ${archive} DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/dhyan DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
install(EXPORT dhyan NAMESPACE dhyan:: FILE dhyan-targets.cmake DESTINATION ${package} COMPONENT development)
install(FILES ${PROJECT_BINARY_DIR}/dhyan-config.cmake ${PROJECT_BINARY_DIR}/dhyan-config-version.cmake
        DESTINATION ${package} COMPONENT development)
install(FILES ${PROJECT_BINARY_DIR}/dhyan.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
