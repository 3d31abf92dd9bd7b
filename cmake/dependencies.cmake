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
find_package(JPEG REQUIRED)
find_package(PNG REQUIRED)
find_library(DHYAN_WEBP webp REQUIRED)
find_library(DHYAN_WEBPDEMUX webpdemux REQUIRED)
find_package(Boost 1.81 REQUIRED)  # headers of Beast and Asio
find_library(DHYAN_GUMBO gumbo REQUIRED)

# Optional: training and translating on several machines (src/distributed). script/setup installs libopenmpi-dev.
find_package(MPI COMPONENTS C)
if(NOT MPI_C_FOUND)
  message(STATUS "MPI is not installed: this build works on one machine only")
endif()

# Only tests and header checks need GoogleTest; `script/setup --tests` installs it.
find_package(GTest)
if(NOT GTest_FOUND)
  message(STATUS "GoogleTest is not installed: this build has no tests")
endif()
