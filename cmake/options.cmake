# Compiler settings every target shares.

if(NOT DHYAN_REAL MATCHES "^(float|double)$")
  message(FATAL_ERROR "DHYAN_REAL is '${DHYAN_REAL}'; it must be float or double")
endif()
# What does not depend on the kind of build is checked, and measured, in the users' one alone.
if(DHYAN_REAL STREQUAL "float" AND NOT DHYAN_SANITIZE)
  set(dhyan_users_build ON)
else()
  set(dhyan_users_build OFF)
endif()

# What is compiled more often than run is optimised least: what is built only to be tested, all tests, and what reads and
# writes formats. Sanitized code takes the optimiser longest; there, formats and tests are not optimised at all.
if(NOT dhyan_users_build)
  set(CMAKE_CXX_FLAGS_RELEASE "-O1 -DNDEBUG")
  set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -g1 -DNDEBUG")
endif()
set(dhyan_formats_optimisation -O1)
set(dhyan_test_optimisation -O1)
set(dhyan_sanitized_optimisation)  # of rooms that handle text, or formats in part
if(DHYAN_SANITIZE)
  set(dhyan_formats_optimisation -O0)
  set(dhyan_test_optimisation -O0)
  set(dhyan_sanitized_optimisation -O0)
endif()

# Loops over vectors are inlined into long functions, for which clang takes minutes if every operation is checked: the
# address sanitizer checks them by calls, the undefined-behaviour sanitizer leaves them out.
set(dhyan_vector_options)
if(DHYAN_SANITIZE MATCHES "address" AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  set(dhyan_vector_options -mllvm -asan-instrumentation-with-call-threshold=0 -fno-sanitize=undefined)
endif()

find_program(DHYAN_CCACHE ccache)
if(DHYAN_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER AND NOT DHYAN_SYNTAX_ONLY)  # which makes nothing to keep
  # Where a clone lies is no reason to compile it again.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
                                  ${DHYAN_CCACHE})
endif()

# Only what users run is installed.
if(dhyan_users_build AND CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT DHYAN_SYNTAX_ONLY)
  set(dhyan_installable ON)
else()
  set(dhyan_installable OFF)
endif()

add_library(dhyan_options INTERFACE)
target_include_directories(dhyan_options INTERFACE ${PROJECT_SOURCE_DIR}/include)
target_compile_definitions(dhyan_options INTERFACE DHYAN_OWN_SOURCES)
target_compile_options(dhyan_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
                                               -Wimplicit-fallthrough -Wcast-qual)
# One IEEE operation per written operation: a contraction to FMA would let results differ between two compilations
# of the same line. Kernels ask for FMA by name.
target_compile_options(dhyan_options INTERFACE -ffp-contract=off)
if(DHYAN_WERROR)
  target_compile_options(dhyan_options INTERFACE -Werror)
endif()
if(DHYAN_REAL STREQUAL "double")
  target_compile_definitions(dhyan_options INTERFACE DHYAN_REAL_DOUBLE)
endif()
if(DHYAN_CHECKED_STDLIB)
  target_compile_definitions(dhyan_options INTERFACE _GLIBCXX_ASSERTIONS)
endif()
if(DHYAN_SANITIZE)
  target_compile_options(dhyan_options INTERFACE -fsanitize=${DHYAN_SANITIZE} -fno-sanitize-recover=all
                                                 -fno-omit-frame-pointer)
  target_link_options(dhyan_options INTERFACE -fsanitize=${DHYAN_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")  # its flow analysis misreads instrumented code
    target_compile_options(dhyan_options INTERFACE -Wno-maybe-uninitialized)
  endif()
endif()
