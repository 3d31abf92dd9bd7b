#pragma once

#include <CLI/CLI.hpp>

#include "explain/attention_choice.h"

namespace dhyan::cli {

// Which part of a model's attention to show, as it was asked for on the command line.
struct AttentionOptions {
  std::string place;  // of kAttentionPlaces, or all; nothing for what the model translates by
  std::optional<Index> layer = {};
  std::optional<Index> head = {};
  bool heads_apart = false;  // a head, or all of them, were asked for
  std::optional<Summary> summary = {};
};

// The options need that of the model.
void add_attention_options(CLI::App& command, AttentionOptions& options, CLI::Option* model);

// What they come to for a model with such records. Who names heads wants to see heads: there is no summary by default.
AttentionChoice choice_of(const AttentionOptions& options, std::span<const AttentionRecord> records,
                          Summary by_default);

}  // namespace dhyan::cli
