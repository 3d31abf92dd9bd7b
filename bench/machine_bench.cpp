// The machine's peaks as JSON: the roofline that rates are compared with.
#include <iostream>
#include <nlohmann/json.hpp>

#include "kernels/simd/runtime.h"
#include "machine.h"
#include "program.h"

int main(int argc, char** argv) {
  using namespace dhyan;
  int threads = bench::all_threads(), rounds = 5;
  return bench::run_program(argc, argv,
                            {.title = "The machine's peak in fp32 and by AMX, and its memory bandwidth",
                             .options = {{"--threads", threads, "Threads", 1, 256},
                                         {"--rounds", rounds, "Rounds; the best is reported", 1, 1000}}},
                            [&] {
                              ThreadPool pool = kernels::make_thread_pool(threads);
                              const nlohmann::ordered_json report{
                                  {"threads", threads},
                                  {"simd", kernels::simd_target()},
                                  {"peak_gflops", bench::peak_gflops(pool, rounds)},
                                  {"tile_gflops", bench::tile_gflops(pool, rounds)},
                                  {"read_gb_per_second", bench::read_gb_per_second(pool, rounds)}};
                              std::cout << report.dump(2) << '\n';
                            });
}
