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

// Reads the command line and does the work; gives what main returns.
int run_program(int argc, char** argv, const std::string& title, const std::vector<NumberOption>& options,
                const std::function<void()>& work);

// As many threads as the machine has.
int all_threads();

double seconds_of(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace dhyan::bench
