#pragma once

#include "decoding/search.h"

namespace CLI {
class App;
}

namespace dhyan::cli {

// What every command that translates can be told: --beam-size, --length-penalty, --max-length, --max-length-factor.
void add_search_options(CLI::App& command, SearchOptions& options);

// --threads; as many as the machine has, unless told.
void add_threads_option(CLI::App& command, int& threads);

}  // namespace dhyan::cli
