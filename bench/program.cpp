#include "program.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <iostream>
#include <thread>

namespace dhyan::bench {

int run_program(int argc, char** argv, const Program& program, const std::function<void()>& work) {
  CLI::App app(program.title);
  for (const Argument& argument : program.arguments) {
    app.add_option(argument.name, argument.value, argument.help)->required();
  }
  for (const NumberOption& option : program.options) {
    app.add_option(option.flag, option.value, option.help)
        ->check(CLI::Range(option.min, option.max))
        ->capture_default_str();
  }
  CLI11_PARSE(app, argc, argv);
  try {
    work();
  } catch (const std::exception& error) {
    std::cerr << argv[0] << ": " << error.what() << '\n';
    return 1;
  }
  return 0;
}

int all_threads() { return static_cast<int>(std::max(1U, std::thread::hardware_concurrency())); }

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

}  // namespace dhyan::bench
