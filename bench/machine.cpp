#include "machine.h"

#include <algorithm>

#include "peak.h"
#include "program.h"

namespace dhyan::bench {

namespace {

// Runs work(i) on every thread i; it returns the work done. The total per second in the best round: other processes can
// only lower it.
double rate(ThreadPool& pool, int rounds, const auto& work) {
  std::vector<double> rates;
  for (int round = 0; round < rounds; ++round) {
    std::vector<double> done(static_cast<std::size_t>(pool.size()));
    const double seconds =
        seconds_of([&] { pool.run(pool.size(), [&](Index i, int) { done[static_cast<std::size_t>(i)] = work(i); }); });
    double total = 0;
    for (const double part : done) total += part;
    rates.push_back(total / seconds);
  }
  return std::ranges::max(rates);
}

}  // namespace

double peak_gflops(ThreadPool& pool, int rounds) {
  return rate(pool, rounds, [](Index) { return static_cast<double>(run_multiply_adds(20'000'000)); }) / 1e9;
}

double tile_gflops(ThreadPool& pool, int rounds) {
  return rate(pool, rounds, [](Index) { return static_cast<double>(run_amx_tiles(5'000'000)); }) / 1e9;
}

double read_gb_per_second(ThreadPool& pool, int rounds) {
  constexpr std::size_t kValues = std::size_t{1} << 27;  // half a gigabyte
  const std::vector<float> values(kValues, 1);
  const std::size_t part = kValues / static_cast<std::size_t>(pool.size());
  const double bytes = rate(pool, rounds, [&](Index i) {
    const auto own = std::span(values).subspan(static_cast<std::size_t>(i) * part, part);
    volatile float kept = read_values(own);  // keeps the compiler from removing the read
    static_cast<void>(kept);
    return static_cast<double>(own.size_bytes());
  });
  return bytes / 1e9;
}

}  // namespace dhyan::bench
