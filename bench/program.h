#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace dhyan::bench {

// An option of a benchmark: a whole number within bounds.
struct NumberOption {
  std::string flag;
  int& value;
  std::string help;
  int least, most;
};

// What a benchmark is given by its place on the command line.
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

// Reads the command line and does the work; gives what main returns.
int run_program(int argc, char** argv, const Program& program, const std::function<void()>& work);

// As many threads as the machine has.
int all_threads();

double seconds_of(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values);

}  // namespace dhyan::bench
