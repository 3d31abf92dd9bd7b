#pragma once

#include "metrics/text_scores.h"

namespace CLI {
class App;
}

namespace dhyan::cli {

// What every command that scores translations can be told, by the names of sacreBLEU: --metrics, --tokenize,
// --smooth-method and so on, and --buckets.
void add_scoring_options(CLI::App& command, ScoringOptions& options);

// How samples are drawn: --bootstrap-seed, and their number by the name given.
void add_bootstrap_options(CLI::App& command, const char* samples, BootstrapOptions& options);

}  // namespace dhyan::cli
