#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace dhyan::bench {

// An integer option of a benchmark, with bounds.
struct NumberOption {
  std::string flag;
  int& value;
  std::string help;
  int min, max;
};

// A positional argument of a benchmark.
struct Argument {
  std::string name;
  std::string& value;
  std::string help;
};

struct Program {
  std::string title;
  std::vector<NumberOption> options = {};
  std::vector<Argument> arguments = {};
};

// Parses the command line and runs the work; returns the exit code.
int run_program(int argc, char** argv, const Program& program, const std::function<void()>& work);

// The number of hardware threads.
int all_threads();

double seconds_of(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values);

}  // namespace dhyan::bench
