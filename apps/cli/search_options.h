#pragma once

#include <dhyan/options.h>
#include <vector>

#include "core/precision.h"
#include "translator/open_request.h"
#include "translator/translator.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace dhyan::cli {

// Adds the search options of one group of the table (translator/search_option_table.h): "Search" for every command that
// translates, "Words and sampling" for translate.
void add_search_options(CLI::App& command, std::string_view group, SearchRequest& request);

// Adds one of them, in the command's own group.
CLI::Option* add_search_option(CLI::App& command, std::string_view name, SearchRequest& request);

// The options of a request that differ from their defaults, for the library's API.
std::vector<v1::Setting> settings_of(const SearchRequest& request);

// What a command says about loading models.
struct LoadingOptions {
  std::vector<double> weights = {};  // of several models
  TranslatorLimits limits = {};
  int threads = 1;
};
v1::LoadOptions load_options(const LoadingOptions& options);

// --amx: products in split bfloat16. Only the user chooses it, because it changes the last bits of scores.
void add_precision_option(CLI::App& command, Precision& precision);

// --threads; by default as many as the machine has.
void add_threads_option(CLI::App& command, int& threads);

}  // namespace dhyan::cli
