#include "cli/search_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <thread>

#include "cli/table_option.h"
#include "translator/search_option_table.h"

namespace dhyan::cli {

namespace {

// Tells the parser which of the options that the command has need or exclude each other.
void connect_search_options(CLI::App& command) {
  for (const SearchOption& option : search_option_table()) {
    CLI::Option* added = command.get_option_no_throw("--" + option.name);
    if (added == nullptr) continue;
    if (CLI::Option* needed = command.get_option_no_throw("--" + option.needs)) added->needs(needed);
    if (CLI::Option* excluded = command.get_option_no_throw("--" + option.excludes)) added->excludes(excluded);
  }
}

}  // namespace

void add_search_options(CLI::App& command, std::string_view group, SearchRequest& request) {
  for (const SearchOption& option : search_option_table()) {
    if (option.group == group) add_table_option(command, option, request)->group(option.group);
  }
  connect_search_options(command);
}

CLI::Option* add_search_option(CLI::App& command, std::string_view name, SearchRequest& request) {
  const auto option = std::ranges::find(search_option_table(), name, [](const auto& row) { return row.name; });
  return add_table_option(command, *option, request);
}

std::vector<v1::Setting> settings_of(const SearchRequest& request) {
  std::vector<v1::Setting> settings;
  for (const SearchOption& option : search_option_table()) {
    if (is_set(option, request)) settings.push_back({option.name, option.get(request)});
  }
  return settings;
}

v1::LoadOptions load_options(const LoadingOptions& options) {
  return {.threads = options.threads,
          .max_source_length = options.limits.max_source_length,
          .ensemble_weights = options.weights,
          .split_bfloat16 = options.limits.precision == Precision::kSplitBfloat16};
}

void add_precision_option(CLI::App& command, Precision& precision) {
  command.add_flag_callback(
      "--amx", [&precision] { precision = Precision::kSplitBfloat16; },
      "Multiply float32 weights by AMX tiles, each number as the sum of three bfloat16: faster for long texts, slower "
      "to start; the last bits of scores change. No effect on machines without AMX and for int8 weights");
}

void add_threads_option(CLI::App& command, int& threads) {
  threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  command.add_option("--threads", threads, "Number of threads; it does not change the result")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
}

}  // namespace dhyan::cli
