#pragma once

#include "core/precision.h"
#include "translator/open_request.h"

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

// --amx: products in split bfloat16. Only the user chooses it, because it changes the last bits of scores.
void add_precision_option(CLI::App& command, Precision& precision);

// --threads; by default as many as the machine has.
void add_threads_option(CLI::App& command, int& threads);

}  // namespace dhyan::cli
