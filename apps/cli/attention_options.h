#pragma once

#include <CLI/CLI.hpp>

#include "explain/attention_choice.h"

namespace dhyan::cli {

// The options require --model.
void add_attention_options(CLI::App& command, AttentionOptions& options, CLI::Option* model);

}  // namespace dhyan::cli
