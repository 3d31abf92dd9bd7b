# Tests that run under the thread sanitizer: folders and files. A room that starts threads, or that shares memory between
# them, is here as a whole, or with the tests that do so where the others would take long. The tsan preset has no others.
set(dhyan_thread_tests
    # thread pool, shared work, spare arena, bus errors
    src/core
    # ranks as threads
    src/distributed
    # prefetcher, build of the token cache
    src/data
    # word cache; sampling and learning, which run beside the caller
    src/text/word_cache_test.cpp
    src/text/run_polled_test.cpp
    src/text/sentencepiece_trainer_test.cpp
    src/text/subword_sampler_test.cpp
    # packed weights, intra-op threads
    src/kernels/gemm/packed_weight_test.cpp
    src/kernels/int8/int8_top_k_test.cpp
    src/kernels/int8/top_k_prefilter_test.cpp
    src/kernels/simd/runtime_test.cpp
    src/ops/row_product_test.cpp
    # ordered reduction, parallel steps
    src/training
    src/translator
    # drawing by libraries that share caches
    src/explain/png_test.cpp
    # interrupts, validation beside training, decoding of pictures; the others load and convert folders
    src/runs/caption_run_test.cpp
    src/runs/interrupted_run_test.cpp
    src/runs/picture_cache_test.cpp
    src/runs/rank_run_test.cpp
    src/runs/rank_run_test.cpp
    src/runs/training_run_test.cpp
    src/runs/validator_test.cpp
    # progress bar, interrupts
    apps/cli/interrupt_test.cpp
    apps/cli/progress_bar_test.cpp
    apps/cli/training_display_test.cpp
    # HTTP, queue and workers, rate limiter, metrics
    apps/server)
list(TRANSFORM dhyan_thread_tests PREPEND ${PROJECT_SOURCE_DIR}/)
foreach(path ${dhyan_thread_tests})
  if(NOT EXISTS ${path})
    message(FATAL_ERROR "cmake/thread_tests.cmake: there is no ${path}")
  endif()
endforeach()

# dhyan_keep_thread_tests(files): drops the tests that are not on the list.
function(dhyan_keep_thread_tests files)
  set(kept)
  foreach(file ${${files}})
    cmake_path(ABSOLUTE_PATH file)
    foreach(path ${dhyan_thread_tests})
      cmake_path(IS_PREFIX path ${file} listed)
      if(listed)
        list(APPEND kept ${file})
        break()
      endif()
    endforeach()
  endforeach()
  set(${files} ${kept} PARENT_SCOPE)
endfunction()
