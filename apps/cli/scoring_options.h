#pragma once

#include "metrics/text_scores.h"

namespace CLI {
class App;
}

namespace dhyan::cli {

// The options of every command that scores text, with sacreBLEU's names: --metrics, --tokenize, --smooth-method and so
// on, and --buckets.
void add_scoring_options(CLI::App& command, ScoringOptions& options);

// Options of bootstrap samples: --bootstrap-seed, and their number, named `samples`.
void add_bootstrap_options(CLI::App& command, const char* samples, BootstrapOptions& options);

}  // namespace dhyan::cli
