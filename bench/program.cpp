#include "program.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <thread>

namespace dhyan::bench {

int run_program(int argc, char** argv, const std::string& title, const std::vector<NumberOption>& options,
                const std::function<void()>& work) {
  CLI::App app(title);
  for (const NumberOption& option : options) {
    app.add_option(option.flag, option.value, option.help)
        ->check(CLI::Range(option.least, option.most))
        ->capture_default_str();
  }
  CLI11_PARSE(app, argc, argv);
  work();
  return 0;
}

int all_threads() { return static_cast<int>(std::max(1U, std::thread::hardware_concurrency())); }

}  // namespace dhyan::bench
