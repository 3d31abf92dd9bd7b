#include "cli/search_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <thread>

namespace dhyan::cli {

void add_search_options(CLI::App& command, SearchOptions& options) {
  command.add_option("-b,--beam-size", options.beam_size, "Hypotheses kept at every step; 1 is greedy search")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command
      .add_option("--length-penalty,--normalize", options.length_penalty,
                  "Rank by log p / length^X; 0 ranks by log p, which favours short translations")
      ->type_name("X")
      ->check(CLI::Range(0.0, 100.0))
      ->capture_default_str();
  command.add_option("--max-length", options.max_length, "Longest translation, in tokens")
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str();
  command
      .add_option("--max-length-factor", options.max_length_ratio,
                  "Longest translation as so many times its source, and ten tokens more")
      ->type_name("X")
      ->check(CLI::Range(0.0, 100.0))
      ->capture_default_str();
}

void add_threads_option(CLI::App& command, int& threads) {
  threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  command.add_option("--threads", threads, "Threads to translate on; they do not change the result")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
}

}  // namespace dhyan::cli
