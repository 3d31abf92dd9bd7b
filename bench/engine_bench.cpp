// How close the engine comes to the machine's peak: fp32 peak, GEMMs alone, and linear layers forward and backward. A
// table goes to stderr, the same numbers as JSON to stdout.
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>

#include "kernels/gemm/gemm.h"
#include "kernels/simd/runtime.h"
#include "machine.h"
#include "program.h"
#include "stack.h"
#include "training/parallel_step.h"

namespace dhyan::bench {
namespace {

using Json = nlohmann::ordered_json;

struct Settings {
  int threads = all_threads();
  int rounds = 9;
  int rows = 2048;
};

const StackSize kStacks[] = {{"transformer-tiny", 4, 128, 256, 8000}, {"transformer-base", 6, 512, 2048, 8000}};

// One GEMM per thread on rows / threads rows, in the three transposes that training needs.
Json measure_gemm(ThreadPool& pool, const Settings& settings, const GemmShape& shape) {
  const Index rows = settings.rows / pool.size();
  const int repeats = static_cast<int>(std::clamp(2e9 / static_cast<double>(rows * shape.I * shape.O), 1.0, 500.0));
  struct Operands {
    Tensor x, w, y;
  };
  std::vector<Operands> operands;
  for (int i = 0; i < pool.size(); ++i) {
    operands.push_back(
        {Tensor::zeros({rows, shape.I}), Tensor::zeros({shape.I, shape.O}), Tensor::zeros({rows, shape.O})});
    operands.back().x.fill(1), operands.back().w.fill(1), operands.back().y.fill(1);
  }
  const auto rate = [&](const auto& multiply) {
    std::vector<double> seconds;
    for (int round = 0; round <= settings.rounds; ++round) {
      const double taken = seconds_of([&] {
        pool.run(pool.size(), [&](Index i, int) {
          for (int k = 0; k < repeats; ++k) multiply(operands[static_cast<std::size_t>(i)]);
        });
      });
      if (round > 0) seconds.push_back(taken / repeats);  // the first round warms up
    }
    return 2e-9 * static_cast<double>(rows * pool.size() * shape.I * shape.O) / median(seconds);
  };
  using kernels::gemm;
  Json result{{"in", shape.I}, {"out", shape.O}, {"rows_per_thread", rows}};
  result["forward_gflops"] = rate([](const Operands& o) { gemm(o.x.matrix(), o.w.matrix(), o.y.matrix()); });
  result["dx_gflops"] = rate([](const Operands& o) { gemm(o.y.matrix(), o.w.matrix().t(), o.x.matrix()); });
  result["dw_gflops"] = rate([](const Operands& o) { gemm(o.x.matrix().t(), o.y.matrix(), o.w.matrix()); });
  return result;
}

// Alternates dhyan and the bare GEMMs, so that other load on the machine affects both alike.
Json measure_stack(ThreadPool& pool, const Settings& settings, const StackSize& size) {
  const Index rows = settings.rows / pool.size();
  ParameterSet parameters;
  const Stack stack(parameters, size);
  ParallelStep step(parameters, pool, pool.size());
  const Tensor x = Tensor::zeros({rows, size.d});
  x.fill(Real{0.5});
  std::vector<RowId> targets(static_cast<std::size_t>(rows));
  for (std::size_t i = 0; i < targets.size(); ++i) targets[i] = static_cast<RowId>(i * 7919 % 8000);
  std::vector<BareStack> bare;
  for (int i = 0; i < pool.size(); ++i) bare.emplace_back(size, rows);

  std::vector<double> ours, alone, shares;
  for (int round = -2; round < settings.rounds; ++round) {
    const double bare_seconds =
        seconds_of([&] { pool.run(pool.size(), [&](Index i, int) { bare[static_cast<std::size_t>(i)].run(); }); });
    const double our_seconds =
        seconds_of([&] { step.run(Rng(1), [&](Scope& scope, Index) { return stack.loss(scope, x, targets); }); });
    if (round < 0) continue;  // warm-up rounds
    alone.push_back(bare_seconds);
    ours.push_back(our_seconds);
    shares.push_back(bare_seconds / our_seconds);
  }
  const double work = flops(size, rows * pool.size()) / 1e9;
  return {{"name", size.name},
          {"rows", rows * pool.size()},
          {"gflop", work},
          {"bare_ms", 1e3 * median(alone)},
          {"bare_gflops", work / median(alone)},
          {"dhyan_ms", 1e3 * median(ours)},
          {"dhyan_gflops", work / median(ours)},
          {"share_of_bare", median(shares)}};
}

void print_table(const Json& report) {
  const double peak = report["peak_gflops"];
  std::fprintf(stderr, "%s, %d threads\n", report["simd"].get<std::string>().c_str(), report["threads"].get<int>());
  std::fprintf(stderr, "fp32 peak: %.0f GFLOP/s\n\n", peak);
  std::fprintf(stderr, "GEMMs alone, GFLOP/s (share of peak)\n  %6s %6s  %16s %16s %16s\n", "in", "out", "forward",
               "dx", "dw");
  for (const Json& g : report["gemms"]) {
    std::fprintf(stderr, "  %6d %6d", g["in"].get<int>(), g["out"].get<int>());
    for (const char* way : {"forward_gflops", "dx_gflops", "dw_gflops"}) {
      std::fprintf(stderr, " %9.0f (%3.0f%%)", g[way].get<double>(), 100 * g[way].get<double>() / peak);
    }
    std::fprintf(stderr, "\n");
  }
  std::fprintf(stderr, "\nLinear layers and loss, forward + backward\n  %-18s %6s %12s %12s %10s %8s\n", "", "rows",
               "bare", "dhyan", "GFLOP/s", "share");
  for (const Json& s : report["stacks"]) {
    std::fprintf(stderr, "  %-18s %6d %9.1f ms %9.1f ms %10.0f %7.1f%%\n", s["name"].get<std::string>().c_str(),
                 s["rows"].get<int>(), s["bare_ms"].get<double>(), s["dhyan_ms"].get<double>(),
                 s["dhyan_gflops"].get<double>(), 100 * s["share_of_bare"].get<double>());
  }
}

void run(const Settings& settings) {
  ThreadPool pool(settings.threads, kernels::prepare_thread);
  Json report{{"simd", kernels::simd_target()}, {"threads", settings.threads}};
  report["peak_gflops"] = peak_gflops(pool, settings.rounds);
  for (const StackSize& size : kStacks) {
    for (const GemmShape& shape : {GemmShape{size.d, size.d}, GemmShape{size.d, size.ff}, GemmShape{size.ff, size.d},
                                   GemmShape{size.d, size.V}}) {
      report["gemms"].push_back(measure_gemm(pool, settings, shape));
    }
  }
  for (const StackSize& size : kStacks) report["stacks"].push_back(measure_stack(pool, settings, size));
  print_table(report);
  std::cout << report.dump(2) << '\n';
}

}  // namespace
}  // namespace dhyan::bench

int main(int argc, char** argv) {
  dhyan::bench::Settings settings;
  return dhyan::bench::run_program(
      argc, argv,
      {.title = "Engine benchmark: machine peak, GEMMs alone, linear layers",
       .options = {{"--threads", settings.threads, "Threads", 1, 256},
                   {"--rounds", settings.rounds, "Measured rounds; medians are reported", 1, 1000},
                   {"--rows", settings.rows, "Rows of a batch", 1, 1 << 20}}},
      [&] { dhyan::bench::run(settings); });
}
