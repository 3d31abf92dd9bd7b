// How close convolutions come to the machine's peak, and the rate of EfficientNet-Lite0; on one thread, in CPU time. A
// table goes to stderr, the same numbers as JSON to stdout.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "backbones/efficientnet_lite0.h"
#include "core/error.h"
#include "interop/parameter_file.h"
#include "kernels/simd/runtime.h"
#include "ops/convolution.h"
#include "ops/pixels.h"
#include "ops/prepack.h"
#include "peak.h"
#include "program.h"

namespace dhyan::bench {
namespace {

using Json = nlohmann::ordered_json;

struct Settings {
  int rounds = 25;
  int pictures = 8;
};

struct Layer {
  const char* name;
  GridShape grid;
  Index in, out;
  WindowOptions window;
};

const Layer kLayers[] = {
    {"3x3x64 -> 64 on 28x28", {28, 28}, 64, 64, {.kernel = 3}},
    {"3x3x64 -> 64 on 56x56", {56, 56}, 64, 64, {.kernel = 3}},
    {"3x3x3 -> 16, stride 2, on 64x64", {64, 64}, 3, 16, {.kernel = 3, .stride = 2}},
    {"3x3x32 -> 64, stride 2, on 16x16", {16, 16}, 32, 64, {.kernel = 3, .stride = 2}},
    {"1x1x96 -> 24 on 56x56", {56, 56}, 96, 24, {.kernel = 1}},
};

Tensor made_up(const Shape& shape) {
  const Tensor x = Tensor::zeros(shape);
  for (Index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<Real>(i * 7919 % 1000) / 1000 - Real(0.5);
  return x;
}

double cpu_seconds_of(const auto& work) {
  const auto now = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  };
  const double start = now();
  work();
  return now() - start;
}

double peak_gflops_of_thread() {
  double flops = 0;
  const double seconds = cpu_seconds_of([&] { flops = static_cast<double>(run_multiply_adds(1'000'000)); });
  return 1e-9 * flops / seconds;
}

// The best round counts: other processes can only lower a rate.
Json measure(const Settings& settings, const Layer& layer) {
  ParameterSet parameters;
  const Index K = layer.window.kernel * layer.window.kernel * layer.in;
  Parameter &weight = parameters.add("weight", {K, layer.out}), &bias = parameters.add("bias", {layer.out});
  weight.value = made_up(weight.value.shape());
  prepack(parameters);
  const Tensor x = made_up({settings.pictures * layer.grid.cells(), layer.in});
  const ConvOptions options{layer.window, kernels::Rectifier::kRelu};
  const Index windows = window_grid(layer.grid, layer.window).cells() * settings.pictures;
  const Tensor seed = made_up({windows, layer.out});
  const double gflop = 2e-9 * static_cast<double>(windows * K * layer.out);
  const int repeats = static_cast<int>(std::clamp(0.3 / gflop, 1.0, 1000.0));
  Arena arena;
  GradientSet gradients(parameters);
  Tape tape(parameters);
  const auto run = [&](Scope& scope) {
    return conv2d(scope.variable(x), layer.grid, scope.parameter(weight), scope.parameter(bias), options);
  };
  double peak = 0, forward = 0, both = 0;
  for (int round = 0; round < settings.rounds; ++round) {
    peak = std::max(peak, peak_gflops_of_thread());
    const double seconds = cpu_seconds_of([&] {
      for (int i = 0; i < repeats; ++i) {
        arena.reset();
        Scope scope(arena);
        run(scope);
      }
    });
    const double trained = cpu_seconds_of([&] {
      for (int i = 0; i < repeats; ++i) {
        arena.reset();
        gradients.clear();
        tape.start(gradients, Rng(1));
        Scope scope(arena, tape);
        tape.backward(run(scope), seed);
      }
    });
    forward = std::max(forward, gflop * repeats / seconds);
    both = std::max(both, 3 * gflop * repeats / trained);
  }
  return {{"name", layer.name},        {"peak_gflops", peak},
          {"forward_gflops", forward}, {"forward_share", forward / peak},
          {"training_gflops", both},   {"training_share", both / peak}};
}

// Pictures per second through EfficientNet-Lite0, one picture at a time. Its weights do not matter.
double pictures_per_second(const EfficientNetLite0& network, const Settings& settings) {
  std::vector<std::uint8_t> picture(static_cast<std::size_t>(3 * network.picture().cells()));
  for (std::size_t i = 0; i < picture.size(); ++i) picture[i] = static_cast<std::uint8_t>(i * 7919 % 256);
  Arena arena;
  double best = 0;
  for (int round = 0; round < settings.rounds; ++round) {
    arena.reset();
    Scope scope(arena);
    best = std::max(best, 1 / cpu_seconds_of([&] { network(pixels(scope, picture)); }));
  }
  return best;
}

Json measure_efficientnet(const Settings& settings) {
  ParameterSet parameters;
  const EfficientNetLite0 network(parameters, "network", {.rng = Rng(1)});
  prepack(parameters);
  const double floats = pictures_per_second(network, settings);
  const auto path = std::filesystem::temp_directory_path() / cat("dhyan-vision-bench-", getpid(), ".safetensors");
  save_int8_parameters(path, parameters);
  load_prepacked_parameters(path, parameters);
  std::filesystem::remove(path);
  const double int8 = pictures_per_second(network, settings);
  std::fprintf(stderr, "\nEfficientNet-Lite0, 224x224, pictures/s: %.1f, int8 %.1f\n", floats, int8);
  return {{"float32", floats}, {"int8", int8}};
}

void run(const Settings& settings) {
  kernels::prepare_thread();
  Json report{{"simd", kernels::simd_target()}, {"pictures", settings.pictures}};
  std::fprintf(stderr, "%s, one thread, %d pictures; GFLOP/s (share of peak)\n", kernels::simd_target(),
               settings.pictures);
  std::fprintf(stderr, "  %-34s %16s %20s\n", "convolution", "forward", "forward + backward");
  for (const Layer& layer : kLayers) {
    const Json one = measure(settings, layer);
    std::fprintf(stderr, "  %-34s %9.1f (%3.0f%%) %13.1f (%3.0f%%)\n", layer.name, one["forward_gflops"].get<double>(),
                 100 * one["forward_share"].get<double>(), one["training_gflops"].get<double>(),
                 100 * one["training_share"].get<double>());
    report["convolutions"].push_back(one);
  }
  report["efficientnet_lite0_pictures_per_second"] = measure_efficientnet(settings);
  std::cout << report.dump(2) << '\n';
}

}  // namespace
}  // namespace dhyan::bench

int main(int argc, char** argv) {
  dhyan::bench::Settings settings;
  return dhyan::bench::run_program(
      argc, argv,
      {.title = "Vision benchmark: convolutions and EfficientNet-Lite0 on one thread",
       .options = {{"--rounds", settings.rounds, "Measured rounds; the best counts", 1, 1000},
                   {"--pictures", settings.pictures, "Pictures of a batch", 1, 4096}}},
      [&] { dhyan::bench::run(settings); });
}
