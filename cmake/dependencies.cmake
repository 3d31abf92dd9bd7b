# Debian packages this project builds with; script/setup installs them.
find_package(Threads REQUIRED)
find_package(hwy REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(ZLIB REQUIRED)
find_package(zstd REQUIRED)
find_package(EXPAT REQUIRED)
find_package(yaml-cpp REQUIRED)
find_library(DHYAN_SENTENCEPIECE sentencepiece REQUIRED)
find_library(DHYAN_SENTENCEPIECE_TRAIN sentencepiece_train REQUIRED)
find_library(DHYAN_UTF8PROC utf8proc REQUIRED)
find_library(DHYAN_XXHASH xxhash REQUIRED)

# Only tests and header checks need GoogleTest; `script/setup --tests` installs it.
find_package(GTest)
if(NOT GTest_FOUND)
  message(STATUS "GoogleTest is not installed: this build has no tests")
endif()
