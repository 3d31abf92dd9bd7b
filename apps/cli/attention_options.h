#pragma once

#include <CLI/CLI.hpp>

#include "explain/attention_choice.h"

namespace dhyan::cli {

// The attention to show, as requested on the command line.
struct AttentionOptions {
  std::string place;  // in kAttentionPlaces, or all; empty: the attention that the model translates with
  std::optional<Index> layer = {};
  std::optional<Index> head = {};
  bool heads_apart = false;  // a head, or all heads, were requested
  std::optional<Summary> summary = {};
};

// The options require --model.
void add_attention_options(CLI::App& command, AttentionOptions& options, CLI::Option* model);

// Resolves the request for a model with these records. If heads are named, they are shown without a summary.
AttentionChoice choice_of(const AttentionOptions& options, std::span<const AttentionRecord> records,
                          Summary by_default);

}  // namespace dhyan::cli
