# What the WebAssembly build (preset wasm) has instead of Debian's libraries. DHYAN_WASM_SOURCES, which script/web-static
# fills, holds the sources of what the page needs; of the others there are the headers alone: apps/wasm refuses in their
# place.
set(DHYAN_WASM_SOURCES "${PROJECT_SOURCE_DIR}/build/wasm-tools/sources" CACHE PATH "Sources of the libraries of the page")

# Exceptions of WebAssembly instead of calls through JavaScript; vectors; std::jthread, which libc++ calls experimental.
add_compile_options(-fwasm-exceptions -msimd128 $<$<COMPILE_LANGUAGE:CXX>:-fexperimental-library>)
add_link_options(-fwasm-exceptions $<$<COMPILE_LANGUAGE:CXX>:-fexperimental-library>)

set(DHYAN_LEFT_OUT "core/bus_error.cpp|markup/(html|xml)_tokens.cpp|text/sentencepiece_(tokenizer|trainer).cpp|vision/(picture_files/(jpeg|png|webp)|write_picture).cpp")

# Debian's headers, but not those of its C library.
set(headers ${PROJECT_BINARY_DIR}/third_party)
file(MAKE_DIRECTORY ${headers}/linux)
foreach(name nlohmann xxhash.h xxh3.h zlib.h zconf.h zstd.h zstd_errors.h expat.h expat_external.h gumbo.h tag_enum.h
             sentencepiece_processor.h sentencepiece_trainer.h jpeglib.h jconfig.h jmorecfg.h jerror.h png.h pngconf.h
             pnglibconf.h libpng16 webp linux/magic.h)
  unset(found)
  foreach(folder /usr/include /usr/include/${CMAKE_HOST_SYSTEM_PROCESSOR}-linux-gnu)
    if(EXISTS ${folder}/${name})
      set(found ${folder}/${name})
    endif()
  endforeach()
  if(NOT found)
    message(FATAL_ERROR "the header ${name} is missing; script/setup installs it")
  endif()
  file(CREATE_LINK ${found} ${headers}/${name} SYMBOLIC)
endforeach()

# wasm_library(name files...): built from its sources, without our warnings.
function(dhyan_wasm_library name)
  add_library(${name} STATIC ${ARGN})
  target_compile_options(${name} PRIVATE -w)
endfunction()

dhyan_wasm_library(utf8proc ${DHYAN_WASM_SOURCES}/utf8proc/utf8proc.c)
target_include_directories(utf8proc SYSTEM PUBLIC ${DHYAN_WASM_SOURCES}/utf8proc)
target_compile_definitions(utf8proc PUBLIC UTF8PROC_STATIC)

file(GLOB yaml_sources ${DHYAN_WASM_SOURCES}/yaml-cpp/src/*.cpp)
dhyan_wasm_library(yaml-cpp ${yaml_sources})
set_target_properties(yaml-cpp PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
target_include_directories(yaml-cpp SYSTEM PUBLIC ${DHYAN_WASM_SOURCES}/yaml-cpp/include)
target_compile_definitions(yaml-cpp PUBLIC YAML_CPP_STATIC_DEFINE)

dhyan_wasm_library(hwy ${DHYAN_WASM_SOURCES}/highway/hwy/targets.cc ${DHYAN_WASM_SOURCES}/highway/hwy/per_target.cc
                   ${DHYAN_WASM_SOURCES}/highway/hwy/aligned_allocator.cc ${DHYAN_WASM_SOURCES}/highway/hwy/abort.cc)
target_include_directories(hwy SYSTEM PUBLIC ${DHYAN_WASM_SOURCES}/highway)
target_compile_definitions(hwy PUBLIC HWY_STATIC_DEFINE)
add_library(hwy::hwy ALIAS hwy)

file(CONFIGURE OUTPUT xxhash.c CONTENT "#define XXH_STATIC_LINKING_ONLY\n#define XXH_IMPLEMENTATION\n#include <xxhash.h>\n")
dhyan_wasm_library(xxhash ${PROJECT_BINARY_DIR}/xxhash.c)
target_include_directories(xxhash SYSTEM PRIVATE ${headers})

add_library(dhyan_headers INTERFACE)
target_include_directories(dhyan_headers SYSTEM INTERFACE ${headers})
foreach(name Threads::Threads nlohmann_json::nlohmann_json ZLIB::ZLIB zstd::libzstd_shared EXPAT::EXPAT JPEG::JPEG PNG::PNG
             Boost::headers)
  add_library(${name} INTERFACE IMPORTED GLOBAL)
  target_link_libraries(${name} INTERFACE dhyan_headers)
endforeach()
foreach(name DHYAN_SENTENCEPIECE DHYAN_SENTENCEPIECE_TRAIN DHYAN_WEBP DHYAN_WEBPDEMUX DHYAN_GUMBO)
  set(${name} dhyan_headers)
endforeach()
set(DHYAN_UTF8PROC utf8proc)
set(DHYAN_XXHASH xxhash dhyan_headers)
